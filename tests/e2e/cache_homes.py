"""Config folders for tests of the prompt cache: files by their path, answers by their numbers.

The numbers of an answer stand in one word: input/read/written for five minutes/written for an
hour/output. The last answer of a session comes at `LAST`, in the seconds of `tests.builders`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.builders import Fields, transcript

Json = dict[str, Any]
Files = Mapping[str, bytes]

OPUS, OLDER_OPUS = "claude-opus-5-5", "claude-opus-4-8"
SONNET, OLDER_SONNET = "claude-sonnet-5-5", "claude-sonnet-4-6"
HAIKU, OLDER_HAIKU = "claude-haiku-5-5", "claude-haiku-4-5-20251001"
NEWEST = "2.1.332"

MAIN = "5e551010-0000-4000-8000-000000000000"
OTHER = "5e551020-0000-4000-8000-000000000000"
AGENT = "a1b2c3d4"
PROJECT = "projects/-home-dev-shop"

LAST = 100_000.0
MINUTE, HOUR = 60.0, 3600.0

TOOLS = ("Bash", "Edit", "Read", "Write")
MORE_TOOLS = (*TOOLS, "Monitor")
ONE = "3/141200/0/1850/620"
"""The last answer of worked example 1."""


# --- rows --------------------------------------------------------------------------------------


def usage(numbers: str) -> Json:
    """The `usage` of an answer."""
    sent, read, short, hour, output = map(int, numbers.split("/"))
    return {
        "input_tokens": sent,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": short + hour,
        "cache_creation": {"ephemeral_5m_input_tokens": short, "ephemeral_1h_input_tokens": hour},
        "output_tokens": output,
    }


def answer(numbers: str, model: str = OPUS, **row: Any) -> Fields:
    return {"message": {"model": model, "usage": usage(numbers)}, **row}


def first_answer(numbers: str, model: str = OPUS, **row: Any) -> Fields:
    """One to a first request that found nothing, and wrote what the given numbers read."""
    _, read, _, hour, _ = numbers.split("/")
    return answer(f"3/0/0/{read}/10" if int(hour) else f"3/0/{read}/0/10", model, **row)


def recorded_prompt(tools: Sequence[str]) -> Fields:
    """An attachment that records system prompt and tools, as 2.1.268 and later write it."""
    return {
        "attachment": {
            "type": "prompt_snapshot",
            "systemPrompt": ["You are an agent.", "Be careful."],
            "tools": [{"name": name, "description": name, "schema": {}} for name in tools],
        }
    }


def rows(
    text: str,
    times: Mapping[str, float],
    fields: Mapping[str, Fields],
    *,
    version: str = NEWEST,
    tools: Sequence[str] | None = TOOLS,
    **each: Any,
) -> bytes:
    """Rows of a session; a row without a time stands a second before the next one, the last
    one before `LAST`.

    Args:
        text: in the language of `tests.builders`; `h` rows record the prompt.
        times: seconds of the answers, and of other rows that have a time of their own.
        fields: the answers' fields, and what other rows have besides.
        version: of the client.
        tools: what the recorded prompts offer; None = prompts are not recorded.
        each: fields of every row.
    """
    names = [name for name in text.split() if tools is not None or name[0] != "h"]
    own = {name: recorded_prompt(tools) for name in names if tools is not None and name[0] == "h"}
    own |= fields
    seconds: dict[str, float] = {}
    upcoming = LAST
    for name in reversed(names):
        upcoming = seconds[name] = times.get(name, upcoming - 1)
    return transcript(
        " ".join(names),
        times=seconds,
        version=version,
        fields={name: {"entrypoint": "cli", **each, **own.get(name, {})} for name in names},
    )


def minutes(times: Mapping[str, float]) -> dict[str, float]:
    """Seconds of rows, from minutes after `LAST`."""
    return {name: LAST + after * MINUTE for name, after in times.items()}


# --- folders -----------------------------------------------------------------------------------


def in_file(data: bytes) -> Files:
    """A folder with nothing but the main session."""
    return {f"{PROJECT}/{MAIN}.jsonl": data}


def session(
    numbers: str,
    *,
    model: str = OPUS,
    asked: str | None = "1h",
    version: str = NEWEST,
    tools: Sequence[str] | None = TOOLS,
    **each: Any,
) -> Files:
    """A session of two prompts, the last of which was answered with these numbers.

    Args:
        numbers: see the module.
        model: what answered.
        asked: the lifetime asked for, which clients write from 2.1.326 on.
        version: of the client.
        tools: what its recorded prompt offers; None = it was not recorded.
        each: fields of every row.
    """
    told = {} if asked is None else {"promptCacheRequested": asked}
    fields = {
        "a1": first_answer(numbers, model, **told),
        "a2": answer(numbers, model, **told),
    }
    times = minutes({"a1": -2, "a2": 0})
    return in_file(rows("u1 h1 a1 u2 a2", times, fields, version=version, tools=tools, **each))


def another(read: int, *, model: str = OPUS, tools: Sequence[str] = TOOLS) -> Files:
    """Another session of the newest client, whose first request read what all sessions share."""
    fields = {"a91": answer(f"3/{read}/0/9000/50", model)}
    times = {"a91": LAST - 20 * HOUR}
    data = rows("u91 h91 a91", times, fields, tools=tools, sessionId=OTHER)
    return {f"{PROJECT}/{OTHER}.jsonl": data}


BASE = session(ONE)
"""The session of worked example 1."""


def slow_answer() -> Files:
    """One whose last request started four and a half minutes before its answer."""
    times = minutes({"a1": -10, "u2": -4.5, "a2": 0})
    return in_file(rows("u1 h1 a1 u2 a2", times, {"a1": first_answer(ONE), "a2": answer(ONE)}))


def long_talk() -> Files:
    """One of six prompts, the fourth of which was answered 25 minutes before the last."""
    fields = {
        "a1": answer("3/0/0/20000/100"),
        "a2": answer("4/20000/0/20000/100"),
        "a3": answer("4/40000/0/18300/100"),
        "a4": answer("4/58300/0/1200/900"),
        "a5": answer("4/59500/0/81700/200"),
        "a6": answer(ONE),
    }
    times = minutes({"a1": -50, "a2": -45, "a3": -40, "a4": -25, "a5": -10, "a6": 0})
    return in_file(rows("u1 h1 a1 u2 a2 u3 a3 u4 a4 u5 a5 u6 a6", times, fields))


def compacted(*, answered: bool) -> Files:
    """One that was compacted to 12,400 tokens at `LAST`; answered 70 minutes later, or not."""
    sizes = {"preTokens": 143_673, "postTokens": 12_400, "durationMs": 20_000}
    fields = {
        "a1": answer("3/0/0/58300/100"),
        "a2": answer("4/58300/0/1200/900"),
        "a3": answer("3/59500/0/83550/620"),
        "b1": {"compactMetadata": {"trigger": "manual", **sizes}},
        "a4": answer("3/0/0/36000/200"),
    }
    times = minutes({"a1": -9, "a2": -6, "a3": -3, "b1": 0, "c1": 0.01, "a4": 70})
    text = "u1 h1 a1 u2 a2 u3 a3 b1 c1" + (" u4 h4 a4" if answered else "")
    return in_file(rows(text, times, fields))


def with_agent() -> Files:
    """One with a subagent, which was answered last at `LAST`, too."""
    numbers = "4/30000/2000/0/800"
    fields = {"a81": first_answer(numbers, OLDER_HAIKU), "a82": answer(numbers, OLDER_HAIKU)}
    times = minutes({"a81": -1, "a82": 0})
    data = rows("u81 a81 u82 a82", times, fields, tools=None, isSidechain=True, agentId=AGENT)
    return {**BASE, f"{PROJECT}/{MAIN}/subagents/agent-{AGENT}.jsonl": data}


def failed_later() -> Files:
    """One whose next request failed, 50 minutes after the last answer."""
    failed = {"model": "<synthetic>", "usage": usage("0/0/0/0/0")}
    fields = {
        "a1": first_answer(ONE),
        "a2": answer(ONE),
        "a3": {"isApiErrorMessage": True, "message": failed},
    }
    times = minutes({"a1": -2, "a2": 0, "a3": 50})
    return in_file(rows("u1 h1 a1 u2 a2 u3 a3", times, fields))


def beyond_the_plan() -> Files:
    """One that was cached for an hour at first, and three times for five minutes then."""
    fields = {
        "a1": answer("3/0/0/138000/100", promptCacheRequested="1h"),
        "a2": answer("3/138000/1400/0/100", promptCacheRequested="5m"),
        "a3": answer("3/139400/1800/0/100", promptCacheRequested="5m"),
        "a4": answer("3/141200/1850/0/620", promptCacheRequested="5m"),
    }
    times = minutes({"a1": -6, "a2": -4, "a3": -2, "a4": 0})
    return in_file(rows("u1 h1 a1 u2 a2 u3 a3 u4 a4", times, fields))


def searched() -> Files:
    """One whose last answer searched the web, which is cached for five minutes only."""
    numbers = "3/139000/900/3000/620"
    fields = {"a1": first_answer(numbers), "a2": answer(numbers)}
    times = minutes({"a1": -2, "a2": 0})
    return in_file(rows("u1 h1 a1 u2 a2", times, fields, version="2.1.300"))
