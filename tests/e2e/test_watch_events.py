"""What else befalls a followed transcript: cut, replaced, moved, hidden, removed; its client."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import SESSION, transcript, uuid
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.stdio_client import eventually
from tests.e2e.watching import Bell, Follower, append, is_news, news, ordinals, place

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="start times are Linux's")


@pytest.fixture
def path(home: Path) -> Path:
    path = place(home)
    path.write_bytes(transcript("u1 a1 u2 a2"))
    return path


@pytest.fixture
def asked(server: ForkpointServer, home: Path, path: Path) -> Iterator[ForkpointServer]:
    server.open(home)
    server.listed()
    yield server
    server.request("forkpoint/unwatch", {"sessionId": SESSION})
    server.open(home.parent / "left")


@pytest.fixture
def follower(asked: ForkpointServer) -> Follower:
    asked.result("watch", sessionId=SESSION)
    return Follower(asked)


def replace(path: Path, data: bytes) -> None:
    """Put another file in its place, as programs do that write one anew."""
    beside = path.with_suffix(".new")
    beside.write_bytes(data)
    beside.replace(path)


def ends(told: list[Json], name: str) -> bool:
    return bool(told) and told[-1]["leaf"] == uuid(name)


def check_reread(follower: Follower, name: str, total: int) -> None:
    """The file was read anew, and that is told: where it stands now, and that ordinals are new."""
    told = follower.until(lambda told: ends(told, name))
    assert any(one["reread"] for one in told)
    assert told[-1]["gone"] is False
    # A file that is written anew in place may be seen half-written: what follows only continues it.
    anew = max(at for at, one in enumerate(told) if one["reread"])
    known = ordinals(told[anew:])
    assert known == list(range(total)), known
    path = follower.server.result("activePath", sessionId=SESSION)
    assert (path["leaf"]["uuid"], path["tip"]) == (told[-1]["leaf"], told[-1]["tip"])


# --- another content ---------------------------------------------------------------------------


def test_cut_short(follower: Follower, path: Path) -> None:
    os.truncate(path, len(transcript("u1 a1")))
    check_reread(follower, "a1", 2)


def test_written_anew_in_place(follower: Follower, path: Path) -> None:
    path.write_bytes(transcript("u7 a7 u8"))
    check_reread(follower, "u8", 3)


def test_replaced_by_a_longer_file(follower: Follower, path: Path) -> None:
    replace(path, transcript("u7 a7 u8 a8 u9"))
    check_reread(follower, "u9", 5)


def test_replaced_by_a_file_of_the_same_size(follower: Follower, path: Path) -> None:
    other = transcript("u7 a7 u8 a8")
    assert len(other) == path.stat().st_size
    replace(path, other)
    check_reread(follower, "a8", 4)


def test_replaced_by_a_file_of_the_same_size_and_time(follower: Follower, path: Path) -> None:
    facts = path.stat()
    beside = path.with_suffix(".new")
    beside.write_bytes(transcript("u7 a7 u8 a8"))
    os.utime(beside, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    beside.replace(path)
    check_reread(follower, "a8", 4)


def test_cut_short_and_grown_again_beyond_what_was_read(follower: Follower, path: Path) -> None:
    data = transcript("u1 a1 u2 a2")
    os.truncate(path, len(data) - 20)
    append(path, b'     "changed":true}\n' + transcript("| a1 u3", start=60))
    check_reread_to(follower, "u3")


def check_reread_to(follower: Follower, name: str) -> None:
    told = follower.until(lambda told: ends(told, name))
    assert any(one["reread"] for one in told)


def test_replaced_by_the_same_bytes_and_more(
    asked: ForkpointServer, follower: Follower, path: Path
) -> None:
    """Another inode that goes on where the old one ended is the same conversation."""
    replace(path, transcript("u1 a1 u2 a2 u3"))
    told = follower.until(lambda told: ends(told, "u3"))
    assert told[-1]["lastNew"] == 4
    assert asked.result("branchTree", sessionId=SESSION)["total"] == 5


# --- another place, or none --------------------------------------------------------------------


def test_removed(asked: ForkpointServer, follower: Follower, home: Path, path: Path) -> None:
    bell = Bell(asked, home)
    since = len(asked.heard)
    path.unlink()
    told = follower.until(bool)
    assert (told[-1]["gone"], told[-1]["firstNew"], told[-1]["lastNew"]) == (True, None, None)
    eventually(lambda: SESSION in news(asked, since)["removed"])
    bell.ring()
    assert sum(one["gone"] for one in follower.all()) == 1, "once is enough"


def test_removed_and_written_anew(follower: Follower, path: Path) -> None:
    path.unlink()
    follower.until(lambda told: bool(told) and told[-1]["gone"])
    path.write_bytes(transcript("u7 a7"))
    told = follower.until(lambda told: ends(told, "a7"))
    assert told[-1]["gone"] is False
    append(path, transcript("| a7 u8", start=60))
    assert follower.until(lambda told: ends(told, "u8"))[-1]["lastNew"] == 2


def test_moved_away_and_back(follower: Follower, path: Path) -> None:
    away = path.with_suffix(".away")
    path.rename(away)
    follower.until(lambda told: bool(told) and told[-1]["gone"])
    away.rename(path)
    follower.until(lambda told: not told[-1]["gone"])
    follower.begin_anew()
    append(path, transcript("| a2 u3", start=60))
    told = follower.until(lambda told: ends(told, "u3"))
    assert (told[-1]["lastNew"], told[-1]["gone"]) == (4, False)


def test_moved_to_another_project(
    asked: ForkpointServer, follower: Follower, home: Path, path: Path
) -> None:
    bell = Bell(asked, home)
    elsewhere = place(home, key="-home-dev-other")
    path.rename(elsewhere)
    bell.ring()
    assert not (follower.all() and follower.all()[-1]["gone"]), "it is not gone, it moved"
    append(elsewhere, transcript("| a2 u3", start=60))
    told = follower.until(lambda told: ends(told, "u3"))
    assert (told[-1]["lastNew"], told[-1]["gone"]) == (4, False)
    [row] = [r for r in asked.result("sessions")["sessions"] if r["sessionId"] == SESSION]
    assert row["project"]["key"] == "-home-dev-other"


def test_its_project_folder_renamed(follower: Follower, path: Path) -> None:
    renamed = path.parent.with_name("-home-dev-renamed")
    path.parent.rename(renamed)
    append(renamed / path.name, transcript("| a2 u3", start=60))
    told = follower.until(lambda told: ends(told, "u3"))
    assert (told[-1]["lastNew"], told[-1]["gone"]) == (4, False)


def test_its_project_folder_removed(follower: Follower, path: Path) -> None:
    shutil.rmtree(path.parent)
    assert follower.until(lambda told: bool(told) and told[-1]["gone"])
    path.parent.mkdir()
    path.write_bytes(transcript("u7 a7"))
    assert follower.until(lambda told: ends(told, "a7"))[-1]["gone"] is False


@needs_posix
@pytest.mark.parametrize("what", ["folder", "pipe", "link out of the home", "link to nothing"])
def test_something_else_in_its_place(
    asked: ForkpointServer, follower: Follower, home: Path, path: Path, what: str
) -> None:
    outside = home.parent / "outside.jsonl"
    outside.write_bytes(transcript("u1 a1 u2 a2 u3"))
    path.unlink()
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(outside if "home" in what else home / "nothing")
    told = follower.until(lambda told: bool(told) and told[-1]["gone"])
    assert uuid("u3") not in {one["leaf"] for one in told}, "nothing outside is read"
    if what == "folder":
        path.rmdir()
    else:
        path.unlink()
    path.write_bytes(transcript("u1 a1 u2 a2 u4"))
    assert follower.until(lambda told: ends(told, "u4"))[-1]["gone"] is False


# --- running clients ---------------------------------------------------------------------------


@pytest.fixture
def client() -> Iterator[subprocess.Popen[bytes]]:
    """A process that takes the part of a running client."""
    command = [sys.executable, "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def note(home: Path, client: subprocess.Popen[bytes], status: str) -> Path:
    """What the client writes of itself (format, section 18)."""
    text = Path(f"/proc/{client.pid}/stat").read_text()
    facts = {
        "pid": client.pid,
        "procStart": text[text.rindex(")") + 2 :].split()[19],
        "sessionId": SESSION,
        "version": "2.1.332",
        "kind": "interactive",
        "status": status,
    }
    folder = home / "sessions"
    folder.mkdir(exist_ok=True)
    path = folder / f"{client.pid}.json"
    path.write_text(json.dumps(facts))
    return path


def lives(told: list[Json], live: object) -> bool:
    return bool(told) and told[-1]["live"] == live


@linux
def test_a_client_that_opens_and_works_and_ends(
    asked: ForkpointServer, follower: Follower, home: Path, client: subprocess.Popen[bytes]
) -> None:
    file = note(home, client, "idle")
    told = follower.until(
        lambda told: lives(told, {"status": "idle", "waitingFor": None, "pid": client.pid})
    )
    assert [(one["firstNew"], one["leafMoved"], one["gone"]) for one in told] == [
        (None, False, False)
    ]
    since = len(asked.heard)
    note(home, client, "busy")
    follower.until(
        lambda told: lives(told, {"status": "busy", "waitingFor": None, "pid": client.pid})
    )
    eventually(lambda: is_news(asked, SESSION, since))
    assert asked.listed()[SESSION]["live"] == {
        "status": "busy",
        "waitingFor": None,
        "pid": client.pid,
    }
    assert asked.result("watch", sessionId=SESSION)["live"]["pid"] == client.pid
    file.unlink()
    follower.until(lambda told: lives(told, None))
    assert asked.listed()[SESSION]["live"] is None


@linux
def test_a_client_that_is_killed_leaves_its_file_behind(
    asked: ForkpointServer, follower: Follower, home: Path, client: subprocess.Popen[bytes]
) -> None:
    file = note(home, client, "busy")
    follower.until(
        lambda told: lives(told, {"status": "busy", "waitingFor": None, "pid": client.pid})
    )
    since = len(asked.heard)
    client.kill()
    client.wait()
    follower.until(lambda told: lives(told, None))
    eventually(lambda: is_news(asked, SESSION, since))
    assert file.exists()


@linux
def test_a_client_known_from_the_start_that_is_killed(
    server: ForkpointServer, home: Path, path: Path, client: subprocess.Popen[bytes]
) -> None:
    note(home, client, "busy")
    server.open(home)
    assert server.result("watch", sessionId=SESSION)["live"]["pid"] == client.pid
    follower = Follower(server)
    client.kill()
    client.wait()
    follower.until(lambda told: lives(told, None))
    server.result("unwatch", sessionId=SESSION)
    server.open(home.parent / "left")


@linux
def test_the_list_hears_of_clients_of_sessions_that_nobody_follows(
    asked: ForkpointServer, home: Path, client: subprocess.Popen[bytes]
) -> None:
    since = len(asked.heard)
    note(home, client, "busy")
    eventually(lambda: is_news(asked, SESSION, since))
    # That may have been about something else: who dies before anybody saw him alive is no news.
    eventually(lambda: [one["live"] is not None for one in asked.listed().values()] == [True])
    since = len(asked.heard)
    client.kill()
    client.wait()
    eventually(lambda: is_news(asked, SESSION, since))
