"""Which copies are there, and that nothing else is opened under their names."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from forkpoint import disk
from forkpoint.backups import LARGEST, Backups, Copy, Measured
from forkpoint.disk import FileStat, Unreadable
from tests.disk.checkpoint_home import A, B, CheckpointHome
from tests.disk.trees import needs_posix

NAME = "0123456789abcdef@v1"
ODD_NAMES = (f"{NAME}.bak", "0123456789abcdef", NAME.upper(), "notes.txt", f"{NAME[:-1]}0")


@pytest.fixture
def home(tmp_path: Path) -> CheckpointHome:
    return CheckpointHome(tmp_path / "config")


def found(backups: Backups, home: CheckpointHome, session_id: str = A) -> dict[str, FileStat]:
    """Which names, of those that these tests write, are copies' now."""
    named = [home.name("cart.py", version) for version in (1, 2, 12)]
    candidates = (Copy(home.root, session_id, name) for name in (NAME, *named, *ODD_NAMES))
    stats = ((copy.name, backups.stat(copy)) for copy in candidates)
    return {name: stat for name, stat in stats if stat is not None}


def names(home: CheckpointHome, session_id: str = A) -> list[str]:
    return sorted(found(Backups(), home, session_id))


# --- what is there -----------------------------------------------------------------------------


def test_the_copies_of_a_session(home: CheckpointHome) -> None:
    one, two = (home.copy(A, "cart.py", version, "x" * version) for version in (1, 12))
    home.copy(B, "cart.py", 2, "of another session")
    for odd in ODD_NAMES:
        (home.folder(A) / odd).write_text("no copy")
    sizes = {name: stat.size for name, stat in found(Backups(), home).items()}
    assert sizes == {one.name: 1, two.name: 12}


@pytest.mark.parametrize("session_id", [B, A.upper(), "", ".", "..", f"../file-history/{A}", "\0"])
def test_other_sessions_have_none(home: CheckpointHome, session_id: str) -> None:
    home.copy(A, "cart.py", 1, "x")
    assert found(Backups(), home, session_id) == {}
    assert Backups().stat(Copy(home.root, session_id, home.name("cart.py", 1))) is None


@pytest.mark.parametrize("name", ["", ".", "..", f"../{B}/{NAME}", "../../secret", "/etc/passwd"])
def test_a_name_that_is_no_copy_s_is_not_there(home: CheckpointHome, name: str) -> None:
    home.copy(A, "cart.py", 1, "x")
    (home.root / "secret").write_text("secret")
    home.folder(B).mkdir()
    (home.folder(B) / NAME).write_text("of another session")
    backups, copy = Backups(), Copy(home.root, A, name)
    assert backups.stat(copy) is None
    assert backups.measure(copy) is None
    with pytest.raises(Unreadable):
        backups.content(copy)


def _file(place: Path) -> None:
    place.write_text("secret")


def _link(place: Path) -> None:
    place.with_name("secret").write_text("secret")
    place.symlink_to("secret")


def _dangling(place: Path) -> None:
    place.symlink_to("nowhere")


def _folder(place: Path) -> None:
    place.mkdir()


def _pipe(place: Path) -> None:
    os.mkfifo(place)


@needs_posix
@pytest.mark.parametrize(
    ("make", "is_copy"),
    [(_file, True), (_link, False), (_dangling, False), (_folder, False), (_pipe, False)],
)
def test_only_a_regular_file_is_a_copy(
    home: CheckpointHome, make: Callable[[Path], None], is_copy: bool
) -> None:
    home.folder(A).mkdir(parents=True)
    make(home.folder(A) / NAME)
    copy = Copy(home.root, A, NAME)
    assert names(home) == ([NAME] if is_copy else [])
    assert Backups().measure(copy) == (Measured(6, is_binary=False) if is_copy else None)


@needs_posix
def test_a_hard_link_is_a_copy_like_any_other(home: CheckpointHome) -> None:
    """A fork has its copies so."""
    copy = home.copy(A, "cart.py", 1, "x")
    home.folder(B).mkdir()
    home.place(B, "cart.py", 1).hardlink_to(copy.path)
    assert names(home, B) == [copy.name]


@needs_posix
@pytest.mark.parametrize("inside", [True, False])
def test_a_linked_folder_is_listed_only_if_it_stays_inside(
    home: CheckpointHome, tmp_path: Path, inside: bool
) -> None:
    target = home.folder(B) if inside else tmp_path / "elsewhere"
    target.mkdir(parents=True)
    (target / NAME).write_text("x")
    home.folder(A).parent.mkdir(parents=True, exist_ok=True)
    home.folder(A).symlink_to(target)
    assert names(home) == ([NAME] if inside else [])


@needs_posix
def test_whoever_links_all_copies_elsewhere_means_that_place(
    home: CheckpointHome, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere" / A).mkdir(parents=True)
    (tmp_path / "elsewhere" / A / NAME).write_text("x")
    home.root.mkdir()
    (home.root / "file-history").symlink_to(tmp_path / "elsewhere")
    assert names(home) == [NAME]


@needs_posix
def test_a_folder_that_may_not_be_listed(unprivileged_root: Path) -> None:
    home = CheckpointHome(unprivileged_root)
    copy = home.copy(A, "cart.py", 1, "x")
    home.folder(A).chmod(0)
    assert names(home) == []
    assert Backups().measure(copy) is None


# --- changes -----------------------------------------------------------------------------------


def test_what_comes_and_goes_is_seen_with_the_next_question(home: CheckpointHome) -> None:
    backups = Backups()
    assert found(backups, home) == {}
    first = home.copy(A, "cart.py", 1, "x")
    assert found(backups, home) == {}
    backups.begin()
    assert list(found(backups, home)) == [first.name]
    second = home.copy(A, "cart.py", 2, "y")
    Path(first.path).unlink()
    backups.begin()
    assert list(found(backups, home)) == [second.name]
    Path(second.path).unlink()
    home.folder(A).rmdir()
    backups.begin()
    assert found(backups, home) == {}


def test_a_folder_that_has_settled_is_listed_once(
    home: CheckpointHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Times of folders may be coarse: one that has just changed is listed anew each time."""
    copy = home.copy(A, "cart.py", 1, "x")
    listed: list[str] = []
    real = disk.list_names
    monkeypatch.setattr(
        disk, "list_names", lambda folder, home: listed.append(str(folder)) or real(folder, home)
    )
    backups = Backups()

    def ask() -> int:
        listed.clear()
        backups.begin()
        assert list(found(backups, home)) == [copy.name]
        assert list(found(backups, home)) == [copy.name]
        return len(listed)

    assert [ask(), ask()] == [1, 1]
    os.utime(home.folder(A), (1000, 1000))
    assert [ask(), ask(), ask()] == [1, 0, 0]
    os.utime(home.folder(A), (2000, 2000))
    assert [ask(), ask()] == [1, 0]


# --- what is in it -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "is_binary"),
    [(b"", False), (b"text\n", False), (b"a\0b", True), (b"\xff\xfea\0", False)],
)
def test_size_and_kind(home: CheckpointHome, content: bytes, is_binary: bool) -> None:
    copy, backups = home.copy(A, "cart.py", 1, content), Backups()
    assert backups.measure(copy) == Measured(len(content), is_binary)
    assert backups.content(copy) == content


def test_a_copy_that_was_measured_is_not_opened_again(
    home: CheckpointHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, backups = home.copy(A, "cart.py", 1, "x"), Backups()
    first = backups.measure(copy)
    opened: list[object] = []
    real = disk.read_spans
    monkeypatch.setattr(disk, "read_spans", lambda p, s: opened.append(p) or real(p, s))
    backups.begin()
    assert backups.measure(copy) == first
    assert opened == []
    home.copy(A, "cart.py", 1, "longer\0")
    backups.begin()
    assert backups.measure(copy) == Measured(7, is_binary=True)
    assert opened == [copy.path]


def test_a_large_copy_is_measured_but_not_read(home: CheckpointHome) -> None:
    """Two gigabytes of nothing, as a sparse file."""
    copy = home.copy(A, "cart.py", 1, "x\n")
    os.truncate(copy.path, LARGEST)
    backups = Backups()
    content = backups.content(copy)
    assert content is not None
    assert (len(content), content[:3]) == (LARGEST, b"x\n\0")
    os.truncate(copy.path, 2 << 30)
    backups.begin()
    assert backups.content(copy) is None
    assert backups.measure(copy) == Measured(2 << 30, is_binary=True)


@needs_posix
def test_a_copy_that_may_not_be_read(unprivileged_root: Path) -> None:
    home, backups = CheckpointHome(unprivileged_root), Backups()
    copy = home.copy(A, "cart.py", 1, "x")
    Path(copy.path).chmod(0)
    assert backups.stat(copy) is not None
    assert backups.measure(copy) is None
    with pytest.raises(Unreadable) as refused:
        backups.content(copy)
    assert refused.value.reason == "denied"


def test_a_copy_that_was_made_again_is_measured_again(home: CheckpointHome) -> None:
    """Its folder does not change by that."""
    backups = Backups()
    copy = home.copy(A, "cart.py", 1, "short")
    os.utime(home.folder(A), (1000, 1000))
    assert backups.content(copy) == b"short"
    Path(copy.path).write_bytes(b"longer \0 than before")
    os.utime(home.folder(A), (1000, 1000))
    backups.begin()
    assert backups.content(copy) == b"longer \0 than before"
    assert backups.measure(copy) == Measured(20, is_binary=True)
