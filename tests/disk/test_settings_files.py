"""Which settings file says what, and which of several wins."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from forkpoint.layout import managed_folder
from forkpoint.settings_files import SettingsFile, read_fields, settings_files
from tests.disk.trees import link, needs_posix

TIME = 1_790_000_000


class Places:
    """A user with a project, and an organisation."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.config = self.home / ".claude"
        self.cwd = self.home / "shop"
        self.managed = root / "managed"
        for folder in (self.config, self.cwd, self.managed):
            folder.mkdir(parents=True)

    def write(self, path: str, content: Any, at: int = TIME) -> Path:
        """Write a file below the root: JSON, or a text as it is."""
        file = self.home.parent / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        os.utime(file, (at, at))
        return file

    def files(self, *variables: str, cwd: Path | None = None) -> tuple[SettingsFile, ...]:
        return settings_files(
            self.config, str(cwd or self.cwd), self.home, variables, str(self.managed)
        )

    def order(self, cwd: Path | None = None) -> list[str]:
        """The files that are there, below the root."""
        return [str(Path(file.path).relative_to(self.home.parent)) for file in self.files(cwd=cwd)]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path)


USER, SHARED, UNSHARED = (
    "home/.claude/settings.json",
    "home/shop/.claude/settings.json",
    "home/shop/.claude/settings.local.json",
)


def test_the_order(places: Places) -> None:
    parts = [f"managed/managed-settings.d/{name}" for name in ("20-b.json", "10-a.json")]
    ignored = ["managed/managed-settings.d/.hidden.json", "managed/managed-settings.d/notes.txt"]
    for path in (USER, SHARED, UNSHARED, "managed/managed-settings.json", *parts, *ignored):
        places.write(path, {})
    places.write("home/.claude/settings.local.json", {})
    assert places.order() == [*parts, "managed/managed-settings.json", UNSHARED, SHARED, USER]


def test_the_unshared_file_lies_in_the_main_checkout(places: Places) -> None:
    """Since 2.1.211, for directories below it and for linked work trees."""
    (places.cwd / ".git" / "worktrees" / "fix").mkdir(parents=True)
    (places.cwd / ".git" / "worktrees" / "fix" / "commondir").write_text("../..\n")
    fix, deep = places.home / "fix", places.cwd / "src"
    for folder in (fix, deep):
        folder.mkdir()
    (fix / ".git").write_text(f"gitdir: {places.cwd}/.git/worktrees/fix\n")
    for path in (
        UNSHARED,
        "home/fix/.claude/settings.local.json",
        "home/fix/.claude/settings.json",
    ):
        places.write(path, {})
    places.write("home/shop/src/.claude/settings.local.json", {})
    places.write(SHARED, {})
    own = [f"home/fix/.claude/{name}" for name in ("settings.local.json", "settings.json")]
    assert places.order(fix) == [UNSHARED, *own]
    assert places.order(deep) == [UNSHARED, "home/shop/src/.claude/settings.local.json"]
    assert places.order() == [UNSHARED, SHARED]


def test_a_home_folder_in_git_is_no_project(places: Places) -> None:
    (places.home / ".git").mkdir()
    places.write("home/.claude/settings.local.json", {})
    assert places.order() == []
    assert places.order(places.home) == ["home/.claude/settings.local.json"]


def test_a_file_met_twice_counts_once(places: Places) -> None:
    """In the home folder the project's file is the user's."""
    places.write(USER, {})
    assert places.order(places.home) == [USER]


def test_all_that_is_read_of_a_file(places: Places) -> None:
    content = {
        "promptCacheTtl": "1h",
        "subagentPromptCacheTtl": "5m",
        "model": "opus",
        "effortLevel": "xhigh",
        "ultracode": False,
        "alwaysThinkingEnabled": True,
        "fastMode": True,
        "fastModePerSessionOptIn": False,
        "outputStyle": "Explanatory",
        "modelSettings": {"claude-opus-5-5": {"effortLevel": "low", "more": 1}, "x": {}},
        "env": {"A": "text", "B": 1, "C": True, "D": "", "E": None, "F": {}, "SECRET": "s"},
        "permissions": {"deny": ["WebFetch", "Bash(rm *)", 5], "allow": ["Read"]},
        "enabledPlugins": {"a@m": True, "b@m": False, "c@m": ["x"]},
        "apiKeyHelper": "/bin/secret",
        "hooks": {},
    }
    path = places.write(USER, content)
    (file,) = places.files("A", "B", "C", "D", "E", "F", "G")
    assert file == SettingsFile(
        path=str(path),
        changed_at=TIME * 1000,
        values={key: content[key] for key in list(content)[:9]},
        env={"A": "text", "B": "1", "C": "true", "D": ""},
        efforts={"claude-opus-5-5": "low"},
        denied=("WebFetch", "Bash(rm *)"),
        plugins={"a@m": True, "b@m": False},
    )
    assert "s" not in str(file).split("'") and "secret" not in str(file)


WRONG = {
    "promptCacheTtl": ["2h", 5, None, "", "1H"],
    "subagentPromptCacheTtl": [True],
    "model": [5, "", "x" * 201, ["opus"]],
    "effortLevel": ["max", "HIGH", 3],
    "ultracode": ["true", 1],
    "alwaysThinkingEnabled": ["false", 0],
    "fastMode": ["on", None],
    "outputStyle": [{}, ""],
}
ODD = ["", "{", "[]", "5", "null", '"text"', '{"env": ', "[" * 100_000, '{"a":' * 100_000,
       '{"model": "opus",}', '{"model": "opus"} // mine']  # fmt: skip


@pytest.mark.parametrize(("key", "value"), [(k, v) for k, vs in WRONG.items() for v in vs])
def test_a_value_of_another_kind_is_not_set(places: Places, key: str, value: Any) -> None:
    """And spoils nothing else in its file."""
    places.write(USER, {key: value, "enabledPlugins": {"a@m": True}})
    (file,) = places.files()
    assert (file.values, file.plugins) == ({}, {"a@m": True})


@pytest.mark.parametrize("key", ["env", "permissions", "modelSettings", "enabledPlugins"])
@pytest.mark.parametrize(
    "value", [None, 5, "x", [], ["x"], {"deny": {}}, {"deny": "Bash"}, {"A": []}]
)
def test_a_group_of_another_kind_is_empty(places: Places, key: str, value: Any) -> None:
    path = places.write(USER, {key: value, "model": "opus"})
    assert places.files("A") == (
        SettingsFile(path=str(path), changed_at=TIME * 1000, values={"model": "opus"}),
    )


@pytest.mark.parametrize("text", ODD)
def test_a_file_that_is_no_settings_file_is_empty(places: Places, text: str) -> None:
    path = places.write(USER, text)
    assert places.files("A") == (SettingsFile(path=str(path), changed_at=TIME * 1000),)
    assert read_fields(str(path), dict[str, int]) == {}


def test_a_mark_that_some_editors_put_in_front_is_no_part_of_it(places: Places) -> None:
    places.write(USER, '\ufeff{"model": "opus"}')
    assert [file.values for file in places.files()] == [{"model": "opus"}]


def test_a_huge_file_is_empty(places: Places) -> None:
    path = places.write(USER, {"model": "opus"})
    os.truncate(path, 100 * 1024 * 1024)
    assert [file.values for file in places.files()] == [{}]


@needs_posix
def test_files_that_would_make_us_wait_or_stray(places: Places) -> None:
    os.mkfifo(places.config / "settings.json")
    link(places.cwd, ".claude/settings.json", "settings.json")
    link(places.cwd, ".claude/settings.local.json", "/dev/zero")
    (places.managed / "managed-settings.json").mkdir()
    link(places.managed, "managed-settings.d", "managed-settings.d")
    assert places.files() == ()


@needs_posix
def test_a_link_to_settings_kept_elsewhere_is_followed(places: Places) -> None:
    kept = places.write("home/dotfiles/claude.json", {"model": "opus"}, at=TIME + 5)
    link(places.config, "settings.json", kept)
    (file,) = places.files()
    assert (file.path, file.changed_at) == (str(places.config / "settings.json"), (TIME + 5) * 1000)
    assert file.values == {"model": "opus"}


@needs_posix
def test_a_file_that_may_not_be_read_is_empty(unprivileged_root: Path) -> None:
    places = Places(unprivileged_root)
    places.write(USER, {"model": "opus"}).chmod(0)
    assert [file.values for file in places.files()] == [{}]
    places.config.chmod(0)
    assert places.files() == ()


@pytest.mark.parametrize("cwd", [None, "/nowhere/at/all", "/a\0b"])
def test_without_a_project(places: Places, cwd: str | None) -> None:
    path = places.write(USER, {})
    found = settings_files(places.config, cwd, Path("/nowhere"), (), "/nowhere/managed")
    assert [file.path for file in found] == [str(path)]


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("linux", "/etc/claude-code"),
        ("darwin", "/Library/Application Support/ClaudeCode"),
        ("win32", r"C:\Program Files\ClaudeCode"),
    ],
)
def test_where_an_organisation_puts_its_settings(platform: str, folder: str) -> None:
    assert managed_folder(platform) == folder
