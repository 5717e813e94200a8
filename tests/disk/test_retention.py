"""How long transcripts are kept, who says so, and which of them go soon."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from forkpoint.catalog import Catalog
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.protocol.encode import encode
from forkpoint.protocol.params import decode_params
from forkpoint.retention import DAY_MS, Retention, retention_of, shorter_in_projects
from tests.builders import line, transcript
from tests.disk.checkpoint_home import A, B, C, CheckpointHome
from tests.disk.trees import needs_posix

NOBODY = Retention(30, "default", None)
DAY = DAY_MS / 1000


def say(folder: Path, name: str, days: object) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(json.dumps({"cleanupPeriodDays": days, "model": "opus"}))
    return str(file)


def of(root: Path, managed: Path | None = None) -> Retention:
    return retention_of(root, str(managed or root / "nowhere"))


@pytest.mark.parametrize(
    ("settings", "days"),
    [
        ({}, 30),
        ({"cleanupPeriodDays": 365, "model": "opus"}, 365),
        ({"cleanupPeriodDays": 0}, 0),
        ({"cleanupPeriodDays": 99999}, None),
        ({"cleanupPeriodDays": "seven"}, 30),
        ({"cleanupPeriodDays": -1}, 30),
        ({"cleanupPeriodDays": True}, 30),
        ([], 30),
    ],
)
def test_after_how_many_days_transcripts_go(
    tmp_path: Path, settings: object, days: int | None
) -> None:
    """Thirty by default (documented by the client)."""
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    assert of(tmp_path).days == days


def test_without_settings_the_default_counts(tmp_path: Path) -> None:
    assert of(tmp_path) == NOBODY


def test_the_organisation_wins(tmp_path: Path) -> None:
    say(tmp_path, "settings.json", 10)
    managed = tmp_path / "managed"
    file = say(managed, "managed-settings.json", 20)
    assert of(tmp_path, managed) == Retention(20, "managed", file)
    part = say(managed / "managed-settings.d", "10-keep.json", 5)
    assert of(tmp_path, managed) == Retention(5, "managed", part)


@needs_posix
def test_settings_that_are_a_link_count(tmp_path: Path) -> None:
    """People keep their settings in a repository of their own."""
    say(tmp_path / "dotfiles", "settings.json", 77)
    root = tmp_path / "root"
    root.mkdir()
    (root / "settings.json").symlink_to(tmp_path / "dotfiles" / "settings.json")
    assert of(root) == Retention(77, "user", str(root / "settings.json"))


@pytest.mark.parametrize(
    ("usual", "told"),
    [
        (NOBODY, [7]),
        (Retention(7, "user", None), []),
        (Retention(None, "user", None), [7, 60]),
        (Retention(90, "managed", None), []),
    ],
)
def test_projects_that_have_more_deleted(tmp_path: Path, usual: Retention, told: list[int]) -> None:
    places = [tmp_path / name for name in ("plain", "less", "more")]
    for place in places:
        place.mkdir()
    say(places[1] / ".claude", "settings.json", 7)
    say(places[2] / ".claude", "settings.json", 60)
    found = shorter_in_projects([*map(str, places), str(places[1])], usual, tmp_path / "home")
    assert [said.days for _, said in found] == told


# --- which go soon -----------------------------------------------------------------------------


def home(tmp_path: Path, **ages: float) -> CheckpointHome:
    """Sessions `a`, `b` and `c` of so many days."""
    made = CheckpointHome(tmp_path)
    for name, age in ages.items():
        path = made.session({"a": A, "b": B, "c": C}[name], "u1 a1")
        changed = time.time() - age * DAY
        os.utime(path, (changed, changed))
    return made


def ask(known: Catalog, method: str, **params: Any) -> Any:
    name = f"forkpoint/{method}"
    return encode(HANDLERS[name](known, decode_params(name, params)))


def listed(known: Catalog, **params: Any) -> set[str]:
    return {row["sessionId"] for row in ask(known, "sessions", **params)["sessions"]}


def test_what_goes_within_seven_days(tmp_path: Path) -> None:
    known = home(tmp_path, a=31, b=23.5, c=22.5).catalog()
    retention = ask(known, "health")["retention"]
    assert [each["sessionId"] for each in retention["sessions"]] == [A, B]
    assert retention["soon"] == 2
    told = "2 sessions will be deleted within 7 days, 1 of them at the next start of the agent."
    assert retention["sentence"] == told
    rows = {row["sessionId"]: row["expiresAt"] for row in ask(known, "sessions")["sessions"]}
    assert {each["sessionId"]: each["expiresAt"] for each in retention["sessions"]} == {
        A: rows[A],
        B: rows[B],
    }


@pytest.mark.parametrize(("days", "expected"), [(0, {A}), (7, {A, B}), (8, {A, B, C})])
def test_the_list_can_be_of_what_goes_soon(tmp_path: Path, days: int, expected: set[str]) -> None:
    known = home(tmp_path, a=31, b=23.5, c=22.5).catalog()
    assert listed(known, expiring=days) == expected
    assert ask(known, "sessions", expiring=days, limit=1)["total"] == len(expected)
    assert listed(known) == {A, B, C}


def test_the_setting_moves_the_date(tmp_path: Path) -> None:
    made = home(tmp_path, a=31, b=2)
    file = say(tmp_path, "settings.json", 365)
    known = made.catalog()
    assert ask(known, "health")["retention"]["soon"] == 0
    assert listed(known, expiring=7) == set()
    [setting] = ask(known, "health")["retention"]["settings"]
    assert (setting["days"], setting["source"]) == (365, "user")
    assert setting["file"] == Path(file).as_uri()
    say(tmp_path, "settings.json", 3)
    known.rescan()
    assert listed(known, expiring=1) == {A, B}
    say(tmp_path, "settings.json", 99999)
    known.rescan()
    assert ask(known, "health", withinDays=10000)["retention"]["soon"] == 0


def test_a_project_that_has_more_deleted_is_told_of(tmp_path: Path) -> None:
    """The clean-up sweeps all projects by the settings of the one that it is started in."""
    project = tmp_path / "work"
    say(project / ".claude", "settings.json", 7)
    made = CheckpointHome(tmp_path / "home")
    row = {"u1": {"cwd": str(project)}, "a1": {"cwd": str(project)}}
    made.session(A, transcript("u1 a1", fields=row))
    usual, less = ask(made.catalog(), "health")["retention"]["settings"]
    assert (usual["days"], usual["source"]) == (30, "default")
    assert (less["days"], less["source"], less["sessionId"], less["file"]) == (
        7,
        "project",
        A,
        None,
    )


def test_a_file_without_a_message_is_no_session_that_goes(tmp_path: Path) -> None:
    made = home(tmp_path, a=31)
    path = made.session(B, line(type="mode", mode="normal"))
    os.utime(path, (1, 1))
    known = made.catalog()
    assert ask(known, "health")["retention"]["soon"] == 1 == len(listed(known, expiring=7))
