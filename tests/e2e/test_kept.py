"""What a server keeps for the next one: it may be lost or odd, and never makes an answer wrong."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fixtures.demo.prepare import Demo
from tests.e2e.forkpoint_server import ForkpointServer, end

Json = dict[str, Any]
QUESTIONS = ("activePath", "branchTree", "toolCalls", "checkpoints", "health", "cacheHistory")


@pytest.fixture
def home(demo: Demo, tmp_path: Path) -> Path:
    """A home of this test's own, so that it may change it."""
    return Path(shutil.copytree(demo.config_dir, tmp_path / "home"))


@pytest.fixture
def caches(tmp_path: Path) -> Path:
    return tmp_path / "caches"


def server_with(home: Path, caches: Path) -> ForkpointServer:
    return ForkpointServer(home, options={"cacheDir": str(caches)})


def answers(home: Path, caches: Path) -> dict[str, Json]:
    """All that a server says of a home, session by session; asked at once, and again when read."""
    with server_with(home, caches) as server:
        ids = [row["sessionId"] for row in _sessions(server)]
        early = {name: _about(server, name) for name in ids}
        rows = server.listed()
        late = {name: _about(server, name) for name in ids}
        end(server)
    assert early == late
    return {name: {"row": rows[name], **late[name]} for name in ids}


def _sessions(server: ForkpointServer) -> list[Json]:
    every = {"includeProgrammatic": True, "includeArchived": True}
    return server.result("sessions", **every)["sessions"]


def _about(server: ForkpointServer, session_id: str) -> Json:
    found = {method: server.result(method, sessionId=session_id) for method in QUESTIONS}
    found["checkpoints"].pop("indexing")
    found["health"] = found["health"]["sessions"]
    return found


@pytest.fixture
def truth(home: Path, tmp_path: Path) -> dict[str, Json]:
    """What a server says that can keep nothing."""
    off = tmp_path / "off"
    off.write_text("no folder")
    return answers(home, off)


def test_the_next_server_says_the_same(home: Path, caches: Path, truth: dict[str, Json]) -> None:
    for _ in range(3):
        assert answers(home, caches) == truth


def test_the_next_server_knows_all_numbers_at_once(home: Path, caches: Path) -> None:
    with server_with(home, caches) as server:
        rows = server.listed()
        end(server)
    with server_with(home, caches) as server:
        first = {row["sessionId"]: row for row in _sessions(server)}
    assert first == rows
    assert all(row["promptCount"] is not None for row in first.values())


def test_what_a_question_had_read_is_kept_too(home: Path, caches: Path) -> None:
    with server_with(home, caches) as server:
        ids = [row["sessionId"] for row in _sessions(server)]
        for session_id in ids:
            server.result("activePath", sessionId=session_id)
        server.listed()
        end(server)
    with sqlite3.connect(caches / "transcripts.sqlite3") as database:
        paths = database.execute("SELECT path FROM indexes")
        kept = {Path(path.decode()).stem for (path,) in paths}
    assert kept >= set(ids)


def test_what_changed_meanwhile_is_read(home: Path, caches: Path) -> None:
    answers(home, caches)
    transcripts = sorted(home.glob("projects/*/*.jsonl"))
    for number, path in enumerate(transcripts):
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[: len(lines) // 2] if number % 2 else lines[1:]))
    transcripts[0].unlink()
    off = home.parent / "file"
    off.write_text("no folder")
    assert answers(home, caches) == answers(home, off)


def _from_tomorrow(caches: Path) -> None:
    with sqlite3.connect(next(caches.glob("*.sqlite3"))) as database:
        database.execute("PRAGMA user_version = 2147483600")
    database.close()


def _torn(caches: Path) -> None:
    path = next(caches.glob("*.sqlite3"))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _scrambled(caches: Path) -> None:
    path = next(caches.glob("*.sqlite3"))
    data = bytearray(path.read_bytes())
    for place in range(5000, len(data), 997):
        data[place] ^= 0x55
    path.write_bytes(data)


def _somebody_else_s(caches: Path) -> None:
    path = next(caches.glob("*.sqlite3"))
    path.write_text("my notes")


def _read_only(caches: Path) -> None:
    for path in [*caches.iterdir(), caches]:
        path.chmod(0o500)


SPOILED: dict[str, Callable[[Path], None]] = {
    "made by a future release": _from_tomorrow,
    "cut in half": _torn,
    "scrambled": _scrambled,
    "another's file": _somebody_else_s,
    "read-only": _read_only,
    "deleted": shutil.rmtree,
}


@pytest.mark.parametrize("how", SPOILED)
def test_a_spoiled_store_makes_no_answer_wrong(
    home: Path, caches: Path, truth: dict[str, Json], how: str
) -> None:
    answers(home, caches)
    SPOILED[how](caches)
    assert answers(home, caches) == truth
    assert answers(home, caches) == truth


def test_servers_that_are_killed_at_any_moment(
    home: Path, caches: Path, truth: dict[str, Json]
) -> None:
    """Two at a time on one store, one of which dies without a word each time."""
    for number in range(6):
        with server_with(home, caches) as one, server_with(home, caches) as other:
            _sessions(one)
            _sessions(other)
            time.sleep(number * 0.05)
            one.process.kill()
            assert one.process.wait(20) == -9
            assert {row["sessionId"] for row in _sessions(other)} == set(truth)
    assert answers(home, caches) == truth


def test_a_store_below_an_agent_s_folder_is_never_made(home: Path, truth: dict[str, Json]) -> None:
    before = sorted(home.rglob("*"))
    assert answers(home, home / "cache") == truth
    assert sorted(home.rglob("*")) == before
