"""What was spent, by what: entries of transcripts, and their sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.ledger import (
    Account,
    Dimension,
    Entry,
    Period,
    Spent,
    entries_of,
    ledger_of,
)
from forkpoint.prices import Price, Prices
from forkpoint.records.record import Usage
from forkpoint.usage import Tokens
from tests.builders import Fields, index_of, transcript

OPUS, SONNET, STRANGER = "claude-opus-5-5", "claude-sonnet-5-5", "gpt-17"
QUARTER = 900
ALWAYS = Period()


def answers(*models: str) -> dict[str, Fields]:
    """Fields that give the answers a1, a2 … these models."""
    return {f"a{number}": {"message": {"model": model}} for number, model in enumerate(models, 1)}


def entries(text: str, elsewhere: Sequence[str] = (), **options: Any) -> list[tuple[Any, ...]]:
    """Quarters since the beginning, models, who spent it, and how many responses."""
    of_subagent = options.pop("of_subagent", False)
    index = index_of(transcript(text, **options))
    found = entries_of(index, elsewhere, Prices(), of_subagent=of_subagent).entries
    first = index.nodes.time[0] // 900_000
    return [
        (
            None if entry.quarter is None else entry.quarter - first,
            entry.model,
            "subagent" if entry.by_subagent else "own",
            entry.spent.tokens.responses,
        )
        for entry in found
    ]


# --- entries -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        pytest.param("u1 a1 u2 a2", {"fields": answers(OPUS, OPUS)},
                     [(0, OPUS, "own", 2)], id="one model at one time"),
        pytest.param("u1 a1+a2", {"fields": answers(OPUS, OPUS)},
                     [(0, OPUS, "own", 1)], id="one response in two rows"),
        pytest.param("u1 a1 u2 a2", {"fields": answers(OPUS, SONNET)},
                     [(0, OPUS, "own", 1), (0, SONNET, "own", 1)], id="two models"),
        pytest.param("u1 a1 u2 a2", {"fields": answers(OPUS, OPUS), "times": {"a2": QUARTER}},
                     [(0, OPUS, "own", 1), (1, OPUS, "own", 1)], id="two quarters of an hour"),
        pytest.param("u1 a1+a2", {"fields": answers(OPUS, OPUS), "times": {"a2": QUARTER}},
                     [(0, OPUS, "own", 1)], id="a response belongs to the time it began"),
        pytest.param("u1 a1 | u1 a2", {"fields": answers(OPUS, OPUS)},
                     [(0, OPUS, "own", 2)], id="abandoned branches cost, too"),
        pytest.param("u1 a1", {"fields": {"a1": {"message": {"model": "<synthetic>"}}}},
                     [], id="what the client made up cost nothing"),
        pytest.param("u1 a1", {"fields": {"a1": {"message": {"model": OPUS}, "timestamp": "x"}}},
                     [(None, OPUS, "own", 1)], id="no time"),
        pytest.param("u1 a1", {"fields": answers(OPUS), "of_subagent": True},
                     [(0, OPUS, "subagent", 1)], id="a subagent's file"),
        pytest.param("u1 a1", {"fields": {"a1": {"message": {"model": OPUS}, "isSidechain": True}}},
                     [(0, OPUS, "subagent", 1)], id="a subagent in the same file"),
        pytest.param("u1 a1 u2 a2", {"fields": answers(OPUS, OPUS), "elsewhere": {"msg_a1"}},
                     [(0, OPUS, "own", 1)], id="what counts elsewhere"),
        pytest.param("u1", {}, [], id="no answer"),
    ],
)  # fmt: skip
def test_entries(text: str, options: dict[str, Any], expected: list[tuple[Any, ...]]) -> None:
    assert entries(text, **options) == expected


def test_copies_are_told() -> None:
    index = index_of(transcript("u1 a1 u2 a2 u3 a3"))
    assert entries_of(index, {"msg_a1", "msg_a3", "msg_x"}, Prices()).copies == 2
    assert entries_of(index, (), Prices()).copies == 0


def test_the_last_row_of_a_response_has_its_numbers_and_each_model_its_price() -> None:
    fields: dict[str, Fields] = {
        name: {
            "message": {
                "model": OPUS,
                "usage": {
                    "input_tokens": 10,
                    "output_tokens": output,
                    "cache_read_input_tokens": 1000,
                    "cache_creation_input_tokens": 300,
                    "cache_creation": {
                        "ephemeral_5m_input_tokens": 100,
                        "ephemeral_1h_input_tokens": 200,
                    },
                },
            }
        }
        for name, output in (("a1", 1), ("a2", 40))
    }
    index = index_of(transcript("u1 a1+a2", fields=fields))
    [entry] = entries_of(index, (), Prices()).entries
    assert entry.spent.tokens == Tokens(1, 10, 40, 1000, 100, 200)
    # Dollars per million: input 4, output 20, read 0.2, written for 5 min 5, for 1 h 8.
    micro = 10 * 4 + 40 * 20 + 1000 * 0.2 + 100 * 5 + 200 * 8
    assert entry.spent.dollars == pytest.approx(micro / 1e6, rel=1e-12)


# --- one sum -----------------------------------------------------------------------------------


def spent(*dollars: float | None) -> Spent:
    total = Spent()
    for each in dollars:
        total.count(Usage(input=1), each)
    return total


@pytest.mark.parametrize(
    ("dollars", "expected", "unpriced"),
    [
        pytest.param((), 0.0, 0, id="nothing was spent"),
        pytest.param((0.1, 0.2), 0.3, 0, id="exact, where floats are not"),
        pytest.param((0.5, None), 0.5, 1, id="what has no price comes on top"),
        pytest.param((None, None), None, 2, id="nothing has a price"),
        pytest.param((0.0,), 0.0, 0, id="free is no unknown price"),
        pytest.param((float("inf"), float("nan"), 1e300), None, 3, id="no number of dollars"),
    ],
)
def test_dollars(dollars: tuple[float | None, ...], expected: float | None, unpriced: int) -> None:
    assert (spent(*dollars).dollars, spent(*dollars).unpriced) == (expected, unpriced)


# --- many --------------------------------------------------------------------------------------


def day_of(quarter: int) -> str | None:
    """A calendar of one quarter of an hour per day, from 2026-11-01 on."""
    return f"2026-1{1 + quarter // 30}-{quarter % 30 + 1:02}" if 0 <= quarter < 60 else None


def entry(
    quarter: int | None, model: str | None, cents: int | None, *, agent: bool = False
) -> Entry:
    total = Spent()
    total.count(Usage(input=1), None if cents is None else cents / 100)
    return Entry(quarter, model, agent, total)


SHOP = Account(
    "one", "/shop", "claude-code", None,
    [entry(0, OPUS, 10), entry(1, SONNET, 500), entry(30, OPUS, 30), entry(None, None, None)],
)  # fmt: skip
HELPER = Account("one", "/shop", "claude-code", "helper", [entry(1, SONNET, 7, agent=True)])
LAB = Account("two", "/lab", "codex", None, [entry(1, STRANGER, None), entry(0, OPUS, 1)])
ALL = [SHOP, HELPER, LAB]

Line = tuple[Any, ...]


def lines(*by: Dimension, period: Period = ALWAYS) -> list[Line]:
    """Key, cents of conversations and of subagents, and responses without a price."""
    return [
        (
            *group.key,
            round((group.own.dollars or 0) * 100),
            round((group.subagents.dollars or 0) * 100),
            group.own.unpriced + group.subagents.unpriced,
        )
        for group in ledger_of(ALL, by, day_of, period).groups
    ]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        pytest.param(["day"], [("2026-11-01", 11, 0, 0), ("2026-11-02", 500, 7, 1),
                               ("2026-12-01", 30, 0, 0), (None, 0, 0, 1)], id="days in order"),
        pytest.param(["month"], [("2026-11", 511, 7, 1), ("2026-12", 30, 0, 0), (None, 0, 0, 1)],
                     id="months"),
        pytest.param(["model"], [(SONNET, 500, 7, 0), (OPUS, 41, 0, 0), (STRANGER, 0, 0, 1),
                                 (None, 0, 0, 1)], id="the dearest model first"),
        pytest.param(["session"], [("one", 540, 7, 1), ("two", 1, 0, 1)], id="sessions"),
        pytest.param(["project"], [("/shop", 540, 7, 1), ("/lab", 1, 0, 1)], id="projects"),
        pytest.param(["agent"], [("claude-code", 540, 7, 1), ("codex", 1, 0, 1)], id="agents"),
        pytest.param(["subagent"], [(None, 541, 0, 2), ("helper", 0, 7, 0)], id="subagents"),
        pytest.param(["model", "session"], [(SONNET, "one", 500, 7, 0), (OPUS, "one", 40, 0, 0),
                                            (OPUS, "two", 1, 0, 0), (STRANGER, "two", 0, 0, 1),
                                            (None, "one", 0, 0, 1)], id="one within the other"),
        pytest.param([], [], id="the total alone"),
    ],
)  # fmt: skip
def test_groups(by: list[Dimension], expected: list[Line]) -> None:
    assert lines(*by) == expected


@pytest.mark.parametrize(
    ("period", "days"),
    [
        pytest.param(ALWAYS, ["2026-11-01", "2026-11-02", "2026-12-01", None], id="always"),
        pytest.param(Period("2026-11-02"), ["2026-11-02", "2026-12-01"], id="since"),
        pytest.param(Period(None, "2026-11-02"), ["2026-11-01", "2026-11-02"], id="until"),
        pytest.param(Period("2026-11-02", "2026-11-30"), ["2026-11-02"], id="between"),
        pytest.param(Period("2026-11-03", "2026-11-01"), [], id="turned round"),
    ],
)
def test_periods(period: Period, days: list[str | None]) -> None:
    assert [line[0] for line in lines("day", period=period)] == days


def test_the_total_names_what_has_no_price_and_counts_sessions_once() -> None:
    total = ledger_of(ALL, ["day"], day_of, ALWAYS).total
    assert (total.sessions, total.unpriced_models) == ({"one", "two"}, {STRANGER, None})
    assert total.both().tokens.responses == 7


# --- always ------------------------------------------------------------------------------------

DIMENSIONS: list[Dimension] = ["session", "day", "month", "project", "model", "agent", "subagent"]
names = st.sampled_from(["a", "b", "c"])
made_up = st.builds(
    Account,
    names,
    names,
    st.sampled_from(["claude-code", "codex"]),
    st.none() | names,
    st.lists(
        st.builds(
            entry,
            st.none() | st.integers(-5, 70),
            st.none() | names,
            st.none() | st.integers(0, 10**6),
            agent=st.booleans(),
        ),
        max_size=6,
    ),
)


@given(st.lists(made_up, max_size=8), st.lists(st.sampled_from(DIMENSIONS), max_size=4), st.data())
def test_by_whatever_it_is_summed_up_it_comes_to_the_same_in_any_order(
    accounts: list[Account], by: list[Dimension], data: st.DataObject
) -> None:
    groups, total = ledger_of(accounts, by, day_of, ALWAYS)
    own, subagents = Spent(), Spent()
    for group in groups:
        own.add(group.own)
        subagents.add(group.subagents)
    if by:
        assert (own, subagents) == (total.own, total.subagents)
    shuffled = data.draw(st.permutations(accounts))
    assert ledger_of(shuffled, by, day_of, ALWAYS) == (groups, total)


@given(st.lists(made_up, max_size=8), st.integers(0, 59))
def test_two_halves_of_time_are_the_whole_but_what_has_no_day(
    accounts: list[Account], cut: int
) -> None:
    last, first = day_of(cut), day_of(cut + 1)
    halves = [ledger_of(accounts, [], day_of, Period(None, last)).total.both()]
    if first is not None:
        halves.append(ledger_of(accounts, [], day_of, Period(first)).total.both())
    undated = [
        one.spent
        for account in accounts
        for one in account.entries
        if one.quarter is None or day_of(one.quarter) is None
    ]
    summed = Spent()
    for part in [*halves, *undated]:
        summed.add(part)
    assert summed == ledger_of(accounts, [], day_of, ALWAYS).total.both()


def test_ones_own_prices_count() -> None:
    index = index_of(transcript("u1 a1", fields=answers(STRANGER)))
    [entry] = entries_of(index, (), Prices({STRANGER: Price(1, 2, 0, 0, 0)})).entries
    assert entry.spent.dollars == pytest.approx((10 * 1 + 5 * 2) / 1e6)


def test_fast_mode_has_prices_of_its_own() -> None:
    usage = {"input_tokens": 10, "output_tokens": 5, "speed": "fast"}
    fields: dict[str, Fields] = {
        "a1": {"message": {"model": OPUS, "usage": usage}},
        "a2": {"message": {"model": SONNET, "usage": usage}},
    }
    index = index_of(transcript("u1 a1 u2 a2", fields=fields))
    opus, sonnet = entries_of(index, (), Prices()).entries
    assert opus.spent.dollars == pytest.approx((10 * 8 + 5 * 40) / 1e6)
    assert (sonnet.spent.dollars, sonnet.spent.unpriced) == (None, 1)
