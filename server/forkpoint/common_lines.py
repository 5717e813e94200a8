"""The longest common subsequence of two lists of lines: how long it is, and which lines it has.

By bits, as in Hyyrö, "Bit-Parallel LCS-length Computation Revisited" (2004): a long number has one
bit per old line, cleared where the subsequence grows, and each new line costs three operations on
it. A thousand lines take 1 ms, where difflib takes tens and rapidfuzz a third; but its libraries
would be most of what the extension carries.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Sequence

_Lines = Sequence[Hashable]


def common_length(old: _Lines, new: _Lines) -> int:
    """Return how many lines both have in the same order."""
    last = deque(_states(old, new), maxlen=1)
    return len(old) - last.pop().bit_count() if last else 0


def common_pairs(old: _Lines, new: _Lines) -> Iterator[tuple[int, int]]:
    """Yield where each line of the subsequence stands in both, the last line first."""
    states = list(_states(old, new))
    one, other = len(old), len(new)
    while one and other:
        if states[other - 1] >> (one - 1) & 1:
            one -= 1
            continue
        other -= 1
        # Had the bit been cleared before this line, it would not be this line that is common.
        if other == 0 or states[other - 1] >> (one - 1) & 1:
            one -= 1
            yield one, other


def common_length_within(old: _Lines, new: _Lines, most: int) -> int | None:
    """Like `common_length`, but None if that is more than `most` shorter than the longer list.

    Only places that may then be the same are looked at, so that the numbers have at most
    `2 * most` bits, however many lines there are.
    """
    least = max(len(old), len(new)) - most
    ahead, behind = len(old) - least, len(new) - least
    if ahead < 0 or behind < 0:
        return None
    width = ahead + behind + 1
    every, top = _every(width), 1 << (width - 1)
    places = _MovingPlaces(old, behind, ahead)
    # The lowest bit is the old line that stands `behind` lines before the new one.
    state, length = every, 0
    for row, line in enumerate(new):
        same = state & places.of(line, row)
        state = (state + same | state - same) & every
        length += not state & 1
        state = state >> 1 | top
    length += width - state.bit_count()
    return length if length >= least else None


def _every(bits: int) -> int:
    return (1 << bits) - 1


def _states(old: _Lines, new: _Lines) -> Iterator[int]:
    """Yield the number after each new line: a bit per old line, 0 where the subsequence grows."""
    places: dict[Hashable, int] = {}
    for at, line in enumerate(old):
        places[line] = places.get(line, 0) | 1 << at
    state = every = _every(len(old))
    for line in new:
        same = state & places.get(line, 0)
        state = (state + same | state - same) & every
        yield state


class _MovingPlaces:
    """Where lines stand among those from `behind` before to `ahead` after a row."""

    def __init__(self, old: _Lines, behind: int, ahead: int) -> None:
        self._old, self._behind, self._ahead = old, behind, ahead
        self._places: dict[Hashable, tuple[int, int]] = {}
        for at, line in enumerate(old[:ahead]):
            self._add(line, 0, at + behind)

    def of(self, line: Hashable, row: int) -> int:
        """Return a bit per place of a line; rows must be asked for one after the other."""
        if row + self._ahead < len(self._old):
            self._add(self._old[row + self._ahead], row, self._behind + self._ahead)
        return self._seen_from(line, row)

    def _add(self, line: Hashable, row: int, place: int) -> None:
        self._places[line] = self._seen_from(line, row) | 1 << place, row

    def _seen_from(self, line: Hashable, row: int) -> int:
        places, then = self._places.get(line, (0, row))
        return places >> (row - then)
