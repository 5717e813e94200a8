"""Positions in the units that a client counts in: here, and nowhere else.

LSP counts bytes (`utf-8`), UTF-16 units or code points (`utf-32`), as agreed at the start. What
lies behind the end of a line counts as its end, so a line that is not read may end at its length in
bytes, of which there are never fewer than units.
"""

from __future__ import annotations

from typing import Literal

from lsprotocol import types as lsp

Encoding = Literal["utf-8", "utf-16", "utf-32"]

MOST = 2**31 - 1
"""The greatest number that LSP has for a line or a unit."""


def units(text: str, encoding: Encoding) -> int:
    """Return the length of a text."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def index_at(text: str, unit: int, encoding: Encoding) -> int:
    """Return the index of the character at a unit of a line; its length for what lies behind it.

    A unit in the middle of a character counts as its beginning.
    """
    if encoding == "utf-32" or text.isascii():
        return min(unit, len(text))
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass")[:unit].decode("utf-8", "ignore"))
    half = text.encode("utf-16-le", "surrogatepass")[: 2 * unit].decode("utf-16-le", "ignore")
    return len(half)


def span(start: tuple[int, int], end: tuple[int, int]) -> lsp.Range:
    """Return a range from line and unit to line and unit."""
    return lsp.Range(_position(*start), _position(*end))


def _position(line: int, unit: int) -> lsp.Position:
    return lsp.Position(min(line, MOST), min(unit, MOST))
