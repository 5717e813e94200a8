"""`forkpoint status-line` as Claude Code runs it: what it keeps, prints and returns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import FORKPOINT
from tests.fixture_paths import FIXTURES, REPOSITORY

SESSION = "b59446af-b136-48c9-9eb4-fb59e043a8ac"
ANSWERED = (FIXTURES / "status-line" / "answered.json").read_bytes()
NO_STATUS = "forkpoint: What came on standard input is not what a status line is told.\n"
NOT_STARTED = "forkpoint: no-such-command could not be started.\n"
COUNTS = (sys.executable, "-c", "import sys; print(len(sys.stdin.buffer.read()), sys.argv[1:])")
HUGE = ANSWERED + b" " * 9_000_000
IGNORES = (sys.executable, "-c", "print('mine')")
FAILS = (sys.executable, "-c", "import sys; print('half'); sys.exit(3)")


class Ran(NamedTuple):
    """What a run left."""

    code: int
    out: str
    err: str


class Home(NamedTuple):
    """A user's home, with a folder for caches."""

    path: Path

    @property
    def kept(self) -> list[str]:
        """All files below, but for directories."""
        files = (path for path in self.path.rglob("*") if path.is_file())
        return sorted(path.relative_to(self.path).as_posix() for path in files)

    def run(self, told: bytes, *words: str, caches: Path | None = None) -> Ran:
        place, server = str(caches or self.path / "caches"), str(REPOSITORY / "server")
        known = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        environ = {
            **known, "HOME": str(self.path), "USERPROFILE": str(self.path),
            "XDG_CACHE_HOME": place, "LOCALAPPDATA": place, "PYTHONPATH": server,
        }  # fmt: skip
        done = subprocess.run(
            [*FORKPOINT, "status-line", *words], input=told, capture_output=True, env=environ
        )
        out, err = (text.decode().replace("\r\n", "\n") for text in (done.stdout, done.stderr))
        return Ran(done.returncode, out, err)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


FILE = f"caches/forkpoint/status-line/{SESSION}.json"


def test_it_keeps_and_prints_nothing(home: Home) -> None:
    assert home.run(ANSWERED) == Ran(0, "", "")
    assert home.kept == [FILE]
    assert json.loads((home.path / FILE).read_bytes())["prompt_cache"]["expires_at"] == 1796014355


@pytest.mark.parametrize(
    ("told", "command", "ran"),
    [
        (ANSWERED, COUNTS, Ran(0, f"{len(ANSWERED)} []\n", "")),
        (ANSWERED, IGNORES, Ran(0, "mine\n", "")),
        (ANSWERED, FAILS, Ran(3, "half\n", "")),
        (ANSWERED, ("no-such-command", "x"), Ran(127, "", NOT_STARTED)),
        (b"not json", COUNTS, Ran(0, "8 []\n", NO_STATUS)),
        (b"", FAILS, Ran(3, "half\n", NO_STATUS)),
        (HUGE, COUNTS, Ran(0, f"{len(HUGE)} []\n", NO_STATUS)),
        (HUGE, IGNORES, Ran(0, "mine\n", NO_STATUS)),
    ],
)
def test_the_status_line_behind_it_goes_on_as_it_was(
    home: Home, told: bytes, command: tuple[str, ...], ran: Ran
) -> None:
    assert home.run(told, "--", *command) == ran
    assert home.kept == ([FILE] if told == ANSWERED else [])


def test_options_behind_the_dashes_are_the_command_s(home: Home) -> None:
    words = ("-a", "--json", "--", "--config-dir", "x y")
    assert home.run(ANSWERED, "--", *COUNTS, *words).out == f"{len(ANSWERED)} {list(words)}\n"


HOSTILE = ["../x", f"../../{SESSION}", "/etc/passwd", f"{SESSION}/../x", "x" * 5000, "", "\x00"]


@pytest.mark.parametrize("session_id", HOSTILE)
def test_an_id_that_is_no_session_s_names_no_file(home: Home, session_id: str) -> None:
    told = json.dumps({**json.loads(ANSWERED), "session_id": session_id}).encode()
    assert home.run(told) == Ran(1, "", NO_STATUS)
    assert home.kept == []


def test_a_place_that_cannot_be_written_to(home: Home) -> None:
    (home.path / "caches").write_text("a file")
    ran = home.run(ANSWERED)
    assert (ran.code, ran.out, "could not be written to" in ran.err) == (1, "", True)
    assert home.run(ANSWERED, "--", *IGNORES).out == "mine\n"
    assert home.kept == ["caches"]


@pytest.mark.parametrize("words", [(), ("--config-dir", "agent")])
def test_it_never_writes_below_an_agent_s_folder(home: Home, words: tuple[str, ...]) -> None:
    agent = home.path / (".claude" if not words else "agent")
    agent.mkdir()
    named = [str(agent) if word == "agent" else word for word in words]
    ran = home.run(ANSWERED, *named, caches=agent / "cache")
    assert (ran.code, "lies below an agent's folder" in ran.err) == (1, True)
    assert home.kept == []


@needs_posix
def test_a_command_that_a_signal_ended(home: Home) -> None:
    assert home.run(ANSWERED, "--", "sh", "-c", "kill -9 $$").code == 137
