"""`forkpoint/rewindPreview`: what hinders a restore, what it would take along, what was edited.

Each situation has a second file beside the one in question: that one is restored all the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import snapshot, uuid
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.test_rewind_preview import as_it_ended, preview
from tests.e2e.tracked_home import TrackedHome, entry
from tests.e2e.version_contents import by_path, content

OLD, NOW = b"one\ntwo\n", b"one\n2\n3\n"


@pytest.fixture
def tracked(tmp_path: Path) -> TrackedHome:
    """A session that tracks `file` and `beside`, which both hold something else by now."""
    tracked = TrackedHome(tmp_path)
    tracked.rows("u1 a1")
    for name in ("sub/file", "beside"):
        (tracked.cwd / name).parent.mkdir(exist_ok=True)
        (tracked.cwd / name).write_bytes(NOW)
    parent = str(tracked.cwd / "sub")
    files = {
        "sub/file": tracked.kept("sub/file", 2, OLD, realParentDir=parent),
        "beside": tracked.kept("beside", 2, OLD, realParentDir=str(tracked.cwd)),
    }
    tracked.write(snapshot("u1", files))
    return tracked


def code(server: ForkpointServer, tracked: TrackedHome, prompt: str = "u1") -> Json:
    server.open(tracked.home)
    return preview(server, tracked.session_id, uuid(prompt) or "")["code"]


def files(server: ForkpointServer, tracked: TrackedHome) -> dict[str, Json]:
    answer = code(server, tracked)
    assert (answer["available"], answer["reason"]) == (True, None)
    return by_path(answer["files"], tracked.cwd)


def test_both_are_overwritten_where_nothing_hinders(
    server: ForkpointServer, tracked: TrackedHome
) -> None:
    for file in files(server, tracked).values():
        assert (file["action"], file["reason"], file["version"]) == ("overwrite", None, 2)
        assert (file["added"], file["removed"]) == (1, 2)
        assert content(server, file["document"]) == OLD


# --- what is skipped -------------------------------------------------------------------------


def to_link(tracked: TrackedHome) -> None:
    path = tracked.cwd / "sub" / "file"
    path.rename(path.with_name("target"))
    path.symlink_to("target")


def to_hard_link(tracked: TrackedHome) -> None:
    (tracked.cwd / "twin").hardlink_to(tracked.cwd / "sub" / "file")


def to_fifo(tracked: TrackedHome) -> None:
    (tracked.cwd / "sub" / "file").unlink()
    os.mkfifo(tracked.cwd / "sub" / "file")


def to_folder(tracked: TrackedHome) -> None:
    (tracked.cwd / "sub" / "file").unlink()
    (tracked.cwd / "sub" / "file").mkdir()


def to_moved_parent(tracked: TrackedHome) -> None:
    (tracked.cwd / "sub").rename(tracked.cwd / "elsewhere")
    (tracked.cwd / "sub").symlink_to("elsewhere")


def to_pruned_copy(tracked: TrackedHome) -> None:
    (tracked.copies / tracked.copy("sub/file", 2, OLD)).unlink()


OBSTACLES: list[tuple[Callable[[TrackedHome], None], str]] = [
    (to_link, "symlink"),
    (to_hard_link, "hardLink"),
    (to_fifo, "notRegular"),
    (to_folder, "notRegular"),
    (to_moved_parent, "parentMoved"),
    (to_pruned_copy, "pruned"),
]


@needs_posix
@pytest.mark.parametrize(
    ("make", "reason"), OBSTACLES, ids=[make.__name__ for make, _ in OBSTACLES]
)
def test_what_is_skipped(
    server: ForkpointServer,
    tracked: TrackedHome,
    make: Callable[[TrackedHome], None],
    reason: str,
) -> None:
    make(tracked)
    found = files(server, tracked)
    skipped = found["sub/file"]
    assert (skipped["action"], skipped["reason"]) == ("skip", reason)
    assert found["beside"]["action"] == "overwrite"
    if reason == "pruned":
        assert skipped["document"] is None
    else:
        assert content(server, skipped["document"]) == OLD


def test_nothing_is_restored_when_every_copy_is_gone(
    server: ForkpointServer, tracked: TrackedHome
) -> None:
    for copy in tracked.copies.iterdir():
        copy.unlink()
    answer = code(server, tracked)
    assert (answer["available"], answer["reason"]) == (False, "nothingToRestore")
    assert {file["reason"] for file in answer["files"]} == {"pruned"}


def test_no_checkpoint_at_an_answer(server: ForkpointServer, tracked: TrackedHome) -> None:
    answer = code(server, tracked, "a1")
    assert (answer["available"], answer["reason"]) == (False, "noCheckpoint")


# --- what comes along ------------------------------------------------------------------------


@needs_posix
def test_permissions_become_those_of_the_copy(
    server: ForkpointServer, tracked: TrackedHome
) -> None:
    tracked.copy("beside", 2, OLD, mode=0o755)
    found = files(server, tracked)
    assert (found["beside"]["modeChanges"], found["sub/file"]["modeChanges"]) == (True, False)


def test_files_outside_of_the_working_folder(
    server: ForkpointServer, tracked: TrackedHome, tmp_path: Path
) -> None:
    outside = tmp_path / "shop.toml"
    outside.write_bytes(NOW)
    inside = str(tracked.cwd / "beside")
    tracked.rows("| a1 u2 a2", start=20)
    tracked.write(
        snapshot(
            "u2",
            {
                str(outside): tracked.kept(str(outside), 2, OLD),
                inside: tracked.kept(inside, 2, OLD),
            },
        )
    )
    answer = by_path(code(server, tracked, "u2")["files"], tracked.cwd)
    assert {path: (file["action"], file["outsideWorkspace"]) for path, file in answer.items()} == {
        "sub/file": ("unchanged", False),
        "beside": ("overwrite", False),
        str(outside): ("overwrite", True),
    }


def test_bytes_that_are_no_text(server: ForkpointServer, tracked: TrackedHome) -> None:
    binary = b"\x89PNG\r\n\x1a\n\0\0"
    tracked.copy("beside", 2, binary)
    file = files(server, tracked)["beside"]
    assert (file["action"], file["added"], file["removed"]) == ("overwrite", None, None)
    assert content(server, file["document"]) == binary


# --- what was edited by hand -----------------------------------------------------------------

README_ADDED_TO = "# Shop\n\nA small sample shop.\n\nMore by hand.\n"


def test_a_hand_edit_is_marked_and_nothing_else(server: ForkpointServer, tmp_path: Path) -> None:
    """README.md was last written by the agent and has no copy of that state."""
    here = as_it_ended("b_edits", tmp_path)
    server.open(here.home)

    def marked() -> list[str]:
        [history, *_] = server.result("checkpoints", sessionId=here.session_id)["files"]
        prompt = history["versions"][0]["prompt"]["uuid"]
        found = preview(server, here.session_id, prompt)["code"]["files"]
        by_name = by_path(found, here.cwd)
        return sorted(path for path, file in by_name.items() if file["handEdited"])

    assert marked() == []
    readme = here.cwd / "README.md"
    by_the_agent = readme.read_bytes()
    readme.write_text(README_ADDED_TO)
    assert marked() == ["README.md"]
    readme.write_bytes(by_the_agent)
    (here.cwd / "discount.py").write_bytes(b"")
    assert marked() == ["discount.py"]
    (here.cwd / "discount.py").unlink()
    assert marked() == []


def test_an_entry_that_says_nothing_leaves_the_file_alone(
    server: ForkpointServer, tracked: TrackedHome
) -> None:
    """First seen with version 3, at a later prompt: what it was before is not known."""
    (tracked.cwd / "late").write_bytes(NOW)
    tracked.rows("| a1 u2 a2", start=20)
    tracked.write(snapshot("u2", {"late": tracked.kept("late", 3, OLD)}))
    file = files(server, tracked)["late"]
    assert (file["action"], file["version"], file["document"]) == ("unchanged", None, None)


def test_a_file_that_was_not_there(server: ForkpointServer, tracked: TrackedHome) -> None:
    (tracked.cwd / "new").write_bytes(NOW)
    tracked.rows("| a1 u2 a2", start=20)
    tracked.write(snapshot("u2", {"new": entry(None, 1), "gone": entry(None, 4)}))
    found = by_path(code(server, tracked, "u2")["files"], tracked.cwd)
    assert (found["new"]["action"], found["gone"]["action"]) == ("delete", "unchanged")
    assert (found["new"]["added"], found["new"]["removed"]) == (0, 3)
    assert content(server, found["new"]["document"]) == b""
