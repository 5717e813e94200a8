"""Cuts what a client sends into messages, as long as it is framed in the plain way.

The plain way is what every known client does: `Content-Length` with at most a `Content-Type` beside
it. What to make of anything else is left to pygls.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_HEADER = re.compile(
    rb"(?:Content-Type: [^\r\n]*\r\n)?Content-Length: ([1-9]\d{0,11})\r\n"
    rb"(?:Content-Type: [^\r\n]*\r\n)?\r\n"
)
_HEADER_END = b"\r\n\r\n"


class Frame(NamedTuple):
    """A message as it came, and its body alone."""

    whole: bytes
    body: bytes


class Frames:
    """Takes bytes in any portions and gives whole messages."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._searched = 0
        self._ends: tuple[int, int] | None = None
        self._is_odd = False

    @property
    def is_odd(self) -> bool:
        """Whether what is next is not framed in the plain way."""
        return self._is_odd

    def feed(self, chunk: bytes) -> None:
        """Add bytes."""
        self._waiting += chunk

    def take(self) -> Frame | None:
        """Give the next message, or None when it is not whole or not framed in the plain way."""
        if self._ends is None and not self._find_header():
            return None
        assert self._ends is not None
        head, end = self._ends
        if len(self._waiting) < end:
            return None
        whole = bytes(self._waiting[:end])
        del self._waiting[:end]
        self._ends, self._searched = None, 0
        return Frame(whole, whole[head:])

    def rest(self) -> bytes:
        """Give all bytes that belong to no message taken."""
        return bytes(self._waiting)

    def _find_header(self) -> bool:
        """Say whether the header is there and plain; one that is odd makes all behind it odd."""
        if self._is_odd:
            return False
        found = self._waiting.find(_HEADER_END, self._searched)
        if found < 0:
            self._searched = max(0, len(self._waiting) - len(_HEADER_END) + 1)
            return False
        header = _HEADER.fullmatch(self._waiting, 0, found + len(_HEADER_END))
        if header is None:
            self._is_odd = True
            return False
        self._ends = header.end(), header.end() + int(header[1])
        return True


def framed(body: bytes) -> bytes:
    """Put the header before the body of a message."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
