"""Run the end-to-end scenarios in a real VS Code: ``python3 tests/vscode/run.py [NAME ...]``.

A scenario is a file ``scenarios/NAME.mjs`` that exports

- ``title``: a sentence, what holds when it passes;
- ``home``: what is on the machine, see ``homes.py``;
- ``settings`` (optional): VS Code settings of window scope;
- ``language`` (optional): VS Code's display language, as extensions see it;
- ``extension`` (optional): files of an extension to put beside Forkpoint, by name;
- ``turn`` (optional): ``"first"`` for one that takes long, ``"alone"`` for one that watches seconds
  and has the machine for itself;
- ``run(workbench, assert)``: async, see ``workbench.mjs``; fails by throwing.

Scenarios that need the same home and settings share one VS Code server and see each other's changes
of files; each has a browser of its own. Two servers run at a time, since a scenario waits for most
of its time. Screenshots and logs of the run are left in ``tests/vscode/out``. Prints ``ok`` and
``not ok`` lines and ends with the counts.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from itertools import groupby
from multiprocessing import Pool
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "client-vscode"))

from setup.chromium import ensure_chromium
from setup.client import VSIX, install_packages
from setup.code_server import ensure_code_server
from setup.node import ensure_node24
from setup.python_environment import ROOT, ensure_python_environment
from setup.step import SetupFailed
from setup.vscode_server import (
    QUIET_SETTINGS,
    RunningServer,
    install_extension,
    start,
    write_settings,
)
from tests.vscode.homes import VSIX_OF, Home, is_forkpoint_installed, prepare_home

HERE = ROOT / "tests" / "vscode"
OUT = HERE / "out"

_AT_ONCE = 2

Scenario = dict[str, Any]
"""What ``list_scenarios.mjs`` prints of one: name, title, home, settings, extension, turn."""

Group = tuple[Path, list[Scenario]]
"""Scenarios with the same needs, and where the logs of their VS Code go."""

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
    _end_in_order()
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(exist_ok=True)
    try:
        install_packages("the driver's npm packages", HERE)
        # Before there are two who would install it.
        ensure_chromium()
        ensure_code_server()
        ensure_python_environment("requirements-dev.txt")
        scenarios = _list_scenarios(names)
        if not names:
            scenarios = [each for each in scenarios if each["home"] not in VSIX_OF]
    except SetupFailed as failure:
        print(failure)
        print("0 passed, 1 failed")
        return 1
    passed = _run_all(_groups(scenarios))
    failed = len(scenarios) - passed
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


def _end_in_order() -> None:
    """When told to end, leave by the way that stops servers and browsers."""
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(1))


def _list_scenarios(names: list[str]) -> list[Scenario]:
    command = [ensure_node24() / "node", HERE / "list_scenarios.mjs", *names]
    listed = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if listed.returncode != 0:
        raise SetupFailed(listed.stderr.strip())
    return json.loads(listed.stdout)


def _groups(scenarios: list[Scenario]) -> list[Group]:
    """Scenarios that share a VS Code, in the order in which they begin: long groups first."""
    grouped = [list(group) for _, group in groupby(sorted(scenarios, key=_needs), key=_needs)]
    grouped.sort(key=lambda group: (group[0]["turn"] != "first", -len(group)))
    return [(OUT / f"server-{number}", group) for number, group in enumerate(grouped, 1)]


def _needs(scenario: Scenario) -> str:
    return json.dumps([scenario[key] for key in ("home", "settings", "extension", "turn")])


def _run_all(groups: list[Group]) -> int:
    """Run all groups; return how many scenarios passed."""
    alone = [group for group in groups if group[1][0]["turn"] == "alone"]
    others = [group for group in groups if group not in alone]
    # Each lane is a process, so that its servers end with it; leaving the pool ends the lanes.
    with Pool(_AT_ONCE, _end_in_order) as lanes:
        passed = sum(lanes.imap_unordered(_run_group, others))
    return passed + sum(map(_run_group, alone))


def _run_group(group: Group) -> int:
    """Run scenarios with the same needs in one VS Code; return how many passed."""
    logs, scenarios = group
    try:
        with vscode(scenarios[0], logs) as (server, home):
            return _drive(scenarios, server, home)
    except SetupFailed as failure:
        for scenario in scenarios:
            print(f"not ok {scenario['name']}: {scenario['title']}\n    {failure}", flush=True)
        return 0


@contextmanager
def vscode(needs: Scenario, logs: Path) -> Generator[tuple[RunningServer, Home]]:
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
        vsix = VSIX_OF.get(needs["home"], VSIX)
        if not vsix.is_file():
            raise SetupFailed(f"{vsix.name} is missing: run npm ci, npm run build, npm run package")
        with redirect_stdout(io.StringIO()):  # the lines of two would mix
            install_extension(profile, vsix)


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
    reports: list[str] = []
    try:
        for report in _reports(driver.stdout or ()):
            print(report, end="", flush=True)
            reports.append(report)
        driver.wait()
    finally:
        if driver.poll() is None:
            os.killpg(driver.pid, signal.SIGKILL)
    for scenario in group[len(reports) :]:
        print(f"not ok {scenario['name']}: the browser driver ended with {driver.returncode}")
    return sum(report.startswith("ok ") for report in reports)


def _reports(lines: Iterable[str]) -> Iterator[str]:
    """What the driver prints of one scenario at a time: two drivers must not mix theirs."""
    report = ""
    for line in lines:
        if report and not line.startswith(" "):
            yield report
            report = ""
        report += line
        if line.startswith("ok "):
            yield report
            report = ""
    if report:
        yield report


def _keep_logs(profile: Path, logs: Path) -> None:
    logs.mkdir(parents=True, exist_ok=True)
    if (log := profile / "server.log").is_file():
        shutil.copy(log, logs)
    if (folder := profile / "user" / "logs").is_dir():
        shutil.copytree(folder, logs / "logs", dirs_exist_ok=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
