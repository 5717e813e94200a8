"""Does the preview foretell what the real client did, in every situation of fixtures/rewinds?"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from forkpoint.catalog import Catalog
from forkpoint.going_back import going_back
from forkpoint.restoring import RestoredFile, restored_files
from forkpoint.rewind import is_refused
from tests.fixture_paths import FIXTURES

SITUATIONS = sorted(path.parent.name for path in (FIXTURES / "rewinds").glob("*/expect.json"))
USER = 1000
"""The client ran as an ordinary user, for whom permissions mean something."""


class Answer(NamedTuple):
    """What a restore would do: texts after it, and the paths that it leaves alone."""

    is_refused: bool
    changed: dict[str, str | None]
    skipped: set[str]
    failed: set[str]
    kept: set[str]


REFUSED_NAMES = {"odd-name-forms"}
"""The client takes `@v0` and `@v02`, which it never writes. We open no such name."""


@pytest.mark.parametrize("name", sorted(set(SITUATIONS) - REFUSED_NAMES))
def test_the_preview_foretells_what_the_client_did(name: str, tmp_path: Path) -> None:
    expected = json.loads((FIXTURES / "rewinds" / name / "expect.json").read_bytes())
    home = _lay_out(name, expected, tmp_path)
    start = f"{tmp_path}{expected['start']}"
    with _as_a_user(tmp_path):
        catalog = Catalog([home])
        for prompt, answer in expected["prompts"].items():
            foretold = _foretold(
                catalog, expected["session"], prompt, f"{tmp_path}{expected['ran_in']}"
            )
            assert foretold == _recorded(answer, start, tmp_path), expected["labels"].get(prompt)


def _foretold(catalog: Catalog, session: str, prompt: str, folder: str) -> Answer:
    conversation, entry = catalog.conversation(session), catalog.entry(session)
    row = conversation.index.nodes.find(prompt)
    state = conversation.restore_points(folder).at(prompt)
    if state is None or row is None or going_back(conversation, row, None).fate is None:
        return Answer(True, {}, set(), set(), set())
    files = restored_files(catalog.contents, entry, state, folder)
    if is_refused([file.outcome for file in files], any(file.mode_changes for file in files)):
        return Answer(True, {}, set(), set(), set())
    changes = ("overwrite", "create", "delete")

    def of(*reasons: str) -> set[str]:
        return {_real(file.path) for file in files if file.outcome.reason in reasons}

    return Answer(
        is_refused=False,
        changed={
            _real(file.path): _text(catalog, file)
            for file in files
            if file.outcome.action in changes or file.mode_changes
        },
        skipped=of("symlink", "hardLink", "notRegular", "parentMoved"),
        failed=of("pruned", "unreadable", "notWritable"),
        kept=of("keptBack"),
    )


def _text(catalog: Catalog, file: RestoredFile) -> str | None:
    if file.outcome.action == "delete":
        return None
    assert file.source is not None
    data = catalog.contents.data(file.source)
    assert data is not None
    return data.decode("utf-8", "replace")


def _recorded(answer: dict[str, Any], start: str, root: Path) -> Answer:
    if answer["refused"]:
        return Answer(True, {}, set(), set(), set())

    def moved(path: str) -> str:
        return _real(f"{root}{path}" if path.startswith("/") else f"{start}/{path}")

    return Answer(
        is_refused=False,
        changed={moved(path): what["after"] for path, what in answer["changed"].items()},
        skipped=set(map(moved, answer.get("skipped", ()))),
        failed=set(map(moved, answer.get("failed", ()))),
        kept=set(map(moved, answer.get("kept", ()))),
    )


def _real(path: str) -> str:
    """One name for a file, by whichever linked folder it was reached."""
    folder, name = os.path.split(os.path.normpath(path))
    return str(Path(os.path.realpath(folder), name))


# --- laying a situation out --------------------------------------------------------------------


def _lay_out(name: str, expected: dict[str, Any], root: Path) -> Path:
    """Make the situation's folders below `root`, where everything has its own path."""
    source = FIXTURES / "rewinds" / name
    home, start = root / "config", Path(f"{root}{expected['start']}")
    shutil.copytree(source / "home", home)
    for file in home.rglob("*.jsonl"):
        file.write_bytes(file.read_bytes().replace(b"/home/dev", f"{root}/home/dev".encode()))
    start.parent.mkdir(parents=True)
    if expected.get("start_exists", True):
        start.mkdir()
    if (source / "cwd").exists():
        shutil.copytree(source / "cwd", start, dirs_exist_ok=True)
    for path in (*home.rglob("*"), *start.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    history = home / "file-history"
    for step in expected["make"]:
        for word, given in step.items():
            _make(word, given, start, history, expected["session"], root)
    return home


def _make(word: str, given: Any, start: Path, history: Path, session: str, root: Path) -> None:
    folder = start
    if word.startswith("historyOther"):
        folder, word = history, word.removeprefix("historyOther")
    elif word.startswith("history"):
        folder, word = history / session, word.removeprefix("history")
    words = [given] if isinstance(given, str) else list(given)
    place = _place(folder, words[0], root)
    match word[:1].lower() + word[1:]:
        case "file" | "":
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(words[1])
            place.chmod(0o644)
        case "folder":
            place.mkdir(parents=True, exist_ok=True)
        case "symlink":
            place.parent.mkdir(parents=True, exist_ok=True)
            target = words[1]
            if place.is_dir():  # The folder itself was moved away.
                place.rmdir()
            place.symlink_to(f"{root}{target}" if target.startswith("/") else target)
        case "hardLink":
            other = _place(folder, words[1], root)
            other.parent.mkdir(parents=True, exist_ok=True)
            other.hardlink_to(place)
        case "fifo":
            os.mkfifo(place)
        case "mode":
            place.chmod(int(words[1], 8))
        case unknown:
            raise ValueError(unknown)


def _place(folder: Path, path: str, root: Path) -> Path:
    place = f"{root}{path}" if path.startswith("/") else f"{folder}/{path}"
    return Path(os.path.normpath(place))


@contextmanager
def _as_a_user(root: Path) -> Iterator[None]:
    """As another user than root, if we are root, to whom what was laid out belongs."""
    if os.geteuid() != 0:
        yield
        return
    for mine in (root / "home", root / "config"):
        for folder, folders, files in os.walk(mine):
            for name in (".", *folders, *files):
                os.chown(Path(folder) / name, USER, USER, follow_symlinks=False)
    for parent in (root, *root.parents):
        if not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o001)
    os.setegid(USER)
    os.seteuid(USER)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
