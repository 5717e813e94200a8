"""Which sessions a running client holds: the process has to be there, and to be the same one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from forkpoint.catalog import Catalog
from forkpoint.live import LiveClient, live_clients
from tests.disk.trees import needs_posix

SESSION = "3ee8f041-aad2-49f1-a9be-9676af30b1e7"

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="start times are Linux's")


def started(pid: int) -> str:
    """Field 22 of the process's stat line (proc(5)); the name before it may hold blanks."""
    text = Path(f"/proc/{pid}/stat").read_text()
    return text[text.rindex(")") + 2 :].split()[19]


def note(home: Path, name: str, **fields: Any) -> None:
    folder = home / "sessions"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(fields))


def own(**fields: Any) -> dict[str, Any]:
    """What a client with this test's process id would write."""
    pid = os.getpid()
    facts = {"pid": pid, "sessionId": SESSION, "procStart": started(pid), "status": "busy"}
    return {**facts, "version": "2.1.332", "kind": "interactive", **fields}


@linux
def test_a_running_client(tmp_path: Path) -> None:
    note(tmp_path, f"{os.getpid()}.json", **own())
    client = LiveClient(SESSION, os.getpid(), "busy", "2.1.332", started(os.getpid()))
    assert live_clients([tmp_path]) == {SESSION: client}
    assert live_clients([tmp_path / "nowhere", tmp_path]) == {SESSION: client}


@linux
def test_a_start_time_as_a_number_is_the_same(tmp_path: Path) -> None:
    note(tmp_path, "1.json", **own(procStart=int(started(os.getpid()))))
    assert list(live_clients([tmp_path])) == [SESSION]


@linux
@pytest.mark.parametrize(
    ("fields", "name"),
    [
        pytest.param({"procStart": "1"}, "7.json", id="another process took the number"),
        pytest.param({"procStart": None}, "7.json", id="no start time"),
        pytest.param({"pid": 2**22 + 7}, "7.json", id="the process is gone"),
        pytest.param({"pid": -1}, "7.json", id="no process id"),
        pytest.param({"pid": "7"}, "7.json", id="a text for a number"),
        pytest.param({"sessionId": None}, "7.json", id="no session"),
        pytest.param({}, "7.key", id="a key"),
        pytest.param({}, "notes.json", id="another file"),
        pytest.param({}, ".json", id="no number"),
    ],
)
def test_what_is_no_running_client(tmp_path: Path, fields: dict[str, Any], name: str) -> None:
    note(tmp_path, name, **own(**fields))
    assert live_clients([tmp_path]) == {}


@linux
def test_a_client_that_was_killed_is_not_live(tmp_path: Path) -> None:
    """Its file stays behind (format, section 18)."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        facts = own(pid=client.pid, procStart=started(client.pid))
        note(tmp_path, f"{client.pid}.json", **facts)
        assert list(live_clients([tmp_path])) == [SESSION]
        client.kill()
    assert live_clients([tmp_path]) == {}


@needs_posix
def test_files_that_would_make_us_wait_or_stray(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    os.mkfifo(folder / "1.json")
    (folder / "2.json").symlink_to("/etc/hostname")
    (folder / "3.json").mkdir()
    (folder / "4.json").write_bytes(b"[" * 100_000)
    (folder / "5.json").write_bytes(b"\xff\xfe")
    assert live_clients([tmp_path]) == {}


@linux
def test_a_running_client_is_the_one_that_would_resume(tmp_path: Path) -> None:
    assert Catalog([tmp_path]).resuming_version is None
    note(tmp_path, "1.json", **own(sessionId="one", version="2.1.99"))
    note(tmp_path, "2.json", **own(sessionId="two", version="2.1.332"))
    note(tmp_path, "3.json", **own(sessionId="three", version=None))
    assert Catalog([tmp_path]).resuming_version == "2.1.332"


@linux
def test_what_a_client_waits_for_and_since_when_it_runs(tmp_path: Path) -> None:
    fields = {"status": "waiting", "waitingFor": "dialog open", "startedAt": 1796028915652}
    note(tmp_path, f"{os.getpid()}.json", **own(**fields))
    client = live_clients([tmp_path])[SESSION]
    told = (client.status, client.waiting_for, client.since)
    assert told == ("waiting", "dialog open", 1796028915652)


@linux
def test_a_file_that_is_being_written_says_what_it_said_before(tmp_path: Path) -> None:
    name = f"{os.getpid()}.json"
    note(tmp_path, name, **own())
    before = live_clients([tmp_path])
    (tmp_path / "sessions" / name).write_text('{"pid": ')
    assert live_clients([tmp_path], before) == before
    assert live_clients([tmp_path]) == {}


@linux
def test_a_cut_file_of_a_process_that_ended_says_nothing(tmp_path: Path) -> None:
    name = f"{os.getpid()}.json"
    note(tmp_path, name, **own())
    client = live_clients([tmp_path])[SESSION]
    (tmp_path / "sessions" / name).write_text("")
    another = msgspec.structs.replace(client, started="1")
    assert live_clients([tmp_path], {SESSION: another}) == {}
