"""Which rows belong to one response, and which result answers which call.

The client writes one row per content block; the rows of one response share a message id, and each
result row names its call's id. Both are kept as numbers: a row has mostly one of each.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from operator import lt

from forkpoint.ids import Ids
from forkpoint.records.record import Record

NONE = -1
_NEAR = 255
"""Rows between the first and the last of a response that are looked through."""


class Joins:
    """Columns by ordinal, by response number and by call number.

    Attributes:
        response: per row, the number of its response, or `NONE`. A line outside the graph that
            tells of a response (Codex) has its number, too, but is none of its rows.
        first_row: per response number, the first of its rows.
        call_row: per call number, the row of the call; `NONE` if none is in the file.
    """

    def __init__(self) -> None:
        self.response = array("i")
        self.message_ids = Ids()
        self.first_row = array("i")
        # How far behind it the last row is, and the rows of those responses of which this and
        # `response` do not tell them: that go on far away, or lost a row to another response.
        self._span = bytearray()
        self._scattered: dict[int, list[int]] = {}
        self.call_ids = Ids()
        self.call_row = array("i")
        self._first_result = array("i")
        self._more_results: dict[int, list[int]] = {}
        self._tool = array("i")
        self._more_tools: dict[int, list[int]] = {}

    def settle(self) -> None:
        """Have the ids in the columns that are kept."""
        self.message_ids.settle()
        self.call_ids.settle()

    def rest(self) -> None:
        """Give back the memory of what is only needed where many ids are looked for."""
        self.message_ids.rest()
        self.call_ids.rest()

    def add(self, record: Record | None, ordinal: int, node: int) -> None:
        """Take in the row; `node` is where the row's content counts (a repeat's first line)."""
        self.response.append(NONE)
        self._tool.append(NONE)
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
        number = self.message_ids.add(message_id)
        before = self.response[node]
        if before not in (NONE, number):
            self._scattered[before] = self.rows_of(before)
        if number == len(self.first_row):
            self.first_row.append(node)
            self._span.append(0)
        else:
            self._lengthen(number, node)
        self.response[node] = number
        return number

    def _lengthen(self, number: int, node: int) -> None:
        """Add a row to a response that has some."""
        span = node - self.first_row[number]
        if number not in self._scattered:
            if 0 <= span <= _NEAR:
                self._span[number] = max(span, self._span[number])
                return
            self._scattered[number] = self.rows_of(number)
        rows = self._scattered[number]
        _insert(rows, node)
        self.first_row[number] = rows[0]

    def respond_all(self, message_ids: Sequence[str], nodes: Sequence[int]) -> dict[int, int]:
        """Join rows behind all others with their responses.

        Returns:
            By response number, the place in `nodes` of its last row.
        """
        first, first_row, span = len(self.first_row), self.first_row, self._span
        numbers = self.message_ids.add_all(message_ids)
        places = range(len(nodes))
        last = dict(zip(numbers, places, strict=True))
        begins = dict(zip(reversed(numbers), reversed(places), strict=True))
        new = range(first, len(self.message_ids))
        first_row.fromlist([nodes[begins[number]] for number in new])
        span.extend(bytes(len(new)))
        spans = [nodes[place] - first_row[number] for number, place in last.items()]
        if max(spans) > _NEAR or (self._scattered and self._scattered.keys() & last):
            for number, node in zip(numbers, nodes, strict=True):
                self._lengthen(number, node)
                self.response[node] = number
            return last
        response = self.response
        for number, node in zip(numbers, nodes, strict=True):
            response[node] = number
        for number, rows in zip(last, spans, strict=True):
            span[number] = rows
        return last

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
        first, ids = len(self.call_ids), self.call_ids
        results, call_row, tool = self._first_result, self.call_row, self._tool
        ids.add_all(call_ids)
        if len(ids) - first < len(call_ids):
            ids.cut(first)
            return None
        call_row.fromlist([*callers])
        results.fromlist([NONE] * len(call_ids))
        numbers = self._plainly_answered(answered, answers)
        if numbers is None:
            ids.cut(first)
            del call_row[first:], results[first:]
            return None
        for number, node in enumerate(callers, first):
            tool[node] = number
        for number, node in zip(numbers, answers, strict=True):
            results[number] = node
            tool[node] = number
        return numbers

    def _plainly_answered(
        self, answered: Sequence[str], answers: Sequence[int]
    ) -> list[int] | None:
        """The calls' numbers; None unless each stands before its answer, and has no other."""
        known = self.call_ids.find_all(answered)
        numbers = [number for number in known if number is not None]
        if len(numbers) < len(known) or len(set(numbers)) < len(numbers):
            return None
        results, call_row = self._first_result, self.call_row
        if not all([results[number] == NONE for number in numbers]):
            return None
        is_before = map(lt, map(call_row.__getitem__, numbers), answers)
        return numbers if all(is_before) else None

    def call(self, call_id: str, node: int) -> int:
        """Join a row with a call that it makes, and return the call's number."""
        number = self.call_ids.add(call_id)
        if number == len(self.call_row):
            self._new_call(row=node, result=NONE)
        elif self.call_row[number] == NONE:
            self.call_row[number] = node
        if self._tool[node] == NONE:
            self._tool[node] = number
        else:
            self._join_more(number, node)
        return number

    def answer(self, call_id: str, node: int) -> int:
        """Join a row with a call that it answers, and return the call's number."""
        number = self.call_ids.add(call_id)
        if number == len(self.call_row):
            self._new_call(row=NONE, result=node)
        elif self._first_result[number] == NONE:
            self._first_result[number] = node
        elif node != self._first_result[number]:
            _insert(self._more_results.setdefault(number, []), node)
        if self._tool[node] == NONE:
            self._tool[node] = number
        else:
            self._join_more(number, node)
        return number

    def _new_call(self, row: int, result: int) -> None:
        self.call_row.append(row)
        self._first_result.append(result)

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

    def rows_of(self, number: int) -> list[int]:
        """Return the rows of a response, in file order."""
        if number in self._scattered:
            return self._scattered[number]
        first, span = self.first_row[number], self._span[number]
        if span < 2:
            return [*range(first, first + span + 1)]
        near = self.response[first : first + span + 1]
        return [row for row, response in enumerate(near, first) if response == number]

    def last_row(self, number: int) -> int:
        """Return the last row of a response."""
        if number in self._scattered:
            return self._scattered[number][-1]
        return self.first_row[number] + self._span[number]

    def siblings(self, row: int) -> list[int]:
        """Return the rows of a row's response, itself included, in file order."""
        number = self.response[row]
        return [row] if number == NONE else self.rows_of(number)

    def all_siblings(self, rows: Iterable[int]) -> set[int]:
        """Return the rows of all responses that these rows are part of, and the rows themselves."""
        found = set(rows)
        for number in {self.response[row] for row in found} - {NONE}:
            found.update(self.rows_of(number))
        return found

    def number(self, call_id: str) -> int | None:
        """Return the number of a call id."""
        return self.call_ids.find(call_id)


def _insert(ordered: list[int], item: int) -> None:
    """Add to an ordered list; the new item is nearly always the greatest."""
    if not ordered or ordered[-1] < item:
        ordered.append(item)
        return
    at = bisect_left(ordered, item)
    if ordered[at] != item:
        ordered.insert(at, item)
