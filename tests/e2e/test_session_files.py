"""`forkpoint/sessions` over the wire: what lies beside transcripts, and the very first answer."""

from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from forkpoint.protocol.uri import file_uri
from tests.builders import line, transcript
from tests.e2e.forkpoint_server import ForkpointServer
from tests.e2e.stdio_client import eventually
from tests.fixture_paths import CASES

A = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
B = "b69a0ae4-3726-47d4-ad61-f08d81ff360f"


def plant(home: Path, session_id: str, data: bytes, key: str = "-home-dev-shop") -> Path:
    folder = home / "projects" / key
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session_id}.jsonl"
    path.write_bytes(data)
    return path


def beside(path: Path, name: str, value: object) -> None:
    path.with_suffix("").mkdir(exist_ok=True)
    (path.with_suffix("") / name).write_text(json.dumps(value))


def test_archived_sessions_are_behind_a_switch(server: ForkpointServer, home: Path) -> None:
    beside(plant(home, A, transcript("u1 a1")), "archived.json", {"archived": True, "at": 1})
    plant(home, B, transcript("u1 a1"))
    server.open(home)
    assert {session_id: row["archived"] for session_id, row in server.listed().items()} == {
        A: True,
        B: False,
    }
    assert list(server.listed(includeArchived=False)) == [B]


@pytest.mark.parametrize(
    ("settings", "days"),
    [
        pytest.param(None, 30, id="documented default"),
        pytest.param('{"cleanupPeriodDays": 7}', 7, id="set"),
        pytest.param('{"cleanupPeriodDays": 99999}', None, id="switched off by a huge number"),
        pytest.param('{"cleanupPeriodDays": "seven"', 30, id="broken settings"),
    ],
)
def test_when_a_session_is_deleted(
    server: ForkpointServer, home: Path, settings: str | None, days: int | None
) -> None:
    path = plant(home, A, transcript("u1 a1"))
    modified = datetime(2026, 5, 1, 12, tzinfo=UTC)
    os.utime(path, (modified.timestamp(), modified.timestamp()))
    if settings is not None:
        (home / "settings.json").write_text(settings)
    server.open(home)
    row = server.listed()[A]
    assert datetime.fromisoformat(row["modifiedAt"]) == modified
    expires = row["expiresAt"] and datetime.fromisoformat(row["expiresAt"])
    assert expires == (None if days is None else modified + timedelta(days=days))


def test_of_one_id_in_two_places_the_newest_answers(server: ForkpointServer, home: Path) -> None:
    newer = plant(home, A, transcript("u1 a1 u2 a2"), "-home-dev-shop")
    older = plant(home, A, transcript("u1 a1"), "-home-dev-old")
    for path, seconds in ((newer, 2_000_000), (older, 1_000_000)):
        os.utime(path, (seconds, seconds))
    server.open(home)
    [row] = server.listed().values()
    assert (row["transcript"], row["promptCount"]) == (file_uri(str(newer)), 2)
    sentences = [p["sentence"] for p in row["problems"] if p["code"] == "duplicateId"]
    assert sentences == ["An older file with the same id lies in the project folder -home-dev-old."]


def test_several_config_folders_make_one_list(server: ForkpointServer, tmp_path: Path) -> None:
    homes = [tmp_path / "one", tmp_path / "two"]
    for home, session_id in zip(homes, (A, B), strict=True):
        plant(home, session_id, transcript("u1 a1"))
    server.open(*homes)
    assert set(server.listed()) == {A, B}


def test_titles_pull_requests_and_tags_come_from_state_lines(
    server: ForkpointServer, home: Path
) -> None:
    state: list[dict[str, Any]] = [
        {"type": "custom-title", "customTitle": "A given\ntitle", "sessionId": A},
        {"type": "tag", "tag": "blue", "sessionId": A},
        {"type": "pr-link", "prNumber": 7, "prUrl": "https://x.test/7", "prRepository": "a/b"},
    ]
    plant(home, A, transcript("u1 a1") + b"".join(line(**fields) for fields in state))
    server.open(home)
    [row] = server.listed().values()
    assert row["title"] == {"text": "A given title", "source": "custom"}
    assert row["tag"] == "blue"
    assert row["pullRequests"] == [{"number": 7, "url": "https://x.test/7", "repository": "a/b"}]
    assert list(server.listed(query="BLUE")) == [A]


# --- the first answer --------------------------------------------------------------------------


def test_the_first_list_after_opening_knows_forks_and_summaries(
    server: ForkpointServer, tmp_path: Path
) -> None:
    """Whoever reads a transcript first, list or background, its signs are taken in."""
    for name in ("49-foreign-summaries", "71-usage-fork-copies"):
        shutil.copytree(CASES / name / "projects", tmp_path / name / "projects")
    server.open(tmp_path / "49-foreign-summaries")
    titles = [row["title"]["source"] for row in server.result("sessions")["sessions"]]
    assert titles == ["summary", "summary"]


def test_a_long_transcript_is_listed_before_it_is_read(home: Path) -> None:
    """The list never waits: counts of a long one are null at first, and come later."""
    padding = "x" * 300
    talk = " ".join(f"u{n} a{n}" for n in range(1, 2000))
    plant(home, A, transcript(talk, fields={"u1": {"message": {"content": f"first {padding}"}}}))
    with ForkpointServer(home) as server:
        [early] = server.result("sessions")["sessions"]
        counts = (early["promptCount"], early["tokens"], early["tip"])
        assert counts in ((None, None, None), (1999, early["tokens"], "complete"))
        assert early["firstPrompt"].startswith("first xxx")
        assert len(early["firstPrompt"]) == 200
        late = server.listed()[A]
        assert (late["promptCount"], late["tip"], late["branchCount"]) == (1999, "complete", 0)


def test_a_long_transcript_that_comes_later_is_read_in_the_background(
    server: ForkpointServer, home: Path
) -> None:
    plant(home, A, transcript("u1 a1"))
    server.open(home)
    server.listed()
    plant(home, B, transcript(" ".join(f"u{n} a{n}" for n in range(2, 501))))  # no copy of A
    server.result("sessions")

    def is_counted() -> bool:
        rows = {row["sessionId"]: row for row in server.result("sessions")["sessions"]}
        return rows[B]["promptCount"] == 499

    eventually(is_counted)
