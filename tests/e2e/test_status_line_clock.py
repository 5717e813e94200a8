"""What the client told its status line of the cache decides when it expires, if it may be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from tests.builders import SESSION, timestamp
from tests.e2e.cache_homes import HOUR, LAST, MINUTE, session
from tests.e2e.cache_notes import must_be_sound, untold_server
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.fixture_paths import FIXTURES

TOLD = FIXTURES / "status-line" / "answered.json"
KEPT_ALIVE = LAST + 50 * MINUTE


def seconds(at: str) -> int:
    return int(datetime.fromisoformat(at).timestamp())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Worked example 1, whose cache was touched once more, 50 minutes after its last answer."""
    home = tmp_path_factory.mktemp("told")
    for name, data in session("3/141200/0/1850/620").items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(data)
    said = json.loads(TOLD.read_bytes())
    said["session_id"] = SESSION
    said["prompt_cache"] |= {"ttl": "1h", "expires_at": seconds(timestamp(KEPT_ALIVE + HOUR))}
    kept = home / ".cache" / "forkpoint" / "status-line"
    kept.mkdir(parents=True)
    (kept / f"{SESSION}.json").write_text(json.dumps(said))
    return home


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[ForkpointServer]:
    with untold_server(home) as server:
        yield server


def note_at(server: ForkpointServer, home: Path, now: float, **options: object) -> Json:
    server.open(home, **options)
    note = server.result("cacheImpact", sessionId=SESSION, environment={"now": timestamp(now)})
    must_be_sound(note)
    return note


def test_it_is_not_read_unless_it_may_be(server: ForkpointServer, home: Path) -> None:
    assert note_at(server, home, LAST + 90 * MINUTE)["verdict"] == "cold"


def test_it_knows_what_left_no_record(server: ForkpointServer, home: Path) -> None:
    note = note_at(server, home, LAST + 90 * MINUTE, statusLineCache=True)
    assert note["verdict"] == "warm"
    assert "20 min" in note["sentence"]
    assert seconds(note["expiresBy"]) == seconds(timestamp(KEPT_ALIVE + HOUR))
    assert {
        "what": "lastRequest",
        "value": "to the second",
        "from": "the client's word to its status line",
    } in note["basis"]
