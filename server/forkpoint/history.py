"""What was said before the newest compaction: readable, but no longer part of a request."""

from __future__ import annotations

from collections.abc import Sequence

from forkpoint.chain import Chain, find_near
from forkpoint.records.record import Flag
from forkpoint.request import recover, walk


class History:
    """The rows of the same line that stand before a path's first row, and what that depends on.

    Attributes:
        rows: what stands before the path, in reading order.
        reach: the greatest ordinal that was looked at; later rows cannot belong to it.
        gaps: rows behind which the client goes on elsewhere or not at all.
    """

    def __init__(self, chain: Chain, rows: Sequence[int]) -> None:
        """Look for it.

        Args:
            chain: the client's view in which the path was found.
            rows: the path; it has a history only if it begins at a compact boundary.
        """
        self.reach = -1
        self.gaps: list[int] = []
        whole, known = chain.unpruned, bytearray(len(chain.nodes))
        parts: list[list[int]] = []
        boundary = _first_boundary(chain, rows)
        older = rows
        while boundary is not None:
            for row in older:
                known[row] = True
            end = end_before(whole, boundary)
            line = [] if end is None else self._line(whole, end)
            older = [row for row in line if not known[row]]
            parts.append(older)
            boundary = _first_boundary(chain, older)
        self.rows = [row for part in reversed(parts) for row in part]

    def _line(self, whole: Chain, end: int) -> list[int]:
        walked, gaps = walk(whole, end)
        self.gaps += [gap.row for gap in gaps]
        line = recover(whole, walked)
        self.reach = max(self.reach, max(line, default=self.reach))
        return line


def _first_boundary(chain: Chain, rows: Sequence[int]) -> int | None:
    flags, boundary = chain.nodes.flags, Flag.BOUNDARY
    if not chain.compactions:
        return None
    return next((row for row in rows if flags[row] & boundary), None)


def end_before(chain: Chain, boundary: int) -> int | None:
    """Return the row at which a conversation stood when it was compacted; None if there is none.

    That is the row that the boundary names. If it is not in the file, or if the kept rows hang on
    the boundary ("summarize from here": it then names the last kept row, and what was summarized
    stands behind that), it is the last main row before.
    """
    # What counts is what a repeat of the boundary says, which may be all that says it is one.
    told_at = chain.nodes.body_of.get(boundary, boundary)
    compaction = chain.compactions.get(told_at) or chain.compactions[boundary]
    named = find_near(chain.nodes, compaction.goes_on_from, boundary)
    kept = compaction.kept or compaction.segment
    keeps_beginning = kept is not None and chain.nodes.uuid(boundary) == kept.anchor
    if named is not None and named < boundary and not keeps_beginning:
        return named
    return next((row for row in range(boundary - 1, -1, -1) if chain.is_main(row)), None)
