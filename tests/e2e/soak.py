"""A day of work in small against the real server: sessions grow, go back, are compacted, deleted.

The whole, which takes some minutes, and prints what it measured::

    python -m tests.e2e.soak --appends 200000

`test_soak.py` runs a short form of it. The seed decides what is written; when the server looks at
it, the machine decides.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.builders import CWD, backup, line, pointer, row, snapshot, uuid
from tests.e2e.forkpoint_server import ForkpointServer, Json, end
from tests.e2e.stdio_client import eventually
from tests.e2e.watching import place

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
FOLLOWED = 10
"""Sessions that the client follows at a time."""
TOGETHER = 500
"""Appends after which the writer waits until the server told of what it follows."""
LINES_OF_A_SESSION = 1_000
"""About so many lines has a session before it is deleted and another takes its place."""

GROWTH = 24 * 1024 * 1024
"""Bytes that the server may have more at the end than after a quarter.

By then every place holds a session of middle age, and from then on as much is deleted as is
written: 50 sessions of 500 lines, at some 300 bytes of index for a line. A server that kept what it
knew of deleted sessions would have 45 MB more after 150,000 further lines, one that kept each
notification or line at least 100 MB. What is left is for the allocator, which gives back whole
arenas only, and for caches of limited size.
"""
DESCRIPTORS = 2
"""Files that may be open more at the end than after a quarter: one that is just read, a spare."""


class Names:
    """Names of rows, each once in all sessions: no session is a copy of another."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def next(self) -> str:
        number, digits = next(self._numbers), ""
        while number:
            number, digit = divmod(number, 36)
            digits = DIGITS[digit] + digits
        return digits


class Author:
    """Writes one session as a client would, a line or a part of one at a time."""

    def __init__(self, rng: random.Random, home: Path, session_id: str, names: Names) -> None:
        self.session_id = session_id
        self.path = place(home, session_id, f"-home-dev-{rng.randrange(8)}")
        self.lines = 0
        self.ends_at = LINES_OF_A_SESSION
        self._rng = rng
        self._names = names
        self._seconds = rng.randrange(100_000)
        self._above: str | None = None
        self._answers: list[str] = []
        self._waiting: list[bytes] = []

    def append(self) -> None:
        """Append what comes next."""
        if not self._waiting:
            self._waiting = self._torn(self._next_lines())
        data = self._waiting.pop(0)
        self.lines += data.count(b"\n")
        with self.path.open("ab") as file:
            file.write(data)

    def finish_line(self) -> None:
        """Leave no line torn."""
        while self._waiting:
            self.append()

    def delete(self) -> None:
        """Remove the transcript and all that lies beside it, as a clean-up does."""
        self.path.unlink()
        shutil.rmtree(self.path.with_suffix(""), ignore_errors=True)

    def _torn(self, lines: list[bytes]) -> list[bytes]:
        """Some lines come in two parts, cut anywhere."""
        parts: list[bytes] = []
        for each in lines:
            cut = self._rng.randrange(1, len(each)) if self._rng.random() < 0.05 else 0
            parts += [each[:cut], each[cut:]] if cut else [each]
        return parts

    def _next_lines(self) -> list[bytes]:
        way = self._rng.random()
        if self._above is None:  # A session without talk is in no list.
            return self._turn()
        if self._answers and way < 0.04:
            return self._rewind()
        if self._answers and way < 0.05:
            return self._compaction()
        if way < 0.09:
            self._subagent()
        if way < 0.12:
            return [line(type="custom-title", customTitle=f"{way:.6f}", sessionId=self.session_id)]
        return self._turn()

    def _turn(self) -> list[bytes]:
        prompt, call, answer = (self._names.next() for _ in range(3))
        written = [self._row(f"u{prompt}")]
        if self._rng.random() < 0.3:
            name = f"{CWD}/f{self._rng.randrange(20)}.py"
            copies = {name: backup(name, self._rng.randrange(1, 5), self._seconds)}
            written.insert(0, snapshot(f"u{prompt}", copies))
        if self._rng.random() < 0.6:
            written += [self._row(f"t{call}"), self._row(f"r{call}")]
        written.append(self._row(f"a{answer}"))
        self._answers.append(f"a{answer}")
        if self._rng.random() < 0.5:
            written.append(pointer(f"a{answer}"))
        return written

    def _rewind(self) -> list[bytes]:
        keep = self._rng.randrange(len(self._answers))
        self._answers = self._answers[: keep + 1]
        self._above = self._answers[-1]
        return [pointer(self._above)]

    def _compaction(self) -> list[bytes]:
        boundary, summary = self._names.next(), self._names.next()
        written = [
            self._row(f"b{boundary}", parentUuid=None, logicalParentUuid=uuid(self._above)),
            self._row(f"c{summary}"),
        ]
        self._answers = []
        return written

    def _subagent(self) -> None:
        """Subagents write whole lines into files of their own."""
        agents = self.path.with_suffix("") / "subagents"
        agents.mkdir(parents=True, exist_ok=True)
        agent_id = f"a{self._rng.randrange(4)}"
        name = f"k{self._names.next()}"
        extra = {"agentId": agent_id, "sessionId": self.session_id}
        with (agents / f"agent-{agent_id}.jsonl").open("ab") as file:
            file.write(line(**row(name, None, self._seconds, extra)))

    def _row(self, name: str, **fields: object) -> bytes:
        self._seconds += 10
        extra = {"sessionId": self.session_id, **fields}
        data = line(**row(name, self._above, self._seconds, extra))
        self._above = name
        return data


class Listener:
    """A client that follows sessions: what it is told must go on from what it knows."""

    def __init__(self, server: ForkpointServer) -> None:
        self._server = server
        self._seen = len(server.heard)
        self._totals: dict[tuple[str, str | None], int] = {}
        self._gone: set[str] = set()
        self.heard = 0

    def follow(self, session_id: str) -> None:
        """Follow a session; its answer stands somewhere between what is told."""
        self.listen()
        asked = self._server.ask("forkpoint/watch", {"sessionId": session_id})
        assert "result" in self._server.answer(asked), self._server.answer(asked)
        self.listen(asked, session_id)

    def unfollow(self, session_id: str) -> None:
        self._server.result("unwatch", sessionId=session_id)
        self.listen()
        for key in [key for key in self._totals if key[0] == session_id]:
            del self._totals[key]
        self._gone.discard(session_id)

    def knows(self, session_id: str, total: int) -> bool:
        """Whether it was told of so many records."""
        self.listen()
        return self._totals.get((session_id, None)) == total

    def knows_gone(self, session_id: str) -> bool:
        self.listen()
        return session_id in self._gone

    def listen(self, asked: int | None = None, session_id: str = "") -> None:
        """Take in what came, in its order."""
        messages = self._server.heard[self._seen :]
        self._seen += len(messages)
        for message in messages:
            if asked is not None and message.get("id") == asked and "result" in message:
                self._totals[session_id, None] = message["result"]["total"]
            elif message.get("method") == "forkpoint/didChangeSession":
                self._hear(message["params"])

    def _hear(self, told: Json) -> None:
        self.heard += 1
        session_id, agent_id = told["sessionId"], told["agentId"]
        if agent_id is None:
            (self._gone.add if told["gone"] else self._gone.discard)(session_id)
        if told["firstNew"] is None:
            return
        known = self._totals.get((session_id, agent_id))
        if known is not None and not told["reread"]:
            assert told["firstNew"] == known, f"{told} at {known}"
        self._totals[session_id, agent_id] = told["lastNew"] + 1


class Measured(NamedTuple):
    """What the server takes at some moment."""

    appends: int
    seconds: float
    resident: int
    descriptors: int
    heard: int

    def text(self) -> str:
        resident = f"{self.resident / 2**20:6.1f} MiB, {self.descriptors} files open"
        told = f"{self.heard} notifications about followed sessions"
        return f"{self.appends:7} appends, {self.seconds:6.1f} s: {resident}, {told}"


class Soak:
    """The writers, the server and the client that listens."""

    def __init__(self, home: Path, server: ForkpointServer, sessions: int, seed: int) -> None:
        self._rng = random.Random(seed)
        self._home = home
        self._server = server
        self._names = Names()
        self._numbers = itertools.count(1)
        self._began = time.monotonic()
        self._appends = 0
        self._listener = Listener(server)
        self._life = LINES_OF_A_SESSION
        self._authors: list[Author] = []
        self._sessions = sessions
        self.deleted = 0

    def run(self, appends: int) -> Iterator[Measured]:
        """Write so much, and measure after each quarter."""
        # In a short form sessions have short lives, so that as many are deleted.
        self._life = min(LINES_OF_A_SESSION, appends // self._sessions // 2)
        self._authors = [self._new_author(self._new_id()) for _ in range(self._sessions)]
        for at, author in enumerate(self._authors):
            # Of all ages from the beginning: they are not to end all at once.
            author.ends_at = self._life * (at + 1) // self._sessions
            author.append()
        for author in self._authors[:FOLLOWED]:
            author.finish_line()
            self._listener.follow(author.session_id)
        for quarter in range(1, 5):
            while (left := appends * quarter // 4 - self._appends) > 0:
                self._write(min(TOGETHER, left))
            yield self._measure()
        for author in self._authors:
            author.finish_line()
        self._catch_up()

    def _write(self, count: int) -> None:
        for _ in range(count):
            at = self._rng.randrange(len(self._authors))
            author = self._authors[at]
            author.append()
            self._appends += 1
            if author.lines >= author.ends_at:
                self._replace(at)
        self._catch_up()

    def _replace(self, at: int) -> None:
        """Delete a session; another one takes its place, at times under the same id."""
        old = self._authors[at]
        old.finish_line()
        old.delete()
        self.deleted += 1
        if at < FOLLOWED:
            eventually(lambda: self._listener.knows_gone(old.session_id))
            self._listener.unfollow(old.session_id)
        again = self._rng.random() < 0.2
        author = self._new_author(old.session_id if again else self._new_id())
        author.append()
        author.finish_line()
        self._authors[at] = author
        if at < FOLLOWED:
            self._listener.follow(author.session_id)

    def _catch_up(self) -> None:
        """Wait until all is told of what is followed."""
        for author in self._authors[:FOLLOWED]:
            author.finish_line()
        for author in self._authors[:FOLLOWED]:
            eventually(lambda author=author: self._listener.knows(author.session_id, author.lines))

    def _new_author(self, session_id: str) -> Author:
        author = Author(self._rng, self._home, session_id, self._names)
        author.ends_at = self._life
        return author

    def _new_id(self) -> str:
        return f"{next(self._numbers):08}-0000-4000-8000-{self._rng.randrange(10**12):012}"

    def _measure(self) -> Measured:
        self._server.listed()
        process = Path(f"/proc/{self._server.process.pid}")
        [resident] = [
            int(each.split()[1]) * 1024
            for each in (process / "status").read_text().splitlines()
            if each.startswith("VmRSS:")
        ]
        descriptors = len(os.listdir(process / "fd"))  # noqa: PTH208 -- links that vanish meanwhile
        seconds = time.monotonic() - self._began
        return Measured(self._appends, seconds, resident, descriptors, self._listener.heard)


QUESTIONS = (
    *("activePath", "branchTree", "toolCalls", "checkpoints", "subagents"),
    *("health", "cacheHistory", "workState", "watch"),
)


def answers(server: ForkpointServer) -> dict[str, Json]:
    """All that a server says of all sessions."""
    rows = server.listed()
    return {
        session_id: {
            "row": row,
            **{name: server.result(name, sessionId=session_id) for name in QUESTIONS},
        }
        for session_id, row in rows.items()
    }


def soak(appends: int, sessions: int = 50, seed: int = 1) -> Iterator[Measured]:
    """Run it; yields what was measured, and ends with the comparison of all answers."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        (home / "projects").mkdir(parents=True)
        options = {"cacheDir": str(Path(folder, "cache"))}
        with ForkpointServer(home, options=options) as server:
            work = Soak(home, server, sessions, seed)
            server.listed()
            yield from work.run(appends)
            assert work.deleted > sessions, "more sessions than there are at a time"
            ours = answers(server)
            end(server)
        options = {"cacheDir": str(Path(folder, "new")), "watch": "off"}
        with ForkpointServer(home, options=options) as new:
            theirs = answers(new)
            end(new)
        assert {*ours} == {*theirs}
        assert len(ours) == sessions
        for session_id, answered in ours.items():
            assert answered == theirs[session_id], session_id


def check(measured: list[Measured]) -> None:
    """Nothing grew that should not."""
    first, last = measured[0], measured[-1]
    assert last.resident <= first.resident + GROWTH, "memory grows"
    assert last.descriptors <= first.descriptors + DESCRIPTORS, "files stay open"


def main() -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(prog="tests.e2e.soak", description=__doc__)
    parser.add_argument("--appends", type=int, default=200_000)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    measured: list[Measured] = []
    for each in soak(given.appends, given.sessions, given.seed):
        print(each.text(), flush=True)
        measured.append(each)
    print("All answers are those of a new server.")
    check(measured)
    return 0


if __name__ == "__main__":
    sys.exit(main())
