"""Run all checks and tests: ``python3 tests/run.py``.

Sets up what it needs first. Every step runs, whatever failed before it; the summary at the end says
which failed, and the last line counts them. ``--quick`` leaves out VS Code and the benchmarks.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "client-vscode"))

from setup.client import CLIENT
from setup.node import QUIET, ensure_node24, npm
from setup.python_environment import ROOT, ensure_python_environment
from setup.step import SetupFailed, environment_with

_LONGEST_SECONDS = 900
_SECONDS_TO_END = 30
_TWO_AT_ONCE = ("-n", "2", "--dist", "loadfile")
"""The tests of a file share what they set up, and many of them wait for a clock or a process."""
_PYTEST_FOLDERS = ("core", "properties", "disk", "e2e", "house", "fuzz")
_PURE = (
    *("tests/core/test_index.py", "tests/core/test_index_state.py", "tests/disk/test_store.py"),
    *(f"tests/properties/test_{name}.py" for name in ("folding", "growth", "live_replay")),
)
"""What the scanner in C may not change; the other steps have it where there is a compiler."""
_NO_NATIVES = tuple(
    f"tests/core/test_{name}.py"
    for name in (
        *("encode", "growth", "index", "options", "params", "real_sessions"),
        *("search_rows", "transcript", "wire_common"),
    )
)
"""What reads and writes with what stands in for libraries with native parts."""


@dataclass(frozen=True)
class Step:
    """One command of the gate; it passes when it exits with 0."""

    name: str
    command: tuple[str | Path, ...]
    cwd: Path = ROOT
    needs: Path | None = None
    """A file without which the step fails with a sentence."""
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    """Of the environment, for this step."""


def main(arguments: list[str]) -> int:
    """Set up, run the steps, print the summary; 0 when all passed."""
    parser = argparse.ArgumentParser(prog="tests/run.py", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="without VS Code and benchmarks")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(1))
    print("Setting up", flush=True)
    try:
        python = ensure_python_environment("requirements-dev.txt")
        env = environment_with(python.parent, ensure_node24())
        steps = [*_python_steps(python), *_client_steps(python)]
        if not options.quick:
            steps += [*_vscode_steps(python), *_bench_steps(python)]
    except SetupFailed as failure:
        print(f"{failure}\n0 passed, 1 failed")
        return 1
    return _summarize([(step, *_run(step, env)) for step in steps])


def _python_steps(python: Path) -> list[Step]:
    # The recordings below fixtures are not ours to lint, but the demo's own scripts are.
    linted = (".", *sorted((ROOT / "fixtures" / "demo").glob("*.py")))
    folders = [f"tests/{folder}" for folder in _PYTEST_FOLDERS]
    pytest = (python, "-m", "pytest", *_TWO_AT_ONCE)
    blocked = str(ROOT / "tests" / "without_natives")
    return [
        Step("ruff check", (python, "-m", "ruff", "check", *linted)),
        Step("ruff format", (python, "-m", "ruff", "format", "--check", *linted)),
        Step("pyright", (python, "-m", "pyright")),
        Step("pytest", (*pytest, *folders)),
        Step("pytest, pure", (*pytest, *_PURE), variables={"FORKPOINT_PURE": "1"}),
        Step("pytest, no natives", (*pytest, *_NO_NATIVES), variables={"PYTHONPATH": blocked}),
    ]


def _client_steps(python: Path) -> list[Step]:
    commands = {
        "client: npm ci": ("ci", *QUIET),
        "client: types and lint": ("run", "check"),
        "client: unit tests": ("test",),
        "client: build": ("run", "build"),
        "client: package": ("run", "package"),
    }
    manifest = CLIENT / "package.json"
    steps = [Step(name, (npm(), *words), CLIENT, manifest) for name, words in commands.items()]
    # By the compiler of this machine: zig is larger than all else that is fetched.
    script = CLIENT / "scripts" / "package.py"
    given = (python, script, "--built", "--scanner", "host", "linux-x64")
    steps.append(Step("client: package for linux-x64", given, needs=CLIENT / "dist"))
    # The driver of the end-to-end tests is linted with the client's linter.
    biome = CLIENT / "node_modules" / "@biomejs" / "biome" / "bin" / "biome"
    lint = ("node", biome, "check", "--error-on-warnings", ".")
    return [*steps, Step("driver: lint", lint, ROOT / "tests" / "vscode", biome)]


def _vscode_steps(python: Path) -> list[Step]:
    return [Step("VS Code, end to end", (python, "tests/vscode/run.py"))]


def _bench_steps(python: Path) -> list[Step]:
    folder = ROOT / "tests" / "bench"
    scripts = sorted(folder.glob("bench_*.py"))
    if not scripts:
        missing = folder / "bench_*.py"
        return [Step("benchmarks", (python, missing), needs=missing)]
    return [Step(f"benchmark: {script.stem}", (python, script, "--check")) for script in scripts]


def _run(step: Step, env: dict[str, str]) -> tuple[bool, float]:
    """Run one step with its output on ours; whether it passed, and its seconds."""
    print(f"\n=== {step.name}", flush=True)
    began = time.monotonic()
    if step.needs is not None and not step.needs.exists():
        print(f"{step.needs.relative_to(ROOT)} does not exist.", flush=True)
        return False, 0.0
    command = [str(word) for word in step.command]
    env = {**env, "FORKPOINT_PURE": "", **step.variables}
    process = subprocess.Popen(command, cwd=step.cwd, env=env, stdin=subprocess.DEVNULL)
    try:
        code = process.wait(_LONGEST_SECONDS)
    except subprocess.TimeoutExpired:
        print(f"Not finished after {_LONGEST_SECONDS} s.", flush=True)
        code = -1
    finally:
        _end(process)
    return code == 0, time.monotonic() - began


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _summarize(results: list[tuple[Step, bool, float]]) -> int:
    print("\n=== summary")
    for step, has_passed, seconds in results:
        print(f"{'ok' if has_passed else 'FAILED':6}  {seconds:6.1f} s  {step.name}")
    failed = sum(not has_passed for _, has_passed, _ in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
