"""Which line of an earlier text a line of a later one is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.line_map import NEW, LineMaps

TEXTS = st.lists(st.sampled_from("abcd "), max_size=12)
LONG = 3000
COARSE = LineMaps(cells=0)
"""Finds lines that stand once only, as in texts too long for more."""


def picture(before: str, after: str, maps: LineMaps | None = None) -> str:
    """The places in the earlier text, a dot for a new line; every letter is a line."""
    places = (maps or LineMaps()).map(list(before), list(after))
    return "".join("." if place == NEW else before[place] + str(place) for place in places)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", ""),
        ("", "ab", ".."),
        ("ab", "", ""),
        ("abc", "abc", "a0b1c2"),
        ("abc", "xabc", ".a0b1c2"),
        ("abc", "axbc", "a0.b1c2"),
        ("abc", "ac", "a0c2"),
        ("abcdef", "axcdyf", "a0.c2d3.f5"),
        ("aaaa", "aaa", "a0a1a2"),
        ("xaay", "xaaay", "x0a1a2.y3"),
    ],
)
def test_places(before: str, after: str, expected: str) -> None:
    assert picture(before, after) == expected


def test_of_blocks_that_changed_places_one_is_new() -> None:
    assert picture("abcdefg", "defgabc") == "d3e4f5g6..."


def longest(before: list[str], after: list[str]) -> int:
    """The length of a longest common subsequence, by the textbook's table."""
    row = [0] * (len(after) + 1)
    for line in before:
        above, row = row, [0]
        for at, other in enumerate(after):
            row.append(above[at] + 1 if line == other else max(row[at], above[at + 1]))
    return row[-1]


@given(TEXTS, TEXTS)
def test_as_many_lines_as_can_be_are_the_same(before: list[str], after: list[str]) -> None:
    places = LineMaps().map(before, after)
    kept = [place for place in places if place != NEW]
    assert kept == sorted(set(kept))
    assert all(before[place] == line for place, line in zip(places, after, strict=True)
               if place != NEW)  # fmt: skip
    assert len(kept) == longest(before, after)


@given(TEXTS, TEXTS)
def test_long_texts_have_no_wrong_places(before: list[str], after: list[str]) -> None:
    places = COARSE.map(before, after)
    kept = [place for place in places if place != NEW]
    assert len(places) == len(after)
    assert kept == sorted(set(kept))
    assert all(before[place] == line for place, line in zip(places, after, strict=True)
               if place != NEW)  # fmt: skip


@given(st.lists(st.integers(0, LONG - 1), max_size=30), st.integers(0, LONG))
def test_in_long_texts_lines_that_stand_once_are_found(changed: list[int], added: int) -> None:
    before = [f"line {number}" for number in range(LONG)]
    after = [f"new {line}" if line in set(changed) else before[line] for line in range(LONG)]
    after.insert(added, "added")
    expected: list[int] = [NEW if line in set(changed) else line for line in range(LONG)]
    expected.insert(added, NEW)
    assert COARSE.map(before, after) == expected


def test_a_long_text_of_lines_that_are_all_the_same_costs_nothing() -> None:
    before, after = ["x"] * 60_000, ["y", *["x"] * 50_000, "z"]
    places = LineMaps().map(before, after)
    assert places[0] == places[-1] == NEW
