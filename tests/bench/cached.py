"""Big things that benchmarks need lie in the cache that all clones of a user share."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]


class NotInstalled(Exception):
    """Something could not be fetched; the text is a sentence for the user."""


def from_cache(name: str, fill: Callable[[Path], None]) -> Path:
    """A folder of the cache; `fill` is called with an empty one when it is not there."""
    folder: Path = _setup("cache").install_once(name, fill)
    return folder


def run(what: str, command: Sequence[str | Path]) -> None:
    """Run a command in silence, with one line for the user; raises `NotInstalled`."""
    step = _setup("step")
    try:
        step.run_step(what, command, REPOSITORY)
    except step.SetupFailed as failure:
        raise NotInstalled(str(failure)) from failure


def _setup(module: str) -> Any:
    """The client's own set-up, which knows the cache."""
    sys.path.insert(0, str(REPOSITORY / "client-vscode"))
    return importlib.import_module(f"setup.{module}")
