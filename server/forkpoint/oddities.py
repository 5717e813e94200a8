"""What of a transcript is not as it should be, in numbers and rows? No line is read for it.

`faults` says the same row by row, in words for an editor.
"""

from __future__ import annotations

from itertools import count
from operator import le

import msgspec

from forkpoint.faults import rings
from forkpoint.index import TranscriptIndex
from forkpoint.nodes import Nodes
from forkpoint.records.record import Flag


class Oddities(msgspec.Struct, frozen=True):
    """Rows of each kind, in file order.

    Attributes:
        malformed: lines, or parts of one, that are no records.
        orphans: rows whose parent is not in the file.
        loops: rows whose parents lead back to them.
        repeats: rows with a uuid that stood on an earlier row.
        glued: whole records that stand behind something else on their line.
        unknown: records of types that no known client writes.
    """

    malformed: list[int]
    orphans: list[int]
    loops: list[int]
    repeats: list[int]
    glued: int
    unknown: int

    @property
    def row_count(self) -> int:
        """How many rows are named."""
        return len(self.malformed) + len(self.orphans) + len(self.loops) + len(self.repeats)

    @property
    def is_odd(self) -> bool:
        """Say whether there is anything at all."""
        rows = self.malformed or self.orphans or self.loops or self.repeats
        return bool(rows or self.glued or self.unknown)


def oddities_of(index: TranscriptIndex) -> Oddities:
    """Look at an index; of a usual one, columns are gone through without a step per row."""
    nodes = index.nodes
    return Oddities(
        malformed=list(index.malformed),
        orphans=sorted(nodes.missing),
        loops=_loops(nodes),
        repeats=list(nodes.first_of),
        glued=_glued(nodes),
        unknown=sum(seen.count for seen in index.unknown_types.values()),
    )


def _loops(nodes: Nodes) -> list[int]:
    return rings(nodes) if any(map(le, count(), nodes.parent)) else []


def _glued(nodes: Nodes) -> int:
    flags = nodes.flags
    odd = [bits for bits in set(flags) if bits & Flag.GLUED_REST]
    return sum(flags.count(bits) for bits in odd)
