"""Which rows belong to one response, and which result answers which call.

The client writes one row per content block; the rows of one response share a message id, and each
result row names its call's id. Both are kept as numbers: a row has mostly one of each.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from itertools import count

from forkpoint.records.record import Record

NONE = -1


class Joins:
    """Columns by ordinal and by call number.

    Attributes:
        response: per row, the number of its response, or `NONE`.
        call_row, result_rows: per call number, the row of the call (`NONE` if none is in the
            file) and the rows of its results, in file order.
        errors: call numbers whose result is an error.
    """

    def __init__(self) -> None:
        self.response = array("i")
        self.message_ids: list[str] = []
        self.rows_of: list[list[int]] = []
        self.call_ids: list[str] = []
        self.call_row = array("i")
        self._first_result = array("i")
        self._more_results: dict[int, list[int]] = {}
        self._tool = array("i")
        self._more_tools: dict[int, list[int]] = {}
        self._responses: dict[str, int] = {}
        self._calls: dict[str, int] = {}

    def add(self, record: Record | None, ordinal: int, node: int) -> None:
        """Take in the row; `node` is where the row's content counts (a repeat's first line)."""
        self.grow(1)
        if record is not None:
            self.join(record, node)

    def grow(self, count: int) -> None:
        """Append rows that are to be joined."""
        nones = array("i", [NONE]) * count
        self.response.extend(nones)
        self._tool.extend(nones)

    def join(self, record: Record, node: int) -> None:
        """Join a row by what its record says."""
        if record.message_id is not None:
            self.respond(record.message_id, node)
        for block in record.blocks:
            if block.call_id is None:
                continue
            if block.kind == "tool_use":
                self.call(block.call_id, node)
            elif block.kind == "tool_result":
                self.answer(block.call_id, node)

    def respond(self, message_id: str, node: int) -> int:
        """Join a row with a response, and return the response's number."""
        number = self._responses.get(message_id)
        if number is None:
            number = self._responses[message_id] = len(self.message_ids)
            self.message_ids.append(message_id)
            self.rows_of.append([node])
        else:
            _insert(self.rows_of[number], node)
        self.response[node] = number
        return number

    def respond_all(self, message_ids: Sequence[str], nodes: Sequence[int]) -> list[int]:
        """Join rows behind all others with their responses, and return the responses' numbers."""
        known, rows_of, response = self._responses, self.rows_of, self.response
        new = [one for one in dict.fromkeys(message_ids) if one not in known]
        known.update(zip(new, count(len(rows_of))))
        self.message_ids += new
        rows_of.extend([[] for _ in new])
        numbers = [*map(known.__getitem__, message_ids)]
        for number, node in zip(numbers, nodes, strict=True):
            rows_of[number].append(node)
            response[node] = number
        return numbers

    def call_all(
        self,
        call_ids: Sequence[str],
        callers: Sequence[int],
        answered: Sequence[str],
        answers: Sequence[int],
    ) -> list[int] | None:
        """Join rows behind all others with the call that each makes or answers, if it is plain.

        That is: the calls are new, and what is answered was called before and not answered yet.

        Args:
            call_ids: of the calls.
            callers: the rows that make them.
            answered: ids of calls.
            answers: the rows that answer them.

        Returns:
            The numbers of the calls that are answered; None if nothing was done.
        """
        known, first = self._calls, len(self.call_ids)
        new = dict(zip(call_ids, count(first)))
        if len(new) < len(call_ids) or not known.keys().isdisjoint(new):
            return None
        known.update(new)
        numbers = [known.get(one, NONE) for one in answered]
        if not self._are_first_answers(numbers, answers, first, callers):
            for one in new:
                del known[one]
            return None
        self.call_ids += call_ids
        self.call_row.extend(callers)
        self._first_result.extend([NONE] * len(new))
        results, tool = self._first_result, self._tool
        for number, node in enumerate(callers, first):
            tool[node] = number
        for number, node in zip(numbers, answers, strict=True):
            results[number] = node
            tool[node] = number
        return numbers

    def _are_first_answers(
        self,
        numbers: Sequence[int],
        answers: Sequence[int],
        first: int,
        callers: Sequence[int],
    ) -> bool:
        """Say whether each call has no other answer, and stands before this one."""
        if NONE in numbers or len(set(numbers)) < len(numbers):
            return False
        results = self._first_result
        return all(
            [
                results[number] == NONE if number < first else callers[number - first] < node
                for number, node in zip(numbers, answers, strict=True)
            ]
        )

    def call(self, call_id: str, node: int) -> int:
        """Join a row with a call that it makes, and return the call's number."""
        number = self._calls.get(call_id)
        if number is None:
            number = self._new_call(call_id, row=node, result=NONE)
        elif self.call_row[number] == NONE:
            self.call_row[number] = node
        if self._tool[node] == NONE:
            self._tool[node] = number
        else:
            self._join_more(number, node)
        return number

    def answer(self, call_id: str, node: int) -> int:
        """Join a row with a call that it answers, and return the call's number."""
        number = self._calls.get(call_id)
        if number is None:
            number = self._new_call(call_id, row=NONE, result=node)
        elif self._first_result[number] == NONE:
            self._first_result[number] = node
        elif node != self._first_result[number]:
            _insert(self._more_results.setdefault(number, []), node)
        if self._tool[node] == NONE:
            self._tool[node] = number
        else:
            self._join_more(number, node)
        return number

    def _new_call(self, call_id: str, row: int, result: int) -> int:
        number = self._calls[call_id] = len(self.call_ids)
        self.call_ids.append(call_id)
        self.call_row.append(row)
        self._first_result.append(result)
        return number

    def _join_more(self, number: int, node: int) -> None:
        if number != self._tool[node]:
            _insert(self._more_tools.setdefault(node, []), number)

    def tools(self, row: int) -> list[int]:
        """Return the numbers of the calls that a row makes or answers."""
        if self._tool[row] == NONE:
            return []
        return [self._tool[row], *self._more_tools.get(row, ())]

    def results(self, number: int) -> list[int]:
        """Return the result rows of a call, in file order."""
        if self._first_result[number] == NONE:
            return []
        return [self._first_result[number], *self._more_results.get(number, ())]

    def siblings(self, row: int) -> list[int]:
        """Return the rows of a row's response, itself included, in file order."""
        number = self.response[row]
        return [row] if number == NONE else self.rows_of[number]

    def number(self, call_id: str) -> int | None:
        """Return the number of a call id."""
        return self._calls.get(call_id)


def _insert(ordered: list[int], item: int) -> None:
    """Add to an ordered list; the new item is nearly always the greatest."""
    if not ordered or ordered[-1] < item:
        ordered.append(item)
        return
    at = bisect_left(ordered, item)
    if ordered[at] != item:
        ordered.insert(at, item)
