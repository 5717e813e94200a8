"""Where the system tells nothing of files, or is not to be asked: looking again and again, or not.

Each of these servers has options of its own, so each is a process of its own.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders import SESSION, line, row, transcript, uuid
from tests.e2e.forkpoint_server import FORKPOINT, ForkpointServer, end
from tests.e2e.stdio_client import StdioClient, eventually
from tests.e2e.watching import Bell, Follower, append, knows, news, ordinals, place

OTHER = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
LINES = 1_000


@pytest.fixture
def path(home: Path) -> Path:
    path = place(home)
    path.write_bytes(transcript("u1 a1"))
    return path


def serving(home: Path, **options: object) -> ForkpointServer:
    return ForkpointServer(home, options=options)


# --- polling -----------------------------------------------------------------------------------


@pytest.fixture
def polling(home: Path, path: Path) -> Iterator[ForkpointServer]:
    with serving(home, watch="poll") as server:
        yield server
        end(server)


def test_polling_tells_the_same(polling: ForkpointServer, home: Path, path: Path) -> None:
    bell = Bell(polling, home)
    assert polling.result("watch", sessionId=SESSION)["total"] == 2
    follower = Follower(polling)
    append(path, transcript("| a1 u2", start=20))
    first = follower.next()
    assert (first["firstNew"], first["lastNew"]) == (2, 2)
    assert (first["leafMoved"], first["leaf"], first["tip"]) == (True, uuid("u2"), "awaitingAnswer")
    bell.ring()
    assert len(follower.all()) == 1

    agent = path.with_suffix("") / "subagents" / "agent-a1b2c3.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(line(**row("k1", None, 30, {"agentId": "a1b2c3"})))
    assert ordinals(follower.until(bool, "a1b2c3")) == [0]

    follower.begin_anew()
    lines = transcript(" ".join(["| u2", *(f"u{n}" for n in range(3, LINES + 3))]), start=40)
    with path.open("ab", buffering=0) as file:
        for each in lines.splitlines(keepends=True):
            file.write(each)
    told = follower.until(lambda told: bool(told) and told[-1]["lastNew"] == LINES + 2)
    assert ordinals(told) == list(range(3, LINES + 3))

    follower.begin_anew()
    path.unlink()
    assert follower.until(bool)[-1]["gone"] is True

    polling.result("unwatch", sessionId=SESSION)
    follower.begin_anew()
    path.write_bytes(transcript("u1 a1"))
    bell.ring()
    assert follower.all() == []


def test_polling_finds_new_sessions(polling: ForkpointServer, home: Path) -> None:
    eventually(lambda: SESSION in news(polling)["added"])
    place(home, OTHER, "-home-dev-later").write_bytes(transcript("u1"))
    eventually(lambda: OTHER in news(polling)["added"])


# --- not at all --------------------------------------------------------------------------------


@pytest.mark.parametrize("off", [False, "off"], ids=["false", "off"])
def test_without_watching_answers_are_fresh_all_the_same(
    home: Path, path: Path, off: object
) -> None:
    with serving(home, watch=off) as server:
        server.listed()
        assert server.result("watch", sessionId=SESSION)["total"] == 2
        follower = Follower(server)
        append(path, transcript("| a1 u2", start=20))
        other = place(home, OTHER, "-home-dev-later")
        other.write_bytes(transcript("u1"))
        # Others tell within milliseconds, or within seconds where they look for themselves.
        with pytest.raises(AssertionError, match="nothing fitting came"):
            server.wait_for(lambda m: m.get("method") == "forkpoint/didChangeSession", 3)
        assert follower.all() == []
        assert OTHER not in news(server)["added"]
        assert server.result("activePath", sessionId=SESSION)["leaf"]["uuid"] == uuid("u2")
        rows = {row["sessionId"]: row for row in server.result("sessions")["sessions"]}
        assert (rows[SESSION]["tip"], OTHER in rows) == ("awaitingAnswer", True)
        other.unlink()
        assert [row["sessionId"] for row in server.result("sessions")["sessions"]] == [SESSION]
        end(server)


# --- settings ----------------------------------------------------------------------------------


def test_what_no_one_can_mean_is_said_and_left_out(home: Path, path: Path) -> None:
    with serving(home, watch="sometimes") as server:
        said = server.wait_for(lambda m: m.get("method") == "window/showMessage")
        assert "forkpoint.watch" in said["params"]["message"]
        assert watches(server, path)
        end(server)


def watches(server: ForkpointServer, path: Path) -> bool:
    """Whether one more line is told."""
    server.result("watch", sessionId=SESSION)
    follower = Follower(server)
    append(path, transcript("| a1 u2", start=20))
    return follower.until(bool)[-1]["leaf"] == uuid("u2")


def test_the_way_can_be_changed_while_it_runs(home: Path, path: Path) -> None:
    with serving(home, watch="off") as server:
        for way, name in [("poll", "u2"), (True, "u3"), ("poll", "u4")]:
            server.open(home, watch=way)
            server.result("watch", sessionId=SESSION)
            follower = Follower(server)
            append(path, transcript(f"| a1 {name}", start=20))
            assert follower.until(bool)[-1]["leaf"] == uuid(name)
        end(server)


# --- what is not there yet ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "there"),
    [(True, "nothing"), (True, "root"), (True, "projects"), ("poll", "nothing")],
)
def test_a_folder_that_comes_after_the_start(tmp_path: Path, way: object, there: str) -> None:
    home = tmp_path / "some" / "where"
    if there != "nothing":
        (home / "projects" if there == "projects" else home).mkdir(parents=True)
    with serving(home, watch=way) as server:
        assert server.listed() == {}
        path = place(home)
        path.write_bytes(transcript("u1 a1"))
        eventually(lambda: SESSION in news(server)["added"])
        assert watches(server, path)
        end(server)


@pytest.mark.parametrize("way", [True, "poll"], ids=["told by the system", "poll"])
def test_all_of_it_removed_and_made_anew(home: Path, path: Path, way: object) -> None:
    with serving(home, watch=way) as server:
        server.listed()
        server.result("watch", sessionId=SESSION)
        follower = Follower(server)
        shutil.rmtree(home)
        assert follower.until(lambda told: bool(told) and told[-1]["gone"])
        eventually(lambda: SESSION in news(server)["removed"])
        since = len(server.heard)
        place(home).write_bytes(transcript("u7 a7 u8"))
        eventually(lambda: SESSION in news(server, since)["added"])
        told = follower.until(lambda told: told[-1]["leaf"] == uuid("u8"))
        assert told[-1]["gone"] is False
        append(path, transcript("| u8 a8", start=60))
        follower.until(lambda told: told[-1]["leaf"] == uuid("a8"))
        end(server)


# --- nothing left to watch with ----------------------------------------------------------------


def limited(limits: str, home: Path) -> list[str]:
    """The command of a server in a user namespace of its own, in which little can be watched."""
    serve = [*FORKPOINT, "serve", "--config-dir", str(home)]
    return ["unshare", "-Ur", "sh", "-c", f'{limits}; exec "$@"', "sh", *serve]


class LimitedServer(ForkpointServer):
    """One for which the system watches `watches` folders, for `instances` programs."""

    def __init__(self, home: Path, limits: dict[str, int], **options: Any) -> None:
        lines = [
            f"echo {n} > /proc/sys/user/max_inotify_{of} || exit 77" for of, n in limits.items()
        ]
        StdioClient.__init__(self, limited("; ".join(lines), home))
        self.answered = self.initialize(None, options)


def can_be_limited() -> bool:
    if not sys.platform.startswith("linux") or shutil.which("unshare") is None:
        return False
    limit = "echo 0 > /proc/sys/user/max_inotify_instances"
    return (
        subprocess.run(["unshare", "-Ur", "sh", "-c", limit], capture_output=True).returncode == 0
    )


@pytest.mark.skipif(not can_be_limited(), reason="needs a user namespace of its own")
@pytest.mark.parametrize(
    "limits",
    [{"instances": 0}, {"watches": 0}, {"watches": 1}],
    ids=["no instance", "no watch", "too few watches"],
)
def test_what_cannot_be_watched_is_looked_at(
    home: Path, path: Path, limits: dict[str, int]
) -> None:
    with LimitedServer(home, limits) as server:
        server.listed()
        place(home, OTHER, "-home-dev-later").write_bytes(transcript("u1"))
        eventually(lambda: OTHER in news(server)["added"])
        assert watches(server, path)
        assert sum("watch" in each.lower() for each in server.log.splitlines()) == 1, server.log
        end(server)


@pytest.mark.skipif(not can_be_limited(), reason="needs a user namespace of its own")
def test_folders_that_come_when_nothing_is_left_to_watch_with(home: Path, path: Path) -> None:
    """Enough for what is there at the start, too little for what comes later."""
    with LimitedServer(home, {"watches": 8}) as server:
        server.listed()
        for number in range(20):
            place(home, f"{number:08}-0000-4000-8000-000000000000", f"-home-dev-{number}")
        late = place(home, OTHER, "-home-dev-19")
        late.write_bytes(transcript("u1"))
        eventually(lambda: OTHER in news(server)["added"])
        server.result("watch", sessionId=OTHER)
        follower = Follower(server, OTHER)
        append(late, transcript("| u1 a1", start=20))
        assert follower.until(bool)[-1]["leaf"] == uuid("a1")
        assert knows(server, SESSION)
        end(server)
