"""Which Node and npm build the client and run VS Code's server?

The user's machine has Node 20 or newer, for npm. Packaging the extension and running TypeScript
tests need 24, and VS Code's native modules must fit the Node that loads them, so that one comes
from the npm registry: ``node-<platform>-<arch>`` is a plain package with the binary and its C
headers.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

from setup.cache import install_once, version_of
from setup.step import SetupFailed, run_step

QUIET = ("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", "--ignore-scripts")
"""Options of every npm installation: no package of ours needs its install script."""

_NEWEST_NEEDED = 24


def ensure_node24() -> Path:
    """Folder with the ``node`` program to put first on PATH.

    Raises:
        SetupFailed: no npm, or no Node 24 is published for this machine and none is installed.
    """
    name = package_name()
    if name is None:
        return _installed_node()
    node = install_once(f"node-{version_of('node')}", lambda folder: _install(folder, name))
    return node / "node_modules" / name / "bin"


def npm() -> str:
    """Path of the machine's npm.

    Raises:
        SetupFailed: there is none.
    """
    found = shutil.which("npm")
    if found is None:
        raise SetupFailed("npm is missing: install Node.js 20 or newer, which brings it.")
    return found


def package_name() -> str | None:
    """The npm package that holds Node for this machine; None where 24 was not published as one."""
    arch = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(
        platform.machine().lower()
    )
    system = {"linux": "linux", "win32": "win"}.get(sys.platform)
    if system is None or arch is None or (system, arch) == ("win", "arm64"):
        return None
    return f"node-{system}-{arch}"


def _install(folder: Path, name: str) -> None:
    package = f"{name}@{version_of('node')}"
    run_step(
        f"Node {version_of('node')}",
        [npm(), "install", *QUIET, "--prefix", folder, package],
        folder,
    )


def _installed_node() -> Path:
    found = shutil.which("node")
    if found is not None:
        said = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
        if said.strip().lstrip("v").split(".")[0].isdigit():
            major = int(said.strip().lstrip("v").split(".")[0])
            if major >= _NEWEST_NEEDED:
                return Path(found).parent
    raise SetupFailed(f"Node.js {_NEWEST_NEEDED} or newer is needed on this kind of machine.")
