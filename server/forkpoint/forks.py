"""Where a conversation goes on in more than one way, and in how many."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from forkpoint.segments import Segment

_APART = ("rewind", "resend", "twoWriters")


class Fork(msgspec.Struct, frozen=True):
    """A place from which several ways go on.

    Attributes:
        row: the node that they hang on; None where they are beginnings.
        ways: the first node of each, in file order.
    """

    row: int | None
    ways: list[int]


def forks_of(segments: Sequence[Segment], above: Callable[[int], int | None]) -> list[Fork]:
    """Return the forks in the order of their first ways.

    Args:
        segments: of the branch tree.
        above: gives the node that a node hangs on in that tree.
    """
    ways: dict[int | None, list[Segment]] = {}
    for segment in segments:
        ways.setdefault(above(segment.rows[0]), []).append(segment)
    return [
        Fork(row, [segment.rows[0] for segment in found])
        for row, found in ways.items()
        if len(found) > 1 and any(segment.reason in _APART for segment in found)
    ]
