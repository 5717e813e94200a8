"""Did a transcript merely go on, so that answers about it can be gone on with?

Mostly it does: new rows hang on older ones and say nothing new of them. Then what was worked out
for the older rows stays right, and an answer costs as much as the new rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from forkpoint.chain import find_near
from forkpoint.index import TranscriptIndex
from forkpoint.nodes import MISSING, NO_PARENT

MOST = 1000
"""Rows beyond which it is not worth while to go on."""


class Mark(NamedTuple):
    """What an index held when an answer was given.

    Attributes:
        rows: how many rows.
        repeats: how many of them repeat a uuid.
        missing: how many rows wait for their parent.
        compactions: how many boundaries.
        last_flags: of the last row: if it is an unfinished line's, they may change.
        wanted: uuids of kept rows that are not in the file.
        retold: how many rows of a rollout were found to be something else.
    """

    rows: int
    repeats: int
    missing: int
    compactions: int
    last_flags: int
    wanted: frozenset[str]
    retold: int = 0


def mark_of(index: TranscriptIndex, before: Mark | None = None) -> Mark:
    """Note what an index holds; with a mark since which it merely went on, at once."""
    nodes, rows = index.nodes, len(index.nodes)
    wanted = frozenset(_wanted(index)) if before is None else before.wanted
    return Mark(
        rows,
        len(nodes.first_of),
        len(nodes.missing),
        len(index.compactions),
        nodes.flags[-1] if rows else 0,
        wanted,
        _retold(index),
    )


def _retold(index: TranscriptIndex) -> int:
    return 0 if index.rollout is None else index.rollout.retold


def _wanted(index: TranscriptIndex) -> Iterator[str]:
    for boundary, compaction in index.compactions.items():
        for kept in (compaction.kept, compaction.segment):
            names = (kept.anchor, kept.head, kept.tail, *(kept.uuids or ())) if kept else ()
            for name in names:
                if name is not None and find_near(index.nodes, name, boundary) is None:
                    yield name


def is_calm(index: TranscriptIndex, mark: Mark) -> bool:
    """Say whether an index merely went on since a mark.

    That is so if no uuid was repeated, no older row or later one of the new rows is the parent that
    a row waited for, no boundary came, no row that a boundary keeps was found, and there are not
    too many new rows.
    """
    nodes = index.nodes
    new = range(mark.rows, len(nodes))
    if mark.rows == 0 or len(new) > MOST:
        return False
    now = (len(nodes.first_of), len(nodes.missing), len(index.compactions))
    if now != (mark.repeats, mark.missing, mark.compactions):
        return False
    if nodes.flags[mark.rows - 1] != mark.last_flags or _retold(index) != mark.retold:
        return False
    if any(nodes.find(name) is not None for name in mark.wanted):
        return False
    parents = nodes.parent[mark.rows :]
    return all(
        parent == NO_PARENT or (parent < row and parent != MISSING)
        for row, parent in zip(new, parents, strict=True)
    )
