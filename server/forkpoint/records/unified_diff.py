"""The hunks of a unified diff, as Codex writes one per file: no names, one line around each change.

A line of a diff ends with LF alone: a CR before it belongs to the file's line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from forkpoint.records.file_changes import Hunk

_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NO_LINE_END = "\\"


def hunks_of(diff: str) -> tuple[Hunk, ...] | str:
    """Return the hunks of a diff, or a sentence that says why it cannot be read.

    Headers without numbers are taken too: such a hunk goes on to the next header.
    """
    lines = diff.split("\n")
    if not lines[-1]:
        lines.pop()
    found: list[Hunk] = []
    at = next((n for n, line in enumerate(lines) if line.startswith("@@")), len(lines))
    while at < len(lines):
        header = _HEADER.match(lines[at])
        if header is None and lines[at].rstrip() not in ("@@", "@@ @@"):
            return f"Line {at + 1} of the diff is no header of a hunk."
        read = _numbered(lines, at, header) if header else _unnumbered(lines, at)
        if read is None:
            return f"The hunk in line {at + 1} of the diff is not as long as it says."
        hunk, at = read
        found.append(hunk)
    return tuple(found)


def _numbered(lines: Sequence[str], at: int, header: re.Match[str]) -> tuple[Hunk, int] | None:
    """A hunk whose header counts: a line of it may look like a header itself."""
    old_left, new_left = (int(header[n]) if header[n] is not None else 1 for n in (2, 4))
    hunk = _Lines()
    at += 1
    while at < len(lines) and (old_left or new_left or lines[at].startswith(_NO_LINE_END)):
        sign = hunk.take(lines[at])
        if sign is None:
            return None
        old_left -= sign in " -"
        new_left -= sign in " +"
        at += 1
    if old_left or new_left:
        return None
    return hunk.made(int(header[1]), int(header[3])), at


def _unnumbered(lines: Sequence[str], at: int) -> tuple[Hunk, int] | None:
    hunk = _Lines()
    at += 1
    while at < len(lines) and not lines[at].startswith("@@"):
        if hunk.take(lines[at]) is None:
            return None
        at += 1
    return hunk.made(None, None), at


class _Lines:
    """The two sides of a hunk while it is read."""

    def __init__(self) -> None:
        self._old: list[str] = []
        self._new: list[str] = []
        self._last = ""
        self._ends = {"-": True, "+": True}

    def take(self, line: str) -> str | None:
        """Take a line and return its sign, of a note on the line before it a backslash."""
        sign = line[:1] or " "  # an empty line is one whose blank was cut off
        if sign == _NO_LINE_END:
            for side in "-+" if self._last == " " else self._last:
                self._ends[side] = False
            return sign
        if sign not in " -+":
            return None
        if sign != "+":
            self._old.append(line[1:])
        if sign != "-":
            self._new.append(line[1:])
        self._last = sign
        return sign

    def made(self, old_start: int | None, new_start: int | None) -> Hunk:
        return Hunk(
            tuple(self._old),
            tuple(self._new),
            old_start=old_start,
            new_start=new_start,
            old_ends=self._ends["-"],
            new_ends=self._ends["+"],
        )
