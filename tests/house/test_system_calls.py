"""What the system sees: files of agents are read, and nothing is asked of a network.

The same tour as in `test_never_writes`: on a read-only file system, where modes forbid to write,
and with each system call written down.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.confined import MODIFIERS, bound_by_modes, mounted_read_only, traced
from tests.e2e.forkpoint_server import FORKPOINT
from tests.house.test_never_writes import CODEX, home, read_only, state, tour_of_requests

__all__ = ["home", "read_only"]  # fixtures

COMMANDS = (["sessions", "--all"], ["search", "the"], ["call", "forkpoint/health"])
_WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND")
_NETWORK = re.compile(r"AF_INET6?|AF_PACKET|AF_NETLINK")
_SPEAKS = frozenset(["connect", "sendto", "sendmsg", "sendmmsg", "listen", "accept", "accept4"])
_CALL = re.compile(r"^\d+ +(?:<\.\.\. )?(\w+)(?: resumed>)?(.*)$")


class Call(NamedTuple):
    """A system call as strace writes it."""

    name: str
    said: str

    @property
    def writes(self) -> bool:
        """Whether it changes what lies on disk, or could through what it opens."""
        return self.name in MODIFIERS or ("open" in self.name and bool(_WRITES.search(self.said)))

    @property
    def asks_network(self) -> bool:
        """Whether it speaks over a network, or takes an address that others can reach."""
        if not _NETWORK.search(self.said):
            return False
        # urllib3, which a plugin of detect-secrets imports, tries `::1` to learn of IPv6.
        is_reachable = self.name == "bind" and "::1" not in self.said
        return self.name in _SPEAKS or is_reachable

    def touches(self, folder: Path) -> bool:
        """Whether it is about something below a folder; nobody knows where a bare name lies."""
        named = self.said.partition('"')[2]
        is_bare = '"' in self.said and not named.startswith("/") and "</" not in self.said
        return str(folder) in self.said or is_bare


def calls_in(log: Path) -> Iterator[Call]:
    for line in log.read_text(errors="replace").splitlines():
        match = _CALL.match(line)
        if match:
            yield Call(match[1], match[2])


def commands(home: Path) -> Iterator[list[str]]:
    for words in COMMANDS:
        yield [*FORKPOINT, *words, "--config-dir", str(home), "--codex-home", str(home / CODEX)]


def test_a_home_on_a_read_only_file_system_is_answered_whole(home: Path) -> None:
    under = mounted_read_only(home)
    tried = subprocess.run([*under, "touch", str(home / "x")], capture_output=True, check=False)
    assert b"Read-only file system" in tried.stderr
    before = state(home)
    tour_of_requests(home, under)
    subprocess.run([*under, *next(commands(home))], stdout=subprocess.DEVNULL, check=True)
    assert state(home) == before


def test_a_home_that_modes_protect_is_answered_whole(read_only: Path) -> None:
    under = bound_by_modes()
    tried = subprocess.run(
        [*under, "touch", str(read_only / "x")], capture_output=True, check=False
    )
    assert b"Permission denied" in tried.stderr
    tour_of_requests(read_only, under)


def test_no_system_call_writes_or_locks_below_a_home_or_asks_a_network(
    home: Path, tmp_path: Path
) -> None:
    logs = [tmp_path / "server.log"]
    tour_of_requests(home, traced(logs[0]))
    for number, command in enumerate(commands(home)):
        logs.append(tmp_path / f"command-{number}.log")
        subprocess.run([*traced(logs[-1]), *command], stdout=subprocess.DEVNULL, check=True)
    calls = [call for log in logs for call in calls_in(log)]
    below_home = [call for call in calls if call.touches(home)]
    assert len(below_home) > 500, "the trace does not show what is read"
    assert [call for call in below_home if call.writes] == []
    assert [call for call in calls if call.asks_network] == []
    # What runs is the server and the processes of its own that read with it.
    started = {call.said.split('"')[1] for call in calls if call.name == "execve"}
    assert {Path(path).name for path in started} == {Path(FORKPOINT[0]).name}


@pytest.mark.parametrize(
    ("python", "seen"),
    [
        ("open({path!r}, 'a')", True),
        ("import os; os.utime({path!r})", True),
        ("import os; os.rename({path!r}, {path!r} + 'x')", True),
        ("import os; os.chdir({folder!r}); os.unlink({name!r})", True),
        ("import os, fcntl; fcntl.flock(os.open({path!r}, os.O_RDONLY), fcntl.LOCK_SH)", True),
        ("open({path!r})", False),
    ],
)
def test_the_trace_sees_what_writes(tmp_path: Path, python: str, seen: bool) -> None:
    file, log = tmp_path / "home" / "file", tmp_path / "log"
    file.parent.mkdir()
    file.touch()
    written = python.format(path=str(file), folder=str(file.parent), name=file.name)
    subprocess.run([*traced(log), FORKPOINT[0], "-c", written], check=True)
    found = [call for call in calls_in(log) if call.touches(file.parent) and call.writes]
    assert bool(found) == seen


@pytest.mark.parametrize(
    ("python", "seen"),
    [
        ("s(2, 2).sendto(b'x', ('127.0.0.1', 9))", True),
        ("s(2, 2).connect(('127.0.0.1', 9))", True),
        ("s(2, 1).bind(('0.0.0.0', 0))", True),
        ("s(2, 1)", False),
    ],
)
def test_the_trace_sees_a_network(tmp_path: Path, python: str, seen: bool) -> None:
    log = tmp_path / "log"
    asked = f"from socket import socket as s; {python}"
    subprocess.run([*traced(log), FORKPOINT[0], "-c", asked], check=True)
    assert any(call.asks_network for call in calls_in(log)) == seen
