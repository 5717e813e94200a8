"""What does VS Code find on the machine in a scenario: which sessions, which Python?"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from setup.client import CLIENT
from setup.python_environment import ROOT, ensure_python_environment


@dataclass(frozen=True)
class Home:
    """The machine as one group of scenarios finds it."""

    config_dir: Path
    workspace: Path
    settings: dict[str, object]
    has_programs: bool = True
    """False when PATH leads to no program but VS Code's own Node."""
    programs: Path | None = None
    """A folder whose programs PATH finds first."""


def prepare_home(name: str, folder: Path) -> Home:
    """Make the home that a scenario's ``home`` names, below an empty folder."""
    return _HOMES[name](folder)


VSIX_OF = {
    "installed": CLIENT / "packages" / "forkpoint-linux-x64.vsix",
    "installed-universal": CLIENT / "packages" / "forkpoint-universal.vsix",
}
"""Homes with an extension as it is given to users; `installed.py` makes them."""


def is_forkpoint_installed(name: str) -> bool:
    """Whether the extension belongs in VS Code for this home."""
    return name != "none"


def _none(folder: Path) -> Home:
    workspace = folder / "workspace"
    workspace.mkdir()
    (workspace / "notes.txt").write_text("one\ntwo\n")
    return Home(folder / "config", workspace, {})


def _demo(folder: Path) -> Home:
    # Imported here: the driver's own scenario must not depend on the demo.
    from fixtures.demo.prepare import prepare

    demo = prepare(folder, datetime.now(UTC))
    return Home(demo.config_dir, demo.workspace, _settings(demo.config_dir))


def _codex(folder: Path) -> Home:
    from fixtures.demo.prepare import prepare

    demo = prepare(folder, datetime.now(UTC))
    settings = _settings(demo.config_dir) | {"forkpoint.codexHomes": [str(demo.codex_home)]}
    return Home(demo.config_dir, demo.workspace, settings)


def _odd(folder: Path) -> Home:
    """The demo with one of each fault, and two sessions that go soon by the agent's settings."""
    # The server's modules come with what plants faults.
    sys.path.insert(0, str(ROOT / "server"))
    from tests.disk.planted_faults import PLANTERS, session_id, settings

    home = _demo(folder)
    for number, plant in enumerate(PLANTERS, 1):
        plant(home.config_dir, number)
    settings(home.config_dir, cleanupPeriodDays=60)
    for number in (1, 3):
        for path in home.config_dir.glob(f"projects/*/{session_id(number)}.jsonl"):
            changed = time.time() - 55 * 86_400
            os.utime(path, (changed, changed))
    return home


def _empty(folder: Path) -> Home:
    home = _none(folder)
    home.config_dir.mkdir()
    return replace(home, settings=_settings(home.config_dir))


def _stub_client(folder: Path) -> Home:
    """As `empty`, with a `claude` on PATH that only writes down how it was called."""
    programs = folder / "bin"
    programs.mkdir()
    stub = programs / "claude"
    stub.write_text(f'#!/bin/sh\necho "$@" >> "{folder}/claude-calls"\n')
    stub.chmod(0o755)
    return replace(_empty(folder), programs=programs)


def _family(folder: Path) -> Home:
    """As `empty`, with sessions that were copied from each other."""
    from tests.e2e.family_home import plant_family

    home = _empty(folder)
    plant_family(home.config_dir)
    return home


def _broken_python(folder: Path) -> Home:
    home = _demo(folder)
    return replace(home, settings={**home.settings, "forkpoint.python": "/nowhere/python"})


def _no_python(folder: Path) -> Home:
    home = _demo(folder)
    settings = {key: value for key, value in home.settings.items() if key != "forkpoint.python"}
    return replace(home, settings=settings, has_programs=False)


def _installed(folder: Path) -> Home:
    """The demo on a machine that has one Python, without any library, as `python3` on its path."""
    programs = folder / "bin"
    programs.mkdir()
    python = os.environ.get("FORKPOINT_TEST_PYTHON") or sys._base_executable
    (programs / "python3").symlink_to(Path(python).resolve())
    home = _demo(folder / "demo")
    settings = {key: value for key, value in home.settings.items() if key != "forkpoint.python"}
    return replace(home, settings=settings, has_programs=False, programs=programs)


def _settings(config_dir: Path) -> dict[str, object]:
    python = ensure_python_environment("requirements-dev.txt")
    return {"forkpoint.claudeConfigDirs": [str(config_dir)], "forkpoint.python": str(python)}


_HOMES: dict[str, Callable[[Path], Home]] = {
    "none": _none,
    "demo": _demo,
    "codex": _codex,
    "odd": _odd,
    "empty": _empty,
    "stub-client": _stub_client,
    "spending": _stub_client,
    "many": _empty,
    "broken-python": _broken_python,
    "no-python": _no_python,
    "family": _family,
    "installed": _installed,
    "installed-universal": _installed,
}
