"""Which lines of a text differ from the text before it, place by place?"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from forkpoint.line_map import NEW, LineMaps
from forkpoint.text_lines import Lines

CLOSE = 3
"""Lines that may lie between changed ones of one place: a patch shows as many around them."""


class Run(NamedTuple):
    """Lines of a text, 0-based: from `start` up to, not including, `end`.

    Equal ones stand for the place between two lines, where something was taken out.
    """

    start: int
    end: int

    @property
    def size(self) -> int:
        """Number of lines."""
        return self.end - self.start


class Change(NamedTuple):
    """Lines that a call wrote, or read, with those between them.

    Attributes:
        run: where they stood in the text after the call.
        block: the lines of the run.
        written: those of the run, by their place in that text, that the text before did not have.
    """

    run: Run
    block: Lines
    written: frozenset[int]


def changes_between(before: Lines, after: Lines, maps: LineMaps) -> list[Change]:
    """Return what differs between two texts; changes that are close to each other are one."""
    places = maps.map(before, after)
    runs: list[Run] = []
    expected = 0
    for line, place in enumerate([*places, len(before)]):
        if place == NEW:
            runs.append(Run(line, line + 1))
            continue
        if place != expected and not (runs and runs[-1].end == line):
            runs.append(Run(line, line))
        expected = place + 1
    written = [line for line, place in enumerate(places) if place == NEW]
    return [
        Change(run, after[run.start : run.end], frozenset(_within(written, run)))
        for run in _joined(runs)
    ]


def _within(lines: Sequence[int], run: Run) -> Sequence[int]:
    return lines[bisect_left(lines, run.start) : bisect_left(lines, run.end)]


def _joined(runs: Sequence[Run]) -> Iterator[Run]:
    held: Run | None = None
    for run in runs:
        if held is not None and _are_one(held, run):
            held = Run(held.start, run.end)
            continue
        if held is not None:
            yield held
        held = run
    if held is not None:
        yield held


def _are_one(held: Run, run: Run) -> bool:
    """Whether two runs are one place; where text was only taken out, what is around it is not."""
    apart = run.start - held.end
    return apart == 0 or (apart <= CLOSE and run.size > 0 and held.size > 0)
