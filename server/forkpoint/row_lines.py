"""On which lines of its file do the rows of a transcript stand?

Worked out from what the index has: rows that follow each other at one byte's distance stand on
lines that follow each other. Only where something else lies between two rows is that read.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from forkpoint.nodes import Nodes
from forkpoint.records.record import Flag

ReadSpans = Callable[[Sequence[tuple[int, int]]], list[bytes]]
"""Gives the bytes of the file for each (offset, length)."""

_BOM = b"\xef\xbb\xbf"


class RowLines:
    """Lines by row, from 0; grows with its transcript.

    A line ends at LF, as the agent writes it: a CR alone, which only a broken line can hold, ends
    none. Blank lines count. Several rows may share a line.

    Attributes:
        inside: rows that do not begin their line -> byte position at which that line begins. A byte
            order mark is no part of a line, as editors do not show it.
    """

    def __init__(self) -> None:
        """Begin with no row."""
        self.inside: dict[int, int] = {}
        self._lines = array("I")
        self._begins = 0
        """Where the last row's line begins."""

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, row: int) -> int:
        return self._lines[row]

    def grow(self, nodes: Nodes, read: ReadSpans) -> None:
        """Take in the rows that were appended since; raises what `read` raises."""
        start, end = len(self._lines), len(nodes)
        between = self._between(nodes, start, end, read)
        lines = self._lines
        line = lines[-1] if lines else 0
        offsets, begins = nodes.offset, self._begins
        for row in range(start, end):
            gap = between.get(row)
            if gap is None:
                line, begins = line + 1, offsets[row]
            elif b"\n" in gap:
                line += gap.count(b"\n")
                begins = offsets[row] - len(gap) + gap.rindex(b"\n") + 1
            elif row == 0 and gap.startswith(_BOM):
                begins = len(_BOM)
            if offsets[row] != begins:
                self.inside[row] = begins
            lines.append(line)
        self._begins = begins

    def _between(self, nodes: Nodes, start: int, end: int, read: ReadSpans) -> dict[int, bytes]:
        """What lies before some rows; nothing is said of those with a line end and no more."""
        offsets, lengths, flags = nodes.offset, nodes.length, nodes.flags
        behind = offsets[start - 1] + lengths[start - 1] if start else 0
        odd: dict[int, tuple[int, int]] = {}
        glued: dict[int, bytes] = {}
        for row in range(start, end):
            gap = offsets[row] - behind
            if gap == 0:
                glued[row] = b""
            elif gap != 1 or row == 0 or flags[row] & Flag.GLUED_REST:
                odd[row] = (behind, gap)
            behind = offsets[row] + lengths[row]
        return glued | dict(zip(odd, read([*odd.values()]), strict=True)) if odd else glued

    def rows_on(self, line: int) -> range:
        """Return the rows that stand on a line; none on a blank one, or behind the end."""
        return range(bisect_left(self._lines, line), bisect_right(self._lines, line))

    def line_at(self, offset: int, nodes: Nodes, read: ReadSpans) -> int:
        """Return the line of a position that no row holds, such as that of an unfinished line."""
        row = bisect_right(nodes.offset, offset) - 1
        if row < 0:
            return read([(0, offset)])[0].count(b"\n")
        behind = nodes.offset[row] + nodes.length[row]
        return self._lines[row] + read([(behind, offset - behind)])[0].count(b"\n")
