"""Asking, following and growing at the same time: what is told and what is answered fit."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.builders import SESSION, transcript, uuid
from tests.e2e.forkpoint_server import ForkpointServer, Json, end
from tests.e2e.stdio_client import eventually
from tests.e2e.watching import Follower, append, news, place

LINES = 2_000


@pytest.fixture
def path(home: Path) -> Path:
    path = place(home)
    path.write_bytes(transcript("u1"))
    return path


@pytest.fixture
def alone(home: Path, path: Path) -> Iterator[ForkpointServer]:
    """A server of the test's own."""
    with ForkpointServer(home) as server:
        yield server
        end(server)


@contextmanager
def growing(path: Path, lines: list[bytes], pause: float) -> Iterator[threading.Event]:
    """Append line by line meanwhile; the event says that it is done."""
    done, ended = threading.Event(), threading.Event()

    def write() -> None:
        with path.open("ab", buffering=0) as file:
            for each in lines:
                file.write(each)
                if ended.wait(pause):
                    return
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield done
    finally:
        ended.set()
        writer.join()


def prompts(count: int) -> list[bytes]:
    names = " ".join(f"u{number}" for number in range(2, count + 2))
    return transcript(f"| u1 {names}", start=20).splitlines(keepends=True)


def test_what_is_told_goes_on_from_what_was_answered(alone: ForkpointServer, path: Path) -> None:
    """A client that takes every message in the order it came in never misses a record."""
    alone.listed()
    asked: set[object] = set()
    with growing(path, prompts(LINES), 0.001) as done:
        while not done.is_set():
            asked.add(alone.ask("forkpoint/watch", {"sessionId": SESSION}))
            done.wait(0.003)
    follower = Follower(alone)
    last = alone.ask("forkpoint/watch", {"sessionId": SESSION})
    assert alone.answer(last)["result"]["total"] == LINES + 1
    append(path, transcript(f"| u{LINES + 1} a1", start=5))
    follower.until(lambda told: bool(told) and told[-1]["lastNew"] == LINES + 1)
    assert gaps(alone, {*asked, last}) == []


def gaps(server: ForkpointServer, asked: set[object]) -> list[str]:
    """Where a notification does not go on from what the messages before it said."""
    known: int | None = None
    found: list[str] = []
    for message in server.heard:
        if message.get("id") in asked and "result" in message:
            known = message["result"]["total"]
        elif message.get("method") == "forkpoint/didChangeSession":
            told: Json = message["params"]
            if told["firstNew"] is not None:
                if told["firstNew"] != known:
                    found.append(f"{told['firstNew']}..{told['lastNew']} told at {known}")
                known = told["lastNew"] + 1
    return found


def test_questions_meanwhile_take_nothing_from_what_is_told(
    alone: ForkpointServer, path: Path
) -> None:
    alone.listed()
    assert alone.result("watch", sessionId=SESSION)["total"] == 1
    follower = Follower(alone)
    with growing(path, prompts(LINES), 0.0005) as done:
        while not done.is_set():
            alone.result("sessions")
            alone.result("activePath", sessionId=SESSION, limit=1)
            alone.result("records", sessionId=SESSION, offset=0, limit=1)
    told = follower.until(lambda told: bool(told) and told[-1]["lastNew"] == LINES)
    spans = [(one["firstNew"], one["lastNew"]) for one in told if one["firstNew"] is not None]
    assert [first for first, _ in spans] == [1, *(last + 1 for _, last in spans[:-1])]


def test_answers_are_never_behind_what_was_told(alone: ForkpointServer, path: Path) -> None:
    alone.listed()
    alone.result("watch", sessionId=SESSION)
    with growing(path, prompts(LINES), 0.0005) as done:
        while not done.is_set():
            told = [m for m in alone.heard if m.get("method") == "forkpoint/didChangeSession"]
            total = alone.result("records", sessionId=SESSION, offset=0, limit=1)["total"]
            assert not told or told[-1]["params"]["lastNew"] < total


def test_what_comes_while_the_server_starts_is_told(home: Path, path: Path) -> None:
    """Between the first listing and the moment from which the system tells of changes."""
    with ForkpointServer(home) as server:
        assert server.result("watch", sessionId=SESSION)["total"] == 1
        follower = Follower(server)
        append(path, transcript("| u1 a1", start=20))
        assert follower.until(bool)[-1]["leaf"] == uuid("a1")
        end(server)


def test_a_folder_put_in_the_place_of_another_at_once(
    alone: ForkpointServer, home: Path, path: Path
) -> None:
    """Faster than anyone looks whether folders came or went."""
    alone.listed()
    alone.result("watch", sessionId=SESSION)
    follower = Follower(alone)
    other = home.parent / "other"
    place(other).write_bytes(transcript("u7 a7"))
    (home / "projects").rename(home.parent / "away")
    (other / "projects").rename(home / "projects")
    follower.until(lambda told: bool(told) and told[-1]["leaf"] == uuid("a7"))
    append(path, transcript("| a7 u8", start=60))
    follower.until(lambda told: told[-1]["leaf"] == uuid("u8"))
    shutil.rmtree(home / "projects")
    place(home).write_bytes(transcript("u3"))
    follower.until(lambda told: told[-1]["leaf"] == uuid("u3"))
    append(path, transcript("| u3 a3", start=60))
    follower.until(lambda told: told[-1]["leaf"] == uuid("a3"))


def test_many_new_folders_at_once(alone: ForkpointServer, home: Path) -> None:
    """A folder is watched only some time after it was made: nothing made meanwhile is lost."""
    alone.listed()
    ids = [f"{number:08}-0000-4000-8000-000000000000" for number in range(200)]
    for number, session_id in enumerate(ids):
        place(home, session_id, f"-home-dev-{number % 50}").write_bytes(transcript("u1"))
        agent = place(home, session_id, f"-home-dev-{number % 50}").with_suffix("") / "subagents"
        agent.mkdir(parents=True)
        (agent / "agent-a1b2c3.jsonl").write_bytes(transcript("k1"))
    eventually(lambda: news(alone)["added"] >= {*ids})
    for session_id in ids[::20]:
        alone.result("watch", sessionId=session_id)
        number = int(session_id[:8])
        main = place(home, session_id, f"-home-dev-{number % 50}")
        follower = Follower(alone, session_id)
        append(main, transcript("| u1 a1", start=20))
        assert follower.until(bool)[-1]["leaf"] == uuid("a1")
        agent = main.with_suffix("") / "subagents" / "agent-a1b2c3.jsonl"
        append(agent, transcript("k2", start=20))
        assert follower.until(bool, "a1b2c3")[-1]["lastNew"] == 3


def test_a_home_reached_by_links(home: Path, tmp_path: Path) -> None:
    """`projects` may be a link to another disk, and the config folder itself, too."""
    elsewhere = tmp_path / "elsewhere"
    path = place(elsewhere)
    path.write_bytes(transcript("u1"))
    (home / "projects").symlink_to(elsewhere / "projects")
    linked = tmp_path / "linked"
    linked.symlink_to(home)
    with ForkpointServer(linked) as server:
        server.listed()
        server.result("watch", sessionId=SESSION)
        follower = Follower(server)
        append(path, transcript("| u1 a1", start=20))
        assert follower.until(bool)[-1]["leaf"] == uuid("a1")
        end(server)
