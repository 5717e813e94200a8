"""What says that something happened below the roots: the system, or looking again and again."""

from __future__ import annotations

import errno
import logging
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import watchfiles._rust_notify

from forkpoint import watch as watching
from forkpoint.watch import Watch

PATIENCE = 20.0


class Ear:
    """Keeps what is told."""

    def __init__(self) -> None:
        self._told: list[set[str] | None] = []
        self._news = threading.Condition()

    def __call__(self, _: Watch, paths: set[str] | None) -> None:
        with self._news:
            self._told.append(paths)
            self._news.notify_all()

    def times(self) -> int:
        """How often it was told to look at everything."""
        with self._news:
            return self._told.count(None)

    def wait_for_all(self, times: int) -> None:
        with self._news:
            assert self._news.wait_for(lambda: self._told.count(None) >= times, PATIENCE)

    def touch(self, path: Path) -> None:
        """Make a file, and wait until it is told, or everything is to be looked at."""
        with self._news:
            before = len(self._told)
        path.touch()

        def is_told() -> bool:
            return any(paths is None or str(path) in paths for paths in self._told[before:])

        with self._news:
            assert self._news.wait_for(is_told, PATIENCE), f"{path} was not told: {self._told}"

    def wait_for(self, path: Path) -> None:
        """Wait until a path is told by its name."""

        def is_told() -> bool:
            return any(str(path) in paths for paths in self._told if paths is not None)

        with self._news:
            assert self._news.wait_for(is_told, PATIENCE), f"{path} was not told: {self._told}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "projects" / "-home-dev-shop").mkdir(parents=True)
    return tmp_path


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(watching, "LOOK_AGAIN_SECONDS", 0.05)


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def begun() -> Iterator[list[Watch]]:
    """What the test starts, to be stopped."""
    all_of_them: list[Watch] = []
    yield all_of_them
    for each in all_of_them:
        each.stop()


def start(begun: list[Watch], home: Path, ear: Ear, mode: Any = "auto") -> Watch:
    watch = Watch([home], ear, mode)
    begun.append(watch)
    watch.start()
    return watch


def test_the_system_tells_of_files_old_and_new(home: Path, ear: Ear, begun: list[Watch]) -> None:
    start(begun, home, ear)
    ear.wait_for_all(1)  # what happened before the system began to tell
    file = home / "projects" / "-home-dev-shop" / "a.jsonl"
    file.write_bytes(b"one\n")
    ear.wait_for(file)
    folder = home / "projects" / "-home-dev-new"
    folder.mkdir()
    ear.wait_for(folder)
    assert ear.times() == 1, "nothing but what happened is looked at"


@pytest.mark.parametrize("name", ["projects", "sessions", "file-history"])
def test_a_folder_that_comes_later(home: Path, ear: Ear, begun: list[Watch], name: str) -> None:
    start(begun, home / "later", ear)
    folder = home / "later" / name
    folder.mkdir(parents=True)
    ear.wait_for_all(1)
    for number in range(3):
        ear.touch(folder / f"{number}.json")


def test_a_folder_removed_and_made_anew_at_once(home: Path, ear: Ear, begun: list[Watch]) -> None:
    """The new one may have the inode of the old one."""
    start(begun, home, ear)
    ear.wait_for_all(1)
    for _ in range(3):
        seen = ear.times()
        shutil.rmtree(home / "projects")
        (home / "projects" / "-home-dev-shop").mkdir(parents=True)
        ear.wait_for_all(seen + 1)
        ear.touch(home / "projects" / "-home-dev-shop" / f"{seen}.jsonl")


def no_watch_is_left(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def own_error(*_: object) -> None:
    raise watchfiles._rust_notify.WatchfilesRustInternalError("Too many open files")


@pytest.mark.parametrize("refuse", [no_watch_is_left, own_error])
def test_what_cannot_be_watched_is_looked_at(
    home: Path,
    ear: Ear,
    begun: list[Watch],
    refuse: object,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(watchfiles._rust_notify, "RustNotify", refuse)
    start(begun, home, ear)
    ear.wait_for_all(3)
    [said] = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert "looking every" in said.getMessage(), "a sentence, once"


def test_a_network_file_system_is_looked_at(
    home: Path, ear: Ear, begun: list[Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "is_remote", lambda folder: True)
    monkeypatch.setattr(watchfiles._rust_notify, "RustNotify", no_watch_is_left)
    start(begun, home, ear)
    ear.wait_for_all(3)


def test_polling_asks_nobody(
    home: Path, ear: Ear, begun: list[Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        pytest.fail("the system was asked")

    monkeypatch.setattr(watchfiles._rust_notify, "RustNotify", fail)
    start(begun, home, ear, "poll")
    ear.wait_for_all(3)


@pytest.mark.parametrize("mode", ["auto", "poll"])
def test_its_thread_ends(home: Path, ear: Ear, begun: list[Watch], mode: str) -> None:
    before = threading.active_count()
    watch = start(begun, home, ear, mode)
    ear.wait_for_all(1)
    watch.stop()
    until = time.monotonic() + PATIENCE
    while threading.active_count() > before:
        assert time.monotonic() < until, "it goes on"
        time.sleep(0.01)
    times = ear.times()
    (home / "projects" / "file").touch()
    assert ear.times() == times
