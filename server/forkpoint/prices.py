"""What a response cost, in US dollars at the API's list prices; unknown models have no price."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import msgspec

from forkpoint.records.record import Usage


class Price(msgspec.Struct, frozen=True):
    """US dollars per million tokens.

    Attributes:
        above: size of the prompt in tokens above which `beyond` counts for the whole request.
        beyond: the row above that size.
    """

    input: float
    output: float
    cache_read: float
    cache_write_5m: float
    cache_write_1h: float
    above: int | None = None
    beyond: Price | None = None


class _Table(msgspec.Struct, frozen=True):
    as_of: str
    models: dict[str, Price]


@cache
def _table() -> _Table:
    text = resources.files("forkpoint").joinpath("prices.json").read_bytes()
    return msgspec.json.decode(text, type=_Table)


def cost(model: str | None, usage: Usage) -> float | None:
    """Return what a response cost; None if the model has no known price."""
    price = price_for(model, usage)
    if price is None:
        return None
    dollars = (
        usage.input * price.input
        + usage.output * price.output
        + usage.cache_read * price.cache_read
        + usage.cache_write_5m * price.cache_write_5m
        + usage.cache_write_1h * price.cache_write_1h
    )
    return dollars / 1_000_000


def price_for(model: str | None, usage: Usage) -> Price | None:
    """Return the price that counts for a response, by the size of its prompt."""
    price = price_of(model)
    if price is None or price.above is None or price.beyond is None:
        return price
    prompt = usage.input + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h
    return price.beyond if prompt > price.above else price


@cache
def price_of(model: str | None) -> Price | None:
    """Return the price of a model by its id, with or without a date or a provider's prefix."""
    match = _MODEL.search(model or "")
    return _table().models.get(match[0]) if match else None


_MODEL = re.compile(r"(?:opus|sonnet|haiku|fable)-\d{1,2}(?:-\d{1,2}(?!\d))?")
