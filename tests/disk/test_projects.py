"""Directories of sessions: names, worktrees and repositories, also of other systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from forkpoint.layout import project_key
from forkpoint.projects import Place, Places
from tests.disk.trees import needs_posix


def place(cwd: str | None, key: str = "-some-key") -> Place:
    return Places().place(key, cwd)


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        (None, "-some-key"),
        ("/home/dev/shop", "shop"),
        ("/home/dev/shop/", "shop"),
        ("/", "/"),
        ("C:\\Users\\dev\\shop", "shop"),
        ("c:/Users/dev/shop", "shop"),
        ("\\\\wsl.localhost\\Ubuntu\\home\\dev\\app", "app"),
        ("/home/dev/back\\slash", "back\\slash"),
        ("relative", "relative"),
        ("/a\0b", "a\0b"),
    ],
)
def test_names(cwd: str | None, name: str) -> None:
    assert place(cwd).name == name


def test_whether_it_is_there(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert place(str(tmp_path)).exists
    for gone in (None, str(tmp_path / "gone"), str(tmp_path / "file"), "/a\0b", "C:\\Users"):
        assert not place(gone).exists


# --- worktrees ---------------------------------------------------------------------------------


def checkout(folder: Path) -> Path:
    (folder / ".git").mkdir(parents=True)
    return folder


def worktree(folder: Path, of: Path, name: str = "hotfix") -> Path:
    """A linked worktree, by git's own pointer file."""
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {of}/.git/worktrees/{name}\n")
    return folder


def test_a_linked_worktree_names_its_main_checkout(tmp_path: Path) -> None:
    main = checkout(tmp_path / "shop")
    linked = worktree(tmp_path / "elsewhere" / "hotfix", main)
    assert place(str(linked)).worktree_of == str(main)
    assert place(str(main)).worktree_of is None


def test_a_worktree_of_the_client_is_known_by_its_place() -> None:
    """`--worktree` puts it below `.claude/worktrees`; it may be gone long since."""
    gone = "/home/dev/shop/.claude/worktrees/hotfix"
    assert place(gone).worktree_of == "/home/dev/shop"
    assert place(f"{gone}/src").worktree_of == "/home/dev/shop"
    assert place("C:\\shop\\.claude\\worktrees\\hotfix").worktree_of == "C:\\shop"
    assert place("/home/dev/shop/.claude/worktrees").worktree_of is None


@pytest.mark.parametrize(
    "text", ["", "gitdir: ../.git/modules/sub\n", "gitdir: \n", "nonsense", "\0" * 10_000]
)
def test_other_pointer_files_are_no_worktrees(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text)
    assert place(str(tmp_path)).worktree_of is None


@needs_posix
def test_a_pointer_file_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "pointer").write_text("gitdir: /home/dev/shop/.git/worktrees/x\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / ".git").symlink_to(tmp_path / "pointer")
    assert place(str(tmp_path / "folder")).worktree_of is None


# --- folder and repository ---------------------------------------------------------------------


def in_folder(cwd: str | None, folder: str, key: str | None = None) -> bool:
    places = Places()
    key = project_key(cwd or "") if key is None else key
    return places.in_folder(places.place(key, cwd), key, folder)


def in_repository(cwd: str | Path, folder: str | Path) -> bool:
    places = Places()
    key = project_key(str(cwd))
    return places.in_repository(places.place(key, str(cwd)), key, str(folder))


@pytest.mark.parametrize(
    ("cwd", "folder", "expected"),
    [
        ("/home/dev/shop", "/home/dev/shop", True),
        ("/home/dev/shop", "/home/dev/shop/", True),
        ("/home/dev/shop", "/home/dev", False),
        ("/home/dev/shop", "/home/dev/Shop", False),
        ("C:\\Users\\dev\\shop", "c:\\users\\dev\\shop", True),
        ("C:\\Users\\dev\\shop", "c:/Users/dev/shop", True),
        ("C:\\Users\\dev\\shop", "/home/dev/shop", False),
        # Both have the same key, which is not reversible (format, section 2).
        ("/home/dev/my_app", "/home/dev/my-app", False),
    ],
)
def test_in_a_folder(cwd: str, folder: str, expected: bool) -> None:
    assert in_folder(cwd, folder) is expected


def test_without_a_directory_the_key_decides() -> None:
    assert in_folder(None, "/home/dev/shop", key="-home-dev-shop")
    assert not in_folder(None, "/home/dev/other", key="-home-dev-shop")
    # 2.1.100 composed the path first, so a decomposed one is found under both keys.
    assert in_folder(None, "/home/dev/p/e\u0301t", key="-home-dev-p--t")
    assert in_folder(None, "/home/dev/p/e\u0301t", key="-home-dev-p-e-t")


@needs_posix
def test_a_folder_named_by_a_link_is_the_one_it_leads_to(tmp_path: Path) -> None:
    """The client resolves links before it writes the directory down."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert in_folder(str(tmp_path / "real"), str(tmp_path / "link"))


def test_in_a_repository(tmp_path: Path) -> None:
    main = checkout(tmp_path / "shop")
    inner = main / "src" / "deep"
    inner.mkdir(parents=True)
    linked = worktree(tmp_path / "hotfix", main)
    other = checkout(tmp_path / "other")
    for one in (main, inner, linked):
        for two in (main, inner, linked):
            assert in_repository(one, two)
        assert not in_repository(one, other)
        assert not in_repository(other, one)


def test_a_worktree_that_is_gone_still_is_of_its_repository(tmp_path: Path) -> None:
    main = checkout(tmp_path / "shop")
    gone = f"{main}/.claude/worktrees/hotfix"
    assert in_repository(gone, main)
    assert in_repository(gone, main / "src")


def test_what_is_no_repository_holds_itself_alone(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert in_repository(tmp_path / "a", tmp_path / "a")
    assert not in_repository(tmp_path / "a" / "b", tmp_path / "a")
    assert not in_repository(tmp_path / "a", "/a\0b")


def test_answers_are_kept_until_told_to_forget(tmp_path: Path) -> None:
    places = Places()
    folder = str(tmp_path / "shop")
    assert not places.place("key", folder).exists
    checkout(tmp_path / "shop")
    assert not places.place("key", folder).exists
    places.forget()
    assert places.place("key", folder).exists
    assert places.repository(folder) == folder
