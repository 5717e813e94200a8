"""What would the next request cost, warm and cold (cache-rules.md section 7)?

The new prompt is not in these numbers: nobody knows it yet.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from forkpoint.cache.requests import Lifetime
from forkpoint.prices import Price

SUMMARY_TOKENS = 3000
"""A guess: summaries of two to four thousand tokens were seen."""

PriceOf = Callable[[int], Price | None]
"""The price that counts for a prompt of so many tokens."""


class Parts(msgspec.Struct, frozen=True):
    """The tokens of a request by what becomes of them if the cache holds.

    Attributes:
        cached: read from the cache.
        tail: sent behind it, and written.
        floor: of `cached`, what other sessions may keep warm in any case.
    """

    cached: int
    tail: int
    floor: int

    @property
    def whole(self) -> int:
        """All of it."""
        return self.cached + self.tail


class Costs(msgspec.Struct, frozen=True):
    """US dollars; None where no price is known.

    Attributes:
        warm: all that was cached is read.
        cold_low, cold_high: none of it is, but for what other sessions keep warm, or not even that.
        partly: its end is not read; None where all of it lives equally long.
    """

    warm: float | None = None
    cold_low: float | None = None
    cold_high: float | None = None
    partly: float | None = None


def going_on(parts: Parts, price_of: PriceOf, lifetime: Lifetime) -> Costs:
    """A request that goes on: warm reads the cached part, cold writes all but the shared start."""
    price = price_of(parts.whole)
    if price is None:
        return Costs()
    write = price.cache_write_1h if lifetime in ("1h", "mixed") else price.cache_write_5m
    floor = min(parts.floor, parts.whole)
    return Costs(
        warm=_millionth(parts.cached * price.cache_read + parts.tail * write),
        cold_low=_millionth(floor * price.cache_read + (parts.whole - floor) * write),
        cold_high=_millionth(parts.whole * write),
    )


def uncached(parts: Parts, price_of: PriceOf) -> Costs:
    """With the cache switched off each request is paid in full."""
    price = price_of(parts.whole)
    if price is None:
        return Costs()
    whole = _millionth(parts.whole * price.input)
    return Costs(whole, whole, whole)


def compacting(parts: Parts, price_of: PriceOf) -> Costs:
    """The request for a summary, which stands outside of the conversation's own lifetime.

    Whether a cold one is billed as written or as plain input is not settled: both are given.
    """
    price = price_of(parts.whole)
    if price is None:
        return Costs()
    summary = SUMMARY_TOKENS * price.output
    write = price.cache_write_5m
    return Costs(
        warm=_millionth(parts.cached * price.cache_read + parts.tail * write + summary),
        cold_low=_millionth(parts.whole * price.input + summary),
        cold_high=_millionth(parts.whole * write + summary),
    )


def _millionth(dollars: float) -> float:
    return dollars / 1_000_000
