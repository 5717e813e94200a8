"""The tool calls of a transcript, gone on with while the transcript goes on.

What is told of a call changes with the rows that make it or answer it. A call without an answer is
looked at again, since an interrupt ends it and names no call.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from forkpoint.index import TranscriptIndex
from forkpoint.joins import NONE
from forkpoint.session import Conversation
from forkpoint.tool_calls import ToolCall


def calls_of(conversation: Conversation) -> Sequence[ToolCall]:
    """Return all calls whose call row is in the file, in the order of those rows.

    The list goes on to change when the transcript goes on.
    """
    known = _KNOWN.get(conversation)
    if known is None:
        known = _KNOWN[conversation] = GrowingCalls(conversation.index)
    return known.grown()


class GrowingCalls:
    """The calls of one index; the same as `ToolCalls.all` at any time."""

    def __init__(self, index: TranscriptIndex) -> None:
        self._index = index
        self._calls: list[ToolCall] = []
        self._places: list[tuple[int, int]] = []
        self._open: set[int] = set()
        self._rows = 0

    def grown(self) -> Sequence[ToolCall]:
        """Take in the rows that came since, and return the calls."""
        start, self._rows = self._rows, len(self._index.nodes)
        if start == 0:
            self._calls = self._index.tools.all(self._index.joins)
            self._places = [(call.row, call.number) for call in self._calls]
            self._open = {call.number for call in self._calls if call.state == "pending"}
        elif start < self._rows:
            for number in sorted(self._open | self._touched(start)):
                self._look_at(number)
        return self._calls

    def _touched(self, start: int) -> set[int]:
        joins, first_of = self._index.joins, self._index.nodes.first_of
        rows = range(start, self._rows)
        return {number for row in rows for number in joins.tools(first_of.get(row, row))}

    def _look_at(self, number: int) -> None:
        joins = self._index.joins
        row = joins.call_row[number]
        if row == NONE:
            return
        call, place = self._index.tools.of(number, joins), (row, number)
        at = bisect_left(self._places, place)
        if at < len(self._places) and self._places[at] == place:
            self._calls[at] = call
        else:
            self._places.insert(at, place)
            self._calls.insert(at, call)
        self._open.discard(number)
        if call.state == "pending":
            self._open.add(number)


_KNOWN: WeakKeyDictionary[Conversation, GrowingCalls] = WeakKeyDictionary()
