"""Tokens: each response once, with the numbers of its last row."""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.index import TranscriptIndex
from forkpoint.records.record import Usage
from forkpoint.usage import Tokens
from tests.builders import assistant, index_of, line, row, transcript, uuid


def answer(name: str, message: str, usage: Any, **fields: Any) -> bytes:
    extra = assistant(name)
    extra["message"] |= {"id": message, "usage": usage, **fields}
    return line(**row(name, None, 0, extra))


def usages(index: TranscriptIndex) -> dict[str, Usage | None]:
    return {id: index.usage.of(number) for number, id in enumerate(index.joins.message_ids)}


ZERO = {"input_tokens": 0, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            {"input_tokens": 3, "output_tokens": 7},
            Usage(input=3, output=7, context=10),
        ),
        (
            {"input_tokens": 3, "output_tokens": 7, "cache_read_input_tokens": 100},
            Usage(input=3, output=7, cache_read=100, context=110),
        ),
        # Older clients give the sum of writes only, and wrote for 5 minutes.
        (
            {"cache_creation_input_tokens": 50},
            Usage(cache_write_5m=50, context=50),
        ),
        (
            {
                "cache_creation_input_tokens": 50,
                "cache_creation": {
                    "ephemeral_5m_input_tokens": 20,
                    "ephemeral_1h_input_tokens": 30,
                },
            },
            Usage(cache_write_5m=20, cache_write_1h=30, context=50),
        ),
        (
            {
                "cache_creation_input_tokens": 50,
                "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            },
            Usage(cache_write_5m=50, context=50),
        ),
        # Several iterations on the server's side: the context is that of the last.
        (
            {
                "input_tokens": 30,
                "output_tokens": 9,
                "iterations": [
                    {"input_tokens": 10, "output_tokens": 4},
                    {"input_tokens": 20, "output_tokens": 5, "cache_read_input_tokens": 1},
                ],
            },
            Usage(input=30, output=9, context=26),
        ),
        ({"input_tokens": 1, "iterations": []}, Usage(input=1, context=1)),
        ({}, Usage()),
    ],
)
def test_one_response(usage: dict[str, Any], expected: Usage) -> None:
    assert usages(index_of(answer("a1", "m", usage))) == {"m": expected}


def test_the_rows_of_a_response_repeat_its_usage_and_the_last_counts() -> None:
    data = b"".join(
        answer(name, message, {"input_tokens": 2, "output_tokens": output})
        for name, message, output in [("a1", "m", 1), ("a2", "m", 40), ("a3", "n", 5)]
    )
    index = index_of(data)
    assert usages(index) == {
        "m": Usage(input=2, output=40, context=42),
        "n": Usage(input=2, output=5, context=7),
    }
    assert index.usage.total([0, 1]) == Tokens(responses=2, input=4, output=45)
    assert index.usage.total([1]) == Tokens(responses=1, input=2, output=5)


def test_without_a_message_id_the_request_id_joins() -> None:
    data = b"".join(
        line(**{**row(name, None, 0, {"message": {"id": None}}), "requestId": "req"})
        for name in ("a1", "a2")
    )
    index = index_of(data)
    assert [*index.joins.message_ids] == ["req"]
    assert index.usage.total([0]) == Tokens(responses=1, input=10, output=5)


def test_what_the_client_wrote_itself_has_no_usage() -> None:
    index = index_of(answer("a1", "m", {"output_tokens": 5}, model="<synthetic>"))
    assert usages(index) == {"m": None}
    assert index.usage.total([0]) == Tokens()


@pytest.mark.parametrize("number", [-1, 1, 99])
def test_rows_of_no_response_have_no_usage(number: int) -> None:
    index = index_of(transcript("u1 a1"))
    assert index.usage.of(number) is None
    assert index.usage.model_of(number) is None


def test_models_by_response() -> None:
    models = ["one", "two", "one", None]
    data = [answer(f"a{n}", f"m{n}", ZERO, model=model) for n, model in enumerate(models)]
    index = index_of(b"".join(data))
    assert [index.usage.model_of(n) for n in range(4)] == models
    assert index.usage.models == ["one", "two"]


def test_hostile_numbers_are_bounded() -> None:
    usage = {"input_tokens": 2**63 - 1, "output_tokens": -5, "cache_read_input_tokens": 2**62}
    index = index_of(answer("a1", "m", usage) + answer("a2", "n", {"output_tokens": 2**200}))
    assert all(
        0 <= n <= 2**62 for n in (index.usage.total([0]).input, index.usage.total([0]).output)
    )
    assert index.nodes.find(uuid("a2")) == 1


def test_hostile_files_name_no_more_than_a_thousand_models() -> None:
    rows = [answer(f"a{n}", f"m{n}", ZERO, model=f"model {n}") for n in range(1100)]
    index = index_of(b"".join(rows))
    assert len(index.usage.models) == 1000
    assert index.usage.model_of(1099) is None
    assert index.usage.total(range(1100)).responses == 1100


@pytest.mark.parametrize("rows", [5, 50])
@pytest.mark.parametrize("lifetime", [None, "1h"])
def test_fast_mode_by_response(rows: int, lifetime: str | None) -> None:
    """Few lines are folded one by one, many as a batch."""
    speeds = ["standard", "fast", None, 7, ["fast"]]
    data = b"".join(
        line(**row(f"a{number}", None, 0, extra))
        for number in range(rows)
        for extra in [assistant(f"a{number}")]
        for usage in [{"output_tokens": 1, "speed": speeds[number % len(speeds)]}]
        if extra["message"].update(id=f"m{number}", usage=usage) is None
        if lifetime is None or extra.update(promptCacheRequested=lifetime) is None
    )
    index = index_of(data)
    fast = [number for number in range(rows) if index.usage.is_fast(number)]
    assert fast == [*range(1, rows, len(speeds))]
    assert {index.usage.asked_lifetime_of(number) for number in range(rows)} == {lifetime}
    assert not index.usage.is_fast(-1)
    assert not index.usage.is_fast(rows)


def test_the_last_row_of_a_response_says_whether_it_was_fast() -> None:
    data = [answer(f"a{n}", "m", {"speed": speed}) for n, speed in enumerate(["fast", "standard"])]
    assert not index_of(b"".join(data)).usage.is_fast(0)
    assert index_of(b"".join(reversed(data))).usage.is_fast(0)
