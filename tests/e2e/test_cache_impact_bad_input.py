"""Wrong questions about the prompt cache, and transcripts that answer none: all get an answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import timestamp, uuid
from tests.e2e.cache_homes import (
    AGENT,
    HOUR,
    LAST,
    MAIN,
    MINUTE,
    ONE,
    PROJECT,
    Files,
    another,
    session,
    with_agent,
)
from tests.e2e.cache_notes import must_be_sound, untold_server
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.hostile_cache_rows import HOSTILE, talk, timed, with_usage

INVALID_PARAMS, NOT_THERE = -32602, -32001
NOW = timestamp(LAST + 12 * MINUTE)
NOBODY = "00000000-0000-4000-8000-000000000000"
SECOND = uuid("u2")

ACTIONS = '"resume", "rewind", "compact", "clear", "fork", "model"'
SAMENESS = '"same", "changed", "unknown"'

QUESTIONS: list[Json] = [
    {"action": "resume"},
    {"action": "rewind", "prompt": SECOND},
    {"action": "rewind", "prompt": uuid("u1")},
    {"action": "compact"},
    {"action": "clear"},
    {"action": "fork"},
    {"action": "model", "environment": {"model": "claude-sonnet-5-5"}},
    {"action": "model"},
    {"environment": {"version": "2.1.200", "git": "changed", "mcp": "changed"}},
    {"environment": {"version": "9.9.9", "tools": "changed", "effort": "low"}},
    {"environment": {"snapshot": "off", "appendSystemPrompt": "changed"}},
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkpointServer]:
    with untold_server(tmp_path_factory.mktemp("empty")) as server:
        yield server


@pytest.fixture(scope="module")
def plain(server: ForkpointServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the session of worked example 1 and a subagent."""
    home = tmp_path_factory.mktemp("plain")
    write(home, with_agent())
    return home


def write(home: Path, files: Files) -> None:
    for name, data in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(data)


def opened(server: ForkpointServer, home: Path) -> ForkpointServer:
    server.open(home)
    server.listed()
    return server


def note_of(server: ForkpointServer, **params: object) -> Json:
    note = server.result("cacheImpact", **{"sessionId": MAIN, **params})
    must_be_sound(note)
    return note


def answer_to(server: ForkpointServer, params: Json) -> Json | None:
    """A sound note; None = refused with a sentence."""
    answered = server.request("forkpoint/cacheImpact", params)
    if "error" in answered:
        error = answered["error"]
        assert error["code"] in (INVALID_PARAMS, NOT_THERE), (params, error)
        assert error["message"].strip()
        return None
    must_be_sound(answered["result"])
    return answered["result"]


# --- questions that do not fit -----------------------------------------------------------------

MISFITS: list[tuple[Json, str]] = [
    ({"action": "nap"}, f"action must be one of {ACTIONS}"),
    ({"action": 5}, f"action must be one of {ACTIONS}"),
    ({"prompt": 5}, "prompt must be a string"),
    ({"agentId": 5}, "agentId must be a string"),
    ({"environment": {"now": 5}}, "environment.now must be a string"),
    ({"environment": {"version": 2}}, "environment.version must be a string"),
    ({"environment": {"model": ["a"]}}, "environment.model must be a string"),
    ({"environment": {"git": "maybe"}}, f"environment.git must be one of {SAMENESS}"),
    ({"environment": {"mcp": True}}, f"environment.mcp must be one of {SAMENESS}"),
    ({"environment": {"caching": True}}, 'environment.caching must be one of "on", "off"'),
    (
        {"action": "nap", "environment": {"snapshot": "maybe"}},
        f"action must be one of {ACTIONS}; "
        'environment.snapshot must be one of "on", "off"',
    ),
    *(
        ({"environment": odd}, "environment must be an object")
        for odd in ("text", 5, True, [], ["now"], [{}])
    ),
]  # fmt: skip


@pytest.mark.parametrize(("params", "sentence"), MISFITS, ids=repr)
def test_what_does_not_fit_is_told(
    server: ForkpointServer, plain: Path, params: Json, sentence: str
) -> None:
    server.open(plain)
    error = server.refusal("cacheImpact", {"sessionId": MAIN, **params})
    assert error == {"code": INVALID_PARAMS, "message": sentence}


@pytest.mark.parametrize("params", [{}, {"prompt": None}], ids=repr)
def test_a_rewind_to_nowhere(server: ForkpointServer, plain: Path, params: Json) -> None:
    server.open(plain)
    error = server.refusal("cacheImpact", {"sessionId": MAIN, "action": "rewind", **params})
    assert error["code"] == INVALID_PARAMS
    assert error["message"].startswith("prompt is required")


@pytest.mark.parametrize(
    "now", ["", "yesterday", "12 o'clock", "2026-13-01T00:00:00Z", "1e9", "NaN", "\0", "9" * 9999]
)
def test_a_now_that_is_no_time(server: ForkpointServer, plain: Path, now: str) -> None:
    server.open(plain)
    error = server.refusal("cacheImpact", {"sessionId": MAIN, "environment": {"now": now}})
    assert error["code"] == INVALID_PARAMS
    assert error["message"].startswith("environment.now must be ")


@pytest.mark.parametrize(
    "params",
    [
        {"prompt": NOBODY},
        {"prompt": ""},
        {"prompt": "\ud800"},
        {"prompt": uuid("u81")},
        {"prompt": SECOND, "agentId": AGENT},
    ],
    ids=repr,
)
def test_a_prompt_that_is_not_in_this_transcript(
    server: ForkpointServer, plain: Path, params: Json
) -> None:
    opened(server, plain)
    error = server.refusal("cacheImpact", {"sessionId": MAIN, "action": "rewind", **params})
    assert (error["code"], error["data"]) == (NOT_THERE, {"kind": "unknownRecord"})


@pytest.mark.parametrize("agent_id", ["", "a1", "../a1", "\0", NOBODY], ids=repr)
def test_a_subagent_that_is_not_there(server: ForkpointServer, plain: Path, agent_id: str) -> None:
    opened(server, plain)
    error = server.refusal("cacheImpact", {"sessionId": MAIN, "agentId": agent_id})
    assert error == {
        "code": NOT_THERE,
        "message": f"There is no subagent {agent_id}.",
        "data": {"kind": "unknownSession"},
    }


# --- questions that are odd --------------------------------------------------------------------

ODD_ENVIRONMENTS: list[Json] = [
    {},
    dict.fromkeys(("now", "git", "model", "caching", "provider", "fastMode")),
    *({"version": version} for version in ("", "latest", "2.1", "-1", "\0", "9" * 1000)),
    *({"model": model} for model in ("", "gpt-9", "\0", "claude", "x" * 100_000, "\ud800")),
    *({"cwd": cwd} for cwd in ("", "..", "shop", "/a\0b", "C:\\shop", "/" + "x" * 100_000)),
    *({"effort": effort} for effort in ("", "extreme", "\0")),
    *({"entrypoint": entrypoint} for entrypoint in ("", "toaster", "\0")),
    {"now": "0001-01-01T00:00:00Z"},
    {"now": "9999-12-31T23:59:59.999Z"},
    {"now": "2026-05-29T05:00:00+23:59"},
    {"now": "2026-05-29"},
    {"now": "2026-05-29T05:00:00"},
]


@pytest.mark.parametrize("environment", ODD_ENVIRONMENTS, ids=lambda given: repr(given)[:60])
def test_an_odd_environment(server: ForkpointServer, plain: Path, environment: Json) -> None:
    opened(server, plain)
    for question in QUESTIONS:
        both = {"now": NOW, **question.get("environment", {}), **environment}
        answer_to(server, {"sessionId": MAIN, **question, "environment": both})


def test_a_prompt_matters_to_a_rewind_only(server: ForkpointServer, plain: Path) -> None:
    opened(server, plain)
    plainly = note_of(server, environment={"now": NOW})
    assert note_of(server, environment={"now": NOW}, prompt=NOBODY) == plainly


@pytest.mark.parametrize("row", ["a1", "a2", "h1"])
def test_a_rewind_to_what_is_no_prompt(server: ForkpointServer, plain: Path, row: str) -> None:
    opened(server, plain)
    answer_to(server, {"sessionId": MAIN, "action": "rewind", "prompt": uuid(row)})


# --- transcripts that are odd ------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_transcript(server: ForkpointServer, home: Path, name: str) -> None:
    write(home, {f"{PROJECT}/{MAIN}.jsonl": HOSTILE[name]})
    opened(server, home)
    for question in QUESTIONS:
        environment = {"now": NOW, **question.get("environment", {})}
        answer_to(server, {"sessionId": MAIN, **question, "environment": environment})
    answer_to(server, {"sessionId": MAIN})


def asked_of(server: ForkpointServer, home: Path, data: bytes, gap: float = 12 * MINUTE) -> Json:
    write(home, {f"{PROJECT}/{MAIN}.jsonl": data})
    opened(server, home)
    version = {"version": "2.1.332", "provider": "anthropic", "account": "subscription"}
    return note_of(server, environment={**version, "now": timestamp(LAST + gap)})


@pytest.mark.parametrize(
    "name", ["nothing but state", "no answer", "only synthetic answers", "only an error"]
)
def test_where_no_request_was_answered_nothing_is_promised(
    server: ForkpointServer, home: Path, name: str
) -> None:
    write(home, {f"{PROJECT}/{MAIN}.jsonl": HOSTILE[name]})
    opened(server, home)
    note = answer_to(server, {"sessionId": MAIN, "environment": {"now": NOW}})
    if note is not None:
        assert note["verdict"] not in ("warm", "partial")
        assert (note["contextTokens"], note["expiresAt"]) == (None, None)


def test_no_numbers_at_all(server: ForkpointServer, home: Path) -> None:
    note = asked_of(server, home, with_usage(None))
    assert (note["verdict"], note["contextTokens"]) == ("unknown", None)


def test_no_use_of_the_cache(server: ForkpointServer, home: Path) -> None:
    """Row 2 of the rule book's table."""
    note = asked_of(server, home, with_usage({"input_tokens": 9_000, "output_tokens": 500}))
    assert (note["verdict"], note["confidence"]) == ("unknown", "high")
    assert (note["causes"][0]["code"], note["contextTokens"]) == ("noCacheUse", 9_500)


def test_no_times(server: ForkpointServer, home: Path) -> None:
    note = asked_of(server, home, timed(None))
    assert note["verdict"] == "unknown"
    assert note["lastRequestAt"] is note["expiresAt"] is None
    assert note["contextTokens"] == 143_673


@pytest.mark.parametrize("gap", [-MINUTE, -3 * HOUR])
def test_a_clock_that_runs_behind(server: ForkpointServer, home: Path, gap: float) -> None:
    """It tells when the request was sent, but not how long its entry is still there."""
    note = asked_of(server, home, talk(), gap)
    assert (note["verdict"], note["lastRequestAt"]) == ("unknown", timestamp(LAST - 1))
    assert note["expiresAt"] is note["expiresBy"] is None
    assert note["sentence"].startswith("The last request lies in the future of this clock")


def test_a_model_that_nobody_knows_has_no_price(server: ForkpointServer, home: Path) -> None:
    [data] = session(ONE, model="claude-test").values()
    note = asked_of(server, home, data)
    assert (note["verdict"], note["contextTokens"]) == ("warm", 143_673)
    assert note["priceModel"] is None
    assert set(note["costUsd"].values()) == {None}
    assert "$" not in note["sentence"]
    assert "143k" in note["sentence"]


def test_others_share_no_more_than_there_is(server: ForkpointServer, home: Path) -> None:
    """Whatever other sessions began with: losing the cache is never cheaper than keeping it."""
    write(home, another(21_400))
    [data] = session("3/9000/0/1000/100").values()
    note = asked_of(server, home, data, 3 * HOUR)
    assert (note["verdict"], note["contextTokens"]) == ("cold", 10_103)
    assert note["costUsd"]["coldLow"] >= note["costUsd"]["warm"]


def test_ten_thousand_answers(server: ForkpointServer, home: Path) -> None:
    note = asked_of(server, home, HOSTILE["10,000 answers"])
    assert (note["verdict"], note["contextTokens"]) == ("warm", 3 + 1_000_000 + 100 + 50)


@pytest.mark.parametrize("name", ["no metadata", "metadata null", "no size", "size in words"])
def test_a_boundary_that_does_not_tell_its_size(
    server: ForkpointServer, home: Path, name: str
) -> None:
    note = asked_of(server, home, HOSTILE[f"boundary, {name}"])
    assert note["verdict"] in ("partial", "unknown")
    assert note["writeTokens"] is None


def test_no_words_of_a_recorded_prompt_are_told(server: ForkpointServer, home: Path) -> None:
    secret = "the words of a prompt"
    snapshot = {"type": "prompt_snapshot", "systemPrompt": [secret]}
    tools = [{"name": "Read", "description": secret, "schema": {"why": secret}}]
    data = talk(fields={"h1": {"attachment": {**snapshot, "tools": tools}}})
    write(home, {f"{PROJECT}/{MAIN}.jsonl": data})
    opened(server, home)
    for question in QUESTIONS:
        environment = {"now": NOW, **question.get("environment", {})}
        note = answer_to(server, {"sessionId": MAIN, **question, "environment": environment})
        assert secret not in repr(note)
    assert secret not in server.log
