"""`forkpoint/cacheHistory` over the wire, against the numbers that stand in the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.recordings import rows, transcripts
from tests.fixture_paths import CASES, REAL

RECORDED = sorted(REAL.iterdir())
CACHE_CASES = sorted(
    path.parent
    for path in CASES.glob("*/expect.json")
    if json.loads(path.read_bytes())["group"] == "cache"
)
assert len(CACHE_CASES) == 3


def answers(path: Path, *, of_agent: bool) -> dict[str, Json]:
    """The last row of each answer of the model, by message id; copies of a fork left out."""
    found: dict[str, Json] = {}
    for row in rows(path):
        message: Json = row.get("message") or {}
        is_answer = row.get("type") == "assistant" and message.get("model") != "<synthetic>"
        is_copy = "forkedFrom" in row
        if is_answer and not is_copy and (of_agent or not row.get("isSidechain")):
            found[message["id"]] = row
    return found


def numbers(row: Json) -> tuple[int, ...]:
    usage = row["message"]["usage"]
    names = ("input_tokens", "cache_read_input_tokens", "output_tokens")
    return *(usage[name] for name in names), usage["cache_creation_input_tokens"]


@pytest.mark.parametrize("home", RECORDED, ids=lambda home: home.name)
def test_every_answer_is_listed_with_its_numbers(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    for transcript in transcripts(home):
        history = server.result("cacheHistory", **transcript.reference)
        written = ("cacheWrite5m", "cacheWrite1h")
        listed = {
            request["messageId"]: (
                *(request[name] for name in ("input", "cacheRead", "output")),
                sum(request[name] for name in written),
            )
            for request in history["requests"]
        }
        found = answers(transcript.path, of_agent=transcript.agent_id is not None)
        assert listed == {message_id: numbers(row) for message_id, row in found.items()}


@pytest.mark.parametrize("home", CACHE_CASES, ids=lambda home: home.name)
def test_cases_break_where_they_say(server: ForkpointServer, home: Path) -> None:
    expected = json.loads((home / "expect.json").read_bytes())["cache"]
    server.open(home)
    for session_id, verdicts in expected.items():
        history = server.result("cacheHistory", sessionId=session_id)
        verdict_of = {verdict["record"]: verdict["verdict"] for verdict in verdicts}
        first, *others = history["requests"]
        assert first["break"] is None
        assert {
            request["uuid"]: request["break"] and request["break"]["expected"] for request in others
        } == {
            uuid: None
            if verdict == "hit"
            else verdict == "expected-miss" or is_model(verdicts, uuid)
            for uuid, verdict in verdict_of.items()
        }


def is_model(verdicts: list[Json], uuid: str) -> bool:
    """A change of the model was asked for, too."""
    return {"record": uuid, "verdict": "miss", "reason": "model"} in verdicts


def test_a_whole_answer(server: ForkpointServer) -> None:
    """Case 74: 41,600 tokens written at 6.00 a million, of which 40,905 might have been read."""
    server.open(CASES / "74-cache-miss-after-resume")
    history = server.result("cacheHistory", sessionId="4b3ad83f-c566-4008-9f4d-4fb2e3340e47")
    lost = 59_282 + 900 + 5 - 19_282
    premium = pytest.approx(lost * (6.00 - 0.30) / 1e6)
    assert history["requests"][2] == {
        "messageId": "msg_017762ed686abe90b10b1093",
        "uuid": "35b8fe2b-2f63-4832-9747-ffa67943c57b",
        "ordinal": 6,
        "at": "2026-09-01T09:00:51.000Z",
        "model": "claude-sonnet-4-5-20250929",
        "ttl": "1h",
        "input": 6,
        "cacheRead": 19282,
        "cacheWrite5m": 0,
        "cacheWrite1h": 41600,
        "output": 70,
        "costUsd": pytest.approx((6 * 3 + 19282 * 0.3 + 41600 * 6 + 70 * 15) / 1e6),
        "break": {
            "lostTokens": lost,
            "costUsd": premium,
            "cause": "unknown",
            "certainty": "unknowable",
            "expected": False,
            "sentence": "Nothing recorded says why; each start of this version builds the prompt"
            " anew: about 41k tokens were sent anew.",
        },
    }
    assert history["totals"] == {
        "tokens": {
            "input": 21,
            "output": 210,
            "cacheRead": 19282 + 59282 + 19282 + 60882,
            "cacheWrite5m": 0,
            "cacheWrite1h": 40000 + 900 + 41600 + 400,
        },
        "costUsd": pytest.approx((21 * 3 + 158728 * 0.3 + 82900 * 6 + 210 * 15) / 1e6),
        "expected": {"count": 0, "lostTokens": 0, "costUsd": 0},
        "avoidable": {"count": 1, "lostTokens": lost, "costUsd": premium},
    }


def test_what_a_fork_copied_is_not_its_own(server: ForkpointServer) -> None:
    """f1_branch: the fork made one request itself, and read all that its original had written."""
    home = REAL / "f1_branch"
    server.open(home)
    for transcript in transcripts(home):
        server.result("cacheHistory", **transcript.reference)
    tokens = {
        session_id: server.result("cacheHistory", sessionId=session_id)["totals"]["tokens"]
        for session_id in {transcript.session_id for transcript in transcripts(home)}
    }
    own = {session_id: row["tokens"] for session_id, row in server.listed().items()}
    assert tokens == own
