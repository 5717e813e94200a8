"""Which line of an earlier text is a line of a later one?

A longest common subsequence of lines. In long texts, lines that stand once in both
are taken as fixed first, and only what lies between them is compared so.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from forkpoint.common_lines import common_pairs

NEW = -1
"""Stands for a line that the earlier text does not have."""

MOST_CELLS = 20_000_000
"""Lines of the one times lines of the other that are compared at once: some 20 ms."""

CELLS_AT_ALL = 100 * MOST_CELLS
"""How much is compared for one question; beyond that only fixed lines are found."""

_DEEPEST = 8
"""How often lines may be fixed between fixed lines."""


class _Part(NamedTuple):
    """Lines that lie between others that are the same: `old` up to `old_end`, and so the new."""

    old: int
    old_end: int
    new: int
    new_end: int


class LineMaps:
    """Compares texts, as long as what one question may cost is not used up."""

    def __init__(self, cells: int = CELLS_AT_ALL) -> None:
        """Allow so many cells (see `MOST_CELLS`)."""
        self._left = cells

    def map(self, before: Sequence[str], after: Sequence[str]) -> list[int]:
        """Return for each line of the later text its place in the earlier one, else `NEW`.

        Places grow. Lines that both have at their beginnings, then at their ends, are the same.
        """
        found = [NEW] * len(after)
        for old, new, length in self._runs(before, after):
            found[new : new + length] = range(old, old + length)
        return found

    def _runs(self, before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Runs of lines that are the same: where in each text, and how many."""
        waiting = [(_Part(0, len(before), 0, len(after)), 0)]
        while waiting:
            part, depth = waiting.pop()
            old, old_end, new, new_end = part
            most = min(old_end - old, new_end - new)
            start = _common(before, after, old, new, most)
            end = _common_end(before, after, old_end, new_end, most - start)
            yield old, new, start
            yield old_end - end, new_end - end, end
            inner = _Part(old + start, old_end - end, new + start, new_end - end)
            cells = (inner.old_end - inner.old) * (inner.new_end - inner.new)
            if cells == 0:
                continue
            olds, news = before[inner.old : inner.old_end], after[inner.new : inner.new_end]
            if cells <= min(MOST_CELLS, self._left):
                self._left -= cells
                for one, other in common_pairs(olds, news):
                    yield inner.old + one, inner.new + other, 1
            elif depth < _DEEPEST and (fixed := _fixed(olds, news)):
                waiting += ((each, depth + 1) for each in _around(inner, fixed))


def _common(before: Sequence[str], after: Sequence[str], old: int, new: int, most: int) -> int:
    if before[old : old + most] == after[new : new + most]:
        return most
    return next(at for at in range(most) if before[old + at] != after[new + at])


def _common_end(before: Sequence[str], after: Sequence[str], old: int, new: int, most: int) -> int:
    for at in range(1, most + 1):
        if before[old - at] != after[new - at]:
            return at - 1
    return most


def _around(part: _Part, fixed: Sequence[tuple[int, int]]) -> Iterator[_Part]:
    """The parts that fixed lines cut one into; each but the first begins with a fixed line."""
    old, new = part.old, part.new
    for one, other in fixed:
        at = part.old + one, part.new + other
        yield _Part(old, at[0], new, at[1])
        old, new = at
    yield _Part(old, part.old_end, new, part.new_end)


def _fixed(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Places of lines that stand once in both, as many as keep their order."""
    olds, news = Counter(old), Counter(new)
    place = {line: at for at, line in enumerate(old) if olds[line] == 1}
    pairs = [(place[line], at) for at, line in enumerate(new) if line in place and news[line] == 1]
    return _longest_growing(pairs)


def _longest_growing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (old, _) in enumerate(pairs):
        at = bisect_left(ends, old)
        before.append(last[at - 1] if at else NEW)
        ends[at : at + 1], last[at : at + 1] = [old], [number]
    found: list[tuple[int, int]] = []
    number = last[-1] if last else NEW
    while number != NEW:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]
