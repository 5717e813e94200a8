"""What holds for the forecast of any request, wherever its conversation stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.cache.forecast import forecast
from forkpoint.cache.idle import Moment
from forkpoint.cache.next_request import Change, NextRequest, ToolSet
from forkpoint.cache.note_words import sentence_of
from forkpoint.cache.outcome import Asked, Forecast
from forkpoint.cache.ruling import LAYERS
from forkpoint.cache.standing import Compacted, RecordedPrompt, Standing
from forkpoint.client_rules import CACHE_TABLE
from forkpoint.prices import Prices
from tests.builders import Fields
from tests.core.cache_questions import (
    FABLE,
    HAIKU,
    IN_TERMINAL,
    NOTHING,
    OLDER_OPUS,
    OPUS,
    SENT,
    SONNET,
    UP_FRONT,
    answer,
    request,
    was,
)

RANKS = {"yes": 2, "unknown": 1, "no": 0}
"""How likely a layer survives."""
VERSIONS = [".".join(map(str, rules.since)) for rules in CACHE_TABLE] + ["2.1.340", None]
MODELS = [OPUS, OLDER_OPUS, SONNET, FABLE, HAIKU, "glm-4.7", None]
NUMBERS = ["3/141200/0/1850/620", "6/88000/2400/0/410", "3/139000/900/3000/620"]
FEW = ["9000/0/0/0/50", "0/0/0/1/0", "0/0/0/0/9", "7/21400/0/0/0"]


def twists(**values: Iterable[Any]) -> st.SearchStrategy[Fields]:
    """Some fields with one of their odd values each."""
    pairs = [(name, value) for name, odd in values.items() for value in odd]
    return st.lists(st.sampled_from(pairs), max_size=5).map(dict)


standing_twists = twists(
    answer=[
        answer(version, entrypoint=program, effort=effort)
        for version in VERSIONS
        for program, effort in (("cli", "high"), ("sdk-cli", None))
    ],
    blocks=[tuple(range(18)), tuple(range(19))],
    used=[None, Moment(SENT - 9000, SENT), Moment(SENT - 270_000, SENT)],
    lifetime=["5m", "5m", "mixed", "mixed", "off", None, None],
    cached_before=[True, False],
    prompt=[None, None, *(RecordedPrompt(tools, 0) for tools in (None, IN_TERMINAL, UP_FRONT))],
    defers_tools=[True],
    edited=[True],
    edited_before=[True],
    images=[95],
    summarized=[True],
    compacted=[Compacted(None, None), Compacted(12_400, Moment(SENT, SENT))],
    first=[None, request("3/0/0/30000/9")],
)


def _standing(numbers: str, model: str | None, fell: bool, odd: Fields) -> Standing:
    """One in which the lifetime fell has the shorter one."""
    shorter = {"lifetime": "5m", "was_longer": True} if fell else {}
    return was(numbers, model=model, **{**odd, **shorter})


standings = st.just(NOTHING) | st.builds(
    _standing,
    st.sampled_from([*NUMBERS, *NUMBERS, *FEW]),
    st.sampled_from([OPUS, *MODELS]),
    st.sampled_from([False, False, True]),
    standing_twists,
)

changed = [Change("changed", "seen"), Change("changed", "seen"), Change("changed", sure=False)]
next_twists = twists(
    version=VERSIONS,
    model=MODELS,
    effort=["low", "high"],
    provider=["anthropic", "bedrock", "gateway"],
    account=["subscription", "apiKey"],
    gateway=["a gateway"],
    caching_off=["settings"],
    caching_on=[True],
    replays=[False],
    lifetime=["5m", "1h"],
    live=[True] * 3,
    in_terminal=[True],
    fast=[True],
    fast_before=[True],
    denied=[("Edit",), ("WebFetch",)],
    tool_search_off=[True],
    tool_set=[ToolSet("same"), ToolSet("changed", ("Monitor",))],
    agent_gone=["reviewer"],
    floor=[900, 21_400, 999_999],
    **{
        field.name: changed
        for field in msgspec.structs.fields(NextRequest)
        if isinstance(field.default, Change)
    },
)
nows = st.sampled_from([-1, 0, 60, 299, 331, 1200, 3590, 3631, 9000]).map(
    lambda seconds: SENT + seconds * 1000
)


def _question(action: Any, now: int, leaf: Standing, point: Standing, odd: Fields) -> Asked:
    following = NextRequest(action=action, now=now, **odd)
    last = leaf.request.model if leaf.request else None
    model = following.model or last
    is_rewind = action == "rewind"
    return Asked(
        leaf=leaf,
        point=msgspec.structs.replace(point, compacted=None) if is_rewind else leaf,
        next=following,
        price_of=lambda size: Prices().for_size(model, size, following.fast),
        behind_boundary=is_rewind and now % 2 == 0,
        of_agent=following.floor == 900,
    )


actions = st.sampled_from(["resume", "rewind", "compact", "clear", "fork", "model"])
questions = st.builds(_question, actions, nows, standings, standings, next_twists)


def again(question: Asked, **changed: object) -> Forecast:
    following = msgspec.structs.replace(question.next, **changed)
    return forecast(msgspec.structs.replace(question, next=following))


@given(questions)
def test_what_lies_behind_a_lost_layer_is_lost(question: Asked) -> None:
    ranks = [RANKS[layer] for layer in forecast(question).layers]
    assert ranks == sorted(ranks, reverse=True)
    assert len(ranks) == len(LAYERS)


@given(questions)
def test_the_verdict_is_that_of_the_layers(question: Asked) -> None:
    found = forecast(question)
    is_all = set(found.layers) == {"yes"}
    # A summary reads all of it, and is partial for what it leaves behind.
    is_summary = question.next.action == "compact" and found.verdict == "partial"
    assert (found.verdict == "warm") == (is_all and not is_summary)
    if found.layers[0] == "no":
        assert found.verdict == "cold"
    if found.verdict == "cold":
        assert found.layers[2:] == ("no", "no")
    if found.verdict == "unknown":
        assert "unknown" in found.layers[2:]


@given(questions)
def test_tokens_add_up(question: Asked) -> None:
    found = forecast(question)
    if found.verdict == "cold" and found.context is not None:
        assert found.read == 0
    if found.verdict == "unknown":
        assert (found.read, found.written) == (None, None)
    assert (found.read is None) == (found.written is None)
    if found.read is not None and found.written is not None and found.context is not None:
        assert found.read >= 0 and found.written >= 0
        # What a compaction left is told without the start that all share.
        starts_anew = question.leaf.compacted and question.next.action not in ("rewind", "clear")
        off = any(ruling.code == "cachingOff" for ruling in found.rulings)
        beside = question.next.floor if starts_anew and not off else 0
        assert found.read + found.written == found.context + beside
    assert (found.dropped is None) == (question.next.action != "rewind")
    assert (found.dropped or 0) >= 0


@given(questions)
def test_warm_costs_no_more_than_cold(question: Asked) -> None:
    costs = forecast(question).costs
    amounts = (costs.warm, costs.cold_low, costs.cold_high)
    if None in amounts:
        assert set(amounts) == {None}
        return
    warm, low, high = (amount or 0 for amount in amounts)
    assert 0 <= low <= high + 1e-9
    assert 0 <= warm <= high + 1e-9
    if costs.partly is not None:
        assert warm - 1e-9 <= costs.partly <= high + 1e-9


@given(questions, nows)
def test_waiting_warms_nothing(question: Asked, later: int) -> None:
    if later > question.next.now and forecast(question).verdict == "cold":
        assert again(question, now=later).verdict == "cold"


@given(questions)
def test_the_clock_alone_says_cold_of_no_open_session(question: Asked) -> None:
    found = again(question, live=True)
    if found.verdict == "cold":
        assert again(question, live=True, now=SENT).verdict == "cold"
        assert any(ruling.loses for ruling in found.rulings)


@given(questions)
def test_an_open_session_is_never_worse_off(question: Asked) -> None:
    if again(question, live=False).verdict == "warm":
        assert again(question, live=True).verdict == "warm"


@given(questions)
def test_there_is_a_reason_and_a_sentence(question: Asked) -> None:
    found = forecast(question)
    assert found.rulings
    codes = [ruling.code for ruling in found.rulings]
    assert len(codes) == len(set(codes))
    assert (found.verdict == "warm") == ("warm" in codes) or question.next.action == "compact"
    sentence = sentence_of(found, question)
    assert sentence.endswith(".") and "\n" not in sentence and "None" not in sentence
