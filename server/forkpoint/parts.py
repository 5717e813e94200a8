"""Where the parts of a long readable text end.

A part is what stands above some place of the path; how far up it reaches, its size decides.
"""

from __future__ import annotations

from forkpoint.active_line import Entries
from forkpoint.nodes import Nodes
from forkpoint.readable import LIMIT

_STEP = 256
"""Rows between places at which parts end mostly, so that many records share a part."""
_BELOW = 32
"""Rows that stand below the one that is looked for, if they are there."""


def next_end(nodes: Nodes, entries: Entries, start: int) -> int | None:
    """Return where a part ends that surely holds the row at a place; None = with the path.

    A text is mostly shorter than its records.
    """
    end = _as_far_as(nodes, entries, start, LIMIT * 3 // 4)
    return None if end == len(entries) else end


def end_around(nodes: Nodes, entries: Entries, place: int) -> int | None:
    """Return where a part ends that holds the row at a place with some below; as `next_end`."""
    most = _as_far_as(nodes, entries, place, LIMIT // 4)
    wanted = (place + _BELOW) // _STEP * _STEP + _STEP
    end = min(most, wanted)
    return None if end >= len(entries) else end


def _as_far_as(nodes: Nodes, entries: Entries, start: int, room: int) -> int:
    """Return the place that so many bytes of records lead to, at least the next one."""
    rows, length, end = entries.rows, nodes.length, start
    while end < len(rows) and (end == start or room >= length[rows[end]]):
        room -= length[rows[end]]
        end += 1
    return end
