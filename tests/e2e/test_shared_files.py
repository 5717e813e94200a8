"""`forkpoint/sessions` marks files that two live sessions have in their checkpoints, on both."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from forkpoint.protocol.uri import file_uri
from tests.disk.test_live import linux, started
from tests.e2e.forkpoint_server import ForkpointServer
from tests.e2e.stdio_client import eventually
from tests.fixture_paths import REAL

EDITS = "b2e74b0a-2716-490d-ba01-54a73887314f"
RENAMED = "a394b60b-be10-4356-9f3e-97048baf1628"
PARALLEL = "cdfb398e-154b-454b-b41a-d53ee6da3d4c"
WITHOUT = "9835315a-e5d8-42df-814a-e2f9ec4997b4"

Shared = dict[str, set[str]]

pytestmark = linux


def live(home: Path, session_id: str, pid: int) -> None:
    """Note a client as it does itself (format, section 18)."""
    folder = home / "sessions"
    folder.mkdir(exist_ok=True)
    fields = {"pid": pid, "sessionId": session_id, "procStart": started(pid), "status": "idle"}
    (folder / f"{pid}.json").write_text(json.dumps({**fields, "version": "2.1.332"}))


@pytest.fixture
def clients() -> Iterator[list[int]]:
    """Process ids of three that do nothing."""
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=pipe, stderr=subprocess.DEVNULL)
        for _ in range(3)
    ]
    yield [process.pid for process in processes]
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def together(home: Path) -> Path:
    """Four sessions of one working folder."""
    for name in ("b_edits", "i1_titles_modes", "k1_parallel", "i4_pr_link"):
        for part in ("projects", "file-history"):
            if (REAL / name / part).exists():
                shutil.copytree(REAL / name / part, home / part, dirs_exist_ok=True)
    return home


def shared(server: ForkpointServer, home: Path) -> dict[str, Shared]:
    """By session: each shared file's name with the other sessions; nothing shared is left out."""
    server.open(home.parent / "nowhere")
    server.open(home)
    rows = server.listed().values()
    return {
        row["sessionId"]: {
            file["file"].rpartition("/")[2]: set(file["sessionIds"]) for file in row["sharedFiles"]
        }
        for row in rows
        if row["sharedFiles"]
    }


def test_files_of_two_live_sessions(
    server: ForkpointServer, together: Path, clients: list[int]
) -> None:
    live(together, EDITS, clients[0])
    live(together, RENAMED, clients[1])
    assert shared(server, together) == {
        EDITS: {"cart.py": {RENAMED}, "README.md": {RENAMED}},
        RENAMED: {"cart.py": {EDITS}, "README.md": {EDITS}},
    }
    rows = server.listed()
    assert [file["file"] for file in rows[RENAMED]["sharedFiles"]] == [
        file_uri("/home/dev/shop/cart.py"),
        file_uri("/home/dev/shop/README.md"),
    ]
    assert rows[EDITS]["live"] == {"status": "idle", "waitingFor": None, "pid": clients[0]}


def test_files_of_three_live_sessions(
    server: ForkpointServer, together: Path, clients: list[int]
) -> None:
    for session_id, pid in zip((EDITS, RENAMED, PARALLEL), clients, strict=True):
        live(together, session_id, pid)
    assert shared(server, together) == {
        EDITS: {"cart.py": {RENAMED, PARALLEL}, "tax.py": {PARALLEL}, "README.md": {RENAMED}},
        RENAMED: {"cart.py": {EDITS, PARALLEL}, "README.md": {EDITS}},
        PARALLEL: {"cart.py": {EDITS, RENAMED}, "tax.py": {EDITS}},
    }


def test_one_live_session_shares_nothing(
    server: ForkpointServer, together: Path, clients: list[int]
) -> None:
    live(together, EDITS, clients[0])
    live(together, WITHOUT, clients[1])
    assert shared(server, together) == {}


def test_a_client_that_ended_shares_nothing_any_more(
    server: ForkpointServer, together: Path, clients: list[int]
) -> None:
    """The list tells it without being opened anew."""
    live(together, EDITS, clients[0])
    live(together, RENAMED, clients[1])
    assert set(shared(server, together)) == {EDITS, RENAMED}
    (together / "sessions" / f"{clients[1]}.json").unlink()
    eventually(lambda: not any(row["sharedFiles"] for row in server.listed().values()))


def test_a_files_history_marks_its_live_sessions(
    server: ForkpointServer, together: Path, clients: list[int]
) -> None:
    live(together, EDITS, clients[0])
    shared(server, together)
    [history] = server.result("checkpoints", file=file_uri("/home/dev/shop/cart.py"))["files"]
    marks = {each["sessionId"]: each["live"] for each in history["sessions"]}
    assert marks == {EDITS: True, RENAMED: False, PARALLEL: False}
