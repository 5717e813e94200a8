"""A small chart of columns, drawn with block characters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

_BLOCKS = " ▁▂▃▄▅▆▇█"
_STEPS = len(_BLOCKS) - 1


def chart(
    values: Sequence[int], marks: Collection[int], top: int, *, width: int, height: int
) -> list[str]:
    """Draw numbers from left to right, and a line below them where something happened.

    Args:
        values: none below zero; where there are more than columns, the greatest of some is drawn.
        marks: how many values stand before each thing that happened.
        top: the number at the upper edge; a greater one is drawn as high.
        width: columns at most.
        height: lines of blocks.

    Returns:
        The lines, all of them as long; the last one has the marks.
    """
    count = min(len(values), width)
    if not count:
        return []
    starts = [place * len(values) // count for place in range(count + 1)]
    tallest = [max(values[start:end]) for start, end in pairwise(starts)]
    steps = [_steps(value, top, height) for value in tallest]
    lines = [
        "".join([_BLOCKS[min(max(step - _STEPS * line, 0), _STEPS)] for step in steps])
        for line in reversed(range(height))
    ]
    marked = {min(mark * count // len(values), count - 1) for mark in marks}
    return [*lines, "".join(["▲" if place in marked else " " for place in range(count)])]


def _steps(value: int, top: int, height: int) -> int:
    """Eighths of a line; what is not nothing is seen."""
    if value <= 0 or top <= 0:
        return 0
    return min(max(round(value * height * _STEPS / top), 1), height * _STEPS)
