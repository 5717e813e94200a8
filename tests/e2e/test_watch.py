"""A session that is followed: what is told when its transcript grows, and what is not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import (
    SESSION,
    Fields,
    call_block,
    line,
    pointer,
    row,
    transcript,
    uuid,
)
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.stdio_client import eventually
from tests.e2e.watching import Bell, Follower, append, is_news, knows, ordinals, place

OTHER = "9eefc671-6984-46c9-b5cd-3f811c4820a7"


@pytest.fixture
def path(home: Path) -> Path:
    """A session's transcript with a prompt and its answer."""
    path = place(home)
    path.write_bytes(transcript("u1 a1"))
    return path


@pytest.fixture
def asked(server: ForkpointServer, home: Path, path: Path) -> Iterator[ForkpointServer]:
    """The server, looking at the test's own folder."""
    server.open(home)
    yield server
    server.request("forkpoint/unwatch", {"sessionId": SESSION})
    server.open(home.parent / "left")


@pytest.fixture
def follower(asked: ForkpointServer) -> Follower:
    """What is told of the session, which is followed."""
    asked.result("watch", sessionId=SESSION)
    return Follower(asked)


def told(**fields: object) -> Json:
    """A notification about the session, as it is where nothing else is said."""
    usual: Json = {
        "sessionId": SESSION,
        "agentId": None,
        "firstNew": None,
        "lastNew": None,
        "reread": False,
        "gone": False,
        "leafMoved": False,
        "leaf": uuid("a1"),
        "tip": "complete",
        "running": [],
        "newBranch": False,
        "checkpointFiles": [],
        "live": None,
    }
    return {**usual, **fields}


# --- asking to follow --------------------------------------------------------------------------


def test_watching_tells_where_the_session_stands(asked: ForkpointServer) -> None:
    assert asked.result("watch", sessionId=SESSION) == {
        "total": 2,
        "leaf": uuid("a1"),
        "tip": "complete",
        "running": [],
        "live": None,
    }


def test_watching_tells_what_runs(asked: ForkpointServer, path: Path) -> None:
    append(path, editing("| a1 u2 t1"))
    [call] = asked.result("toolCalls", sessionId=SESSION)["calls"]
    assert asked.result("watch", sessionId=SESSION) == {
        "total": 4,
        "leaf": uuid("t1"),
        "tip": "toolRunningOrLost",
        "running": [running(call["summary"])],
        "live": None,
    }


def editing(text: str, start: float = 20) -> bytes:
    """Rows of which t1 edits a file."""
    block = call_block("1", "Edit", file_path="/home/dev/shop/src/a.py", old_string="a")
    return transcript(text, start=start, fields={"t1": {"message": {"content": [block]}}})


def running(summary: str) -> Json:
    file = "file:///home/dev/shop/src/a.py"
    return {
        "toolUseId": "call_1",
        "name": "Edit",
        "file": file,
        "summary": summary,
        "inBackground": False,
    }


@pytest.mark.parametrize("method", ["watch", "unwatch"])
def test_a_session_that_is_not_there(asked: ForkpointServer, method: str) -> None:
    error = asked.refusal(method, {"sessionId": OTHER})
    assert (error["code"], error["data"]) == (-32001, {"kind": "unknownSession"})
    assert error["message"] == f"There is no session {OTHER}."


@pytest.mark.parametrize("params", [{}, {"sessionId": None}, {"sessionId": 7}, None])
@pytest.mark.parametrize("method", ["watch", "unwatch"])
def test_parameters_that_do_not_fit(asked: ForkpointServer, method: str, params: object) -> None:
    assert asked.refusal(method, params)["code"] == -32602


def test_nothing_is_told_of_a_session_that_nobody_follows(
    asked: ForkpointServer, home: Path, path: Path
) -> None:
    bell = Bell(asked, home)
    follower = Follower(asked)
    append(path, transcript("| a1 u2", start=20))
    bell.ring()
    assert follower.all() == []


def test_nothing_is_told_once_it_is_followed_no_longer(
    asked: ForkpointServer, follower: Follower, home: Path, path: Path
) -> None:
    bell = Bell(asked, home)
    append(path, transcript("| a1 u2", start=20))
    follower.next()
    assert asked.result("unwatch", sessionId=SESSION) == {"sessionId": SESSION}
    assert asked.result("unwatch", sessionId=SESSION) == {"sessionId": SESSION}
    follower.begin_anew()
    append(path, transcript("| u2 a2", start=30))
    bell.ring()
    assert follower.all() == []


def test_who_follows_twice_is_told_once_and_lets_go_once(
    asked: ForkpointServer, follower: Follower, home: Path, path: Path
) -> None:
    bell = Bell(asked, home)
    assert asked.result("watch", sessionId=SESSION)["total"] == 2
    append(path, transcript("| a1 u2", start=20))
    bell.ring()
    assert [(one["firstNew"], one["lastNew"]) for one in follower.all()] == [(2, 2)]
    assert asked.result("unwatch", sessionId=SESSION) == {"sessionId": SESSION}
    assert asked.result("unwatch", sessionId=SESSION) == {"sessionId": SESSION}


def test_an_id_in_capitals_is_the_same_session(
    asked: ForkpointServer, home: Path, path: Path
) -> None:
    assert asked.result("watch", sessionId=SESSION.upper())["total"] == 2
    follower = Follower(asked)
    append(path, transcript("| a1 u2", start=20))
    assert follower.next()["lastNew"] == 2
    assert asked.result("unwatch", sessionId=SESSION) == {"sessionId": SESSION}


# --- what is told ------------------------------------------------------------------------------


def test_a_prompt_moves_the_leaf(follower: Follower, path: Path) -> None:
    append(path, transcript("| a1 u2", start=20))
    assert follower.next() == told(
        firstNew=2, lastNew=2, leafMoved=True, leaf=uuid("u2"), tip="awaitingAnswer"
    )


def test_a_call_runs_until_its_result_is_there(
    asked: ForkpointServer, follower: Follower, path: Path
) -> None:
    append(path, editing("| a1 u2 t1"))
    first = follower.next()
    [call] = asked.result("toolCalls", sessionId=SESSION)["calls"]
    assert first == told(
        firstNew=2,
        lastNew=3,
        leafMoved=True,
        leaf=uuid("t1"),
        tip="toolRunningOrLost",
        running=[running(call["summary"])],
    )
    follower.begin_anew()
    append(path, transcript("| t1 r1", start=40))
    assert follower.next() == told(
        firstNew=4, lastNew=4, leafMoved=True, leaf=uuid("r1"), tip="stoppedAfterTool"
    )


def test_of_parallel_calls_those_run_that_have_no_result(follower: Follower, path: Path) -> None:
    append(path, transcript("| a1 u2 t1+t2 r1", start=20))
    assert [call["toolUseId"] for call in follower.next()["running"]] == ["call_2"]
    follower.begin_anew()
    append(path, transcript("r2", start=90))
    assert follower.next()["running"] == []


def test_another_answer_to_the_same_place_is_a_branch(follower: Follower, path: Path) -> None:
    append(path, transcript("| a1 u2 a2", start=20))
    assert follower.next()["newBranch"] is False
    follower.begin_anew()
    append(path, transcript("| a1 u3 a3", start=60))
    assert follower.next() == told(
        firstNew=4, lastNew=5, leafMoved=True, leaf=uuid("a3"), newBranch=True
    )
    follower.begin_anew()
    append(path, transcript("| a1 u4", start=90))
    assert follower.next()["newBranch"] is True, "the branch point has one way more"


def test_a_pointer_alone_moves_the_leaf_and_is_a_record(follower: Follower, path: Path) -> None:
    append(path, transcript("| a1 u2 a2 | a1 u3 a3", start=20))
    follower.next()
    follower.begin_anew()
    append(path, pointer("a2"))
    assert follower.next() == told(firstNew=6, lastNew=6, leafMoved=True, leaf=uuid("a2"))


def test_going_back_before_the_first_prompt_leaves_no_leaf(follower: Follower, path: Path) -> None:
    """Seen from 2.1.332: an explicit pointer at null begins the conversation anew."""
    append(path, pointer("null", explicit=True))
    assert follower.next() == told(firstNew=2, lastNew=2, leafMoved=True, leaf=None, tip="empty")


def test_a_state_line_is_a_new_record_that_moves_nothing(follower: Follower, path: Path) -> None:
    append(path, line(type="custom-title", customTitle="Boots", sessionId=SESSION))
    assert follower.next() == told(firstNew=2, lastNew=2)


def test_a_malformed_line_is_a_new_record(follower: Follower, path: Path) -> None:
    append(path, b"{oops\n")
    assert follower.next() == told(firstNew=2, lastNew=2)


def test_files_whose_state_is_kept(follower: Follower, path: Path) -> None:
    append(path, transcript("| a1 u2 !u2(src/a.py@1,b.py@1-)", start=20))
    files = ["file:///home/dev/shop/b.py", "file:///home/dev/shop/src/a.py"]
    first = follower.next()
    assert sorted(first["checkpointFiles"]) == files
    assert (first["firstNew"], first["lastNew"]) == (2, 3)
    follower.begin_anew()
    append(path, transcript("| u2 a2 +u2(c.py@1)", start=40))
    assert follower.next()["checkpointFiles"] == ["file:///home/dev/shop/c.py"]


def test_the_list_is_told_of_it_too(asked: ForkpointServer, follower: Follower, path: Path) -> None:
    asked.listed()
    since = len(asked.heard)
    append(path, transcript("| a1 u2", start=20))
    eventually(lambda: is_news(asked, SESSION, since))
    follower.next()


# --- lines that are not whole, and nothing -----------------------------------------------------


def test_a_torn_line_is_told_once_when_its_rest_is_there(
    asked: ForkpointServer, follower: Follower, home: Path, path: Path
) -> None:
    bell = Bell(asked, home)
    fields: dict[str, Fields] = {"u2": {"message": {"content": "größer 🙂"}}}
    late = transcript("| a1 u2", start=20, fields=fields)
    middle = late.index("🙂".encode()) + 2
    append(path, late[:middle])
    bell.ring()
    assert follower.all() == []
    append(path, late[middle:])
    bell.ring()
    assert follower.all() == [
        told(firstNew=2, lastNew=2, leafMoved=True, leaf=uuid("u2"), tip="awaitingAnswer")
    ]


def test_a_record_whose_line_has_no_end_yet_is_told_once(
    asked: ForkpointServer, follower: Follower, home: Path, path: Path
) -> None:
    bell = Bell(asked, home)
    append(path, transcript("| a1 u2", start=20)[:-1])
    assert (follower.next()["firstNew"], follower.next()["leaf"]) == (2, uuid("u2"))
    append(path, b"\n")
    bell.ring()
    assert len(follower.all()) == 1
    append(path, transcript("| u2 a2", start=40))
    bell.ring()
    assert ordinals(follower.all()) == [2, 3]


def test_nothing_is_told_of_nothing(
    asked: ForkpointServer, follower: Follower, home: Path, path: Path
) -> None:
    bell = Bell(asked, home)
    append(path, b"")
    append(path, b"\n \t\r\n")
    bell.ring()
    os.utime(path)
    bell.ring()
    with path.open("r+b") as file:
        file.write(path.read_bytes()[:1])
    bell.ring()
    path.chmod(0o600)
    with path.open("rb") as file:
        file.read()
    bell.ring()
    assert follower.all() == []
    append(path, transcript("| a1 u2", start=20))
    assert (follower.next()["firstNew"], follower.next()["lastNew"]) == (2, 2)


# --- much at once ------------------------------------------------------------------------------

LINES = 1_000
HANDFUL = 15


def test_a_thousand_lines_make_a_handful_of_notifications(follower: Follower, path: Path) -> None:
    prompts = [f"u{number}" for number in range(2, LINES + 2)]
    lines = transcript(f"| a1 {' '.join(prompts)}", start=20).splitlines(keepends=True)
    assert len(lines) == LINES
    with path.open("ab", buffering=0) as file:
        for each in lines:
            file.write(each)
    told = follower.until(lambda told: bool(told) and told[-1]["lastNew"] == LINES + 1)
    assert ordinals(told) == list(range(2, LINES + 2)), "no gap, none twice"
    assert len(told) <= HANDFUL
    assert all(one["leafMoved"] for one in told)
    assert [one["leaf"] for one in told] == [uuid(f"u{one['lastNew']}") for one in told]


# --- subagents ---------------------------------------------------------------------------------


def test_a_subagent_is_told_by_its_id(
    asked: ForkpointServer, follower: Follower, home: Path, path: Path
) -> None:
    bell = Bell(asked, home)
    agents = path.with_suffix("") / "subagents"
    agents.mkdir(parents=True)
    agent = agents / "agent-a1b2c3.jsonl"
    agent.write_bytes(of_agent("k1"))
    told = follower.until(bool, "a1b2c3")
    assert ordinals(told) == [0, 1]
    assert told[-1]["leaf"] == uuid("k1.a")
    bell.ring()
    follower.begin_anew()
    append(agent, line(**row("k2", "k1.a", 90, {"agentId": "a1b2c3"})))
    first = follower.next("a1b2c3")
    assert (first["firstNew"], first["lastNew"], first["reread"], first["gone"]) == (
        2,
        2,
        False,
        False,
    )
    assert (first["leafMoved"], first["leaf"], first["live"]) == (True, uuid("k2"), None)
    bell.ring()
    assert follower.told() == [], "its session's own transcript did not change"
    assert knows(asked, SESSION)


def of_agent(text: str) -> bytes:
    fields: dict[str, Fields] = {
        name: {"agentId": "a1b2c3"} for word in text.split() for name in (word, f"{word}.a")
    }
    return transcript(text, fields=fields)


def test_a_subagent_of_the_session_that_was_there_before(
    asked: ForkpointServer, home: Path, path: Path
) -> None:
    agent = path.with_suffix("") / "subagents" / "workflows" / "run1" / "agent-a1b2c3.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(of_agent("k1"))
    asked.listed()
    asked.result("watch", sessionId=SESSION)
    follower = Follower(asked)
    append(agent, line(**row("k2", "k1.a", 90, {"agentId": "a1b2c3"})))
    assert ordinals([follower.next("a1b2c3")]) == [2]
