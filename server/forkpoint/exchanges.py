"""Answers of the model and results of tools, folded together: four fifths of all rows.

What they say goes into columns, with no call per row and fold: see `batches`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Any, TypeVar, cast

from forkpoint.folds import Folds
from forkpoint.records.claude_code import SYNTHETIC
from forkpoint.records.scanned import Scanned
from forkpoint.records.shapes import InputShape
from forkpoint.records.usual import Row

UNUSUAL, ANSWER, PROSE, CALLING, RESULT, SUMMARY, WORDS = range(7)
"""What a row is: codes by which columns are filled; only that of what is unusual is 0."""

MARKS = "<["
"""What words of the client's begin with, where these are not a person's."""

_SAYING: dict[str | None, int] = {"text": PROSE, "tool_use": CALLING, "tool_result": UNUSUAL}
"""Code of an answer by its only block."""

_T = TypeVar("_T", bound="list[Any] | array[int] | bytearray")


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
        self.failed: list[bool | int | None] = []

    def sort_answers(
        self, rows: Sequence[Row], places: Iterable[int], first: int, codes: bytearray
    ) -> None:
        """Take in the rows of the model that stand at these places, and write their codes.

        They have one block each, but for clients before 2.0.
        """
        messages, lifetimes, nodes = self.messages, self.lifetimes, self.nodes
        call_nodes, calls, saying = self.call_nodes, self.calls, _SAYING
        for place in places:
            row, code = rows[place], UNUSUAL
            message = row.message
            if message is not None and row.uuid is not None:
                model = message.model
                # Where a message has no id its request's may stand for it, which is read of few.
                if message.id and model and model != SYNTHETIC:
                    content = message.content
                    if not content or isinstance(content, str):
                        code = ANSWER
                    elif len(content) == 1:
                        block = content[0]
                        code = saying.get(block.type, ANSWER)
                        if code == CALLING and block.id is not None:
                            call_nodes.append(first + place)
                            calls.append(block)
                        elif code == CALLING:
                            code = UNUSUAL
            if code:
                nodes.append(first + place)
                messages.append(message)
                lifetimes.append(row.asked_lifetime)
            codes[place] = code

    def sort_results(
        self, rows: Sequence[Row], places: Iterable[int], first: int, codes: bytearray
    ) -> None:
        """Take in the rows of the user that stand at these places, and write their codes."""
        result_nodes, answered, failed = self.result_nodes, self.answered, self.failed
        for place in places:
            row = rows[place]
            message, code = row.message, UNUSUAL
            if message is not None and row.uuid is not None:
                content = message.content
                if isinstance(content, str):
                    is_plain = content and content[0] not in MARKS
                    code = SUMMARY if row.is_summary and is_plain else WORDS
                elif content is not None and len(content) == 1:
                    block = content[0]
                    if block.type == "tool_result" and block.answers is not None:
                        result_nodes.append(first + place)
                        answered.append(block.answers)
                        failed.append(block.is_error)
                        code = RESULT
            codes[place] = code

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
        usage, joins = self.folds.usage, self.folds.joins
        nodes, messages = taken(self.nodes, count), taken(self.messages, count)
        lifetimes = taken(self.lifetimes, count)
        last = joins.respond_all([message.id for message in messages], nodes)
        said: list[Any] = [messages[place] for place in last.values()]
        if not all([message.usage for message in said]):
            told = [place for place, message in enumerate(messages) if message.usage]
            last = {joins.response[nodes[place]]: place for place in told}
            said = [messages[place] for place in last.values()]
            messages = [messages[place] for place in told]
        models = [message.model for message in messages]
        if models and models.count(models[0]) < len(models):
            for model in dict.fromkeys(models):
                usage.know(model)
        if said:
            usage.put(
                [*last],
                [message.usage for message in said],
                [message.model for message in said],
                [lifetimes[place] for place in last.values()],
            )

    def call(self, count: int, results: int) -> None:
        """Fold in calls and results."""
        joins, tools = self.folds.joins, self.folds.tools
        callers = taken(self.call_nodes, count)
        ids, names, files = self.said_of_calls(count)
        nodes, answered = taken(self.result_nodes, results), taken(self.answered, results)
        failed = taken(self.failed, results)
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

    def said_of_calls(self, count: int) -> tuple[list[str], list[str], list[str | None]]:
        """Take away the ids, names and files of the first calls."""
        calls = taken(self.calls, count)
        names = [call.name or "" for call in calls]
        return [call.id for call in calls], names, [_file_in(call.input) for call in calls]


class ScannedExchange(Exchange):
    """The same, by columns."""

    def __init__(self, folds: Folds, scanned: Scanned, first: int) -> None:
        """Take in all answers and results; `first` is the ordinal of the first line."""
        super().__init__(folds)
        self.nodes = [first + place for place in scanned.answers]
        self.call_nodes = [first + place for place in scanned.calls]
        self.result_nodes = [first + place for place in scanned.results]
        self.answered, self.failed = scanned.answered, [*scanned.failed]
        self.scanned = scanned

    def respond(self, count: int) -> None:
        """Fold in answers; of the rows of a response, the last says what it used."""
        usage, scanned = self.folds.usage, self.scanned
        nodes, ids = taken(self.nodes, count), taken(scanned.ids, count)
        models, asked = taken(scanned.models, count), scanned.lifetimes[:count]
        last = self.folds.joins.respond_all(ids, nodes)
        if models.count(models[0]) < len(models):
            for model in dict.fromkeys(models):
                usage.know(model)
        places = [*last.values()]
        columns = [array("I", [column[at] for at in places]) for column in scanned.counts]
        asked_last = bytes([asked[at] for at in places])
        usage.put_columns([*last], columns, [models[at] for at in places], asked_last)
        for column in (scanned.lifetimes, *scanned.counts):
            del column[:count]

    def said_of_calls(self, count: int) -> tuple[list[str], list[str], list[str | None]]:
        """Take away the ids, names and files of the first calls."""
        scanned = self.scanned
        ids, names = taken(scanned.call_ids, count), taken(scanned.names, count)
        return ids, names, taken(scanned.files, count)


def taken(column: _T, count: int) -> _T:
    """Take away the first ones."""
    first = cast("_T", column[:count])
    del column[:count]
    return first


def _file_in(given: InputShape | None) -> str | None:
    return given and (given.file_path or given.notebook_path)
