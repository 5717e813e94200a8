"""Answers of the model and results of tools, folded together: four fifths of all rows.

What they say goes into columns, with no call per row and fold: see `batches`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Any, TypeVar

from forkpoint.folds import Folds
from forkpoint.records.claude_code import SYNTHETIC, numbers_of
from forkpoint.records.shapes import InputShape
from forkpoint.records.usual import Row, UsualBlock

UNUSUAL, ANSWER, PROSE, CALLING, RESULT, WORDS = range(6)
"""What a row is: codes by which columns are filled; only that of what is unusual is 0."""

_SAYING: dict[str | None, int] = {"text": PROSE, "tool_use": CALLING, "tool_result": UNUSUAL}
"""Code of an answer by its only block."""

_T = TypeVar("_T")


class Exchange:
    """Answers of the model and results of tools: four fifths of all rows, folded as columns.

    The rows that are named in each `nodes` ascend.
    """

    def __init__(self, folds: Folds) -> None:
        self.folds = folds
        # Answers that belong to a response.
        self.nodes: list[int] = []
        self.messages: list[Any] = []
        self.lifetimes: list[str | None] = []
        self.call_nodes: list[int] = []
        self.calls: list[Any] = []
        self.result_nodes: list[int] = []
        self.answered: list[str] = []
        self.failed: list[bool | None] = []

    def sort_answers(
        self, rows: Sequence[Row], places: Iterable[int], first: int, codes: bytearray
    ) -> None:
        """Take in the rows of the model that stand at these places, and write their codes."""
        messages, lifetimes, nodes = self.messages, self.lifetimes, self.nodes
        for place in places:
            row, code = rows[place], UNUSUAL
            message = row.message
            if message is not None and row.uuid is not None:
                model = message.model
                # Where a message has no id its request's may stand for it, which is read of few.
                if message.id and model and model != SYNTHETIC:
                    code = self.say(message.content, first + place)
            if code:
                nodes.append(first + place)
                messages.append(message)
                lifetimes.append(row.asked_lifetime)
            codes[place] = code

    def say(self, content: list[UsualBlock] | str | None, ordinal: int) -> int:
        """Take in the blocks of an answer: one, but for clients before 2.0."""
        if not content or isinstance(content, str):
            return ANSWER
        if len(content) != 1:
            return UNUSUAL
        block = content[0]
        code = _SAYING.get(block.type, ANSWER)
        if code == CALLING:
            if block.id is None:
                return UNUSUAL
            self.call_nodes.append(ordinal)
            self.calls.append(block)
        return code

    def result(self, row: Row, ordinal: int) -> int:
        """Take in a row of the user's, and return its code."""
        message = row.message
        if message is None or row.uuid is None:
            return UNUSUAL
        content = message.content
        if isinstance(content, str):
            return WORDS
        if content is None or len(content) != 1:
            return UNUSUAL
        block = content[0]
        if block.type != "tool_result" or block.answers is None:
            return UNUSUAL
        self.result_nodes.append(ordinal)
        self.answered.append(block.answers)
        self.failed.append(block.is_error)
        return RESULT

    def settle(self, end: int) -> None:
        """Fold in what stands before a row."""
        count = bisect_left(self.nodes, end)
        if count:
            self.respond(count)
        calls = bisect_left(self.call_nodes, end)
        results = bisect_left(self.result_nodes, end)
        if calls or results:
            self.call(calls, results)

    def respond(self, count: int) -> None:
        """Fold in answers; of the rows of a response, the last says what it used."""
        usage = self.folds.usage
        nodes, messages = _taken(self.nodes, count), _taken(self.messages, count)
        ids = [message.id for message in messages]
        usages = [message.usage for message in messages]
        models = [message.model for message in messages]
        lifetimes = _taken(self.lifetimes, count)
        numbers = self.folds.joins.respond_all(ids, nodes)
        if not all(usages):
            told = [*map(bool, usages)]
            numbers, models = [*compress(numbers, told)], [*compress(models, told)]
            usages, lifetimes = [*compress(usages, told)], [*compress(lifetimes, told)]
        for model in dict.fromkeys(models):
            usage.know(model)
        said = dict(zip(numbers, zip(usages, models, lifetimes, strict=True), strict=True))
        if said:
            usage.put(
                {
                    number: (numbers_of(used), model, lifetime)
                    for number, (used, model, lifetime) in said.items()
                    if used is not None
                }
            )

    def call(self, count: int, results: int) -> None:
        """Fold in calls and results."""
        joins, tools = self.folds.joins, self.folds.tools
        callers, calls = _taken(self.call_nodes, count), _taken(self.calls, count)
        ids = [call.id for call in calls]
        names = [call.name or "" for call in calls]
        files = [_file_in(call.input) for call in calls]
        nodes, answered = _taken(self.result_nodes, results), _taken(self.answered, results)
        failed = _taken(self.failed, results)
        first = len(joins.call_ids)
        numbers = joins.call_all(ids, callers, answered, nodes)
        if numbers is not None:
            if ids:
                tools.called_all(first, names, files)
            tools.failed_all(compress(numbers, failed))
            return
        calls = dict(zip(callers, zip(ids, names, files, strict=True), strict=True))
        outcomes = dict(zip(nodes, zip(answered, failed, strict=True), strict=True))
        for node in sorted([*callers, *nodes]):
            if node in calls:
                call_id, name, file = calls[node]
                tools.called(joins.call(call_id, node), name, file)
            else:
                call_id, is_error = outcomes[node]
                number = joins.answer(call_id, node)
                if is_error:
                    tools.answered(number, is_error=True)


def _taken(column: list[_T], count: int) -> list[_T]:
    """Take away the first ones."""
    taken = column[:count]
    del column[:count]
    return taken


def _file_in(given: InputShape | None) -> str | None:
    return given and (given.file_path or given.notebook_path)
