"""What counts as the copy of a version: hostile names and places, the cases, the recordings."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from forkpoint.backups import Copy
from forkpoint.catalog import Catalog
from tests.builders import (
    CWD,
    delta,
    transcript,
)
from tests.disk.checkpoint_home import A, CheckpointHome
from tests.disk.history_pictures import of_file
from tests.disk.trees import needs_posix
from tests.fixture_paths import CASES, REAL


@pytest.fixture
def home(tmp_path: Path) -> CheckpointHome:
    return CheckpointHome(tmp_path / "config")


# --- what must not be read ---------------------------------------------------------------------


def _link(place: Path, secret: Path) -> None:
    place.symlink_to(secret)


def _dangling(place: Path, _: Path) -> None:
    place.symlink_to("nowhere")


def _folder(place: Path, _: Path) -> None:
    place.mkdir()


def _pipe(place: Path, _: Path) -> None:
    os.mkfifo(place)


def _device(place: Path, _: Path) -> None:
    place.symlink_to("/dev/zero")


@needs_posix
@pytest.mark.parametrize("make", [_link, _dangling, _folder, _pipe, _device])
def test_what_stands_in_place_of_a_copy(home: CheckpointHome, make: object) -> None:
    assert callable(make)
    home.session(A, "!u1(cart.py@1) u1")
    home.folder(A).mkdir(parents=True)
    secret = home.root / "secret"
    secret.write_text("secret\n")
    make(home.place(A, "cart.py", 1), secret)
    assert of_file(home) == "A u1 1 pruned"


@needs_posix
def test_a_folder_that_leads_out_holds_no_copies(home: CheckpointHome, tmp_path: Path) -> None:
    home.session(A, "!u1(cart.py@1) u1")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / home.name("cart.py", 1)).write_text("secret\n")
    (home.root / "file-history").mkdir()
    home.folder(A).symlink_to(tmp_path / "elsewhere")
    assert of_file(home) == "A u1 1 pruned"


@pytest.mark.parametrize(
    "name", ["../secret", "/etc/passwd", "..", "", f"{A}/0123456789abcdef@v1", "x" * 5000, "\0"]
)
def test_a_name_that_is_no_copy_s(home: CheckpointHome, name: str) -> None:
    home.session(
        A,
        transcript("u1") + delta("u1", "cart.py", {"backupFileName": name, "version": 1}, by="u1"),
    )
    home.copy(A, "tax.py", 1, "x\n")
    assert of_file(home) == "A u1 1 pruned"


# --- recorded truth ----------------------------------------------------------------------------


def test_the_case_of_a_fork_finds_the_copy_of_its_original() -> None:
    own, origin = "5f7f8938-32c7-480f-9a20-cac076e1f6e1", "77f06ef2-33c3-41c7-9e1e-99855fcd5eaa"
    known = Catalog([CASES / "65-checkpoint-other-session"])
    while known.index_next():
        pass
    [history] = known.histories.of_session(known.entry(own))
    assert [(each.owner, each.state) for each in history.versions] == [
        (origin, "present"),
        (own, "present"),
    ]
    merged = known.histories.of_file(f"{CWD}/src/cart.py").versions
    assert [each.entry.session_id for each in merged] == [origin, own]


@pytest.mark.parametrize("name", ["61-checkpoint-copies-missing", "64-checkpoint-hostile-names"])
def test_the_cases_of_copies_that_are_gone(name: str) -> None:
    known = Catalog([CASES / name])
    while known.index_next():
        pass
    for session_id, files in json.loads((CASES / name / "expect.json").read_bytes())[
        "files"
    ].items():
        for key, wanted in files.items():
            [history] = known.histories.of_session(known.entry(session_id), f"{CWD}/{key}")
            assert [
                {"version": each.recorded.version.number, "available": each.state == "present"}
                for each in history.versions
            ] == wanted["versions"]


def recordings() -> Iterator[str]:
    yield from sorted(path.parent.name for path in REAL.glob("*/file-history"))


@pytest.mark.parametrize("name", list(recordings()))
def test_every_recorded_copy_is_a_version(name: str) -> None:
    """Each stands once, under its session, byte for byte."""
    known = Catalog([REAL / name])
    while known.index_next():
        pass
    for session in known.entries():
        conversation = session.main.conversation
        if conversation is None or not conversation.index.summary.cwds:
            continue  # Nothing but state lines: no row tells where its relative paths begin.
        folder = REAL / name / "file-history" / session.session_id
        kept = [
            each
            for history in known.histories.of_session(session)
            for each in history.versions
            if each.state == "present" and each.owner == session.session_id
        ]
        copies = {file.name: file.read_bytes() for file in folder.glob("*@v*")}
        names = [each.recorded.version.backup for each in kept]
        assert sorted(map(str, names)) == sorted(copies)
        for each in kept:
            if isinstance(each.source, Copy):
                assert known.contents.data(each.source) == copies[each.source.name]
