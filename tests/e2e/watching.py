"""What a client that follows sessions hears, and a folder in which they grow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from tests.builders import SESSION, transcript
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.stdio_client import eventually

BELL = "be110000-0000-4000-8000-000000000000"
"""A session that nobody asks about: what is told of it shows that earlier events are dealt with."""

SHOP = "-home-dev-shop"


def place(home: Path, session_id: str = SESSION, key: str = SHOP) -> Path:
    """Where the transcript of a session is to lie; its folder is made."""
    path = home / "projects" / key / f"{session_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


class Follower:
    """What the server told of one session from the moment on that this was made."""

    def __init__(self, server: ForkpointServer, session_id: str = SESSION) -> None:
        self.server = server
        self.session_id = session_id
        self._since = len(server.heard)

    def told(self, agent_id: str | None = None) -> list[Json]:
        """The notifications about its own transcript, or about a subagent's."""
        return [one for one in self.all() if one["agentId"] == agent_id]

    def all(self) -> list[Json]:
        news = [m for m in self.server.heard[self._since :] if is_about(m, self.session_id)]
        return [message["params"] for message in news]

    def until(self, holds: Callable[[list[Json]], bool], agent_id: str | None = None) -> list[Json]:
        """Wait until what was told fits, and give it."""
        eventually(lambda: holds(self.told(agent_id)))
        return self.told(agent_id)

    def next(self, agent_id: str | None = None) -> Json:
        """Wait for something to be told, and give the one notification there is."""
        self.until(bool, agent_id)
        [only] = self.told(agent_id)
        return only

    def begin_anew(self) -> None:
        """Forget what was told so far."""
        self._since = len(self.server.heard)


def is_about(message: Json, session_id: str) -> bool:
    return (
        message.get("method") == "forkpoint/didChangeSession"
        and message["params"]["sessionId"] == session_id
    )


class Bell:
    """Grows a session of its own and waits until that is told, twice.

    The first may be told from the same batch of events as what the test did before, the second
    cannot: what was not told until then is not told at all.
    """

    def __init__(self, server: ForkpointServer, home: Path) -> None:
        self._path = place(home, BELL)
        self._path.write_bytes(transcript("u1"))
        self._server = server
        self._rung = 1
        eventually(lambda: knows(server, BELL))
        server.result("watch", sessionId=BELL)

    def ring(self) -> None:
        for _ in range(2):
            follower = Follower(self._server, BELL)
            self._rung += 1
            append(self._path, transcript(f"| u{self._rung - 1} u{self._rung}"))
            follower.until(bool)


def knows(server: ForkpointServer, session_id: str) -> bool:
    return "result" in server.request("forkpoint/branchTree", {"sessionId": session_id})


def news(server: ForkpointServer, since: int = 0) -> dict[str, set[str]]:
    """The ids that notifications about the list named, all together."""
    told: dict[str, set[str]] = {"added": set(), "changed": set(), "removed": set()}
    for message in server.heard[since:]:
        if message.get("method") == "forkpoint/didChangeCatalog":
            for what, ids in message["params"].items():
                told[what].update(ids)
    return told


def is_news(server: ForkpointServer, session_id: str, since: int) -> bool:
    """Whether the list was told of a session; one that was just found may still count as new."""
    told = news(server, since)
    return session_id in told["added"] | told["changed"]


def ordinals(told: Iterable[Json]) -> list[int]:
    """All ordinals that notifications say to be new, in their order."""
    spans = [(one["firstNew"], one["lastNew"]) for one in told if one["firstNew"] is not None]
    return [ordinal for first, last in spans for ordinal in range(first, last + 1)]
