"""What a session spent itself, what it inherited, what its subagents spent."""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.prices import Price, Prices
from forkpoint.spending import Spending, models_of, spending_of
from tests.builders import Fields, index_of, transcript

OPUS, SONNET = "claude-opus-5-5", "claude-sonnet-5-5"
LIST_PRICES = Prices()


def answers(*models: str) -> dict[str, Fields]:
    """Fields that give the answers a1, a2 … these models."""
    return {f"a{number}": {"message": {"model": model}} for number, model in enumerate(models, 1)}


def spent(
    text: str,
    *,
    copied: Any = (),
    fields: dict[str, Fields] | None = None,
    prices: Prices = LIST_PRICES,
) -> Spending:
    return spending_of(index_of(transcript(text, fields=fields)), copied, prices)


def outputs(spending: Spending) -> tuple[int, int, int]:
    """Tokens of output: own, of subagents, inherited. Each response of the builder has five."""
    return spending.own.output, spending.subagents.output, spending.inherited.output


@pytest.mark.parametrize(
    ("text", "copied", "fields", "expected"),
    [
        pytest.param("u1 a1 u2 a2", (), {}, (10, 0, 0), id="own"),
        pytest.param("u1 a1+a2", (), {}, (5, 0, 0), id="one response in two rows"),
        pytest.param("u1 a1 | u1 a2", (), {}, (10, 0, 0), id="abandoned branches cost too"),
        pytest.param("u1 k1 a1", (), {}, (5, 5, 0), id="a subagent in the same file"),
        pytest.param("u1 a1 u2 a2", {"msg_a1"}, {}, (5, 0, 5), id="copied by message ids"),
        pytest.param(
            "u1 a1 u2 a2", (), {"a1": {"forkedFrom": {"sessionId": "x", "messageUuid": "y"}}},
            (5, 0, 5), id="copied by the record's own word",
        ),
        pytest.param("u1", (), {}, (0, 0, 0), id="no answer"),
    ],
)  # fmt: skip
def test_who_spent(
    text: str, copied: Any, fields: dict[str, Fields], expected: tuple[int, int, int]
) -> None:
    assert outputs(spent(text, copied=copied, fields=fields)) == expected


def test_a_response_counts_once_with_the_numbers_of_its_last_row() -> None:
    growing = {
        name: {"message": {"usage": {"input_tokens": 10, "output_tokens": output}}}
        for name, output in (("a1", 1), ("a2", 40))
    }
    spending = spent("u1 a1+a2", fields=growing)
    assert (spending.own.responses, spending.own.input, spending.own.output) == (1, 10, 40)


# --- dollars -----------------------------------------------------------------------------------


def test_each_response_has_the_price_of_its_model() -> None:
    spending = spent("u1 a1 u2 a2", fields=answers(OPUS, SONNET))
    opus, sonnet = 10 * 4 + 5 * 20, 10 * 2 + 5 * 10
    assert spending.dollars == pytest.approx((opus + sonnet) / 1e6)


def test_the_users_own_prices_count_for_the_subagents_too() -> None:
    own = Prices({"opus-5-5": Price(1, 2, 0, 0, 0), "my-model": Price(3, 4, 0, 0, 0)})
    spending = spent("u1 a1 u2 a2", fields=answers(OPUS, "my-model"), prices=own)
    agent = index_of(transcript("k1", fields={"k1.a": {"message": {"model": OPUS}}}))
    spending.add_subagent(agent)
    dollars = (10 * 1 + 5 * 2) * 2 + 10 * 3 + 5 * 4
    assert spending.dollars == pytest.approx(dollars / 1e6)


def test_fast_mode_has_prices_of_its_own() -> None:
    fields = answers(OPUS)
    fields["a1"]["message"]["usage"] = {"input_tokens": 10, "output_tokens": 5, "speed": "fast"}
    assert spent("u1 a1", fields=fields).dollars == pytest.approx((10 * 8 + 5 * 40) / 1e6)


def test_one_unknown_model_makes_the_sum_unknown() -> None:
    assert spent("u1 a1 u2 a2", fields=answers(OPUS, "gpt-17")).dollars is None
    assert spent("u1 a1 u2 a2", fields=answers("gpt-17", OPUS)).dollars is None


def test_what_was_inherited_was_paid_elsewhere() -> None:
    fields = answers("gpt-17", OPUS)
    spending = spent("u1 a1 u2 a2", copied={"msg_a1"}, fields=fields)
    assert spending.dollars == pytest.approx((10 * 4 + 5 * 20) / 1e6)


def test_a_session_without_answers_cost_nothing() -> None:
    assert spent("u1").dollars == 0.0


def test_subagents_of_their_own_files_are_added() -> None:
    spending = spent("u1 a1", fields=answers(OPUS))
    agent = index_of(transcript("k1", fields={"k1.a": {"message": {"model": SONNET}}}))
    spending.add_subagent(agent)
    assert outputs(spending) == (5, 5, 0)
    dollars = (10 * 4 + 5 * 20 + 10 * 2 + 5 * 10) / 1e6
    assert spending.dollars == pytest.approx(dollars)


def test_models_in_the_order_of_their_first_use() -> None:
    main = index_of(transcript("u1 a1 u2 a2 u3 a3", fields=answers(SONNET, OPUS, SONNET)))
    agent = index_of(transcript("u1 a1 u2 a2", fields=answers(OPUS, "claude-haiku-5-5")))
    assert models_of([main, agent]) == [SONNET, OPUS, "claude-haiku-5-5"]
    assert models_of([]) == []
