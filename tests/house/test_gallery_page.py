"""The page that a gallery shows of the extension is true: its pictures and commands are there."""

from __future__ import annotations

import json
import re

from tests.fixture_paths import REPOSITORY

CLIENT = REPOSITORY / "client-vscode"
PAGE = (CLIENT / "README.md").read_text(encoding="utf-8")
MANIFEST = json.loads((CLIENT / "package.json").read_bytes())
WORDS = json.loads((CLIENT / "package.nls.json").read_bytes())


def test_its_pictures_are_there() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", PAGE)
    assert len(pictures) >= 3
    assert [path for path in pictures if not (CLIENT / path).is_file()] == []


def test_its_commands_are_those_of_the_palette() -> None:
    titles = {WORDS[each["title"].strip("%")] for each in MANIFEST["contributes"]["commands"]}
    named = re.findall(r"_Forkpoint: ([^_]+)_", PAGE)
    assert named
    assert [title for title in named if title not in titles] == []


def test_it_names_each_view() -> None:
    views = [view for each in MANIFEST["contributes"]["views"].values() for view in each]
    names = [WORDS[view["name"].strip("%")] for view in views]
    assert [name for name in names if f"**{name}" not in PAGE] == []
