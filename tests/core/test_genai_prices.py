"""Our prices against those of the package genai-prices; its own data is used, not the network."""

from __future__ import annotations

import socket
from datetime import UTC, datetime
from typing import Any

import genai_prices
import pytest
from genai_prices.data import providers

from forkpoint.prices import Prices
from forkpoint.records.record import Usage

LIST = Prices()
TODAY = datetime(2026, 11, 29, tzinfo=UTC)
"""The day to which the list belongs."""

[ANTHROPIC] = [provider for provider in providers if provider.id == "anthropic"]
KNOWN = [model.id for model in ANTHROPIC.models]

UNPRICED = {
    "claude-v1": "older than Claude Code",
    "claude-2": "older than Claude Code",
    "claude-3-haiku": "Claude Code never chose it",
    "claude-3-sonnet": "Claude Code never chose it",
    "claude-mythos-5-2": "not for everybody",
}
"""Models that the package knows and our list does not, and why."""

USAGES = {
    "input": Usage(input=50_000),
    "output": Usage(input=1_000, output=5_000),
    "read": Usage(input=2, cache_read=90_000),
    "written for 5 min": Usage(input=2, cache_write_5m=90_000),
    "written for 1 h": Usage(input=2, cache_write_1h=90_000),
    "all kinds, 100,000": Usage(1_000, 700, 90_000, 4_000, 5_000),
    "all kinds, 100,001": Usage(1_001, 700, 90_000, 4_000, 5_000),
    "all kinds, 200,000": Usage(1_000, 700, 190_000, 4_000, 5_000),
    "all kinds, 200,001": Usage(1_001, 700, 190_000, 4_000, 5_000),
    "all kinds, 900,000": Usage(1_000, 700, 890_000, 4_000, 5_000),
}


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection is opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def theirs(
    model: str,
    usage: Usage,
    fast: bool = False,
    at: datetime = TODAY,
    provider: str = "anthropic",
) -> float:
    """US dollars by the package, for which tokens read and written are input, too."""
    written = usage.cache_write_5m + usage.cache_write_1h
    tokens = genai_prices.Usage(
        input_tokens=usage.input + usage.cache_read + written,
        output_tokens=usage.output,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=written,
        cache_write_1h_tokens=usage.cache_write_1h,
    )
    context: dict[str, Any] = {"speed": "fast"} if fast else {}
    found = genai_prices.calc_price(
        tokens,
        model,
        provider_id=provider,
        genai_request_timestamp=at,
        price_context=context,
    )
    return float(found.total_price)


def has_fast_mode(model: str) -> bool:
    usage = USAGES["input"]
    return theirs(model, usage, fast=True) != theirs(model, usage)


@pytest.mark.parametrize("usage", USAGES.values(), ids=USAGES)
@pytest.mark.parametrize("model", [model for model in KNOWN if model not in UNPRICED])
def test_a_response_costs_the_same(model: str, usage: Usage) -> None:
    assert LIST.cost(model, usage) == pytest.approx(theirs(model, usage))
    if has_fast_mode(model):
        assert LIST.cost(model, usage, fast=True) == pytest.approx(theirs(model, usage, fast=True))
    else:
        assert LIST.cost(model, usage, fast=True) is None


def test_which_models_have_no_price_of_ours() -> None:
    assert {model for model in KNOWN if LIST.price_of(model) is None} == set(UNPRICED)


@pytest.mark.parametrize("model", ["claude-opus-4-6", "claude-sonnet-4-6"])
def test_what_the_list_leaves_out_of_the_past(model: str) -> None:
    """Two models had a step in price until 2026-03-12; each row has one price for all times."""
    last_day, long = datetime(2026, 3, 12, tzinfo=UTC), USAGES["all kinds, 200,001"]
    assert theirs(model, long, at=last_day) > (LIST.cost(model, long) or 0)
    short = USAGES["all kinds, 200,000"]
    assert theirs(model, short, at=last_day) == pytest.approx(LIST.cost(model, short))
    price = LIST.price_of(model)
    assert price is not None and "before 2026-03-13" in (price.source or "")


# --- models of OpenAI ----------------------------------------------------------------------------

CODEX = [
    "gpt-5", "gpt-5-codex", "gpt-5-mini", "gpt-5-nano", "gpt-5-pro", "gpt-5.1",
    "gpt-5.1-codex", "gpt-5.1-codex-max", "gpt-5.1-codex-mini", "gpt-5.2", "gpt-5.2-codex",
    "gpt-5.2-pro", "gpt-5.3-codex", "gpt-5.4", "gpt-5.4-mini", "gpt-5.5", "gpt-5.5-codex",
    "gpt-5.6", "gpt-5.6-sol", "gpt-5.6-luna", "gpt-5.6-terra", "gpt-6-sol", "gpt-6-luna",
    "gpt-6-astra", "gpt-6.1-sol", "gpt-6.1-terra", "o3", "o4-mini", "codex-mini-latest",
    "gpt-4.1", "gpt-5-2025-08-07", "gpt-5.1-2025-11-13",
]  # fmt: skip
OF_ROLLOUTS = {
    "input": Usage(input=50_000),
    "output": Usage(input=1_000, output=5_000),
    "cached": Usage(input=2, cache_read=90_000),
    "272,000": Usage(1_000, 700, 271_000),
    "272,001": Usage(1_001, 700, 271_000),
}
"""A rollout tells no more kinds."""


@pytest.mark.parametrize("usage", OF_ROLLOUTS.values(), ids=OF_ROLLOUTS)
@pytest.mark.parametrize("model", CODEX)
def test_a_response_of_codex_costs_the_same(model: str, usage: Usage) -> None:
    expected = theirs(model, usage, provider="openai")
    assert LIST.cost(model, usage) == pytest.approx(expected)
    assert LIST.cost(f"openai/{model}", usage) == pytest.approx(expected)
