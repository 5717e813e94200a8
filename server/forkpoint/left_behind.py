"""Which prompts are not on the active path any more, and what followed from each?"""

from __future__ import annotations

from typing import NamedTuple

from forkpoint.fates import ABANDONED
from forkpoint.nodes import Nodes
from forkpoint.records.record import Flag, Role

MOST_ANSWERS = 8
"""Answers that are looked at for one with words in it: the first may be calls of tools."""


class LeftBehind(NamedTuple):
    """A prompt by its row, and rows that follow from it."""

    prompt: int
    time: int
    """Milliseconds since 1970 UTC, or `NO_TIME`."""
    answers: list[int]
    """The first rows of the model up to the next prompt on each way, at most `MOST_ANSWERS`."""
    newest: int
    """The newest row below it; its own where there is none."""
    rows_below: int
    """Rows below it up to the next prompt on each way."""


def left_behind(nodes: Nodes, fates: bytes) -> list[LeftBehind]:
    """Return the prompts that a person gave and that were left behind, in file order.

    Args:
        nodes: the transcript's rows.
        fates: what becomes of each (see `fates`).
    """
    owner: dict[int, int] = {}
    answers: dict[int, list[int]] = {}
    count: dict[int, int] = {}
    for row, fate in enumerate(fates):
        if fate != ABANDONED or not nodes.is_node(row):
            continue
        if nodes.role[row] == Role.PROMPT and nodes.has(row, Flag.TYPED):
            owner[row] = row
            answers[row], count[row] = [], 0
            continue
        prompt = owner.get(nodes.parent[row])
        if prompt is not None:
            owner[row] = prompt
            count[prompt] += 1
            if nodes.role[row] == Role.RESPONSE and len(answers[prompt]) < MOST_ANSWERS:
                answers[prompt].append(row)
    newest = _newest(nodes, fates)
    return [
        LeftBehind(row, nodes.time[row], answers[row], newest.get(row, row), count[row])
        for row in answers
    ]


def _newest(nodes: Nodes, fates: bytes) -> dict[int, int]:
    """The newest row below each abandoned one that has any, in file order."""
    newest: dict[int, int] = {}
    for row in range(len(fates) - 1, -1, -1):
        parent = nodes.parent[row]
        if fates[row] == ABANDONED and 0 <= parent < row:
            last = newest.get(row, row)
            newest[parent] = max(newest.get(parent, last), last)
    return newest
