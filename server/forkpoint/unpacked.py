"""Packed bytes in, what was packed out, a piece at a time and never more than asked for (zstd).

The standard library has zstd since Python 3.14; before that `zstandard` does it where it is
installed. A file may be several frames, one behind the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Literal, Protocol, TypeAlias

Problem = Literal["notUnpackable", "damaged"]

LEAST = 64 * 1024 * 1024
TIMES = 200
MOST = 8 * 1024 * 1024 * 1024
"""Bytes. A file gives so many times its size and `LEAST`, and never more than `MOST`. Transcripts
pack to a tenth; what gives more was made to fill somebody's memory."""

_WINDOW_LOG = 27
"""What is looked back on while unpacking: at most 128 MiB, the format's own usual limit."""
_BITE = 1024
"""Packed bytes at a time. Four of them may give 128 KiB, and all that they give is held at once."""


class CannotUnpack(Exception):
    """The bytes cannot be unpacked.

    Attributes:
        problem: "notUnpackable": there is nothing here that could; "damaged": they are no zstd, or
            end before they should.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem: Problem = problem


def bound(packed_size: int) -> int:
    """Return how many bytes a packed file of that size may give."""
    return min(LEAST + TIMES * packed_size, MOST)


class Unpacked:
    """The bytes of a packed file, from the first on.

    Attributes:
        position: of the next byte.
        at_end: there is none any more.
    """

    def __init__(self, packed: Iterator[bytes], most: int = MOST) -> None:
        """Unpack nothing yet.

        Args:
            packed: All bytes of the file, in chunks.
            most: Bytes behind which nothing more is unpacked (see `bound`).

        Raises:
            CannotUnpack: Nothing here can.
        """
        self.position = 0
        self.at_end = False
        self._packed = packed
        self._most = most
        self._make, self._failure = _library()
        self._frame: _Frame | None = None
        self._bites: list[bytes] = []
        self._ready = bytearray()
        self._damaged = False

    @property
    def is_cut(self) -> bool:
        """Say whether the end is one of our own making."""
        return self.at_end and self.position >= self._most

    def read(self, size: int) -> bytes:
        """Return the next `size` bytes, fewer only at the end.

        Raises:
            CannotUnpack: Where the packed bytes are damaged. What stands before is given first.
        """
        size = min(size, self._most - self.position)
        while len(self._ready) < size and self._go_on():
            pass
        if self._damaged and size and not self._ready:
            raise CannotUnpack("damaged")
        data = bytes(self._ready[:size])
        del self._ready[:size]
        self.position += len(data)
        self.at_end = not self._damaged and (len(data) < size or self.position >= self._most)
        return data

    def _go_on(self) -> bool:
        """Unpack a bite more; False where there is none, or what there is cannot be unpacked."""
        if self._damaged:
            return False
        bite = self._next_bite()
        if not bite:
            # A file that ends within a frame was cut off.
            self._damaged = self._frame is not None
            return False
        frame = self._frame or self._make()
        try:
            self._ready += frame.decompress(bite)
        except self._failure:
            self._damaged = True
            return False
        self._frame = None if frame.eof else frame
        if frame.eof and frame.unused_data:
            self._bites.append(frame.unused_data)
        return True

    def _next_bite(self) -> bytes:
        if not self._bites:
            chunk = next(self._packed, b"")
            starts = range(0, len(chunk), _BITE)
            self._bites = [chunk[start : start + _BITE] for start in reversed(starts)]
        return self._bites.pop() if self._bites else b""


class _Frame(Protocol):
    """What both libraries have for one frame."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


_Library: TypeAlias = tuple[Callable[[], _Frame], type[Exception]]


def _library() -> _Library:
    """What begins a frame, and what it raises. Imported late: most homes have no packed file."""
    for take in (_of_python, _of_zstandard):
        try:
            return take()
        except ImportError:
            continue
    raise CannotUnpack("notUnpackable")


def _of_python() -> _Library:
    zstd: Any = import_module("compression.zstd")
    options = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
    return lambda: zstd.ZstdDecompressor(options=options), zstd.ZstdError


def _of_zstandard() -> _Library:
    zstandard: Any = import_module("zstandard")
    unpacker = zstandard.ZstdDecompressor(max_window_size=1 << _WINDOW_LOG)
    return unpacker.decompressobj, zstandard.ZstdError
