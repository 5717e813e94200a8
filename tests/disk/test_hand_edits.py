"""Which files count as edited by hand: what neither a copy nor an edit of the agent left there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from forkpoint.catalog import Catalog
from forkpoint.hand_edits import HandEdits
from tests.disk.trees import needs_posix
from tests.e2e.moved_recordings import Moved, moved
from tests.fixture_paths import REAL


@pytest.fixture
def recording(tmp_path: Path) -> Moved:
    """Seven prompts that edit four files, and the working folder as the last one left it."""
    made = moved(REAL / "b_edits", tmp_path / "made")
    shutil.copytree(REAL / "b_edits" / "cwd", made.cwd, dirs_exist_ok=True)
    for path in made.cwd.iterdir():
        path.chmod(0o644)
    return made


def by_hand(recording: Moved) -> set[str]:
    catalog = Catalog([recording.home])
    conversation = catalog.conversation(recording.session_id)
    edits = HandEdits(catalog.contents, catalog.entry(recording.session_id), conversation)
    return {path.name for path in recording.cwd.iterdir() if edits.has(str(path))}


def test_what_the_agent_left_is_its_own(recording: Moved) -> None:
    """tax.py was edited by hand in between: the next copy took that in."""
    assert by_hand(recording) == set()


@pytest.mark.parametrize("name", ["cart.py", "tax.py", "discount.py", "README.md"])
def test_one_line_more_is_somebody_else_s(recording: Moved, name: str) -> None:
    with (recording.cwd / name).open("a") as file:
        file.write("# mine\n")
    assert by_hand(recording) == {name}


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_an_earlier_state_is_known(recording: Moved, version: int) -> None:
    [copy] = recording.home.glob(f"file-history/*/{_digest(recording)}@v{version}")
    shutil.copyfile(copy, recording.cwd / "cart.py")
    assert by_hand(recording) == set()


def test_other_line_ends_are_no_edit(recording: Moved) -> None:
    """The client reads them away, and writes them as the file has them."""
    cart = recording.cwd / "cart.py"
    cart.write_bytes(cart.read_bytes().replace(b"\n", b"\r\n"))
    assert by_hand(recording) == set()


@needs_posix
def test_what_cannot_be_read_is_not_accused(recording: Moved) -> None:
    cart = recording.cwd / "cart.py"
    cart.unlink()
    os.mkfifo(cart)
    (recording.cwd / "tax.py").unlink()
    assert by_hand(recording) == set()


def _digest(recording: Moved) -> str:
    """Only cart.py has a fourth version."""
    [copy] = recording.home.glob("file-history/*/*@v4")
    return copy.name.partition("@")[0]
