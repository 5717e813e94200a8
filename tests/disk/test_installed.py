"""Versions told by where programs lie; the layouts are those of the client's installers."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from forkpoint.installed import Installed, command, extensions
from forkpoint.layout import extension_version, native_version
from tests.disk.trees import link, needs_posix, plant

pytestmark = needs_posix
NPM = "lib/node_modules/@anthropic-ai/claude-code"
LINUX = "anthropic.claude-code-2.1.332-linux-x64"


def program(root: Path, path: str, mode: int = 0o755) -> None:
    plant(root, path)
    (root / path).chmod(mode)


def package(
    root: Path, folder: str, name: str = "@anthropic-ai/claude-code", version: str = "2.1.300"
):
    file = root / folder / "package.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"name": name, "version": version, "bin": {"claude": "cli.js"}}))


def found(home: Path, *folders: str) -> tuple[str, str, bool] | None:
    """The client found with these folders below home as PATH."""
    environ = {"PATH": os.pathsep.join(str(home / folder) for folder in folders)}
    one = command(environ, home)
    return (
        None if one is None else (one.version, str(Path(one.path).relative_to(home)), one.on_path)
    )


def test_the_clients_own_installer(tmp_path: Path) -> None:
    program(tmp_path, ".local/share/claude/versions/2.1.331")
    program(tmp_path, ".local/share/claude/versions/2.1.332")
    link(tmp_path, ".local/bin/claude", tmp_path / ".local/share/claude/versions/2.1.332")
    assert found(tmp_path, "bin", ".local/bin") == ("2.1.332", ".local/bin/claude", True)
    assert found(tmp_path, "bin") == ("2.1.332", ".local/bin/claude", False)


@pytest.mark.parametrize("file", ["cli.js", "bin/claude.exe"])
def test_npm(tmp_path: Path, file: str) -> None:
    program(tmp_path, f"{NPM}/{file}")
    package(tmp_path, NPM)
    link(tmp_path, "bin/claude", Path("..") / NPM / file)
    assert found(tmp_path, "bin") == ("2.1.300", "bin/claude", True)


def test_a_script_beside_its_package(tmp_path: Path) -> None:
    """The local npm installation, and what npm writes on Windows."""
    program(tmp_path, ".claude/local/claude")
    package(tmp_path, ".claude/local/node_modules/@anthropic-ai/claude-code", version="2.0.76")
    assert found(tmp_path) == ("2.0.76", ".claude/local/claude", False)
    assert found(tmp_path, ".claude/local") == ("2.0.76", ".claude/local/claude", True)


def test_homebrew(tmp_path: Path) -> None:
    program(tmp_path, "brew/Caskroom/claude-code/2.1.330/claude")
    link(tmp_path, "brew/bin/claude", "../Caskroom/claude-code/2.1.330/claude")
    assert found(tmp_path, "brew/bin") == ("2.1.330", "brew/bin/claude", True)


def test_the_first_on_path_counts_even_if_it_tells_nothing(tmp_path: Path) -> None:
    program(tmp_path, ".local/share/claude/versions/2.1.332")
    link(tmp_path, ".local/bin/claude", tmp_path / ".local/share/claude/versions/2.1.332")
    program(tmp_path, "wrapper/claude")
    assert found(tmp_path, "wrapper", ".local/bin") is None
    assert found(tmp_path, ".local/bin", "wrapper") == ("2.1.332", ".local/bin/claude", True)


@pytest.mark.parametrize(
    ("name", "version"),
    [("claude-code", "2.1.300"), ("@anthropic-ai/claude-code", "latest"),
     ("@anthropic-ai/claude-code", ""), ("@anthropic-ai/claude-code", "2.1")],
)  # fmt: skip
def test_a_package_of_another_kind(tmp_path: Path, name: str, version: str) -> None:
    program(tmp_path, f"{NPM}/cli.js")
    package(tmp_path, NPM, name, version)
    link(tmp_path, "bin/claude", Path("..") / NPM / "cli.js")
    assert found(tmp_path, "bin") is None


def test_what_is_no_command(tmp_path: Path) -> None:
    program(tmp_path, ".local/share/claude/versions/2.1.332")
    program(tmp_path, "plain/claude", mode=0o644)
    (tmp_path / "folder" / "claude").mkdir(parents=True)
    link(tmp_path, "dangling/claude", "nowhere")
    link(tmp_path, "loop/claude", "claude")
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "claude", 0o755)
    folders = ("plain", "folder", "dangling", "loop", "pipe", "nowhere")
    assert found(tmp_path, *folders) is None
    link(tmp_path, "good/claude", tmp_path / ".local/share/claude/versions/2.1.332")
    assert found(tmp_path, *folders, "good") == ("2.1.332", "good/claude", True)


@pytest.mark.parametrize("path", ["", os.pathsep, ".", "relative:bin", "/a\0b", os.pathsep * 9999])
def test_paths_without_a_client(path: str) -> None:
    assert command({"PATH": path}, Path("/nowhere")) is None
    assert command({}, Path("/nowhere")) is None


def test_where_this_process_stands_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, "bin/node_modules/@anthropic-ai/claude-code")
    program(tmp_path, "bin/claude")
    (tmp_path / "bin" / LINUX).mkdir()
    monkeypatch.chdir(tmp_path)
    assert command({"PATH": "bin"}, Path("/nowhere")) is None
    assert extensions({"VSCODE_EXTENSIONS": "bin"}, Path("/nowhere")) == []


def test_extensions_of_all_editors_the_newest_first(tmp_path: Path) -> None:
    folders = (f".vscode/extensions/{LINUX}", ".vscode/extensions/anthropic.claude-code-2.1.99",
               ".cursor-server/extensions/anthropic.claude-code-2.1.340-darwin-arm64",
               ".vscode/extensions/other.claude-code-9.9.9",
               "own/Anthropic.claude-code-2.1.333")  # fmt: skip
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
    environ = {"VSCODE_EXTENSIONS": str(tmp_path / "own")}
    assert extensions(environ, tmp_path) == [
        Installed("2.1.340", str(tmp_path / folders[2])),
        Installed("2.1.333", str(tmp_path / folders[4])),
        Installed("2.1.332", str(tmp_path / folders[0])),
        Installed("2.1.99", str(tmp_path / folders[1])),
    ]
    assert len(extensions({"VSCODE_EXTENSIONS": "own"}, tmp_path)) == 3
    assert extensions({}, Path("/nowhere")) == []


@pytest.mark.parametrize(
    ("obsolete", "versions"),
    [
        (json.dumps({LINUX: True}), ["2.1.331"]),
        (json.dumps({LINUX: False}), ["2.1.332", "2.1.331"]),
        (json.dumps({"other.thing-1.0.0": True}), ["2.1.332", "2.1.331"]),
        (json.dumps([LINUX]), ["2.1.332", "2.1.331"]),
        (json.dumps({LINUX: "yes"}), ["2.1.332", "2.1.331"]),
        ("{", ["2.1.332", "2.1.331"]),
    ],
)
def test_extensions_that_wait_to_be_deleted(
    tmp_path: Path, obsolete: str, versions: list[str]
) -> None:
    folder = tmp_path / ".vscode-server" / "extensions"
    for name in (LINUX, "anthropic.claude-code-2.1.331"):
        (folder / name).mkdir(parents=True)
    (folder / ".obsolete").write_text(obsolete)
    assert [one.version for one in extensions({}, tmp_path)] == versions


@pytest.mark.parametrize(
    ("path", "version"),
    [
        ("/home/dev/.local/share/claude/versions/2.1.332", "2.1.332"),
        (r"C:\Users\dev\.local\share\claude\versions\2.1.332.exe", "2.1.332"),
        ("/opt/homebrew/Caskroom/claude-code@latest/2.1.330/claude", "2.1.330"),
        ("/home/dev/claude/versions/2.1.332/claude", None),
        ("/home/dev/claude/versions/2.1.332\n", None),
        ("/home/dev/other/versions/2.1.332", None),
        ("/usr/bin/claude", None),
    ],
)
def test_versions_in_paths(path: str, version: str | None) -> None:
    assert native_version(path) == version


@pytest.mark.parametrize(
    ("folder", "version"),
    [
        (LINUX, "2.1.332"),
        ("anthropic.claude-code-2.1.332", "2.1.332"),
        ("anthropic.claude-code-2.1.332-win32-x64", "2.1.332"),
        ("anthropic.claude-code-2.1", None),
        ("anthropic.claude-code-next", None),
        ("anthropic.claude-code-theme-2.1.332", None),
        ("x.anthropic.claude-code-2.1.332", None),
        (f"anthropic.claude-code-{'9' * 5000}.1.1", None),
    ],
)
def test_versions_in_names_of_folders(folder: str, version: str | None) -> None:
    assert extension_version(folder) == version
