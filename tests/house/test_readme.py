"""README names all that a newcomer can ask for, under its real name, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from forkpoint.cli import main
from forkpoint.protocol.methods import NOTIFICATIONS, REQUESTS
from tests.fixture_paths import REPOSITORY

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
MANIFEST = json.loads((REPOSITORY / "client-vscode" / "package.json").read_bytes())


def test_it_lists_every_method_and_no_other() -> None:
    named = set(re.findall(r"`(forkpoint/\w+)`", README))
    assert named == {*REQUESTS, *NOTIFICATIONS}


def test_it_lists_every_command_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    help_text = capsys.readouterr().out
    commands = set(re.findall(r"^    ([\w-]+) ", help_text, re.MULTILINE))
    assert len(commands) == 10
    assert set(re.findall(r"`forkpoint ([\w-]+)[^`]*` \|", README)) == commands


def test_it_lists_every_setting_and_no_other() -> None:
    settings = set(MANIFEST["contributes"]["configuration"]["properties"])
    assert set(re.findall(r"^\| `(forkpoint\.[\w.]+)` \|", README, re.MULTILINE)) == settings


def test_its_commands_and_links_lead_somewhere() -> None:
    scripts = re.findall(r"^python3 (\S+\.py)$", README, re.MULTILINE)
    links = re.findall(r"\]\(([\w./-]+)\)", README)
    folders = re.findall(r"`((?:server|client-vscode|fixtures|tests)/[\w./-]+)`", README)
    assert len(scripts) == 2
    assert [path for path in [*scripts, *links, *folders] if not _is_there(path)] == []


def _is_there(path: str) -> bool:
    return Path(REPOSITORY, path).exists()
