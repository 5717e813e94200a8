"""Ranges that an editor can fold."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.fold_ranges import Fold, laid_inside

CASES: dict[str, tuple[list[tuple[int, int]], list[tuple[int, int]]]] = {
    "nothing": ([], []),
    "by line": ([(5, 9), (0, 4)], [(0, 4), (5, 9)]),
    "one inside the other": ([(2, 3), (0, 4)], [(0, 4), (2, 3)]),
    "one line alone": ([(2, 2)], []),
    "two from one line": ([(0, 2), (0, 4)], [(0, 4)]),
    "two that cross": ([(0, 4), (3, 9)], [(0, 4), (3, 4)]),
    "two that cross at one line": ([(0, 4), (4, 9)], [(0, 4)]),
    "one behind what was cut": ([(0, 4), (3, 9), (6, 9)], [(0, 4), (3, 4), (6, 9)]),
}


@pytest.mark.parametrize(("given_ranges", "expected"), CASES.values(), ids=CASES)
def test_laid_inside(given_ranges: list[tuple[int, int]], expected: list[tuple[int, int]]) -> None:
    found = laid_inside(Fold(start, end, "run") for start, end in given_ranges)
    assert [(fold.start, fold.end) for fold in found] == expected


def test_the_longest_are_kept() -> None:
    folds = [Fold(0, 9, "turn"), Fold(1, 2, "run"), Fold(4, 8, "run"), Fold(10, 13, "turn")]
    assert laid_inside(folds, 3) == [folds[0], folds[2], folds[3]]


pairs = st.tuples(st.integers(0, 20), st.integers(0, 20))


@given(st.lists(pairs), st.none() | st.integers(1, 5))
def test_none_crosses_another(given_ranges: list[tuple[int, int]], most: int | None) -> None:
    found = laid_inside((Fold(start, end, "run") for start, end in given_ranges), most)
    assert len({fold.start for fold in found}) == len(found)
    assert most is None or len(found) <= most
    for fold in found:
        assert fold.start < fold.end
        assert any(a == fold.start and fold.end <= b for a, b in given_ranges)
    for one, other in combinations(found, 2):
        assert other.start > one.end or other.end <= one.end
