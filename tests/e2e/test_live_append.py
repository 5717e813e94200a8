"""A transcript that changes while the server runs: appended to, torn, replaced, cut short, gone."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import line, name_of, pointer, row, transcript, uuid
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.stdio_client import eventually
from tests.fixture_paths import CASES

SESSION = "5e551010-0000-4000-8000-000000000000"


@pytest.fixture
def path(home: Path) -> Path:
    """Where the session's transcript is to lie."""
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    return folder / f"{SESSION}.jsonl"


@pytest.fixture
def asked(server: ForkpointServer, home: Path) -> Iterator[ForkpointServer]:
    """The server, looking at the test's own folder."""
    yield server
    server.open(home.parent / "left")
    # What is still told of this folder comes before the answer: it is none of the next one's news.
    assert server.listed() == {}


def begin(server: ForkpointServer, path: Path, data: bytes) -> None:
    path.write_bytes(data)
    server.open(path.parents[2])
    assert len(server.listed()) == 1


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def path_of(server: ForkpointServer) -> str:
    """The active path as names of records."""
    entries = server.result("activePath", sessionId=SESSION)["entries"]
    return " ".join(name_of(entry["uuid"]) for entry in entries)


def row_of(server: ForkpointServer) -> Json:
    """The session's row as the list gives it right now."""
    [found] = server.result("sessions")["sessions"]
    return found


def test_every_answer_knows_what_was_appended(asked: ForkpointServer, path: Path) -> None:
    begin(asked, path, transcript("u1 a1"))
    append(path, transcript("| a1 u2 t2 r2 a2", start=60))
    assert path_of(asked) == "u1 a1 u2 t2 r2 a2"
    counts = row_of(asked)
    assert (counts["promptCount"], counts["responseCount"], counts["tip"]) == (2, 3, "complete")
    assert counts["sizeBytes"] == path.stat().st_size
    assert asked.result("branchTree", sessionId=SESSION)["total"] == 6
    assert asked.result("records", sessionId=SESSION)["total"] == 6
    assert asked.result("toolCalls", sessionId=SESSION)["total"] == 1


def test_the_list_alone_knows_it_too(asked: ForkpointServer, path: Path) -> None:
    begin(asked, path, transcript("u1 a1"))
    before = row_of(asked)
    append(path, transcript("| a1 u2", start=60))
    after = row_of(asked)
    assert (before["promptCount"], before["tip"]) == (1, "complete")
    assert (after["promptCount"], after["tip"]) == (2, "awaitingAnswer")
    assert after["updatedAt"] > before["updatedAt"]


def test_a_rewind_moves_the_leaf_and_leaves_a_branch(asked: ForkpointServer, path: Path) -> None:
    begin(asked, path, transcript("u1 a1 u2 a2 >a2"))
    append(path, transcript("| a1 u3", start=60))
    assert path_of(asked) == "u1 a1 u2 a2", "a pointer on another branch is obeyed"
    append(path, transcript("| u3 a3 >a3", start=70))
    assert path_of(asked) == "u1 a1 u3 a3"
    assert row_of(asked)["branchCount"] == 1
    labels = {s["label"]: s["active"] for s in branches(asked)}
    assert labels == {"u1": True, "u3": True, "u2": False}


def branches(server: ForkpointServer) -> list[Json]:
    return server.result("branchTree", sessionId=SESSION)["segments"]


def test_a_pointer_alone_moves_the_leaf(asked: ForkpointServer, path: Path) -> None:
    begin(asked, path, transcript("u1 a1 u2 a2 | a1 u3 a3"))
    assert path_of(asked) == "u1 a1 u3 a3"
    append(path, pointer("a2"))
    assert path_of(asked) == "u1 a1 u2 a2"
    assert asked.result("activePath", sessionId=SESSION)["leaf"]["rule"] == "pointer"


# --- torn lines --------------------------------------------------------------------------------


def test_case_32_step_by_step(server: ForkpointServer, tmp_path: Path) -> None:
    """A line torn in the middle of a four-byte character, then its rest."""
    home = tmp_path / "case"
    shutil.copytree(CASES / "32-partial-last-line", home)
    expected = json.loads((home / "expect.json").read_bytes())
    [(session_id, before)] = expected["sessions"].items()
    server.open(home)

    def state() -> Json:
        entries = server.result("activePath", sessionId=session_id)["entries"]
        [own] = server.result("health", sessionId=session_id)["sessions"]
        return {
            "active_path": [entry["uuid"] for entry in entries],
            "incomplete_tail_bytes": (own["tornTail"] or {"length": 0})["length"],
        }

    assert state() == {key: before[key] for key in ("active_path", "incomplete_tail_bytes")}
    for step in expected["steps"]:
        append(home / step["to"], (home / step["append"]).read_bytes())
        then = step["then"]
        assert state() == {key: then[key] for key in ("active_path", "incomplete_tail_bytes")}
        for uuid_, text in then["text_contains"].items():
            [record] = server.result("records", sessionId=session_id, uuids=[uuid_])["records"]
            assert text in record["blocks"][0]["text"]


def test_a_line_that_comes_byte_by_byte(asked: ForkpointServer, path: Path) -> None:
    begin(asked, path, transcript("u1 a1"))
    late = transcript("| a1 u2", start=60, fields={"u2": {"message": {"content": "größer 🙂"}}})
    start = path.stat().st_size
    for number, byte in enumerate(late):
        append(path, bytes([byte]))
        if number % 40 == 0:
            assert path_of(asked) == "u1 a1"
            [own] = asked.result("health", sessionId=SESSION)["sessions"]
            torn = own["tornTail"]
            assert (torn["offset"], torn["length"], torn["line"]) == (start, number + 1, 2)
            assert own["malformed"] == []
    assert path_of(asked) == "u1 a1 u2"
    [record] = asked.result("records", sessionId=SESSION, uuids=[uuid("u2")])["records"]
    assert record["blocks"] == [{"kind": "text", "text": "größer 🙂", "cutAt": None}]
    assert (record["raw"]["offset"], record["raw"]["length"]) == (start, len(late) - 1)


def test_a_whole_line_without_its_end_counts_once(asked: ForkpointServer, path: Path) -> None:
    whole = transcript("u1 a1 u2")
    begin(asked, path, whole.removesuffix(b"\n"))
    assert path_of(asked) == "u1 a1 u2"
    assert asked.result("records", sessionId=SESSION)["total"] == 3
    append(path, b"\n" + transcript("| u2 a2", start=60))
    assert path_of(asked) == "u1 a1 u2 a2"
    assert asked.result("records", sessionId=SESSION)["total"] == 4
    assert row_of(asked)["responseCount"] == 2


def test_a_torn_line_that_never_ends_is_malformed_once_another_follows(
    asked: ForkpointServer, path: Path
) -> None:
    """After a crash the client starts its next row on a new line (format, section 3)."""
    begin(asked, path, transcript("u1 a1") + b'{"type":"user","uuid":"hal')
    append(path, b"\n" + transcript("| a1 u2", start=60))
    [own] = asked.result("health", sessionId=SESSION)["sessions"]
    assert (own["tornTail"], [bad["ordinal"] for bad in own["malformed"]]) == (None, [2])
    assert path_of(asked) == "u1 a1 u2"


# --- replaced, cut short, gone -----------------------------------------------------------------


def test_a_file_cut_short_is_read_anew(asked: ForkpointServer, path: Path) -> None:
    begin(asked, path, transcript("u1 a1 u2 a2"))
    path.write_bytes(transcript("u1 a1"))
    assert path_of(asked) == "u1 a1"
    assert (row_of(asked)["promptCount"], branches(asked)[0]["recordCount"]) == (1, 2)


def test_another_file_in_its_place_is_read_anew(asked: ForkpointServer, path: Path) -> None:
    begin(asked, path, transcript("u1 a1 u2 a2"))
    beside = path.with_suffix(".new")
    beside.write_bytes(transcript("u7 a7 u8 a8 u9"))
    os.replace(beside, path)  # noqa: PTH105  # as programs do that write a file anew
    assert path_of(asked) == "u7 a7 u8 a8 u9"
    assert [segment["label"] for segment in branches(asked)] == ["u7"]
    assert row_of(asked)["promptCount"] == 3


def test_as_many_other_records_in_its_place_are_counted_anew(
    asked: ForkpointServer, path: Path
) -> None:
    begin(asked, path, transcript("u1 a1 u2 a2"))
    path.write_bytes(transcript("u1 a1 | - u8 | - u9"))
    assert (row_of(asked)["promptCount"], row_of(asked)["responseCount"]) == (3, 1)
    assert row_of(asked)["tip"] == "awaitingAnswer"


def test_a_file_that_vanished_is_refused_and_then_unknown(
    asked: ForkpointServer, path: Path
) -> None:
    begin(asked, path, transcript("u1 a1"))
    path.unlink()
    error = asked.refusal("activePath", {"sessionId": SESSION})
    assert (error["code"], error["data"]) == (-32001, {"kind": "unreadable"})
    assert error["message"] == "The transcript could not be read: it is no longer there."
    assert asked.result("sessions")["sessions"] == []
    error = asked.refusal("activePath", {"sessionId": SESSION})
    assert (error["code"], error["data"]) == (-32001, {"kind": "unknownSession"})
    path.write_bytes(transcript("u1 a1 u2"))
    assert path_of(asked) == "u1 a1 u2"


def test_a_session_that_comes_later_is_found(asked: ForkpointServer, path: Path) -> None:
    begin(asked, path, transcript("u1 a1"))
    other = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
    path.with_name(f"{other}.jsonl").write_bytes(transcript("u1 a1"))
    assert asked.result("activePath", sessionId=other)["total"] == 2
    assert {each["sessionId"] for each in asked.result("sessions")["sessions"]} == {SESSION, other}


def test_a_session_moved_to_another_project_is_followed(asked: ForkpointServer, path: Path) -> None:
    """`--worktree` and `/cd` move the file to another key (format, section 1)."""
    begin(asked, path, transcript("u1 a1"))
    elsewhere = path.parents[1] / "-home-dev-other"
    elsewhere.mkdir()
    path.rename(elsewhere / path.name)
    append(elsewhere / path.name, line(type="relocated", relocatedCwd="/home/dev/other"))
    moved = row_of(asked)
    assert (moved["project"]["key"], moved["project"]["cwd"]) == (
        "-home-dev-other",
        "/home/dev/other",
    )
    assert path_of(asked) == "u1 a1"


# --- subagents ---------------------------------------------------------------------------------


def test_a_flat_subagent_file_finds_its_session_once_it_is_not_empty(
    asked: ForkpointServer, path: Path
) -> None:
    """2.0.x put them beside the sessions: only their first record tells whose they are."""
    begin(asked, path, transcript("u1 a1"))
    agent = path.with_name("agent-a1b2c3d.jsonl")
    agent.touch()
    assert row_of(asked)["subagentCount"] == 0
    append(agent, line(**row("k1", None, 20, {"agentId": "a1b2c3d", "isSidechain": True})))
    assert row_of(asked)["subagentCount"] == 1
    assert asked.result("records", sessionId=SESSION, agentId="a1b2c3d")["total"] == 1


def test_what_a_subagent_appends_is_counted(asked: ForkpointServer, path: Path) -> None:
    agents = path.with_suffix("") / "subagents"
    agents.mkdir(parents=True)
    agent = agents / "agent-a1.jsonl"
    agent.write_bytes(transcript("k1"))
    begin(asked, path, transcript("u1 a1"))
    append(agent, transcript("k2", start=60))
    [found] = asked.result("subagents", sessionId=SESSION)["agents"]
    assert found["tokens"]["output"] == 10
    assert row_of(asked)["subagentTokens"]["output"] == 10


# --- news --------------------------------------------------------------------------------------


def test_changes_are_told(asked: ForkpointServer, path: Path) -> None:
    since = len(asked.heard)
    begin(asked, path, transcript("u1 a1"))
    wait_for_news(asked, "added", since)
    since = len(asked.heard)
    append(path, transcript("| a1 u2", start=60))
    path_of(asked)
    wait_for_news(asked, "changed", since)
    path.unlink()
    asked.result("sessions")
    wait_for_news(asked, "removed", since)


def wait_for_news(server: ForkpointServer, what: str, since: int) -> None:
    """Wait until a notification behind the first `since` messages names the session so."""

    def has_come() -> bool:
        news = [m for m in server.heard[since:] if m.get("method") == "forkpoint/didChangeCatalog"]
        return any(SESSION in message["params"][what] for message in news)

    eventually(has_come)
