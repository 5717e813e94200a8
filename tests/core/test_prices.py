"""List prices in US dollars per million tokens (cache rules, section 7.7)."""

from __future__ import annotations

import pytest

from forkpoint.prices import cost, price_of
from forkpoint.records.record import Usage

MILLION = 1_000_000

TABLE: dict[str, tuple[float, ...]] = {
    "claude-opus-5-5": (4, 20, 0.20, 5, 8),
    "claude-opus-5": (5, 25, 0.50, 6.25, 10),
    "claude-opus-4-8": (5, 25, 0.50, 6.25, 10),
    "claude-opus-4-7": (5, 25, 0.50, 6.25, 10),
    "claude-opus-4-6": (5, 25, 0.50, 6.25, 10),
    "claude-opus-4-5-20251101": (5, 25, 0.50, 6.25, 10),
    "claude-opus-4-1-20250805": (15, 75, 1.50, 18.75, 30),
    "claude-opus-4-20250514": (15, 75, 1.50, 18.75, 30),
    "claude-sonnet-5-5": (2, 10, 0.10, 2.50, 4),
    "claude-sonnet-5": (2, 10, 0.20, 2.50, 4),
    "claude-sonnet-4-6": (3, 15, 0.30, 3.75, 6),
    "claude-sonnet-4-5-20250929": (3, 15, 0.30, 3.75, 6),
    "claude-sonnet-4-20250514": (3, 15, 0.30, 3.75, 6),
    "claude-fable-5-2": (8, 40, 0.20, 10, 16),
    "claude-fable-5-1": (10, 50, 0.25, 12.50, 20),
    "claude-fable-5": (10, 50, 1.00, 12.50, 20),
    "claude-haiku-5-5": (0.10, 0.50, 0.01, 0.125, 0.20),
    "claude-haiku-4-5-20251001": (1, 5, 0.10, 1.25, 2),
}
KINDS = ("input", "output", "cache_read", "cache_write_5m", "cache_write_1h")


@pytest.mark.parametrize("model", TABLE)
def test_the_table(model: str) -> None:
    price = price_of(model)
    assert tuple(getattr(price, kind) for kind in KINDS) == TABLE[model]


@pytest.mark.parametrize("model", [name for name in TABLE if "haiku-5-5" not in name])
@pytest.mark.parametrize("kind", KINDS)
def test_a_million_of_each_kind(model: str, kind: str) -> None:
    expected = dict(zip(KINDS, TABLE[model], strict=True))[kind]
    assert cost(model, Usage(**{kind: MILLION})) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        pytest.param(Usage(input=100_000, output=MILLION), 0.01 + 0.50, id="at the border"),
        pytest.param(Usage(input=100_001, output=MILLION), 0.0500005 + 2.50, id="above it"),
        pytest.param(
            Usage(input=1, cache_read=60_000, cache_write_5m=20_000, cache_write_1h=20_000),
            (1 * 0.50 + 60_000 * 0.05 + 20_000 * 0.625 + 20_000 * 1.00) / MILLION,
            id="the cache counts as prompt",
        ),
        pytest.param(
            Usage(input=1, cache_read=99_999, output=500_000), 0.25 + 0.00099999 + 0.0000001,
            id="the output does not",
        ),
    ],
)  # fmt: skip
def test_haiku_5_5_costs_more_above_a_prompt_of_100_000(usage: Usage, dollars: float) -> None:
    assert cost("claude-haiku-5-5", usage) == pytest.approx(dollars)


def test_what_the_client_itself_printed() -> None:
    """12,580 tokens written for five minutes and 12 of output on Opus 5.5: $0.06314."""
    dollars = cost("claude-opus-5-5", Usage(cache_write_5m=12_580, output=12))
    assert dollars == pytest.approx(0.06314, abs=1e-9)


@pytest.mark.parametrize(
    "model",
    [
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "anthropic/claude-sonnet-4.5".replace(".", "-"),
        "claude-sonnet-4-5@20250929",
        "claude-sonnet-4-5[1m]",
        "sonnet-4-5",
    ],
)
def test_names_of_providers_and_dates_make_no_difference(model: str) -> None:
    assert price_of(model) == price_of("claude-sonnet-4-5")


@pytest.mark.parametrize(
    "model",
    [None, "", "<synthetic>", "gpt-5", "claude-opus-9", "claude-sonnet-4-9", "claude", "opus", "5"],
)
def test_unknown_models_have_no_price(model: str | None) -> None:
    assert price_of(model) is None
    assert cost(model, Usage(input=MILLION)) is None


def test_nothing_costs_nothing() -> None:
    assert cost("claude-opus-5-5", Usage()) == 0.0
