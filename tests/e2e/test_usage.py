"""`forkpoint/usage` and `forkpoint/contextCurve` over the wire, against what the files say."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from forkpoint.catalog import Catalog
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.protocol.params import decode_params
from tests.builders import Fields, transcript, uuid
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.recordings import rows, transcripts
from tests.fixture_paths import CASES, REAL

RECORDED = sorted(REAL.iterdir())
A = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
B = "b69a0ae4-3726-47d4-ad61-f08d81ff360f"
OPUS = "claude-opus-5-5"

KINDS = ("input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h")


def usage(server: ForkpointServer, *folders: Path, **params: Any) -> Json:
    """The answer once every transcript is read."""
    server.open(*folders)
    server.listed()
    return server.result("usage", timeZone="UTC", **params)


def numbers(amount: Json) -> tuple[int, ...]:
    """Responses, input, output, read, written."""
    short, long = amount["tokens"]["cacheWrite5m"], amount["tokens"]["cacheWrite1h"]
    return amount["responses"], *(amount["tokens"][kind] for kind in KINDS[:3]), short + long


def plant(home: Path, data: bytes, session_id: str = A) -> Path:
    path = home / "projects" / "-home-dev-shop" / f"{session_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


# --- against the files -------------------------------------------------------------------------


def recount(home: Path) -> dict[str, tuple[str, Json]]:
    """By message id the agent's file, if it is one, and the numbers of its last line.

    In a recording an id is never of two answers, so what is in several files is a copy.
    """
    found: dict[str, tuple[str, Json]] = {}
    for file in transcripts(home):
        own: dict[str, tuple[str, Json]] = {}
        for row in rows(file.path):
            message: Json = row.get("message") or {}
            if row.get("type") == "assistant" and message.get("model") != "<synthetic>":
                own[message["id"]] = (file.agent_id or "", message["usage"])
        found = own | found
    return found


def summed(answers: list[Json]) -> tuple[int, ...]:
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens")
    return len(answers), *(
        sum(answer[name] for answer in answers) for name in (*names, "cache_creation_input_tokens")
    )


@pytest.mark.parametrize("home", RECORDED, ids=lambda home: home.name)
def test_recordings_come_to_what_their_lines_say(server: ForkpointServer, home: Path) -> None:
    found = recount(home)
    total = usage(server, home)["total"]
    assert numbers(total["both"]) == summed([answer for _, answer in found.values()])
    agents = [answer for agent, answer in found.values() if agent]
    assert numbers(total["subagents"]) == summed(agents)


@pytest.mark.parametrize("home", RECORDED, ids=lambda home: home.name)
def test_sessions_of_recordings_are_as_in_the_list(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    listed = server.listed()
    result = usage(server, home, by=["session"])
    assert {
        row["sessionId"]: [
            {"tokens": amount["tokens"], "cost": amount["costUsd"]}
            for amount in (row["own"], row["subagents"])
        ]
        for row in result["rows"]
        # One without a message is no session to the list, though its subagents spent something.
        if row["sessionId"] in listed
    } == {
        session_id: [
            {"tokens": row["tokens"], "cost": pytest.approx(row["costUsd"] - subagents)},
            {"tokens": row["subagentTokens"], "cost": subagents},
        ]
        for session_id, row in listed.items()
        for subagents in [cost_of_subagents(result, session_id)]
        if sum(row["tokens"].values()) + sum(row["subagentTokens"].values())
    }


def cost_of_subagents(result: Json, session_id: str) -> Any:
    """The list tells one price for both."""
    found = [row["subagents"] for row in result["rows"] if row["sessionId"] == session_id]
    return found[0]["costUsd"] if found else 0


# --- cases -------------------------------------------------------------------------------------


def counts(amount: Json) -> Json:
    responses, input_tokens, output, read, written = numbers(amount)
    return {
        "responses": responses,
        "input": input_tokens,
        "output": output,
        "cache_read": read,
        "cache_creation": written,
    }


def expected(name: str) -> Json:
    return json.loads((CASES / name / "expect.json").read_bytes())


@pytest.mark.parametrize(
    ("name", "field", "part"),
    [
        ("68-usage-per-line", "tokens", "both"),
        ("70-usage-synthetic", "tokens", "both"),
        ("71-usage-fork-copies", "tokens_own", "both"),
        ("73-usage-subagents", "tokens_main", "own"),
        ("73-usage-subagents", "tokens_subagents", "subagents"),
        ("73-usage-subagents", "tokens_total", "both"),
    ],
)
def test_cases(server: ForkpointServer, name: str, field: str, part: str) -> None:
    home = CASES / name
    found = {
        row["sessionId"]: counts(row[part]) for row in usage(server, home, by=["session"])["rows"]
    }
    for session_id, wanted in expected(name)["sessions"].items():
        if field in wanted:
            assert found[session_id] == {key: wanted[field][key] for key in found[session_id]}


def test_copies_count_once_over_both_files(server: ForkpointServer) -> None:
    name = "71-usage-fork-copies"
    result = usage(server, CASES / name)
    assert counts(result["total"]["both"]) == expected(name)["total_tokens"]
    [note] = [note for note in result["notes"] if note["code"] == "copies"]
    assert note["sentence"] == (
        "2 responses stand as copies in other sessions, too: each counts once, in the session that "
        "had it first."
    )


@pytest.mark.parametrize("zone", ["UTC", "America/Los_Angeles"])
def test_days_are_those_of_the_zone(server: ForkpointServer, zone: str) -> None:
    name = "55-days-and-time-zones"
    server.open(CASES / name)
    server.listed()
    found = server.result("usage", by=["session", "day"], timeZone=zone)["rows"]
    days = {row["sessionId"]: row["day"] for row in found}
    for session_id, wanted in expected(name)["sessions"].items():
        if "day" in wanted:
            assert days[session_id] == wanted["day"][zone]


# --- what is asked for -------------------------------------------------------------------------


def answers(*models: str) -> dict[str, Fields]:
    return {f"a{number}": {"message": {"model": model}} for number, model in enumerate(models, 1)}


def test_a_row_says_what_it_is_of(server: ForkpointServer, home: Path) -> None:
    plant(home, transcript("u1 a1", fields=answers(OPUS)))
    every = ["session", "day", "month", "project", "model", "agent", "subagent"]
    [row] = usage(server, home, by=[*every, "day"])["rows"]
    assert {name: row[name] for name in row if name not in ("both", "own", "subagents")} == {
        "sessions": 1,
        "sessionId": A,
        "title": {"text": "u1", "source": "firstPrompt"},
        "day": "2026-05-28",
        "month": "2026-05",
        "project": {"path": "/home/dev/shop", "name": "shop"},
        "model": OPUS,
        "agent": "claude-code",
        "subagentId": None,
    }
    assert row["both"] == row["own"] == {
        "responses": 1,
        "tokens": dict(zip(KINDS, (10, 5, 0, 0, 0), strict=True)),
        "costUsd": (10 * 4 + 5 * 20) / 1e6,
        "unpriced": 0,
    }  # fmt: skip
    assert row["subagents"]["responses"] == row["subagents"]["costUsd"] == 0


def test_what_is_not_asked_about_is_null(server: ForkpointServer, home: Path) -> None:
    plant(home, transcript("u1 a1"))
    [row] = usage(server, home, by=["month"])["rows"]
    others = ("sessionId", "title", "day", "project", "model", "agent", "subagentId")
    assert {row[name] for name in others} == {None}
    assert usage(server, home)["rows"] == []


def test_no_known_price_is_null_and_counted(server: ForkpointServer, home: Path) -> None:
    plant(home, transcript("u1 a1 u2 a2", fields=answers(OPUS, "gpt-17")))
    result = usage(server, home, by=["model"])
    prices = {
        row["model"]: (row["both"]["costUsd"], row["both"]["unpriced"]) for row in result["rows"]
    }
    dollars = (10 * 4 + 5 * 20) / 1e6
    assert prices == {OPUS: (dollars, 0), "gpt-17": (None, 1)}
    assert (result["total"]["both"]["costUsd"], result["total"]["both"]["unpriced"]) == (dollars, 1)
    sentences = {note["code"]: note["sentence"] for note in result["notes"]}
    assert sentences["unpriced"] == (
        "No price is known for one response (gpt-17): the tokens are counted, the dollars come on "
        "top."
    )


@pytest.mark.parametrize(
    ("account", "sentence"),
    [
        ("subscription", "Your subscription is not billed by it."),
        ("apiKey", "What your provider bills may differ."),
        ("unknown", "A subscription is not billed by it."),
    ],
)
def test_dollars_are_called_what_they_are(
    server: ForkpointServer, home: Path, account: str, sentence: str
) -> None:
    plant(home, transcript("u1 a1"))
    server.open(home, account=account)
    [note] = [n for n in server.result("usage")["notes"] if n["code"] == "priceEquivalent"]
    assert note["sentence"].startswith("Dollars are the API price equivalent")
    assert note["sentence"].endswith(sentence)
    server.open(home, account="unknown")


@pytest.mark.parametrize(
    ("params", "sessions"),
    [
        pytest.param({}, 2, id="all"),
        pytest.param({"sessionId": A.upper()}, 1, id="one session"),
        pytest.param({"agent": "claude-code"}, 2, id="the agent"),
        pytest.param({"agent": "codex"}, 0, id="another agent"),
        pytest.param({"folder": "file:///home/dev/shop", "scope": "folder"}, 1, id="a folder"),
        pytest.param({"folder": "file:///home/dev/shop"}, 2, id="a folder, everywhere"),
        pytest.param({"folder": "file:///home", "scope": "folder"}, 0, id="another folder"),
        pytest.param({"since": "2026-05-28", "until": "2026-05-28"}, 2, id="the day"),
        pytest.param({"since": "2026-05-29"}, 0, id="later"),
        pytest.param({"until": "2026-05-27"}, 0, id="earlier"),
    ],
)
def test_what_is_meant(server: ForkpointServer, home: Path, params: Json, sessions: int) -> None:
    plant(home, transcript("u1 a1"))
    other: dict[str, Fields] = {name: {"cwd": "/home/dev/lab"} for name in ("u2", "a2")}
    plant(home, transcript("u2 a2", fields=other), B)
    assert usage(server, home, **params)["total"]["sessions"] == sessions


def test_sessions_of_programs_and_archived_ones_cost_as_well(
    server: ForkpointServer, home: Path
) -> None:
    fields: dict[str, Fields] = {name: {"entrypoint": "sdk-py"} for name in ("u1", "a1")}
    plant(home, transcript("u1 a1", fields=fields))
    assert usage(server, home)["total"]["sessions"] == 1


def test_an_empty_home_costs_nothing(server: ForkpointServer, home: Path) -> None:
    result = usage(server, home, by=["day"], withText=True)
    assert (result["rows"], result["total"]["both"]["costUsd"]) == ([], 0)
    assert result["text"].startswith(
        "Usage by day\n\nNothing was spent, as far as transcripts tell.\n\n- Dollars are"
    )


def test_numbers_beyond_all_measure_are_answered(server: ForkpointServer, home: Path) -> None:
    huge = {"input_tokens": 2**62, "output_tokens": 2**62}
    fields: dict[str, Fields] = {
        f"a{number}": {"message": {"model": OPUS, "usage": huge}} for number in range(1, 6)
    }
    plant(home, transcript("u1 a1 a2 a3 a4 a5", fields=fields))
    both = usage(server, home, by=["day"], withText=True)["total"]["both"]
    assert both["tokens"]["input"] == 5 * 2**62
    assert both["costUsd"] == pytest.approx(5 * 2**62 * (4 + 20) / 1e6)


def test_a_hostile_name_is_only_a_name(server: ForkpointServer, home: Path) -> None:
    name = "\x1b]0;x\x07evil\n| `a` |"
    plant(home, transcript("u1 a1", fields=answers(name)))
    result = usage(server, home, by=["model"], withText=True)
    assert result["rows"][0]["model"] == name
    assert "�]0;x�evil�| `a` |" in result["text"]
    assert "\x1b" not in result["text"] + json.dumps([n["sentence"] for n in result["notes"]])


def test_it_counts_what_was_appended(server: ForkpointServer, home: Path) -> None:
    path = plant(home, transcript("u1 a1"))
    assert usage(server, home)["total"]["both"]["responses"] == 1
    with path.open("ab") as file:
        file.write(transcript("| a1 u2 a2", start=60))
    assert server.result("usage")["total"]["both"]["responses"] == 2


def test_the_text(server: ForkpointServer, home: Path) -> None:
    plant(home, transcript("u1 a1 u2 a2", fields=answers(OPUS, "gpt-17")))
    agents = home / "projects" / "-home-dev-shop" / A / "subagents"
    agents.mkdir(parents=True)
    much = {"output_tokens": 50_000, "input_tokens": 0}
    fields: dict[str, Fields] = {"a7": {"message": {"model": OPUS, "usage": much}}}
    (agents / "agent-b1.jsonl").write_bytes(transcript("u7 a7", fields=fields))
    result = usage(server, home, by=["day", "model"], since="2026-05-01", withText=True)
    table = result["text"].split("\n\n- ")[0].split("\n")
    assert [re.split(" {2,}", line) for line in table if not line.startswith("---")] == [
        ["Usage by day and model from 2026-05-01"],
        [""],
        ["Day", "Model", "Responses", "Input", "Output", "Cache write", "Cache read", "Cost",
         "By subagents"],
        ["2026-05-28", OPUS, "2", "10", "50,005", "0", "0", "$1.00", "$1.00"],
        ["2026-05-28", "gpt-17", "1", "10", "5", "0", "0", "no price", "-"],
        ["Total", "3", "20", "50,010", "0", "0", "$1.00+", "$1.00"],
    ]  # fmt: skip
    assert len({len(line) for line in table[2:]}) == 1


# --- the curve ---------------------------------------------------------------------------------


def used(tokens: int) -> Fields:
    return {"message": {"usage": {"input_tokens": tokens - 5, "output_tokens": 5}}}


def test_the_curve_goes_up_and_compactions_bring_it_down(
    server: ForkpointServer, home: Path
) -> None:
    fields: dict[str, Fields] = {
        "a1": used(20_000),
        "a2": used(80_000),
        "a3": used(30_000),
        "b1": {"compactMetadata": {"trigger": "auto", "preTokens": 81_000}},
    }
    plant(home, transcript("u1 a1 u2 a2 b1 s1 u3 a3", fields=fields))
    server.open(home)
    curve = server.result("contextCurve", sessionId=A, withText=True)
    points = [(point["uuid"], point["tokens"]) for point in curve["points"]]
    assert points == [(uuid("a1"), 20_000), (uuid("a2"), 80_000), (uuid("a3"), 30_000)]
    [compaction] = curve["compactions"]
    assert compaction == {
        "ordinal": 4,
        "uuid": uuid("b1"),
        "at": "2026-05-28T00:00:40.000Z",
        "before": 2,
        "trigger": "auto",
        "tokensBefore": 81_000,
        "tokensAfter": None,
    }
    assert curve["windowTokens"] is None
    assert curve["text"].split("\n") == [
        "Context window",
        "",
        "3 responses: the context began with 20,000 tokens, was largest with 80,000 (response 2)",
        "  and has 30,000 at the end.",
        "Compaction (auto) behind response 2, 2026-05-28 00:00 UTC: 81,000 tokens before, 30,000",
        "  with the next response.",
        "How large the model's window is, nothing on disk tells.",
        "",
        "Chart (left to right: the responses; ▲: a compaction)",
        "",
        *["80k │    ████", *["    │    ████"] * 4],
        "    │    ████████",
        "    │████████████",
        "  0 │████████████",
        "             ▲",
        "",
    ]


def test_a_curve_without_responses(server: ForkpointServer, home: Path) -> None:
    plant(home, transcript("u1"))
    server.open(home)
    curve = server.result("contextCurve", sessionId=A, withText=True)
    assert (curve["points"], curve["compactions"]) == ([], [])
    assert curve["text"] == (
        "Context window\n\nNo response on this path says how large its context was.\n"
    )


def test_the_curve_of_another_branch_and_of_nobodys(server: ForkpointServer, home: Path) -> None:
    fields = {"a1": used(10_000), "a2": used(20_000), "a3": used(30_000)}
    plant(home, transcript("u1 a1 u2 a2 | a1 u3 a3", fields=fields))
    server.open(home)
    of = {
        leaf: [p["tokens"] for p in server.result("contextCurve", sessionId=A, leaf=leaf)["points"]]
        for leaf in (None, uuid("a2"))
    }
    assert of == {None: [10_000, 30_000], uuid("a2"): [10_000, 20_000]}
    refused = server.refusal("contextCurve", {"sessionId": A, "leaf": "nobody"})
    assert refused["data"]["kind"] == "unknownRecord"


def test_a_status_line_tells_the_window(
    server: ForkpointServer, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    kept = tmp_path / "caches" / "forkpoint" / "status-line"
    kept.mkdir(parents=True)
    said = {"session_id": A, "prompt_cache": {}, "context_window": {"context_window_size": 200_000}}
    (kept / f"{A}.json").write_text(json.dumps(said))
    plant(home, transcript("u1 a1", fields={"a1": used(50_000)}))
    with ForkpointServer(home) as own:
        own.open(home, statusLineCache=True)
        curve = own.result("contextCurve", sessionId=A, withText=True)
        assert curve["windowTokens"] == 200_000
        assert "50,000 at the end, 25% of a window of 200,000." in curve["text"]
        heights = [line.rstrip("█")[-1] + line[-1] for line in curve["text"].splitlines()[-9:-1]]
        assert heights == ["││"] * 6 + ["│█"] * 2
        own.open(home, statusLineCache=False)
        assert own.result("contextCurve", sessionId=A)["windowTokens"] is None


@pytest.mark.parametrize("home", RECORDED, ids=lambda home: home.name)
def test_curves_of_recordings_end_where_the_list_says(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    for session_id, row in server.listed().items():
        curve = server.result("contextCurve", sessionId=session_id)
        ends = {point["tokens"] for point in curve["points"]} | {
            compaction["tokensAfter"] for compaction in curve["compactions"]
        }
        assert row["contextTokens"] in ends | ({None} if not curve["points"] else set())
        assert len(curve["compactions"]) <= row["compactionCount"]


def test_a_home_that_lies_in_two_folders(server: ForkpointServer, tmp_path: Path) -> None:
    for name in ("68-usage-per-line", "73-usage-subagents"):
        shutil.copytree(CASES / name, tmp_path / name)
    folders = [tmp_path / "68-usage-per-line", tmp_path / "73-usage-subagents"]
    rows = usage(server, *folders, by=["session"])["rows"]
    assert Counter(row["both"]["responses"] for row in rows) == {2: 1, 3: 1}


# --- while transcripts are read ----------------------------------------------------------------


def test_sums_so_far_say_that_they_are(home: Path) -> None:
    plant(home, transcript("u1 a1"))
    plant(home, transcript("u2 a2"), B)
    catalog = Catalog([home])

    def asked() -> tuple[int, list[str]]:
        method = "forkpoint/usage"
        answer: Any = HANDLERS[method](catalog, decode_params(method, {}))
        sentences = [note.sentence for note in answer.notes if note.code == "indexing"]
        return answer.total.both.responses, sentences

    assert asked() == (0, ["These are sums so far: 2 of 2 transcripts are unread."])
    catalog.conversation(A)
    assert asked() == (1, ["These are sums so far: 1 of 2 transcripts are unread."])
    while catalog.index_next():
        pass
    assert asked() == (2, [])


def test_a_session_that_is_asked_about_is_read_for_it(home: Path) -> None:
    plant(home, transcript("u1 a1"))
    plant(home, transcript("u2 a2"), B)
    method = "forkpoint/usage"
    answer: Any = HANDLERS[method](Catalog([home]), decode_params(method, {"sessionId": B}))
    assert answer.total.both.responses == 1
