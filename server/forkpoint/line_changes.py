"""How many lines one content has that another has not.

By the longest common subsequence of lines, as git counts it.
"""

from __future__ import annotations

from typing import NamedTuple

from forkpoint.common_lines import common_length, common_length_within

MOST_CELLS = 200_000_000
"""What may be looked at, in lines of the one times lines of the other, without those that both have
at their beginnings and ends: some 14,000 each, 0.3 s. In longer contents only so many changes are
looked for, 1,300 in 150,000 lines, 0.9 s."""


class Changes(NamedTuple):
    """Lines that only the later content has, and lines that only the earlier one has."""

    added: int
    removed: int


def line_changes(before: bytes, after: bytes) -> Changes | None:
    """Count changed lines; None where both contents differ in too many.

    A line ends with its LF: other line ends, and a missing one at the end, are other lines.
    """
    if before == after:
        return Changes(0, 0)
    old, new = _changed_middle(before.split(b"\n"), after.split(b"\n"))
    if len(old) * len(new) <= MOST_CELLS:
        common = common_length(old, new)
    else:
        within = common_length_within(old, new, MOST_CELLS // max(len(old), len(new)))
        if within is None:
            return None
        common = within
    return Changes(len(new) - common, len(old) - common)


def _changed_middle(old: list[bytes], new: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The lines between those that both have at their beginnings and at their ends."""
    old, new = _lines(old), _lines(new)
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end]


def _lines(pieces: list[bytes]) -> list[bytes]:
    """Lines without their LF; a last one that has none is told apart from one that has."""
    last = pieces.pop()
    if last:
        pieces.append(last + b"\n")
    return pieces
