"""Settings of a client: what they become, and what is said when they do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from forkpoint.lsp.options import Options, options_with

BASE = Options(claude_config_dirs=(Path("/base"),))
FOLDER = "forkpoint.claudeConfigDirs must be the absolute path of a folder; it is ignored."
LIST = "forkpoint.claudeConfigDirs must be a list of folders; it is ignored."

TABLE = [
    (None, BASE, []),
    ({}, BASE, []),
    ({"claudeConfigDirs": []}, BASE, []),
    ({"claudeConfigDirs": None}, BASE, []),
    ({"python": 3, "claude_config_dirs": ["/x"], "watch": False}, BASE, []),
    (
        {"claudeConfigDirs": ["/a", "/b c"]},
        Options(claude_config_dirs=(Path("/a"), Path("/b c"))),
        [],
    ),
    ([], BASE, ["The settings of forkpoint must be an object."]),
    ({"claudeConfigDirs": "/d"}, BASE, [LIST]),
    ({"claudeConfigDirs": ["relative"]}, BASE, [FOLDER]),
    ({"claudeConfigDirs": ["/a", 1]}, BASE, [FOLDER]),
    ({"claudeConfigDirs": ["/a\0b"]}, BASE, [FOLDER]),
]


@pytest.mark.parametrize(("given", "options", "sentences"), TABLE)
def test_settings_over_others(given: object, options: Options, sentences: list[str]):
    assert options_with(BASE, given) == (options, sentences)


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", "/home/me")
    options, sentences = options_with(Options(), {"claudeConfigDirs": ["~/.claude-work"]})
    assert (options.claude_config_dirs, sentences) == ((Path("/home/me/.claude-work"),), [])
