"""Run the end-to-end scenarios in a real VS Code: ``python3 tests/vscode/run.py [NAME ...]``.

A scenario is a file ``scenarios/NAME.mjs`` that exports

- ``title``: a sentence, what holds when it passes;
- ``home``: what is on the machine, see ``homes.py``;
- ``settings`` (optional): VS Code settings of window scope;
- ``extension`` (optional): files of an extension to put beside Forkpoint, by name;
- ``run(workbench, assert)``: async, see ``workbench.mjs``; fails by throwing.

Scenarios that need the same home and settings share one VS Code server and see each other's changes
of files; each has a browser of its own. Screenshots and logs of the run are left in
``tests/vscode/out``. Prints ``ok`` and ``not ok`` lines and ends with the counts.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "client-vscode"))

from setup.chromium import ensure_chromium
from setup.client import VSIX, install_packages
from setup.node import ensure_node24
from setup.python_environment import ROOT
from setup.step import SetupFailed
from setup.vscode_server import (
    QUIET_SETTINGS,
    RunningServer,
    install_extension,
    start,
    write_settings,
)
from tests.vscode.homes import Home, is_forkpoint_installed, prepare_home

HERE = ROOT / "tests" / "vscode"
OUT = HERE / "out"

Scenario = dict[str, Any]
"""What ``list_scenarios.mjs`` prints of one: name, title, home, settings, extension."""

# Nothing may move or blink between two looks at the window.
_STILL = {
    "editor.cursorBlinking": "solid",
    "git.enabled": False,
    "security.workspace.trust.enabled": False,
    "workbench.reduceMotion": "on",
    "workbench.tree.enableStickyScroll": False,
}


def main(names: list[str]) -> int:
    """Run the named scenarios, or all; 0 when each passed."""
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(1))
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(exist_ok=True)
    try:
        install_packages("the driver's npm packages", HERE)
        ensure_chromium()
        scenarios = _list_scenarios(names)
    except SetupFailed as failure:
        print(failure)
        print("0 passed, 1 failed")
        return 1
    passed = 0
    for number, (_, group) in enumerate(groupby(sorted(scenarios, key=_needs), key=_needs), 1):
        passed += _run_group(list(group), OUT / f"server-{number}")
    failed = len(scenarios) - passed
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


def _list_scenarios(names: list[str]) -> list[Scenario]:
    command = [ensure_node24() / "node", HERE / "list_scenarios.mjs", *names]
    listed = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if listed.returncode != 0:
        raise SetupFailed(listed.stderr.strip())
    return json.loads(listed.stdout)


def _needs(scenario: Scenario) -> str:
    return json.dumps([scenario["home"], scenario["settings"], scenario["extension"]])


def _run_group(group: list[Scenario], logs: Path) -> int:
    """Run scenarios with the same needs in one VS Code; return how many passed."""
    try:
        with _vscode(group[0], logs) as (server, home):
            return _drive(group, server, home)
    except SetupFailed as failure:
        for scenario in group:
            print(f"not ok {scenario['name']}: {scenario['title']}\n    {failure}", flush=True)
        return 0


@contextmanager
def _vscode(needs: Scenario, logs: Path) -> Generator[tuple[RunningServer, Home]]:
    """A running VS Code on a fresh machine; its logs are kept."""
    run = Path(tempfile.mkdtemp(prefix="fp-"))
    profile = run / "profile"
    try:
        (run / "home").mkdir()
        home = prepare_home(needs["home"], run / "home")
        write_settings(
            profile, {**QUIET_SETTINGS, **_STILL, **needs["settings"]}, machine=home.settings
        )
        _install(needs, profile)
        server = start(home.workspace, profile, port=0, env=_environment(run, home))
        try:
            yield server, home
        finally:
            server.stop()
    finally:
        _keep_logs(profile, logs)
        shutil.rmtree(run, ignore_errors=True)


def _install(needs: Scenario, profile: Path) -> None:
    for name, content in needs["extension"].items():
        path = profile / "extensions" / "test.extension-0.0.1" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    if is_forkpoint_installed(needs["home"]):
        if not VSIX.is_file():
            raise SetupFailed(f"{VSIX.name} is missing: run npm ci, npm run build, npm run package")
        install_extension(profile, VSIX)


def _environment(run: Path, home: Home) -> dict[str, str]:
    """Nothing inherited but PATH: what a scenario sees does not depend on who runs it."""
    path = [] if home.programs is None else [str(home.programs)]
    path.append(str(ensure_node24()))
    if home.has_programs:
        path.append(os.environ["PATH"])
    (run / "tmp").mkdir()
    return {
        "EXTENSIONS_GALLERY": "{}",
        "HOME": str(run / "home"),
        "LANG": "C.UTF-8",
        "PATH": os.pathsep.join(path),
        "TMPDIR": str(run / "tmp"),
        "TZ": "UTC",
        "VSCODE_CLI": "1",  # else VS Code asks a login shell for PATH and the rest
    }


def _drive(group: list[Scenario], server: RunningServer, home: Home) -> int:
    job = {
        "url": server.url,
        "out": str(OUT),
        "chromium": str(ensure_chromium()),
        "configDir": str(home.config_dir),
        "workspace": str(home.workspace),
        "scenarios": [scenario["name"] for scenario in group],
    }
    command = [str(ensure_node24() / "node"), "run_scenarios.mjs", json.dumps(job)]
    driver = subprocess.Popen(
        command, cwd=HERE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    passed, reported = 0, 0
    try:
        for line in driver.stdout or ():
            print(line, end="", flush=True)
            passed += line.startswith("ok ")
            reported += line.startswith(("ok ", "not ok "))
        driver.wait()
    finally:
        if driver.poll() is None:
            os.killpg(driver.pid, signal.SIGKILL)
    for scenario in group[reported:]:
        print(f"not ok {scenario['name']}: the browser driver ended with {driver.returncode}")
    return passed


def _keep_logs(profile: Path, logs: Path) -> None:
    logs.mkdir(parents=True, exist_ok=True)
    if (log := profile / "server.log").is_file():
        shutil.copy(log, logs)
    if (folder := profile / "user" / "logs").is_dir():
        shutil.copytree(folder, logs / "logs", dirs_exist_ok=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
