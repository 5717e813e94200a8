"""CONTRIBUTING and ARCHITECTURE name only files, folders and scripts that are there."""

from __future__ import annotations

import json
import re

import pytest

from tests.fixture_paths import REPOSITORY

DOCUMENTS = ["CONTRIBUTING.md", "ARCHITECTURE.md"]
FOLDERS = ("server", "client-vscode", "fixtures", "tests")
MADE = {"tests/vscode/out"}
"""What running something makes."""
SOURCE = REPOSITORY / "server" / "forkpoint"
SCRIPTS = json.loads((REPOSITORY / "client-vscode" / "package.json").read_bytes())["scripts"]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_it_names_is_there(name: str) -> None:
    text = (REPOSITORY / name).read_text(encoding="utf-8")
    below = re.findall(rf"(?<![\w/.-])(?:{'|'.join(FOLDERS)})/[\w./-]*[\w/]", text)
    links = re.findall(r"\]\(([\w./-]+)\)", text)
    assert len(below) > 5
    named = {*below, *links} - MADE
    assert [path for path in sorted(named) if not (REPOSITORY / path).exists()] == []


def test_its_scripts_are_those_of_the_client() -> None:
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {*re.findall(r"npm run (\w+)", text)}
    assert named
    assert named <= set(SCRIPTS)


def test_architecture_says_nothing_twice() -> None:
    text = (REPOSITORY / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|-]+) \|", text, re.MULTILINE)
    items = [" ".join(item.split())[:40] for item in re.findall(r"^- (.+)", text, re.MULTILINE)]
    assert len(rows) == len({*rows})
    assert len(items) == len({*items})


def test_modules_and_names_of_architecture_are_there() -> None:
    text = (REPOSITORY / "ARCHITECTURE.md").read_text(encoding="utf-8")
    below = [SOURCE, *(REPOSITORY / each for each in ("tests", "client-vscode"))]
    found = [
        path
        for folder in below
        for path in folder.rglob("*.py")
        if "node_modules" not in path.parts
    ]
    files = {f"/{path.relative_to(REPOSITORY).as_posix()}" for path in found}
    modules = set(re.findall(r"`([\w/]+\.py)`", text))
    assert len(modules) > 30
    assert [m for m in sorted(modules) if not any(f.endswith(f"/{m}") for f in files)] == []
    code = "\n".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    names = set(re.findall(r"`(?:\w+\.)?([A-Z]\w+[A-Z_a-z])`", text)) - {"TABLES"}
    assert len(names) > 8
    assert [name for name in sorted(names) if not re.search(rf"\b{name}\b", code)] == []
