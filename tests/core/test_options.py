"""Settings of a client: what they become, and what is said when they do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from forkpoint.lsp.options import Options, options_with

BASE = Options(claude_config_dirs=(Path("/base"),), cache_dir=Path("/cache"), watch=False)
FOLDER = "must be the absolute path of a folder; it is ignored."

TABLE = [
    (None, BASE, []),
    ({}, BASE, []),
    ({"claudeConfigDirs": [], "cacheDir": "", "watch": None}, BASE, []),
    ({"python": 3, "claude_config_dirs": ["/x"]}, BASE, []),
    (
        {"claudeConfigDirs": ["/a", "/b c"], "codexHomes": ["/d"], "cacheDir": "/e", "watch": True},
        Options(
            claude_config_dirs=(Path("/a"), Path("/b c")),
            codex_homes=(Path("/d"),),
            cache_dir=Path("/e"),
            watch=True,
        ),
        [],
    ),
    ([], BASE, ["The settings of forkpoint must be an object."]),
    ({"watch": "yes"}, BASE, ["forkpoint.watch must be true or false; it is ignored."]),
    ({"watch": 0}, BASE, ["forkpoint.watch must be true or false; it is ignored."]),
    (
        {"codexHomes": "/d"},
        BASE,
        ["forkpoint.codexHomes must be a list of folders; it is ignored."],
    ),
    ({"codexHomes": ["relative"]}, BASE, [f"forkpoint.codexHomes {FOLDER}"]),
    ({"codexHomes": ["/a", 1]}, BASE, [f"forkpoint.codexHomes {FOLDER}"]),
    ({"cacheDir": "/a\0b"}, BASE, [f"forkpoint.cacheDir {FOLDER}"]),
    ({"cacheDir": ["/a"]}, BASE, [f"forkpoint.cacheDir {FOLDER}"]),
]


@pytest.mark.parametrize(("given", "options", "sentences"), TABLE)
def test_settings_over_others(given: object, options: Options, sentences: list[str]):
    assert options_with(BASE, given) == (options, sentences)


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", "/home/me")
    options, sentences = options_with(Options(), {"claudeConfigDirs": ["~/.claude-work"]})
    assert (options.claude_config_dirs, sentences) == ((Path("/home/me/.claude-work"),), [])
