"""List prices in US dollars per million tokens (cache rules, section 7.7)."""

from __future__ import annotations

import pytest

from forkpoint.prices import Price, Prices
from forkpoint.records.record import Usage

MILLION = 1_000_000
LIST = Prices()

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
    "claude-3-7-sonnet-20250219": (3, 15, 0.30, 3.75, 6),
    "claude-3-5-sonnet-20241022": (3, 15, 0.30, 3.75, 6),
    "claude-3-5-haiku-20241022": (0.80, 4, 0.08, 1, 1.60),
    "claude-3-opus-20240229": (15, 75, 1.50, 18.75, 30),
}
FAST: dict[str, tuple[float, ...]] = {
    "claude-opus-5-5": (8, 40, 0.40, 10, 16),
    "claude-opus-5": (10, 50, 1.00, 12.50, 20),
    "claude-opus-4-8": (10, 50, 1.00, 12.50, 20),
    "claude-fable-5-2": (16, 80, 0.40, 20, 32),
}
KINDS = ("input", "output", "cache_read", "cache_write_5m", "cache_write_1h")


def five(price: Price | None) -> tuple[float, ...]:
    return tuple(getattr(price, kind) for kind in KINDS)


@pytest.mark.parametrize("model", TABLE)
def test_the_table(model: str) -> None:
    assert five(LIST.price_of(model)) == TABLE[model]


@pytest.mark.parametrize("model", TABLE)
def test_fast_mode_has_rows_of_its_own_and_where_it_has_none_no_price(model: str) -> None:
    usage = Usage(cache_write_1h=MILLION)
    price = LIST.price_of(model, fast=True)
    if model in FAST:
        assert five(price) == FAST[model]
        assert LIST.cost(model, usage, fast=True) == FAST[model][-1]
        assert LIST.for_size(model, 900_000, fast=True) == price
        assert LIST.price_for(model, usage, fast=True) == price
    else:
        assert price is None
        assert LIST.cost(model, usage, fast=True) is None
        assert LIST.for_size(model, 1, fast=True) is None
        assert LIST.price_for(model, usage, fast=True) is None


def test_the_cache_costs_the_same_shares_in_fast_mode() -> None:
    for model in FAST:
        usual, fast = LIST.price_of(model), LIST.price_of(model, fast=True)
        assert usual is not None and fast is not None
        assert fast.cache_read / fast.input == pytest.approx(usual.cache_read / usual.input)
        assert (fast.cache_write_5m, fast.cache_write_1h) == (1.25 * fast.input, 2 * fast.input)


@pytest.mark.parametrize("model", TABLE)
def test_each_row_says_where_it_is_from(model: str) -> None:
    for price in (LIST.price_of(model), LIST.price_of(model, fast=True)):
        if price is not None:
            assert price.as_of == "2026-11"
            assert "genai-prices 0.2.3" in (price.source or "")


@pytest.mark.parametrize("model", TABLE)
@pytest.mark.parametrize("kind", KINDS)
def test_a_tenth_of_a_million_of_each_kind(model: str, kind: str) -> None:
    expected = dict(zip(KINDS, TABLE[model], strict=True))[kind]
    usage = Usage(**{kind: 100_000})
    assert LIST.cost(model, usage) == pytest.approx(expected / 10)


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
    assert LIST.cost("claude-haiku-5-5", usage) == pytest.approx(dollars)


@pytest.mark.parametrize(
    ("model", "size", "row"),
    [
        ("claude-haiku-5-5", 100_000, (0.10, 0.50, 0.01, 0.125, 0.20)),
        ("claude-haiku-5-5", 100_001, (0.50, 2.50, 0.05, 0.625, 1.00)),
        ("claude-sonnet-4-5", 200_000, (3, 15, 0.30, 3.75, 6)),
        ("claude-sonnet-4-5", 200_001, (6, 22.50, 0.60, 7.50, 12)),
        ("claude-sonnet-4-6", 900_000, (3, 15, 0.30, 3.75, 6)),
        ("claude-opus-5-5", 900_000, (4, 20, 0.20, 5, 8)),
    ],
)
def test_the_size_of_a_prompt(model: str, size: int, row: tuple[float, ...]) -> None:
    assert five(LIST.for_size(model, size)) == row


def test_a_size_of_an_unknown_model() -> None:
    assert LIST.for_size("gpt-17", 1) is None


@pytest.mark.parametrize(
    "model",
    [
        "gpt-5.2-next",
        "gpt-55",
        "gpt",
        "o9",
        "codex",
        "my-gpt-5",
        "gpt-5-2025-08",
        "gpt-image-1",
        "o3x",
    ],
)
def test_no_price_is_guessed(model: str) -> None:
    assert LIST.price_of(model) is None


def test_a_models_own_name_and_those_it_goes_by() -> None:
    price = LIST.price_of("gpt-5.1-codex")
    assert price is not None
    assert (price.input, price.cache_read, price.output) == (1.25, 0.125, 10)
    for name in ("gpt-5-1-codex", "openai/gpt-5.1-codex", "GPT-5.1-Codex"):
        assert LIST.price_of(name) == price
    assert LIST.price_of("gpt-5.1-codex", fast=True) is None
    mine = Price(1, 2, 3, 4, 5)
    assert Prices({"gpt-5.1-codex": mine}).price_of("openai/gpt-5.1-codex-2026-01-01") == mine


def test_what_the_client_itself_printed() -> None:
    """12,580 tokens written for five minutes and 12 of output on Opus 5.5: $0.06314."""
    dollars = LIST.cost("claude-opus-5-5", Usage(cache_write_5m=12_580, output=12))
    assert dollars == pytest.approx(0.06314, abs=1e-9)


@pytest.mark.parametrize(
    ("model", "plain"),
    [
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5-20250929"),
        ("anthropic/claude-sonnet-4.5", "claude-sonnet-4-5-20250929"),
        ("claude-sonnet-4-5@20250929", "claude-sonnet-4-5-20250929"),
        ("claude-sonnet-4-5[1m]", "claude-sonnet-4-5-20250929"),
        ("sonnet-4-5", "claude-sonnet-4-5-20250929"),
        ("Claude-Sonnet-4-5", "claude-sonnet-4-5-20250929"),
        ("anthropic.claude-opus-4-8-v1:0", "claude-opus-4-8"),
        ("eu.anthropic.claude-opus-4-8-v1:0", "claude-opus-4-8"),
        ("anthropic.claude-opus-4-20250514-v1:0", "claude-opus-4-20250514"),
        ("claude-opus-4-0", "claude-opus-4-20250514"),
        ("claude-opus-5-5@20261001", "claude-opus-5-5"),
        ("claude-opus-5-2026-07-24", "claude-opus-5"),
        ("us.anthropic.claude-3-7-sonnet-20250219-v1:0", "claude-3-7-sonnet-20250219"),
        ("anthropic/claude-3.5-haiku", "claude-3-5-haiku-20241022"),
    ],
)
def test_names_of_providers_and_dates_make_no_difference(model: str, plain: str) -> None:
    assert five(LIST.price_of(model)) == TABLE[plain]


def test_gateways_call_fast_mode_a_model() -> None:
    assert five(LIST.price_of("anthropic/claude-opus-5-fast")) == FAST["claude-opus-5"]
    assert LIST.price_of("anthropic/claude-opus-4.7-fast") is None


@pytest.mark.parametrize(
    "model",
    [
        None,
        "",
        "<synthetic>",
        "gpt-17",
        "claude-opus-9",
        "claude-sonnet-4-9",
        "claude-opus-55",
        "claude-opus-123",
        "claude",
        "opus",
        "5",
        "-fast",
        "claude-3-haiku-20240307",
        "claude-3-7-haiku",
        "claude-4-5-sonnet-20250929",
    ],
)
def test_unknown_models_have_no_price(model: str | None) -> None:
    assert LIST.price_of(model) is None
    assert LIST.price_of(model, fast=True) is None
    assert LIST.cost(model, Usage(input=MILLION)) is None


def test_nothing_costs_nothing() -> None:
    assert LIST.cost("claude-opus-5-5", Usage()) == 0.0


# --- a user's own ------------------------------------------------------------------------------


def own(number: float) -> Price:
    """A row that is told from others by its first number."""
    return Price(number, 0, 0, 0, 0)


OWN = Prices(
    {
        "opus-5-5": own(1),
        "opus-5-5-fast": own(2),
        "claude-sonnet-5-5": own(3),
        "us.anthropic.claude-sonnet-5-5-v1:0": own(4),
        "opus-4-7-fast": own(5),
        "my/model": own(6),
        "haiku-5-5": own(7),
        "haiku-4-5": own(0),
    }
)


@pytest.mark.parametrize(
    ("model", "fast", "number"),
    [
        pytest.param("claude-opus-5-5", False, 1, id="as the list names it"),
        pytest.param("us.anthropic.claude-opus-5-5-v1:0", False, 1, id="of any provider"),
        pytest.param("claude-opus-5-5", True, 2, id="fast mode"),
        pytest.param("anthropic/claude-opus-5.5-fast", False, 2, id="fast mode as a model"),
        pytest.param("claude-sonnet-5-5", False, 3, id="by the whole id"),
        pytest.param("claude-sonnet-5-5@20261001", False, 3, id="by the id without its date"),
        pytest.param("us.anthropic.claude-sonnet-5-5-v1:0", False, 4, id="the whole id goes first"),
        pytest.param("claude-sonnet-5-5", True, None, id="no fast row, and the list has none"),
        pytest.param("claude-opus-4-7", True, 5, id="a fast row that the list has not"),
        pytest.param("claude-opus-4-7", False, 5, id="list: 5"),
        pytest.param("My/Model", False, 6, id="a model that the list has not"),
        pytest.param("my/model", True, None, id="which has no fast mode"),
        pytest.param("my/model-2", False, None, id="another model"),
        pytest.param("claude-opus-4-8", False, 5, id="not named: from the list"),
        pytest.param("claude-opus-4-8", True, 10, id="not named: from the list, fast"),
        pytest.param("claude-haiku-4-5", False, 0, id="nothing is a price"),
        pytest.param(None, False, None, id="no model"),
    ],
)
def test_own_prices_go_before_the_list(model: str | None, fast: bool, number: float | None) -> None:
    price = OWN.price_of(model, fast)
    assert (None if price is None else price.input) == number


def test_an_own_price_counts_for_prompts_of_all_sizes() -> None:
    for size in (1, 100_000, 100_001):
        assert OWN.for_size("claude-haiku-5-5", size) == own(7)


def test_the_list_itself_stays_as_it_is() -> None:
    assert LIST.price_of("claude-opus-5-5") != OWN.price_of("claude-opus-5-5")
    assert LIST == Prices() != OWN
