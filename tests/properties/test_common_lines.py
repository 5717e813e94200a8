"""The subsequence by bits against the textbook's table of lengths."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forkpoint.common_lines import common_length, common_length_within, common_pairs

lines = st.lists(st.sampled_from("abcd"), max_size=14)


def textbook_length(old: list[str], new: list[str]) -> int:
    row = [0] * (len(old) + 1)
    for line in new:
        before = row
        row = [0]
        for at, each in enumerate(old):
            row.append(before[at] + 1 if each == line else max(before[at + 1], row[at]))
    return row[-1]


@given(lines, lines)
def test_it_is_as_long_as_any(old: list[str], new: list[str]) -> None:
    assert common_length(old, new) == textbook_length(old, new)


@given(lines, lines)
def test_pairs_are_the_same_lines_in_the_same_order(old: list[str], new: list[str]) -> None:
    pairs = list(common_pairs(old, new))[::-1]
    assert len(pairs) == textbook_length(old, new)
    assert all(old[one] == new[other] for one, other in pairs)
    for places in zip(*pairs, strict=True):
        assert list(places) == sorted(set(places))


@given(lines, lines, st.integers(0, 15))
def test_a_limit_leaves_out_only_what_is_beyond_it(
    old: list[str], new: list[str], most: int
) -> None:
    length = textbook_length(old, new)
    is_within = max(len(old), len(new)) - length <= most
    assert common_length_within(old, new, most) == (length if is_within else None)
