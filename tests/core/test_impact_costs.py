"""What a next request costs: the formulas of cache-rules.md 7.4 and 7.6, and their examples."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from forkpoint.cache.impact_costs import Costs, Parts, PriceOf, compacting, going_on, uncached
from forkpoint.prices import Price, Prices

# Read, written for five minutes, for an hour, input, output: each leaves a mark of its own.
ODD = Price(input=7, output=11, cache_read=1, cache_write_5m=3, cache_write_1h=5)
PARTS = Parts(cached=1000, tail=100, floor=200)


def cents(costs: Costs) -> tuple[float | None, ...]:
    amounts = (costs.warm, costs.cold_low, costs.cold_high)
    return tuple(None if amount is None else round(amount, 2) for amount in amounts)


def of(model: str) -> PriceOf:
    return lambda size: Prices().for_size(model, size)


# Warm, cold at least, cold at most, in millionths of a dollar.
FORMULAS: dict[str, tuple[Callable[[], Costs], tuple[float, float, float]]] = {
    "five minutes": (lambda: going_on(PARTS, lambda _: ODD, "5m"), (1300, 2900, 3300)),
    "an hour": (lambda: going_on(PARTS, lambda _: ODD, "1h"), (1500, 4700, 5500)),
    "mixed is written for an hour": (
        lambda: going_on(PARTS, lambda _: ODD, "mixed"),
        (1500, 4700, 5500),
    ),
    "nothing is shared": (
        lambda: going_on(Parts(1000, 100, 0), lambda _: ODD, "5m"),
        (1300, 3300, 3300),
    ),
    "more is shared than there is": (
        lambda: going_on(Parts(10, 5, 100), lambda _: ODD, "5m"),
        (25, 15, 45),
    ),
    "uncached": (lambda: uncached(PARTS, lambda _: ODD), (7700, 7700, 7700)),
    # 3,000 tokens of summary at 11; a cold one as input or as written.
    "compacting": (
        lambda: compacting(PARTS, lambda _: billed()),
        (1300 + 33_000, 2200 + 33_000, 3300 + 33_000),
    ),
}


def billed() -> Price:
    """As billed by the maker, where input costs less than what is written."""
    return Price(input=2, output=11, cache_read=1, cache_write_5m=3, cache_write_1h=5)


@pytest.mark.parametrize(("costs", "expected"), FORMULAS.values(), ids=FORMULAS)
def test_formula(costs: Callable[[], Costs], expected: tuple[float, float, float]) -> None:
    found = costs()
    amounts = (found.warm, found.cold_low, found.cold_high)
    assert [amount and amount * 1_000_000 for amount in amounts] == pytest.approx(expected)
    assert found.partly is None


# Worked examples of the rule book's section 9, to the cent.
EXAMPLES: dict[str, tuple[Costs, tuple[float, float, float]]] = {
    "1": (going_on(Parts(143_050, 623, 0), of("claude-opus-5-5"), "1h"), (0.03, 1.15, 1.15)),
    "2": (going_on(Parts(143_050, 623, 21_400), of("claude-opus-5-5"), "1h"), (0.03, 0.98, 1.15)),
    "4": (going_on(Parts(90_400, 416, 0), of("claude-sonnet-4-6"), "5m"), (0.03, 0.34, 0.34)),
    "5": (going_on(Parts(90_400, 416, 19_000), of("claude-sonnet-4-6"), "5m"), (0.03, 0.28, 0.34)),
    "6": (going_on(Parts(215_100, 905, 0), of("claude-opus-4-8"), "1h"), (0.12, 2.16, 2.16)),
    "14": (going_on(Parts(143_050, 623, 0), of("claude-sonnet-5-5"), "1h"), (0.02, 0.57, 0.57)),
    "22": (compacting(Parts(143_050, 623, 0), of("claude-opus-5-5")), (0.09, 0.63, 0.78)),
    "25": (uncached(Parts(143_050, 623, 0), of("claude-opus-5-5")), (0.57, 0.57, 0.57)),
    "26": (going_on(Parts(0, 89_990, 0), of("claude-haiku-5-5"), "5m"), (0.01, 0.01, 0.01)),
    "26 above": (going_on(Parts(0, 119_990, 0), of("claude-haiku-5-5"), "5m"), (0.07, 0.07, 0.07)),
}


@pytest.mark.parametrize(("costs", "expected"), EXAMPLES.values(), ids=EXAMPLES)
def test_worked_example(costs: Costs, expected: tuple[float, float, float]) -> None:
    assert cents(costs) == expected


def test_the_price_is_that_of_the_whole_prompt() -> None:
    """Cached and new tokens together lie above Haiku's step."""
    sizes: list[int] = []

    def price_of(size: int) -> Price:
        sizes.append(size)
        return ODD

    going_on(PARTS, price_of, "5m")
    uncached(PARTS, price_of)
    compacting(PARTS, price_of)
    assert sizes == [1100, 1100, 1100]


def test_no_price_no_costs() -> None:
    nothing = Costs(None, None, None, None)
    assert going_on(PARTS, lambda _: None, "1h") == nothing
    assert uncached(PARTS, lambda _: None) == nothing
    assert compacting(PARTS, lambda _: None) == nothing
