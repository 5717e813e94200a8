"""How did the context fill up along a path, and what emptied it?"""

from __future__ import annotations

from typing import NamedTuple

from forkpoint.session import Conversation


class Curve(NamedTuple):
    """The context along a path.

    Attributes:
        points: for each response its first row, and the tokens in the context behind it, in the
            order of the file. What a compaction carried over stands before it, where it happened.
        boundaries: the rows of compactions, in the same order.
    """

    points: list[tuple[int, int]]
    boundaries: list[int]


def curve_of(conversation: Conversation, version: str | None, to: int | None = None) -> Curve:
    """Follow the context from the root of a path to its end, through all compactions.

    Args:
        conversation: a transcript.
        version: the client version that would resume.
        to: the node to which the path leads; None for the active one.
    """
    index = conversation.index
    points: dict[int, tuple[int, int]] = {}
    boundaries: list[int] = []
    for row in conversation.path(version, to).entries.rows:
        if row in index.compactions:
            boundaries.append(row)
        response = index.joins.response[row]
        if response in points:
            continue
        usage = index.usage.of(response)
        if usage is not None and usage.context:
            points[response] = (index.joins.first_row[response], usage.context)
    return Curve(sorted(points.values()), sorted(boundaries))
