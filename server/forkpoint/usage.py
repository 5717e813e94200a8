"""Tokens of each response, counted once (format.md section 17).

The rows of one response repeat its usage; the last row has the greatest numbers, so it counts.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import astuple

from forkpoint.joins import NONE, Joins
from forkpoint.records.record import Record, Usage
from forkpoint.records.shapes import UsageShape
from forkpoint.records.tokens import columns_of, in_fast_mode, numbers_of

_MOST = 2**62
"""A number above it, or below zero, is a broken file's."""
_UNTOLD = 2**32 - 1
"""Stands for the tokens of a response that has no usage."""


class Tokens(msgspec.Struct):
    """A sum of tokens, and of how many responses."""

    responses: int = 0
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0

    def add(self, usage: Usage) -> None:
        """Add one response."""
        self.responses += 1
        self.input += usage.input
        self.output += usage.output
        self.cache_read += usage.cache_read
        self.cache_write_5m += usage.cache_write_5m
        self.cache_write_1h += usage.cache_write_1h


class ResponseUsage:
    """Usage and model by response number (see `Joins.response`)."""

    def __init__(self) -> None:
        self.models: list[str] = []
        self._input = array("I")
        self._output = array("I")
        self._cache_read = array("I")
        self._cache_write_5m = array("I")
        self._cache_write_1h = array("I")
        # What the columns do not hold: greater numbers, and a context that is not their sum.
        self._odd: dict[int, tuple[int, ...]] = {}
        self._model = array("h")
        self._asked = bytearray()

    def apply(self, record: Record, joins: Joins, node: int) -> None:
        """Take in an assistant row; a later row of a response replaces the earlier numbers."""
        response = joins.response[node]
        if response == NONE or record.usage is None:
            return
        self.tell(response, record.usage, record.model)
        if record.asked_lifetime in _LIFETIMES:
            self._asked[response] = _CODES[record.asked_lifetime]
        self._note_speed(response, fast=record.fast)

    def tell(self, response: int, usage: Usage, model: str | None) -> None:
        """Take in what a response used; it replaces what was told of it before."""
        self._grow(response + 1)
        self._put(response, astuple(usage))
        if model is not None:
            self._model[response] = self.know(model)

    def _put(self, response: int, numbers: tuple[int, ...]) -> None:
        numbers = tuple([max(0, min(number, _MOST)) for number in numbers])
        self._odd.pop(response, None)
        if max(numbers) > _UNTOLD or numbers[0] == _UNTOLD or sum(numbers[:-1]) != numbers[-1]:
            self._odd[response] = numbers
            numbers = _NOTHING
        for column, number in zip(self._columns(), numbers[:-1], strict=True):
            column[response] = number

    def put(
        self,
        responses: Sequence[int],
        usages: Sequence[UsageShape],
        models: Sequence[str],
        lifetimes: Sequence[str | None],
    ) -> None:
        """Take in what the last rows of responses say; mostly these follow each other."""
        columns = _columns_of(usages)
        asked = bytes(map(_CODES.__getitem__, lifetimes))
        if columns is not None:
            self.put_columns(responses, columns, models, asked)
        else:
            numbers = [numbers_of(used) for used in usages]
            self._put_each(responses, numbers, models, asked)
        if "fast" in [used.speed for used in usages]:
            for response, used in zip(responses, usages, strict=True):
                self._note_speed(response, fast=in_fast_mode(used))

    def put_columns(
        self,
        responses: Sequence[int],
        columns: Sequence[array[int]],
        models: Sequence[str],
        asked: bytes,
    ) -> None:
        """Do the same by columns of tokens, none of them odd, and codes of lifetimes."""
        first, end = responses[0], responses[-1] + 1
        is_run = responses == [*range(first, end)]
        if not is_run or not self._odd.keys().isdisjoint(responses):
            rows = zip(*columns, strict=True)
            self._put_each(responses, [(*row, sum(row)) for row in rows], models, asked)
            return
        self._grow(first)
        for column, numbers in zip(self._columns(), columns, strict=True):
            column[first:end] = numbers
        self._model[first:end] = array("h", self._known(models))
        self._asked[first:end] = asked

    def _put_each(
        self,
        responses: Sequence[int],
        numbers: Sequence[tuple[int, ...]],
        models: Sequence[str],
        asked: bytes,
    ) -> None:
        self._grow(max(responses) + 1)
        known = self._known(models)
        for response, used, model, code in zip(responses, numbers, known, asked, strict=True):
            self._put(response, used)
            self._model[response], self._asked[response] = model, code

    def _known(self, models: Sequence[str]) -> list[int]:
        known = {model: self.know(model) for model in dict.fromkeys(models)}
        return [known[model] for model in models]

    def _note_speed(self, response: int, *, fast: bool) -> None:
        self._asked[response] = self._asked[response] & ~_FAST | (_FAST if fast else 0)

    def _columns(self) -> tuple[array[int], ...]:
        return (
            self._input,
            self._output,
            self._cache_read,
            self._cache_write_5m,
            self._cache_write_1h,
        )

    def _grow(self, count: int) -> None:
        missing = count - len(self._model)
        if missing > 0:
            self._model.extend([NONE] * missing)
            self._asked.extend(bytes(missing))
            for column in self._columns():
                column.extend([_UNTOLD] * missing)

    def know(self, model: str) -> int:
        """Return the number of a model."""
        if model not in self.models:
            if len(self.models) == _MAX_MODELS:
                return NONE
            self.models.append(model)
        return self.models.index(model)

    def of(self, response: int) -> Usage | None:
        """Return the usage of a response; None where it has none (made by the client)."""
        if response in self._odd:
            return Usage(*self._odd[response])
        if response < 0 or response >= len(self._model) or self._input[response] == _UNTOLD:
            return None
        numbers = [column[response] for column in self._columns()]
        return Usage(*numbers, context=sum(numbers))

    def model_of(self, response: int) -> str | None:
        """Return the model that a response names."""
        if response < 0 or response >= len(self._model) or self._model[response] == NONE:
            return None
        return self.models[self._model[response]]

    def asked_lifetime_of(self, response: int) -> str | None:
        """Return the lifetime that a request asked of the cache; None where it does not say.

        2.1.326 and later say: `5m`, `1h`, or `off` for a request that was not to be cached.
        """
        if response < 0 or response >= len(self._asked):
            return None
        return _LIFETIMES[self._asked[response] & ~_FAST]

    def is_fast(self, response: int) -> bool:
        """Say whether a response came in fast mode, which has prices of its own."""
        return 0 <= response < len(self._asked) and bool(self._asked[response] & _FAST)

    def total(self, responses: Iterable[int]) -> Tokens:
        """Sum up the given responses."""
        tokens = Tokens()
        for response in responses:
            usage = self.of(response)
            if usage is not None:
                tokens.add(usage)
        return tokens


def _columns_of(usages: Sequence[UsageShape]) -> list[array[int]] | None:
    columns = columns_of(usages)
    if columns is None or _UNTOLD in columns[0]:
        return None
    try:
        return [array("I", column) for column in columns]
    except OverflowError:
        return None


_NOTHING = (0,) * 6
_LIFETIMES = (None, "5m", "1h", "off")
_CODES = {lifetime: code for code, lifetime in enumerate(_LIFETIMES)}
_FAST = 128
"""Stands beside the code of a lifetime."""
_MAX_MODELS = 1000
"""A hostile file may name a new model on each line; a real session names a handful."""
