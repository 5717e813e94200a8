"""A server that watches a Codex home tells of what happens there, as of the other agent's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.disk.codex_home import A, B, compress, name, place, put, rollout, turn
from tests.e2e.forkpoint_server import ForkpointServer, end
from tests.e2e.stdio_client import eventually

CATALOG, SESSION = "forkpoint/didChangeCatalog", "forkpoint/didChangeSession"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    put(tmp_path / "codex", place(A), rollout("One"))
    return tmp_path / "codex"


@pytest.fixture
def server(tmp_path: Path, home: Path) -> Iterator[ForkpointServer]:
    """A server whose home is named as it is initialized."""
    with ForkpointServer(tmp_path / "claude", options={"codexHomes": [str(home)]}) as server:
        yield server
        end(server)


def news(server: ForkpointServer, since: int, what: str, session_id: str) -> None:
    """Wait until the list's news behind the first `since` messages name a session so, and only so.

    Changes that come at nearly the same time are told together.
    """

    def told() -> set[str]:
        lists = [m["params"] for m in server.heard[since:] if m.get("method") == CATALOG]
        return {kind for each in lists for kind, ids in each.items() if session_id in ids}

    eventually(lambda: what in told())
    assert told() <= {what, "changed"}


def moved(server: ForkpointServer, since: int) -> list[dict[str, Any]]:
    """What is told of the followed session behind the first `since` messages."""
    return [m["params"] for m in server.heard[since:] if m.get("method") == SESSION]


def test_a_life_of_a_rollout(server: ForkpointServer, home: Path) -> None:
    assert set(server.listed()) == {A}
    news(server, 0, "added", A)
    server.result("watch", sessionId=A)

    since = len(server.heard)
    with (home / place(A)).open("ab") as file:
        file.writelines(turn("Two", 1))
    eventually(lambda: bool(moved(server, since)))
    path = server.result("activePath", sessionId=A)
    assert moved(server, since)[-1]["leaf"] == path["leaf"]["uuid"]
    assert [entry["preview"] for entry in path["entries"] if entry["role"] == "prompt"] == [
        "One",
        "Two",
    ]

    since = len(server.heard)
    put(home, place(B), rollout("Other", thread_id=B))
    news(server, since, "added", B)

    since = len(server.heard)
    name(home, (A, "Its name"))
    news(server, since, "changed", A)
    assert server.listed()[A]["title"] == {"text": "Its name", "source": "custom"}

    since = quiet = len(server.heard)
    target = compress(home / place(A))
    news(server, since, "changed", A)
    assert server.listed()[A]["transcript"] == target.as_uri()
    assert server.result("activePath", sessionId=A)["entries"] == path["entries"]

    since = len(server.heard)
    put_away = home / place(A, archived=True, packed=True)
    put_away.parent.mkdir()
    target.rename(put_away)
    news(server, since, "changed", A)
    assert server.listed()[A]["archived"]
    assert moved(server, quiet) == [], "it is the same conversation"

    since = len(server.heard)
    put_away.unlink()
    news(server, since, "removed", A)
    eventually(lambda: bool(moved(server, since)))
    assert [told["gone"] for told in moved(server, since)] == [True]


def test_settings_name_other_homes(server: ForkpointServer, home: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    put(other, place(B), rollout("Other", thread_id=B))
    assert set(server.listed()) == {A}
    server.open(tmp_path / "claude", codexHomes=[str(other)])
    assert set(server.listed()) == {B}
    server.open(tmp_path / "claude", codexHomes=[str(other), str(home)])
    assert set(server.listed()) == {A, B}
    # An empty list says nothing: what was named when the server was initialized holds.
    server.open(tmp_path / "claude", codexHomes=[])
    assert set(server.listed()) == {A}
