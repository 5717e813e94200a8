"""A text as lines, as the agent and an editor both count them.

Line ends are no part of a line, and a last line without one is as one that has it: the client edits
texts with LF for every line end (see `records.edits`). LF, CRLF and CR end a line, as in LSP.
"""

from __future__ import annotations

import codecs
from typing import TypeAlias

Lines: TypeAlias = tuple[str, ...]


def lines_of(text: str) -> Lines:
    """Return the lines of a text without their ends; none for an empty text."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return tuple(lines)


def agent_text(content: bytes) -> str:
    """Return a file's text as the agent reads it: UTF-16 if a mark says so, else UTF-8.

    Bytes that are neither become U+FFFD, so that the lines of a file in a legacy encoding are
    those that stand in the transcript.
    """
    is_utf_16 = content.startswith(codecs.BOM_UTF16_LE)
    return content.decode("utf-16" if is_utf_16 else "utf-8", "replace").removeprefix("\ufeff")


class KnownLines:
    """Texts as lines; equal ones are one object, and so are equal lines of different texts."""

    def __init__(self) -> None:
        self._by_text: dict[str, Lines] = {}
        self._known: dict[Lines, Lines] = {}
        self._line: dict[str, str] = {}

    def of(self, text: str) -> Lines:
        """Return the lines of a text."""
        lines = self._by_text.get(text)
        if lines is None:
            one = self._line.setdefault
            made = tuple([one(line, line) for line in lines_of(text)])
            lines = self._by_text[text] = self._known.setdefault(made, made)
        return lines
