"""Ranges of lines that an editor can fold: none crosses another, and no two begin on one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

Folded = Literal["turn", "part", "thinking", "result", "context", "run"]


class Fold(msgspec.Struct, frozen=True):
    """Lines from 0, the end inclusive."""

    start: int
    end: int
    what: Folded


def laid_inside(folds: Iterable[Fold], most: int | None = None) -> list[Fold]:
    """Return folds by line.

    Of two that cross the later ends with the earlier, of two that begin on one line the longer
    stays, and one line alone is left out.

    Args:
        folds: in any order.
        most: how many are wanted at most; the longest are kept.
    """
    kept: list[Fold] = []
    open_ends: list[int] = []
    for fold in sorted(folds, key=lambda fold: (fold.start, -fold.end)):
        while open_ends and open_ends[-1] < fold.start:
            open_ends.pop()
        end = min([fold.end, *open_ends[-1:]])
        if end <= fold.start or (kept and kept[-1].start == fold.start):
            continue
        kept.append(msgspec.structs.replace(fold, end=end))
        open_ends.append(end)
    if most is not None and len(kept) > most:
        longest = sorted(kept, key=lambda fold: fold.start - fold.end)[:most]
        kept = sorted(longest, key=lambda fold: fold.start)
    return kept
