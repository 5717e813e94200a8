"""`forkpoint/toolCalls` over the wire, against the calls and results that stand in the files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fixtures.demo.prepare import Demo
from forkpoint.protocol.uri import file_uri, path_of
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.recordings import rows, transcripts
from tests.fixture_paths import REAL

RECORDED = sorted(REAL.iterdir())
EDITS = "b2e74b0a-2716-490d-ba01-54a73887314f"


def blocks(path: Path, kind: str) -> list[tuple[Json, Json]]:
    """(row, block) of all content blocks of a kind, in file order."""
    found: list[tuple[Json, Json]] = []
    for row in rows(path):
        content = (row.get("message") or {}).get("content")
        if row.get("type") in ("user", "assistant") and isinstance(content, list):
            found += [(row, block) for block in content if block.get("type") == kind]
    return found


def expected_state(result: tuple[Json, Json] | None) -> set[str]:
    """What a call's state may be, by its result alone."""
    if result is None:
        return {"pending"}
    row, block = result
    if row.get("toolDenialKind"):
        return {"denied", "interrupted"}
    return {"error", "interrupted"} if block.get("is_error") else {"ok", "interrupted"}


@pytest.mark.parametrize("home", RECORDED, ids=lambda home: home.name)
def test_every_call_is_listed_with_its_end(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    for transcript in transcripts(home):
        results = {
            block["tool_use_id"]: (row, block)
            for row, block in blocks(transcript.path, "tool_result")
        }
        calls: dict[str, tuple[Json, Json]] = {}
        for row, block in blocks(transcript.path, "tool_use"):
            calls.setdefault(block["id"], (row, block))
        listed = server.result("toolCalls", **transcript.reference)
        assert listed["total"] == len(calls)
        assert [
            (call["toolUseId"], call["name"], call["uuid"], call["at"]) for call in listed["calls"]
        ] == [
            (call_id, block["name"], row["uuid"], row["timestamp"])
            for call_id, (row, block) in calls.items()
        ]
        for call in listed["calls"]:
            assert call["state"] in expected_state(results.get(call["toolUseId"]))


@pytest.mark.parametrize(
    ("situation", "states"),
    [
        ("b_edits", ["ok"] * 11),
        ("d1_esc_mid_tool", ["ok", "ok", "denied"]),
        ("d3_kill_mid_tool", ["ok", "ok", "pending"]),
    ],
)
def test_how_calls_ended(server: ForkpointServer, situation: str, states: list[str]) -> None:
    """Edited; Esc while a command ran, which the client writes as a denial; killed meanwhile."""
    server.open(REAL / situation)
    [transcript] = transcripts(REAL / situation)
    calls = server.result("toolCalls", **transcript.reference)["calls"]
    assert [call["state"] for call in calls] == states


def summaries(calls: list[Json]) -> list[str]:
    return [f"{call['name']} {Path(path_of(call['files'][0])).name}" for call in calls]


def test_calls_on_one_file(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    uri = file_uri(str(demo.workspace / "cart.py"))
    answer = server.result("toolCalls", sessionId=EDITS, file=uri)
    # Rounded, a docstring added, read again after a change by hand, the discount used.
    work = ["Read cart.py", "Edit cart.py", "Edit cart.py", "Read cart.py", "Edit cart.py"]
    assert summaries(answer["calls"]) == work
    assert answer["total"] == 5
    encoded = uri.replace("cart.py", "c%61rt.py")
    assert server.result("toolCalls", sessionId=EDITS, file=encoded) == answer
    missing = server.result("toolCalls", sessionId=EDITS, file="file:///nowhere/cart.py")
    assert missing == {"calls": [], "total": 0}


def test_pages_of_calls(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    whole = server.result("toolCalls", sessionId=EDITS)["calls"]
    assert list(server.pages("toolCalls", "calls", 4, sessionId=EDITS)) == whole


def test_which_calls_lie_on_the_active_path(server: ForkpointServer, demo: Demo) -> None:
    """The newest demo session went back behind two of its edits."""
    server.open(demo.config_dir)
    calls = server.result("toolCalls", sessionId="3ee8f041-aad2-49f1-a9be-9676af30b1e7")["calls"]
    marks: dict[str, list[Any]] = {}
    for call in calls:
        marks.setdefault(summaries([call])[0], []).append(call["onActivePath"])
    assert marks == {
        "Read cart.py": [True],
        "Edit cart.py": [True],
        "Read tax.py": [False],
        "Edit tax.py": [False],
        "Write discount.py": [False],
        "Read README.md": [True],
        "Edit README.md": [True],
    }


def test_a_call_names_the_subagent_it_started(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    session_id = "9fdc6163-1dc6-4c5a-84c4-a01d297a94e3"
    calls = server.result("toolCalls", sessionId=session_id)["calls"]
    [call] = [call for call in calls if call["subagent"]]
    assert (call["name"], call["subagent"]) == ("Agent", {"agentId": "a1179cc1ea4db2add"})
    of_agent = server.result("toolCalls", sessionId=session_id, **call["subagent"])["calls"]
    assert of_agent
    assert all(each["onActivePath"] for each in of_agent)
