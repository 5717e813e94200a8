"""What was said before the newest compaction: readable, but no longer part of a request."""

from __future__ import annotations

import msgspec

from forkpoint.chain import Chain
from forkpoint.nodes import CHAIN_KINDS
from forkpoint.records.record import Compaction, Flag
from forkpoint.request import recover, walk


def before_compaction(
    chain: Chain, compactions: dict[int, Compaction], rows: list[int]
) -> list[int]:
    """Return the rows of the same line that stand before a path's first row, in reading order.

    Args:
        chain: the client's view in which the path was found.
        compactions: by boundary row.
        rows: the path; it has a history only if it begins at a compact boundary.
    """
    # Without kept rows nothing is pruned and every row keeps the parent that it was written with.
    rules = msgspec.structs.replace(chain.rules, kept="none")
    whole = Chain(chain.nodes, chain.joins, compactions, rules)
    known = set(rows)
    out: list[int] = []
    boundary = next((row for row in rows if chain.nodes.has(row, Flag.BOUNDARY)), None)
    while boundary is not None:
        end = _end_before(whole, compactions, boundary)
        line = [] if end is None else recover(whole, walk(whole, end)[0])
        older = [row for row in line if row not in known]
        known.update(older)
        out = older + out
        boundary = next((row for row in older if chain.nodes.has(row, Flag.BOUNDARY)), None)
    return out


def _end_before(chain: Chain, compactions: dict[int, Compaction], boundary: int) -> int | None:
    """The row that a boundary goes on from; if it is not in the file, the last main one before."""
    named = chain.nodes.find(compactions[boundary].goes_on_from)
    if named is not None and named < boundary and chain.nodes.kind[named] in CHAIN_KINDS:
        return named
    return next((row for row in range(boundary - 1, -1, -1) if chain.is_main(row)), None)
