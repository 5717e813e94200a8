"""What a file's bytes are as text: in which encoding, with which line ends, or none at all."""

from __future__ import annotations

import codecs
from typing import Literal, NamedTuple

Encoding = Literal["utf-8", "utf-8-bom", "utf-16le", "utf-16be", "windows-1252"]
LineEnd = Literal["lf", "crlf", "cr", "mixed", "none"]

HEAD = 8000
"""Bytes in which a NUL makes a content binary, as git has it."""

_BOMS: tuple[tuple[bytes, Encoding, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-bom", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16le", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16be", "utf-16-be"),
)
# What no text holds, in whatever single-byte encoding; tab, line ends, form feed, escape are fine.
_CONTROLS = bytes({*range(0x20)} - {0x09, 0x0A, 0x0C, 0x0D, 0x1B})


class WrittenText(NamedTuple):
    """A text without its byte order mark, with its own line ends."""

    text: str
    encoding: Encoding
    eol: LineEnd


def read_text(data: bytes) -> WrittenText | None:
    """Decode a content; None when it is binary.

    Without a byte order mark it is UTF-8, else, where that does not fit, windows-1252: what the
    bytes stand for in another legacy encoding, nothing tells.
    """
    if is_binary(data):
        return None
    for mark, encoding, codec in _BOMS:
        if data.startswith(mark):
            return _text(data[len(mark) :].decode(codec, "replace"), encoding)
    try:
        return _text(data.decode(), "utf-8")
    except UnicodeDecodeError:
        return _text(data.decode("windows-1252", "replace"), "windows-1252")


def is_binary(data: bytes) -> bool:
    """Say whether a content, or its first `HEAD` bytes, is no text."""
    head = data[:HEAD]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    if b"\0" in head:
        return True
    if not any(byte in head for byte in _CONTROLS):
        return False
    return not _fits_utf8(head, is_whole=len(data) <= HEAD)


def _fits_utf8(head: bytes, is_whole: bool) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=is_whole)
    except UnicodeDecodeError:
        return False
    return True


def _text(text: str, encoding: Encoding) -> WrittenText:
    return WrittenText(text, encoding, line_end(text))


def line_end(text: str) -> LineEnd:
    """Say how the lines of a text end."""
    both = text.count("\r\n")
    found: list[LineEnd] = []
    if both:
        found.append("crlf")
    if text.count("\n") > both:
        found.append("lf")
    if text.count("\r") > both:
        found.append("cr")
    if len(found) > 1:
        return "mixed"
    return found[0] if found else "none"
