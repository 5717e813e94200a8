"""How does the VS Code extension get built into ``forkpoint.vsix``?"""

from __future__ import annotations

import shutil
from pathlib import Path

from setup.node import QUIET, ensure_node24, npm
from setup.python_environment import ROOT
from setup.step import SetupFailed, environment_with, run_step

CLIENT = ROOT / "client-vscode"
VSIX = CLIENT / "forkpoint.vsix"


def build_vsix() -> Path:
    """Install the client's packages, bundle it, package it; return the .vsix.

    Raises:
        SetupFailed: npm is missing, a step failed, or no .vsix came out.
    """
    install_packages("the client's npm packages", CLIENT)
    npm_step("the client, bundled", "run", "build")
    VSIX.unlink(missing_ok=True)
    npm_step("the client, packaged", "run", "package")
    if not VSIX.is_file():
        raise SetupFailed(f"npm run package made no {VSIX.name} in {CLIENT.name}.")
    return VSIX


def install_packages(what: str, folder: Path) -> None:
    """Install what the folder's lock file names, unless that was done already.

    Raises:
        SetupFailed: as for ``npm_step``.
    """
    stamp = folder / "node_modules" / ".installed-lock"
    lock = folder / "package-lock.json"
    if stamp.is_file() and lock.is_file() and stamp.read_bytes() == lock.read_bytes():
        return
    npm_step(what, "ci", *QUIET, folder=folder)
    shutil.copyfile(lock, stamp)


def npm_step(what: str, *arguments: str, folder: Path = CLIENT) -> None:
    """Run npm, under Node 24, in a folder with a package.json.

    Raises:
        SetupFailed: no package.json, no npm, or npm failed.
    """
    if not (folder / "package.json").is_file():
        raise SetupFailed(f"{what}: {folder.relative_to(ROOT)}/package.json does not exist.")
    run_step(what, [npm(), *arguments], folder, environment_with(ensure_node24()))
