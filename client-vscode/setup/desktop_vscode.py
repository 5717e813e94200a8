"""Can the VS Code that the user already has show Forkpoint, and stay as it was?"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from setup.step import run_step


def find_code_command() -> Path | None:
    """The ``code`` command of a desktop VS Code that accepts a profile of its own, or None.

    The ``code`` of a remote window's terminal (SSH, WSL, containers) talks to the open window and
    ignores ``--user-data-dir``: it would install into the user's real profile.
    """
    found = shutil.which("code")
    is_wsl = sys.platform == "linux" and "microsoft" in platform.release().lower()
    is_remote = is_wsl or ("VSCODE_IPC_HOOK_CLI" in os.environ)
    return None if found is None or is_remote else Path(found)


def open_window(code: Path, profile: Path, vsix: Path, workspace: Path) -> None:
    """Open a window on the workspace with the profile's settings and only this extension."""
    folders = {"user-data-dir": "user", "extensions-dir": "extensions"}
    command = [str(code), *(f"--{name}={profile / folder}" for name, folder in folders.items())]
    env = _environment()
    run_step("the extension into VS Code", [*command, "--install-extension", vsix], profile, env)
    run_step("a VS Code window", [*command, "--new-window", workspace], profile, env)


def _environment() -> Mapping[str, str]:
    """Without what a surrounding VS Code set, so that the new window does not join it."""
    return {name: value for name, value in os.environ.items() if not name.startswith("VSCODE_")}
