"""What was said before the newest compaction: readable, but no longer part of a request."""

from __future__ import annotations

from forkpoint.chain import Chain
from forkpoint.records.record import Flag
from forkpoint.request import recover, walk


def before_compaction(chain: Chain, rows: list[int]) -> list[int]:
    """Return the rows of the same line that stand before a path's first row, in reading order.

    Args:
        chain: the client's view in which the path was found.
        rows: the path; it has a history only if it begins at a compact boundary.
    """
    whole = chain.unpruned
    known = set(rows)
    out: list[int] = []
    boundary = next((row for row in rows if chain.nodes.has(row, Flag.BOUNDARY)), None)
    while boundary is not None:
        end = end_before(whole, boundary)
        line = [] if end is None else recover(whole, walk(whole, end)[0])
        older = [row for row in line if row not in known]
        known.update(older)
        out = older + out
        boundary = next((row for row in older if chain.nodes.has(row, Flag.BOUNDARY)), None)
    return out


def end_before(chain: Chain, boundary: int) -> int | None:
    """Return the row at which a conversation stood when it was compacted; None if there is none.

    That is the row that the boundary names. If it is not in the file, or if the kept rows hang on
    the boundary ("summarize from here": it then names the last kept row, and what was summarized
    stands behind that), it is the last main row before.
    """
    compaction = chain.compactions[boundary]
    named = chain.nodes.find(compaction.goes_on_from)
    kept = compaction.kept or compaction.segment
    keeps_beginning = kept is not None and chain.nodes.find(kept.anchor) == boundary
    if named is not None and named < boundary and not keeps_beginning:
        return named
    return next((row for row in range(boundary - 1, -1, -1) if chain.is_main(row)), None)
