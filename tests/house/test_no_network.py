"""Forkpoint looks up no name, connects to nothing and listens nowhere, in none of its processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.disk.trees import needs_posix
from tests.fixture_paths import REPOSITORY
from tests.house.test_never_writes import home, tour_of_requests

__all__ = ["home"]

# Each Python process runs this when it starts, and hands the environment on to those it starts.
WATCHER = """
import os, sys

def told(event, arguments):
    if event in SEEN and (event, arguments[-1]) != IPV6:
        with open(os.environ["WATCHED"], "a") as file:
            file.write(f"{event} {arguments!r}\\n")

SEEN = {
    "socket.bind", "socket.connect", "socket.getaddrinfo", "socket.gethostbyname",
    "socket.gethostbyaddr", "socket.sendmsg", "socket.sendto", "urllib.Request",
    "http.client.connect",
}
# A library of detect-secrets asks the system so whether it has IPv6, and lets go at once.
IPV6 = ("socket.bind", ("::1", 0))
with open(os.environ["WATCHED"], "a") as file:
    file.write("process\\n")
sys.addaudithook(told)
"""

COMMANDS = """
import sys
from pathlib import Path
from tests.house.test_never_writes import tour_of_commands
tour_of_commands(Path(sys.argv[1]))
"""

CONNECTS = """
import socket
socket.socket().connect_ex(("127.0.0.1", 9))
"""


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which processes tell that they began, and what they did over a network."""
    folder = tmp_path / "watcher"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(WATCHER)
    named = [str(folder), str(REPOSITORY), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, named)))
    monkeypatch.setenv("WATCHED", str(tmp_path / "watched"))
    return tmp_path / "watched"


@needs_posix
def test_a_tour_of_all_commands_connects_to_nothing(home: Path, watched: Path) -> None:
    subprocess.run([sys.executable, "-c", COMMANDS, str(home)], check=True, capture_output=True)
    assert set(watched.read_text().splitlines()) == {"process"}


@needs_posix
def test_a_server_connects_to_nothing(home: Path, watched: Path) -> None:
    tour_of_requests(home)
    assert set(watched.read_text().splitlines()) == {"process"}


@needs_posix
def test_the_check_sees_a_connection(watched: Path) -> None:
    subprocess.run([sys.executable, "-c", CONNECTS], check=True)
    started, connected = watched.read_text().splitlines()
    assert started == "process"
    assert connected.startswith("socket.connect ")
