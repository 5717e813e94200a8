"""One step of a set-up: a line for the user, a quiet command, its last output when it fails."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_LINES_SHOWN = 25


class SetupFailed(Exception):
    """Something is missing or did not work; the text is a sentence for the user."""


def run_step(
    what: str, command: Sequence[str | Path], cwd: Path, env: Mapping[str, str] | None = None
) -> None:
    """Run a command in silence and print one line with what it was for and how long it took.

    Args:
        what: the line the user sees, without a full stop.
        command: program and arguments.
        cwd: where it runs.
        env: the whole environment; the inherited one when left out.

    Raises:
        SetupFailed: with the last lines of the output, when the command fails or does not exist.
    """
    print(f"  {what} ...", end="", flush=True)
    began = time.monotonic()
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        print(" failed", flush=True)
        raise SetupFailed(f"{what}: {command[0]} cannot be run ({error.strerror}).") from error
    if done.returncode != 0:
        print(" failed", flush=True)
        end = "\n".join(done.stdout.splitlines()[-_LINES_SHOWN:])
        raise SetupFailed(f"{what}: failed with exit code {done.returncode}.\n{end}")
    print(f" {time.monotonic() - began:.0f} s", flush=True)


def environment_with(*folders: Path) -> dict[str, str]:
    """The inherited environment, proxies and certificates included, with folders first on PATH."""
    path = [*map(str, folders), os.environ.get("PATH", "")]
    return {**os.environ, "PATH": os.pathsep.join(path)}
