"""Where the prompt cache broke and why: the rule book's numbers and causes (cache-rules.md)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from forkpoint.cache.history import CacheBreak, CacheEntry, history_of
from forkpoint.index import TranscriptIndex
from forkpoint.prices import Price, Prices
from forkpoint.session import Conversation
from forkpoint.transcript import TranscriptReader
from tests.builders import SESSION, Fields, index_of, line, transcript
from tests.fixture_paths import CASES, REAL

OPUS, OLDER_OPUS = "claude-opus-5-5", "claude-opus-4-8"
SECRET = "the words of a prompt"
LIST_PRICES = Prices()


def answer(
    read: int = 0, hour: int = 0, short: int = 0, model: str = OPUS, message: Any = (), **row: Any
) -> Fields:
    """An answer's row: tokens read, and written for an hour and for five minutes."""
    usage = {
        "input_tokens": 0,
        "output_tokens": 10,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": hour + short,
        "cache_creation": {"ephemeral_5m_input_tokens": short, "ephemeral_1h_input_tokens": hour},
    }
    return {"message": {"model": model, "usage": usage, **dict(message)}, **row}


class Told:
    """A history, and which ordinals were read for it."""

    def __init__(
        self,
        data: bytes,
        index: TranscriptIndex,
        copied: Sequence[str] = (),
        prices: Prices = LIST_PRICES,
    ) -> None:
        self.data, self.index = data, index
        self.read: set[int] = set()
        self.entries = history_of(Conversation(index), copied, self.bodies, self.lines, prices)

    def bodies(self, rows: Sequence[int]) -> list[bytes]:
        return self.lines([self.index.nodes.body_of.get(row, row) for row in rows])

    def lines(self, rows: Sequence[int]) -> list[bytes]:
        self.read.update(rows)
        nodes = self.index.nodes
        spans = [(nodes.offset[row], nodes.length[row]) for row in rows]
        return [self.data[start : start + length] for start, length in spans]

    @property
    def breaks(self) -> dict[str, CacheBreak]:
        """Breaks by the uuid of the answer."""
        uuid = self.index.nodes.uuid
        return {uuid(e.request.row) or "": e.broken for e in self.entries if e.broken}


def told(data: bytes, **fields: Any) -> Told:
    return Told(data, index_of(data), **fields)


def two(before: Fields, after: Fields, *, gap: float = 240, **more: Any) -> list[CacheEntry]:
    """An answer, and another so many seconds later."""
    return told(pair(before, after, gap=gap, **more)).entries


def pair(
    before: Fields,
    after: Fields,
    *,
    gap: float = 240,
    text: str = "u1 a1 u2 a2",
    sent: Sequence[bytes] = (),
    **more: Any,
) -> bytes:
    times = {"u1": 0.0, "a1": 1.0, "u2": gap, "a2": gap + 1}
    fields = {"a1": before, "a2": after, **more.pop("fields", {})}
    return b"".join(sent) + transcript(text, times=times, fields=fields, **more)


def cause(entries: list[CacheEntry]) -> tuple[str, str, bool] | None:
    broken = entries[-1].broken
    return None if broken is None else (broken.cause, broken.certainty, broken.expected)


# --- what counts as a break --------------------------------------------------------------------

A = answer(read=100_000, hour=50_000)
LOST = answer(read=21_400, hour=130_000)
HIT = answer(read=150_000, hour=1_000)


def test_worked_example_30() -> None:
    broken = two(A, LOST)[-1].broken
    assert broken is not None and broken.dollars is not None
    assert (broken.lost, round(broken.dollars, 2)) == (128_600, 1.00)


@pytest.mark.parametrize(
    ("before", "after", "gap"),
    [
        pytest.param(A, answer(read=148_900, hour=2_000), 240, id="worked example 31"),
        pytest.param(A, HIT, 70 * 60, id="worked example 32: past the lifetime, yet there"),
        pytest.param(A, answer(read=142_500, hour=9_000), 240, id="exactly 95 %"),
        pytest.param(answer(hour=20_000), answer(read=18_001, hour=3_000), 240, id="1,999 short"),
        pytest.param(answer(), LOST, 240, id="the one before left nothing in the cache"),
        pytest.param(A, answer(promptCacheRequested="off"), 240, id="this one asked for none"),
        pytest.param(A, {**LOST, "isAbortedMidStream": True}, 240, id="cut off: no true numbers"),
        pytest.param({**A, "isAbortedMidStream": True}, LOST, 240, id="the one before cut off"),
        pytest.param(A, {**LOST, "isApiErrorMessage": True}, 240, id="an error note"),
        pytest.param(A, answer(read=30_000, hour=1_000), 240, id="a much shorter prompt, all read"),
    ],
)
def test_what_is_no_break(before: Fields, after: Fields, gap: float) -> None:
    assert all(entry.broken is None for entry in two(before, after, gap=gap))


@pytest.mark.parametrize(
    ("after", "lost"),
    [
        (answer(read=142_499, hour=9_000), 7_501),
        (answer(read=0, short=151_000), 150_000),
        (answer(read=20_000, hour=3_000), 3_000),
    ],
)
def test_how_much_is_lost_of_what_both_prompts_had(after: Fields, lost: int) -> None:
    broken = two(A, after)[-1].broken
    assert broken is not None
    assert broken.lost == lost


def test_a_first_request_misses_nothing() -> None:
    assert cause(two(A, LOST)[:1]) is None


def test_nothing_is_read_where_nothing_broke() -> None:
    assert told(pair(A, HIT, sent=[kept("one")])).read == set()


def test_only_what_stands_around_a_break_is_read() -> None:
    data = pair(A, LOST, text="u1 a1 s1 u2 a2") + transcript("| a2 u3 a3", fields={"a3": HIT})
    assert told(data).read == {1, 2, 4}


# --- which request is compared with which ------------------------------------------------------


def test_after_a_rewind_the_request_above_counts() -> None:
    long = answer(read=150_000, hour=50_000)
    fields = {"a1": A, "a2": long, "a3": answer(read=150_000, hour=100)}
    assert told(transcript("u1 a1 u2 a2 | a1 u3 a3", fields=fields)).breaks == {}


def test_a_short_read_after_a_rewind_is_explained_by_it() -> None:
    fields = {"a1": A, "a2": HIT, "a3": LOST}
    entries = told(transcript("u1 a1 u2 a2 | a1 u3 a3", fields=fields)).entries
    assert cause(entries) == ("rewind", "likely", True)


def test_parallel_calls_are_one_request() -> None:
    fields = {"t1": A, "t2": A, "a1": HIT}
    data = transcript("u1 t1+t2 r1 r2 a1", fields=fields)
    assert [entry.broken for entry in told(data).entries] == [None, None]


def test_another_way_may_have_kept_the_entry_alive() -> None:
    """The second answer read the first one's entry 50 minutes on, so 40 more are no end of it."""
    times = {"u1": 0.0, "a1": 1.0, "u2": 3000.0, "a2": 3001.0, "u3": 5400.0, "a3": 5401.0}
    fields = {"a1": A, "a2": HIT, "a3": LOST}
    data = transcript("u1 a1 u2 a2 | a1 u3 a3", times=times, fields=fields)
    assert cause(told(data).entries) == ("rewind", "likely", True)


def test_copied_requests_are_compared_with_but_not_listed() -> None:
    data = pair(A, LOST)
    [entry] = told(data, copied=["msg_a1"]).entries
    assert entry.broken is not None and entry.broken.lost == 128_600


# --- lifetimes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "lifetime"),
    [
        (A, answer(hour=1), "1h"),
        (A, answer(short=1), "5m"),
        (A, answer(hour=1, short=1), "mixed"),
        (A, answer(read=1), "1h"),
        (answer(short=1), answer(read=1), "5m"),
        (answer(read=1), answer(read=1), None),
        (A, answer(), None),
        (A, {**answer(hour=1), "promptCacheRequested": "5m"}, "5m"),
        (A, {**answer(read=1), "promptCacheRequested": "off"}, "off"),
        (A, {**answer(hour=1), "promptCacheRequested": "forever"}, "1h"),
    ],
)
def test_lifetime_by_request_else_by_writes_else_by_the_request_above(
    before: Fields, after: Fields, lifetime: str | None
) -> None:
    assert two(before, after)[-1].request.lifetime == lifetime


# --- causes ------------------------------------------------------------------------------------


def kept(request_id: str, **fields: Any) -> bytes:
    """A request as the client keeps it."""
    params = {"model": OPUS, "thinking": {"type": "adaptive"}, **fields.pop("params", {})}
    request = {"keep": 0, "tail": ["m1", "m2"], "shapeHash": "S", "params": params, **fields}
    return line(type="api-request", id=request_id, sessionId=SESSION, **request)


def shape(name: str, tools: Sequence[str], system: str) -> bytes:
    inner = {"tools": [{"name": tool} for tool in tools], "system": [{"text": system}]}
    return line(type="api-request-shape", shapeHash=name, shape=inner, sessionId=SESSION)


def both(*sent: bytes) -> dict[str, Any]:
    """Two answers that name the requests `one` and `two`."""
    return {
        "before": {**A, "requestRef": "one"},
        "after": {**LOST, "requestRef": "two"},
        "sent": sent,
    }


def prompt(system: str, tools: Sequence[str] | None = None) -> Fields:
    """A row that records the prompt."""
    attachment = {"type": "prompt_snapshot", "systemPrompt": [system]}
    return {"attachment": attachment if tools is None else {**attachment, "tools": tools}}


def diagnosed(reason: Any) -> dict[str, Any]:
    return {"before": A, "after": answer(21_400, 130_000, message={"diagnostics": reason})}


def miss(reason: str) -> dict[str, Any]:
    return diagnosed({"cache_miss_reason": {"type": reason}})


def rows(before: Fields, after: Fields, **more: Any) -> dict[str, Any]:
    """Two answers with other fields, the second of which missed the cache."""
    return {"before": {**A, **before}, "after": {**LOST, **after}, **more}


PROMPTS = "h1 u1 a1 h2 u2 a2"
ONE, ONE_OLDER = kept("one"), kept("one", params={"model": OLDER_OPUS})
BETWEEN = kept("other", base="one", keep=2)
LOW = {"output_config": {"effort": "low"}}
HOUR = 3600

CAUSES = [
    # a, b: announced
    (rows({}, {}, text="u1 a1 b1 c1 u2 a2"), "compaction", "certain"),
    (
        rows({}, {}, text="u1 a1 s1 u2 a2", fields={"s1": {"subtype": "microcompact_boundary"}}),
        "clearing",
        "certain",
    ),
    (
        {"before": A, "after": answer(21_400, 130_000, message={"context_management": {
            "applied_edits": [{"type": "clear_tool_uses_20250919"}]}})},
        "clearing",
        "certain",
    ),
    # c: both requests were kept
    (both(ONE, kept("two", tail=["m1", "x2", "m3"])), "messages", "certain"),
    (both(ONE, kept("two", base="one", keep=1, tail=["x2", "m3"])), "messages", "certain"),
    (both(ONE, kept("two", params={"model": "other"})), "model", "certain"),
    (
        both(shape("S", "ab", "x"), shape("T", "abc", "x"), ONE, kept("two", shapeHash="T")),
        "tools",
        "certain",
    ),
    (
        both(shape("S", "ab", "x"), shape("T", "ab", "y"), ONE, kept("two", shapeHash="T")),
        "system",
        "certain",
    ),
    (both(ONE, kept("two", shapeHash="T")), "unknown", "unknowable"),
    (both(ONE, kept("two", params={"thinking": None})), "thinking", "certain"),
    (both(ONE, kept("two", params={"betas": ["one"]})), "headers", "certain"),
    (both(ONE, kept("two", params=LOW)), "server", "certain"),
    (both(ONE_OLDER, kept("two", params={**LOW, "model": OLDER_OPUS})), "effort", "certain"),
    (both(ONE, kept("two", base="one", keep=2, tail=["m3"])), "server", "certain"),
    (both(ONE, kept("two", tail=["m1", "m2", "m3"])) | {"gap": 2 * HOUR}, "expired", "certain"),
    (both(ONE, BETWEEN, kept("two", base="other", keep=2)), "server", "certain"),
    (both(ONE, BETWEEN, kept("two", base="other", keep=1)), "messages", "certain"),
    (both(ONE, kept("two", base="one", keep=1, tail=["m2", "m3"])), "server", "certain"),
    (both(ONE, kept("two", base="one", keep=9)), "unknown", "unknowable"),
    (both(kept("one", base="lost", keep=5), kept("two", base="one", keep=7)), "server", "certain"),
    (both(ONE, kept("two", base="lost", keep=2)), "unknown", "unknowable"),
    (both(ONE, kept("two", base="two", keep=2)), "unknown", "unknowable"),
    (both(kept("two")), "unknown", "unknowable"),
    # d: the API's own diagnosis
    (miss("model_changed"), "model", "certain"),
    (miss("tools_changed"), "tools", "certain"),
    (miss("system_changed"), "system", "certain"),
    (miss("messages_changed"), "messages", "certain"),
    (miss("previous_message_not_found") | {"gap": 2 * HOUR}, "expired", "certain"),
    (miss("previous_message_not_found"), "unknown", "unknowable"),
    (miss("unavailable"), "unknown", "unknowable"),
    (diagnosed({"cache_miss_reason": None}), "unknown", "unknowable"),
    (diagnosed(None), "server", "likely"),
    (diagnosed(None) | {"gap": 2 * HOUR}, "expired", "certain"),
    # e, f: model, then time
    ({"before": A, "after": answer(0, 151_000, model="claude-sonnet-5-5")}, "model", "certain"),
    (rows({}, {}, gap=2 * HOUR), "expired", "certain"),
    (rows({}, {}, gap=HOUR), "expired", "unknowable"),
    (rows({}, {}, gap=HOUR - 20), "expired", "unknowable"),
    (rows({}, {}, gap=HOUR + 20), "expired", "unknowable"),
    (rows({}, {}, gap=HOUR - 40), "unknown", "unknowable"),
    (rows({}, {}, gap=HOUR + 40), "expired", "certain"),
    (diagnosed(None) | {"gap": -50}, "unknown", "unknowable"),
    (rows({}, {}, gap=-50), "unknown", "unknowable"),
    ({"before": answer(short=150_000), "after": LOST, "gap": 600}, "expired", "certain"),
    ({"before": answer(short=9_000, hour=99_000), "after": LOST, "gap": 600}, "expired", "certain"),
    (rows({"promptCacheRequested": "5m"}, {}, gap=600), "expired", "certain"),
    # g: recorded prompts
    (
        rows({}, {}, text=PROMPTS, fields={"h1": prompt("x"), "h2": prompt("y")}),
        "system",
        "certain",
    ),
    (
        rows({}, {}, text=PROMPTS, fields={"h1": prompt("x", "ab"), "h2": prompt("x", "abc")}),
        "tools",
        "certain",
    ),
    (
        rows({}, {}, text=PROMPTS, fields={"h1": prompt("x"), "h2": prompt("x", "ab")}),
        "unknown",
        "unknowable",
    ),
    # h: another version, without and with a recorded prompt
    (rows({"version": "2.1.240"}, {"version": "2.1.260"}), "upgrade", "certain"),
    (
        rows({"version": "2.1.300"}, {}, text="h1 u1 a1 u2 a2", fields={"h1": prompt("x")}),
        "upgradeTools",
        "likely",
    ),
    # i: what stands in the prompt of clients before 2.1.268
    (rows({}, {"cwd": "/home/dev/other"}, version="2.1.267"), "cwd", "likely"),
    (rows({}, {"gitBranch": "other"}, version="2.1.267"), "git", "likely"),
    (
        rows({}, {"cwd": "/home/dev/other", "gitBranch": "x"}, version="2.1.268"),
        "unknown",
        "unknowable",
    ),
    # j: settings
    (
        {
            "before": {**answer(100_000, 50_000, model=OLDER_OPUS), "effort": "high"},
            "after": {**answer(0, 151_000, model=OLDER_OPUS), "effort": "low"},
        },
        "effort",
        "likely",
    ),
    (rows({"effort": "high"}, {"effort": "low"}), "unknown", "unknowable"),
    # l: starts that are known to lose the prefix
    (
        rows({"entrypoint": "cli"}, {"entrypoint": "sdk-cli"}, version="2.1.75"),
        "resumeDefect",
        "unknowable",
    ),
    (
        rows({"entrypoint": "cli"}, {"entrypoint": "sdk-cli"}, version="2.1.89"),
        "resumeDefect",
        "unknowable",
    ),
    (
        rows({"entrypoint": "cli"}, {"entrypoint": "sdk-cli"}, version="2.1.90"),
        "unknown",
        "unknowable",
    ),
    (rows({}, {}, version="2.1.75"), "unknown", "unknowable"),
    # m: nothing tells
    (rows({}, {}), "unknown", "unknowable"),
]  # fmt: skip


@pytest.mark.parametrize(("situation", "expected", "certainty"), CAUSES)
def test_the_first_question_that_is_answered_names_the_cause(
    situation: dict[str, Any], expected: str, certainty: str
) -> None:
    asked_for = expected in ("compaction", "clearing", "model")
    assert cause(two(**situation)) == (expected, certainty, asked_for)


@pytest.mark.parametrize(
    ("model", "premium", "dollars"),
    [
        (OPUS, 128_600 * (16 - 0.4), 21_400 * 0.4 + 130_000 * 16 + 10 * 40),
        (OLDER_OPUS, 128_600 * (20 - 1), 21_400 * 1 + 130_000 * 20 + 10 * 50),
        ("claude-opus-4-7", None, None),
    ],
)
def test_fast_mode_has_prices_of_its_own(
    model: str, premium: float | None, dollars: float | None
) -> None:
    after = answer(21_400, 130_000, model=model)
    after["message"]["usage"]["speed"] = "fast"
    entries = two(answer(100_000, 50_000, model=model), after)
    assert cause(entries) == ("fast", "likely", False)
    assert entries[-1].broken is not None
    for found, expected in ((entries[-1].broken.dollars, premium), (entries[-1].dollars, dollars)):
        assert found == (None if expected is None else pytest.approx(expected / 1e6))


def test_prices_of_the_users_own() -> None:
    own = Price(input=1, output=2, cache_read=3, cache_write_5m=4, cache_write_1h=5)
    entry = told(pair(A, LOST), prices=Prices({"opus-5-5": own})).entries[-1]
    assert entry.broken is not None
    assert entry.broken.dollars == pytest.approx(128_600 * (5 - 3) / 1e6)
    assert entry.dollars == pytest.approx((21_400 * 3 + 130_000 * 5 + 10 * 2) / 1e6)


@pytest.mark.parametrize(
    ("situation", "words"),
    [
        (rows({}, {}), "Nothing recorded says why: about 129k"),
        (rows({}, {}, gap=3 * HOUR), "Idle for 3 h, longer than the cache's lifetime of 1 h: "),
        (rows({"version": "2.1.240"}, {"version": "2.1.260"}), "from 2.1.240 to 2.1.260, and no"),
        ({"before": answer(short=150_000), "after": LOST}, "lifetime asked for changed from 5 min"),
    ],
)
def test_sentences_say_what_changed(situation: dict[str, Any], words: str) -> None:
    broken = two(**situation)[-1].broken
    assert broken is not None and words in broken.sentence


def test_words_of_prompts_are_not_in_the_answer() -> None:
    secrets = both(shape("S", [SECRET], SECRET), shape("T", [SECRET, "b"], SECRET), kept("one"))
    secrets["sent"] += (kept("two", shapeHash="T", params={"output_config": SECRET}),)
    recorded = {"h1": prompt(SECRET), "h2": prompt(f"{SECRET}!")}
    entries = two(**secrets, text=PROMPTS, fields=recorded)
    assert cause(entries) == ("tools", "certain", False)
    assert SECRET not in repr(entries)


# --- money -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "after", "dollars"),
    [
        # 128,600 tokens at 5 and at 8 dollars a million instead of 0.20
        (OPUS, answer(21_400, short=130_000), 0.61728),
        (OPUS, answer(21_400, hour=65_000, short=65_000), 0.81018),
        # above 100,000 tokens of prompt the whole request costs more: 1.00 instead of 0.05
        ("claude-haiku-5-5", answer(21_400, 130_000), 0.12217),
        ("claude-haiku-5-5", answer(0, 90_000), 0.0171),
        ("claude-test", answer(21_400, 130_000), None),
    ],
)
def test_what_lost_tokens_cost_more(model: str, after: Fields, dollars: float | None) -> None:
    after["message"]["model"] = model
    broken = two(answer(100_000, 50_000, model=model), after)[-1].broken
    assert broken is not None
    assert broken.dollars == (None if dollars is None else pytest.approx(dollars))


def test_tokens_that_were_not_written_again_cost_the_plain_price() -> None:
    after = answer(21_400, 100_000)
    after["message"]["usage"]["input_tokens"] = 30_000
    broken = two(A, after)[-1].broken
    assert broken is not None
    # 100,000 at 8 - 0.20, and 28,600 at 4 - 0.20 dollars a million
    assert broken.dollars == pytest.approx(0.78 + 0.10868)


# --- recorded sessions -------------------------------------------------------------------------


def read(path: Path) -> Told:
    """The history of a session's file, or of a subagent's."""
    data = path.read_bytes()
    index = TranscriptIndex(path.stem, of_agent=path.stem.startswith("agent-"))
    index.apply(TranscriptReader().feed(data))
    return Told(data, index)


CASE_VERDICTS = {
    "74-cache-miss-after-resume": [("unknown", False)],
    "76-cache-lifetime-switch": [("expired", False), ("unknown", False)],
    "77-cache-model-or-version-change": [("model", True), ("compaction", True)],
}


@pytest.mark.parametrize("name", CASE_VERDICTS)
def test_cases_break_where_they_say(name: str) -> None:
    expected = json.loads((CASES / name / "expect.json").read_bytes())["cache"]
    for session, verdicts in expected.items():
        breaks = read(next((CASES / name).glob(f"projects/*/{session}.jsonl"))).breaks
        assert list(breaks) == [v["record"] for v in verdicts if v["verdict"] != "hit"]
        assert [(b.cause, b.expected) for b in breaks.values()] == CASE_VERDICTS[name]


RECORDED_BREAKS = {
    "e1_compact_manual": [("compaction", True)],
    "e2_autocompact": [("compaction", True)],
    "m3_model_switch": [("model", True)],
    # A second process of a version that builds its prompt anew: the first one edited a file, so
    # the git status in the prompt is another one. The rows do not tell.
    "x_cache_2_1_100": [("unknown", False)],
    "x_cache_2_1_263": [("unknown", False)],
}


@pytest.mark.parametrize("situation", sorted(p.name for p in REAL.iterdir()))
def test_recorded_sessions_break_nowhere_else(situation: str) -> None:
    paths = sorted((REAL / situation).glob("projects/*/*.jsonl"))
    breaks = [broken for path in paths for broken in read(path).breaks.values()]
    expected = RECORDED_BREAKS.get(situation, [])
    assert [(broken.cause, broken.expected) for broken in breaks] == expected


UNRECORDED = {
    "c4_summarize_from": "the compaction's own request",
    "e1_compact_manual": "the compaction's own request",
    "e1b_compact_quit": "the compaction's own request",
    "e2_autocompact": "the compaction's own request",
    "i1_titles_modes": "the request for a name",
    "v_2_1_263": "the request for a title",
}
"""Situations in which the client sent what it kept no row of."""


def spent(path: Path) -> Counter[str]:
    """Tokens of all requests of a session and its subagents."""
    tokens: Counter[str] = Counter()
    for file in [path, *path.with_suffix("").glob("subagents/*.jsonl")]:
        for entry in read(file).entries:
            usage = entry.request.usage
            tokens["inputTokens"] += usage.input
            tokens["outputTokens"] += usage.output
            tokens["cacheReadInputTokens"] += usage.cache_read
            tokens["cacheCreationInputTokens"] += usage.cache_write_5m + usage.cache_write_1h
            tokens["nanodollars"] += round((entry.dollars or 0) * 1e9)
    return tokens


@pytest.mark.parametrize("situation", sorted(p.name for p in REAL.iterdir()))
def test_tokens_and_dollars_are_those_the_client_counted(situation: str) -> None:
    for path in sorted((REAL / situation).glob("projects/*/*.jsonl")):
        counted = client_count(path)
        if counted is not None:
            assert (spent(path) == counted) == (situation not in UNRECORDED)


def client_count(path: Path) -> Counter[str] | None:
    """What the last `cost-state` line of a file says."""
    states = [line for line in path.read_bytes().split(b"\n") if b'"type":"cost-state"' in line]
    if not states:
        return None
    tokens: Counter[str] = Counter()
    for model in json.loads(states[-1])["modelUsage"].values():
        tokens["nanodollars"] += round(model["costUSD"] * 1e9)
        for name in ("inputTokens", "outputTokens", "cacheReadInputTokens"):
            tokens[name] += model[name]
        tokens["cacheCreationInputTokens"] += model["cacheCreationInputTokens"]
    return tokens
