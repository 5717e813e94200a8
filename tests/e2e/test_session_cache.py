"""What the list says of each session's prompt cache: the clock alone, without reading a body."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import SESSION, timestamp
from tests.e2e.cache_homes import HOUR, LAST, MINUTE, ONE, Files, session
from tests.e2e.cache_notes import untold_server
from tests.e2e.forkpoint_server import ForkpointServer, Json

SONNET = "claude-sonnet-4-6"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkpointServer]:
    with untold_server(tmp_path_factory.mktemp("empty")) as server:
        yield server


def listed(server: ForkpointServer, home: Path, files: Files) -> Json:
    for name, data in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(data)
    server.open(home)
    return server.listed()[SESSION]["cache"]


SENT = LAST - 1
"""The prompt's time: the request cannot have been sent before."""


def cache(ttl: float | None, cost: float | None) -> Json:
    ends = (None, None) if ttl is None else (timestamp(SENT + ttl), timestamp(LAST + ttl))
    return {
        "ttlSeconds": ttl,
        "expiresAt": ends[0],
        "expiresBy": ends[1],
        "costUsdCold": None if cost is None else pytest.approx(cost),
    }


ROWS: list[tuple[str, Files, Json]] = [
    ("asked for an hour", session(ONE), cache(HOUR, 143_673 * 8e-6)),
    ("wrote for five minutes", session("6/88000/2400/0/410", model=SONNET, asked=None),
     cache(5 * MINUTE, 90_816 * 3.75e-6)),
    ("read what the answer before wrote", session("6/90000/0/0/410", asked=None),
     cache(5 * MINUTE, 90_416 * 5e-6)),
    ("asked for none", session(ONE, asked="off"), cache(None, 143_673 * 4e-6)),
    ("a model without a price", session(ONE, model="someone-9"), cache(HOUR, None)),
]  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), [row[1:] for row in ROWS],
                         ids=[row[0] for row in ROWS])  # fmt: skip
def test_a_row(server: ForkpointServer, tmp_path: Path, files: Files, expected: Json) -> None:
    assert listed(server, tmp_path, files) == expected


def test_nothing_before_the_first_answer(server: ForkpointServer, tmp_path: Path) -> None:
    files = {name: data.splitlines(keepends=True)[0] for name, data in session(ONE).items()}
    assert listed(server, tmp_path, files) is None
