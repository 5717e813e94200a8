"""Change the core a little in each place and see whether a test notices.

``python -m tests.mutation.run NAME`` (one of `SUBJECTS`) takes from minutes to hours; it needs
requirements-quality.txt. Works in a copy, whose folder it prints: ``mutmut show`` works there.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.fixture_paths import REPOSITORY


class Subject(NamedTuple):
    """Modules to change, and the files of tests/core that speak of them."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


_RESUMES = ("request", "request_gaps", "leaf", "oracle", "cases", "active_line", "real_sessions")
SUBJECTS = {
    "leaf": Subject(("leaf.py",), (*_RESUMES, "growth")),
    "request": Subject(("request.py",), (*_RESUMES, "growth")),
    "checkpoints": Subject(
        ("checkpoints.py",),
        ("checkpoints", "checkpoint_prompts", "restore_points", "rewind", "index_state"),
    ),
    "cache": Subject(
        ("cache/*",),
        (
            *("cache_history", "clock", "forecast", "impact_costs", "models", "note_words"),
            *("options", "prompt_rules", "standing"),
        ),
    ),
}


def main(name: str) -> int:
    """Make the copy and run; 0 when every change was noticed."""
    subject = SUBJECTS[name]
    folder = Path(tempfile.mkdtemp(prefix=f"mutation-{name}-"))
    _copy(folder)
    _configure(folder, subject)
    mutmut = Path(sys.executable).with_name("mutmut")
    print(folder, flush=True)
    subprocess.run([mutmut, "run", "--max-children", "2"], cwd=folder, check=True)
    done = subprocess.run([mutmut, "results"], cwd=folder, capture_output=True, text=True)
    print(done.stdout)
    return 1 if "survived" in done.stdout else 0


def _copy(folder: Path) -> None:
    """Copy what git has; mutmut knows where sources lie only by the name `src`."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        target = folder / ("src" + name.removeprefix("server") if name[:7] == "server/" else name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(REPOSITORY / name, target, follow_symlinks=False)


def _configure(folder: Path, subject: Subject) -> None:
    settings = {
        "source_paths": ["src/forkpoint"],
        "only_mutate": [f"src/forkpoint/{module}" for module in subject.modules],
        "also_copy": ["src", "fixtures", "ARCHITECTURE.md"],
        "pytest_add_cli_args": ["-x"],
        "pytest_add_cli_args_test_selection": [f"tests/core/test_{t}.py" for t in subject.tests],
    }
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    with (folder / "pyproject.toml").open("a") as file:
        file.write(f"\n[tool.mutmut]\n{lines}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
