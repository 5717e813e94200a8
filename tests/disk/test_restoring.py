"""What a restore would do to files on a real disk; that it is what the client does, see rewinds."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from forkpoint.catalog import Catalog
from forkpoint.checkpoints import Version
from forkpoint.contents import EMPTY
from forkpoint.line_changes import Changes
from forkpoint.restoring import RestoredFile, restored_files
from tests.disk.checkpoint_home import A, B, CheckpointHome
from tests.disk.trees import needs_posix

pytestmark = needs_posix

OLD, NEW = "a\nb\n", "a\nB\nc\n"


class Shop:
    """A working folder with `cart.py`, which holds `NEW`, and a session that copied `OLD`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "shop"
        self.folder.mkdir()
        self.cart = self.folder / "cart.py"
        self.home = CheckpointHome(root / "config", str(self.folder))
        self.home.session(A, "u1")
        self.copy = self.home.copy(A, "cart.py", 2, OLD)
        self.place = Path(self.copy.path)
        self.cart.write_text(NEW)
        for file in (self.cart, self.place):
            file.chmod(0o644)

    def version(self, *, exists: bool = True, parent: str | None = None) -> Version:
        return Version(
            number=2,
            backup=self.copy.name if exists else None,
            is_absent=not exists,
            is_unknown=False,
            first=False,
            time=None,
            prompt="u1",
            real_parent=parent,
        )

    def restored(self, *versions: tuple[Path, Version | None]) -> list[RestoredFile]:
        known = Catalog([self.home.root])
        state = {str(path): version for path, version in versions}
        return restored_files(known.contents, known.entry(A), state, str(self.folder))

    def one(self, version: Version | None = None) -> RestoredFile:
        [file] = self.restored((self.cart, version or self.version()))
        return file


@pytest.fixture
def shop(unprivileged_root: Path) -> Shop:
    return Shop(unprivileged_root)


def words(file: RestoredFile) -> str:
    return " ".join(filter(None, file.outcome))


# --- what lies there ---------------------------------------------------------------------------


def _nothing(_: Shop) -> None:
    pass


def _gone(shop: Shop) -> None:
    shop.cart.unlink()


def _same(shop: Shop) -> None:
    shop.cart.write_text(OLD)


def _link(shop: Shop) -> None:
    shop.cart.rename(shop.folder / "other.py")
    shop.cart.symlink_to("other.py")


def _dangling(shop: Shop) -> None:
    shop.cart.unlink()
    shop.cart.symlink_to("nowhere")


def _hard_link(shop: Shop) -> None:
    (shop.root / "other.py").hardlink_to(shop.cart)


def _folder(shop: Shop) -> None:
    shop.cart.unlink()
    shop.cart.mkdir()


def _pipe(shop: Shop) -> None:
    shop.cart.unlink()
    os.mkfifo(shop.cart)


def _no_parent(shop: Shop) -> None:
    shop.cart.unlink()
    shop.folder.rmdir()


def _file_for_parent(shop: Shop) -> None:
    _no_parent(shop)
    shop.folder.write_text("no folder")


def _dangling_parent(shop: Shop) -> None:
    _no_parent(shop)
    shop.folder.symlink_to("nowhere")


def _read_only(shop: Shop) -> None:
    shop.cart.chmod(0o444)


def _closed_folder(shop: Shop) -> None:
    shop.folder.chmod(0o555)


def _closed_and_gone(shop: Shop) -> None:
    shop.cart.unlink()
    shop.folder.chmod(0o555)


def _hidden_folder(shop: Shop) -> None:
    shop.folder.chmod(0)


ON_DISK: list[tuple[Callable[[Shop], None], str, str]] = [
    # What becomes of it with a copy, and if it did not exist.
    (_nothing, "overwrite", "delete"),
    (_gone, "create", "unchanged"),
    (_same, "unchanged", "delete"),
    (_link, "skip symlink", "skip symlink"),
    (_dangling, "skip symlink", "skip symlink"),
    (_hard_link, "skip hardLink", "skip hardLink"),
    (_folder, "skip notRegular", "skip notRegular"),
    (_pipe, "skip notRegular", "skip notRegular"),
    (_no_parent, "create", "unchanged"),
    (_file_for_parent, "skip notRegular", "skip notRegular"),
    (_dangling_parent, "skip symlink", "unchanged"),
    (_read_only, "skip notWritable write", "delete"),
    (_closed_folder, "overwrite", "skip notWritable delete"),
    (_closed_and_gone, "skip notWritable write", "unchanged"),
    (_hidden_folder, "skip notWritable write", "skip notWritable delete"),
]


@pytest.mark.parametrize(("make", "copied", "absent"), ON_DISK)
def test_what_lies_there(
    shop: Shop, make: Callable[[Shop], None], copied: str, absent: str
) -> None:
    make(shop)
    assert words(shop.one()) == copied
    assert words(shop.one(shop.version(exists=False))) == absent
    [left_alone] = shop.restored((shop.cart, None))
    assert words(left_alone) == "unchanged"


# --- what is left of the copy ------------------------------------------------------------------


def _pruned(shop: Shop) -> None:
    shop.place.unlink()


def _no_copies(shop: Shop) -> None:
    shop.place.unlink()
    shop.place.parent.rmdir()


def _unreadable_copy(shop: Shop) -> None:
    shop.place.chmod(0)


def _linked_copy(shop: Shop) -> None:
    shop.place.rename(shop.place.with_name("other"))
    shop.place.symlink_to("other")


def _dangling_copy(shop: Shop) -> None:
    shop.place.unlink()
    shop.place.symlink_to("nowhere")


def _folder_for_copy(shop: Shop) -> None:
    shop.place.unlink()
    shop.place.mkdir()


def _pipe_for_copy(shop: Shop) -> None:
    shop.place.unlink()
    os.mkfifo(shop.place)


def _copy_elsewhere(shop: Shop) -> None:
    """Only the folder of the session that is resumed is looked into (case 65)."""
    shop.home.copy(B, "cart.py", 2, OLD)
    shop.place.unlink()


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (_nothing, "overwrite"),
        (_pruned, "skip pruned write"),
        (_no_copies, "skip pruned write"),
        (_copy_elsewhere, "skip pruned write"),
        (_dangling_copy, "skip pruned write"),
        (_unreadable_copy, "skip unreadable write"),
        (_linked_copy, "skip notRegular"),
        (_folder_for_copy, "skip notRegular"),
        (_pipe_for_copy, "skip notRegular"),
    ],
)
def test_what_is_left_of_the_copy(shop: Shop, make: Callable[[Shop], None], expected: str) -> None:
    make(shop)
    file = shop.one()
    assert words(file) == expected
    is_there = expected == "overwrite"
    assert file.source == (shop.copy if is_there else None)
    assert file.changes == (Changes(1, 2) if is_there else None)
    assert file.is_file
    # Of no meaning where the file did not exist.
    assert words(shop.one(shop.version(exists=False))) == "delete"


# --- where the folder lies ---------------------------------------------------------------------


def test_a_folder_that_was_moved(shop: Shop) -> None:
    parent = os.path.realpath(shop.folder)
    assert words(shop.one(shop.version(parent=parent))) == "overwrite"
    shop.folder.rename(shop.root / "moved")
    shop.folder.symlink_to("moved")
    assert words(shop.one(shop.version(parent=parent))) == "skip parentMoved"
    assert words(shop.one(shop.version(parent=f"{shop.root}/moved"))) == "overwrite"
    assert words(shop.one(shop.version())) == "overwrite"


def test_a_folder_that_is_gone_counts_as_it_is_written(shop: Shop) -> None:
    _no_parent(shop)
    assert words(shop.one(shop.version(parent=str(shop.folder)))) == "create"
    assert words(shop.one(shop.version(parent="/elsewhere"))) == "skip parentMoved"


@pytest.mark.parametrize(
    ("path", "is_outside"),
    [("cart.py", False), ("src/cart.py", False), ("../cart.py", True), ("../shop2/cart.py", True)],
)
def test_files_outside_the_directory(shop: Shop, path: str, is_outside: bool) -> None:
    place = Path(os.path.normpath(shop.folder / path))
    [file] = shop.restored((place, shop.version(exists=False)))
    assert file.is_outside is is_outside


def test_without_a_directory_every_file_is_outside(shop: Shop) -> None:
    known = Catalog([shop.home.root])
    state = {str(shop.cart): shop.version()}
    [file] = restored_files(known.contents, known.entry(A), state, None)
    assert file.is_outside


# --- contents and permissions ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "changes"),
    [(_nothing, (1, 2)), (_same, (0, 0)), (_gone, (2, 0)), (_pipe, (2, 0)), (_link, (2, 0))],
)
def test_lines_that_a_file_would_gain_and_lose(
    shop: Shop, make: Callable[[Shop], None], changes: tuple[int, int]
) -> None:
    make(shop)
    assert shop.one().changes == changes


def test_a_file_that_would_be_deleted_loses_all_lines(shop: Shop) -> None:
    file = shop.one(shop.version(exists=False))
    assert (words(file), file.source, file.changes) == ("delete", EMPTY, Changes(0, 3))


@pytest.mark.parametrize(
    ("of_file", "of_copy", "changes"),
    [(0o644, 0o644, False), (0o644, 0o755, True), (0o600, 0o644, True)],
)
def test_permissions_become_the_copy_s(
    shop: Shop, of_file: int, of_copy: int, changes: bool
) -> None:
    shop.cart.chmod(of_file)
    shop.place.chmod(of_copy)
    assert shop.one().mode_changes is changes
    shop.cart.write_text(OLD)
    assert (words(shop.one()), shop.one().mode_changes) == ("unchanged", changes)
    _link(shop)
    assert not shop.one().mode_changes


def test_what_is_deleted_or_made_has_no_permissions_to_change(shop: Shop) -> None:
    shop.cart.chmod(0o600)
    assert not shop.one(shop.version(exists=False)).mode_changes
    _gone(shop)
    assert (words(shop.one()), shop.one().mode_changes) == ("create", False)


# --- together ----------------------------------------------------------------------------------


def test_a_write_that_fails_keeps_what_would_be_deleted(shop: Shop) -> None:
    added = shop.folder / "added.py"
    added.write_text("x\n")
    files = [(added, shop.version(exists=False)), (shop.cart, shop.version())]
    assert [words(file) for file in shop.restored(*files)] == ["delete", "overwrite"]
    shop.place.unlink()
    assert [words(file) for file in shop.restored(*files)] == [
        "skip keptBack",
        "skip pruned write",
    ]


def test_nothing_is_touched(shop: Shop) -> None:
    """Neither contents nor times nor permissions, of whatever would be changed."""

    def all_of_it() -> dict[str, tuple[object, ...]]:
        facts = {path: path.lstat() for path in shop.root.rglob("*")}
        return {
            str(path): (each.st_mode, each.st_mtime_ns, each.st_ctime_ns, each.st_size)
            for path, each in facts.items()
        }

    added = shop.folder / "added.py"
    added.write_text("x\n")
    before = all_of_it()
    shop.restored((added, shop.version(exists=False)), (shop.cart, shop.version()))
    assert all_of_it() == before


def test_the_question_is_answered_from_the_disk_as_it_is(shop: Shop) -> None:
    known = Catalog([shop.home.root])
    state = {str(shop.cart): shop.version()}

    def ask() -> str:
        [file] = restored_files(known.contents, known.entry(A), state, str(shop.folder))
        return words(file)

    assert ask() == "overwrite"
    shop.cart.write_text(OLD)
    assert ask() == "unchanged"
    shop.place.unlink()
    assert ask() == "skip pruned write"
