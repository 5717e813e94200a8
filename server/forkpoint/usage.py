"""Tokens of each response, counted once (format.md section 17).

The rows of one response repeat its usage; the last row has the greatest numbers, so it counts.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import msgspec
from msgspec.structs import astuple

from forkpoint.joins import NONE, Joins
from forkpoint.records.record import Record, Usage

_WIDTH = len(msgspec.structs.fields(Usage))
_MOST = 2**62
"""What a column holds; a number above or below zero is a broken file's."""


Said: TypeAlias = tuple[tuple[int, ...], str, str | None]
"""The fields of a `Usage`, the model, and a known lifetime asked of the cache."""


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
        self._numbers = array("q")
        self._model = array("h")
        self._asked = bytearray()

    def apply(self, record: Record, joins: Joins, node: int) -> None:
        """Take in an assistant row; a later row of a response replaces the earlier numbers."""
        response = joins.response[node]
        if response == NONE or record.usage is None:
            return
        self._grow(response)
        self._numbers[response * _WIDTH : (response + 1) * _WIDTH] = _column(astuple(record.usage))
        if record.asked_lifetime in _LIFETIMES:
            self._asked[response] = _LIFETIMES.index(record.asked_lifetime)
        if record.model is not None:
            self._model[response] = self.know(record.model)

    def put(self, said: Mapping[int, Said]) -> None:
        """Take in what the last rows of responses say; mostly these follow each other."""
        first, count = next(iter(said)), len(said)
        if list(said) != list(range(first, first + count)):
            for response, one in said.items():
                self.put({response: one})
            return
        self._grow(first + count - 1)
        numbers, models, lifetimes = zip(*said.values(), strict=True)
        flat = _column([*chain.from_iterable(numbers)])
        self._numbers[first * _WIDTH : (first + count) * _WIDTH] = flat
        known = {model: self.know(model) for model in dict.fromkeys(models)}
        self._model[first : first + count] = array("h", [known[model] for model in models])
        self._asked[first : first + count] = bytes(map(_CODES.__getitem__, lifetimes))

    def _grow(self, response: int) -> None:
        missing = response + 1 - len(self._model)
        if missing > 0:
            self._model.extend([NONE] * missing)
            self._asked.extend(bytes(missing))
            self._numbers.extend([NONE] * (missing * _WIDTH))

    def know(self, model: str) -> int:
        """Return the number of a model."""
        if model not in self.models:
            if len(self.models) == _MAX_MODELS:
                return NONE
            self.models.append(model)
        return self.models.index(model)

    def of(self, response: int) -> Usage | None:
        """Return the usage of a response; None where it has none (made by the client)."""
        if response < 0 or response >= len(self._model):
            return None
        numbers = self._numbers[response * _WIDTH : (response + 1) * _WIDTH]
        return None if numbers[0] == NONE else Usage(*numbers)

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
        return _LIFETIMES[self._asked[response]]

    def total(self, responses: Iterable[int]) -> Tokens:
        """Sum up the given responses."""
        tokens = Tokens()
        for response in responses:
            usage = self.of(response)
            if usage is not None:
                tokens.add(usage)
        return tokens


def _column(numbers: Sequence[int]) -> array[int]:
    if min(numbers) < 0 or max(numbers) > _MOST:
        numbers = [max(0, min(number, _MOST)) for number in numbers]
    return array("q", numbers)


_LIFETIMES = (None, "5m", "1h", "off")
_CODES = {lifetime: code for code, lifetime in enumerate(_LIFETIMES)}
_MAX_MODELS = 1000
"""A hostile file may name a new model on each line; a real session names a handful."""
