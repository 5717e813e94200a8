"""Of two transcripts that begin alike: which one was there first?

A copy has what the original had when it was made, and no more: state lines, requests and branches
that stand between the shared rows are the original's. What does not tell them apart by that is
decided by who went on first; that is a guess, which a fork of a fork that was left soon may defeat.
"""

from __future__ import annotations

from itertools import islice

from forkpoint.copies import goes_on_from, history_base, main_rows
from forkpoint.index import TranscriptIndex
from forkpoint.nodes import NO_TIME
from forkpoint.records.record import Flag


class Pair:
    """Two transcripts that begin alike, compared again while they go on.

    Attributes:
        shared: the message ids of both.
    """

    def __init__(self, first: TranscriptIndex, second: TranscriptIndex) -> None:
        self._indexes = (first, second)
        self._known = (0, 0)
        self._last = [-1, -1]
        self.shared: set[str] = set()

    def are(self, first: TranscriptIndex, second: TranscriptIndex) -> bool:
        """Say whether it is still these two that are compared."""
        return self._indexes[0] is first and self._indexes[1] is second

    def grow(self) -> None:
        """Take in the responses that came since."""
        first, second = (index.joins.message_ids for index in self._indexes)
        if (len(first), len(second)) == self._known:
            return
        for ids, others, start in ((first, second, 0), (second, first, 1)):
            new = [*islice(ids, self._known[start], None)]
            both = [
                each
                for each, there in zip(new, others.find_all(new), strict=True)
                if there is not None
            ]
            self.shared.update(both)
        self._known = len(first), len(second)
        self._last = [self._last_of(index) for index in self._indexes]

    def _last_of(self, index: TranscriptIndex) -> int:
        """The number of the last response of the main conversation that both have."""
        joins, nodes = index.joins, index.nodes
        numbers = (n for n in joins.message_ids.find_all([*self.shared]) if n is not None)
        main = (n for n in numbers if not nodes.has(joins.first_row[n], Flag.SIDECHAIN))
        return max(main, default=-1)

    def ends(self) -> tuple[int, int]:
        """Return the last row of a response that both have, in each; -1 where there is none."""
        one, other = (
            index.joins.rows_of(last)[-1] if last >= 0 else -1
            for index, last in zip(self._indexes, self._last, strict=True)
        )
        return one, other


def precedes(
    one: tuple[str, TranscriptIndex], other: tuple[str, TranscriptIndex], ends: tuple[int, int]
) -> bool:
    """Say whether the first of two transcripts is the older one; of two exactly one is.

    Args:
        one: a transcript with its session's id.
        other: likewise.
        ends: see `Pair.ends`.
    """
    (one_id, first), (other_id, second) = one, other
    signs = (
        (_names(second, one_id), _names(first, other_id)),
        (_hangs_on(second, first), _hangs_on(first, second)),
        (_is_marked(second, ends[1]), _is_marked(first, ends[0])),
        (_holds_rows_of(second, one_id), _holds_rows_of(first, other_id)),
        (_span(first, ends[0]), _span(second, ends[1])),
    )
    for ours, theirs in signs:
        if ours != theirs:
            return ours > theirs
    ours = (_went_on(first, second, *ends), one_id)
    return ours < (_went_on(second, first, *ends[::-1]), other_id)


def _names(index: TranscriptIndex, session_id: str) -> bool:
    named = (index.summary.forked_from, history_base(index))
    return session_id.lower() in [each.lower() for each in named if each is not None]


def _hangs_on(index: TranscriptIndex, other: TranscriptIndex) -> bool:
    uuid = goes_on_from(index)
    return uuid is not None and other.nodes.find(uuid) is not None


def _holds_rows_of(index: TranscriptIndex, session_id: str) -> bool:
    """Whether rows name another session as theirs: a file that was copied under another name."""
    return session_id in index.summary.foreign_sessions


def _is_marked(index: TranscriptIndex, row: int) -> bool:
    """Whether what is shared says itself that it was copied."""
    return row >= 0 and index.nodes.has(row, Flag.COPIED)


def _span(index: TranscriptIndex, end: int) -> int:
    """How many lines the shared part takes, with all that stands in it."""
    first = next(iter(main_rows(index)), 0)
    return max(0, end - first)


def _went_on(index: TranscriptIndex, other: TranscriptIndex, end: int, other_end: int) -> int:
    """When the first record of its own came; none at all counts as before all others."""
    theirs = iter(main_rows(other, other_end + 1))
    for row in main_rows(index, end + 1):
        twin = next(theirs, None)
        if twin is None or _likeness(index, row) != _likeness(other, twin):
            return index.nodes.time[row]
    return NO_TIME


def _likeness(index: TranscriptIndex, row: int) -> tuple[int, int]:
    return index.nodes.kind[row], index.nodes.time[row]
