"""The rows of a transcript's file in turns: what a person asked, and all that came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Literal, NamedTuple

from forkpoint.nodes import Nodes
from forkpoint.records.record import Flag, Kind, Role

FEWEST = 3
"""Rows of a run that is worth to be folded."""


def turn_starts(nodes: Nodes) -> list[int]:
    """Return the rows that begin a turn: prompts, commands and compactions, subagents' aside."""
    side, begins = Flag.SIDECHAIN, Flag.TYPED | Flag.BOUNDARY
    return [
        row
        for row, bits in enumerate(nodes.flags)
        if bits & begins and not bits & side and not bits & Flag.REPEAT
    ]


class Run(NamedTuple):
    """Rows that fold together, the last inclusive."""

    first: int
    last: int
    what: Literal["part", "turn", "run"]


def runs_of(nodes: Nodes) -> list[Run]:
    """Return what folds in a file; of two runs that overlap one holds the other.

    That is: what a compaction replaced, each turn, and in it runs of calls with their results, of
    a subagent's rows, and of what the client wrote beside the conversation.
    """
    starts = turn_starts(nodes)
    ends = [*starts, len(nodes)]
    found = [*_compacted(nodes, starts)]
    found += [Run(start, end - 1, "turn") for start, end in pairwise(ends)]
    found += _inner(nodes, range(ends[0]))
    for start, end in pairwise(ends):
        # A turn's first row is what stays to be seen of it.
        found += _inner(nodes, range(start + 1, end))
    return sorted(
        [run for run in found if run.last > run.first], key=lambda run: (run.first, -run.last)
    )


def _compacted(nodes: Nodes, starts: Sequence[int]) -> Iterator[Run]:
    boundaries = [row for row in starts if nodes.has(row, Flag.BOUNDARY)]
    for start, end in pairwise([0, *boundaries]):
        yield Run(start, end - 1, "part")


def _inner(nodes: Nodes, rows: range) -> Iterator[Run]:
    for group, members in groupby(rows, lambda row: _group(nodes, row)):
        run = list(members)
        if group is not None and len(run) >= FEWEST:
            yield Run(run[0], run[-1], "run")


_WORK = (Role.TOOL_RESULT,)
_BESIDE = (Role.STATE, Role.ATTACHMENT, Role.SYSTEM, Role.INJECTED)


def _group(nodes: Nodes, row: int) -> str | None:
    """What a row folds together with; None for words, which stay to be seen."""
    flags, role = nodes.flags[row], nodes.role[row]
    if flags & Flag.SIDECHAIN:
        return "sidechain"
    if flags & Flag.PROSE and role == Role.RESPONSE:
        return None
    if role in _WORK or (nodes.kind[row] == Kind.ASSISTANT and role == Role.RESPONSE):
        return "work"
    return "beside" if role in _BESIDE and nodes.kind[row] != Kind.MALFORMED else None
