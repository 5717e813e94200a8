"""What a home takes, measured in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from forkpoint.unpacked import bound as unpacked_bound
from tests.bounds.homes import BOUNDS, LEAST, MEGABYTE
from tests.fixture_paths import REPOSITORY

MOST_ANSWERED = 4 * MEGABYTE
"""Bytes of one answer, whatever it is about: what is large comes in pages and parts."""


def check(name: str, size: int, folder: Path) -> None:
    """Make a home, ask everything of it, and see that it took no more than it may."""
    bound = BOUNDS[name]
    home = folder / "home"
    bound.make(home, size)
    command = [sys.executable, "-B", str(REPOSITORY / "tests" / "bounds" / "measure.py"), str(home)]
    said = subprocess.run(command, capture_output=True, check=True, text=True, env={**os.environ})
    found = json.loads(said.stdout)
    print(f"{name}: {size:,}: {found['peak'] // MEGABYTE} MB, {found['seconds']} s")
    assert found["total"] == (size if name == "sessions" else 1)
    # Of what is packed no more is looked at than this, however much it would give.
    packed = [unpacked_bound(path.stat().st_size) for path in home.rglob("*.zst")]
    assert found["peak"] <= LEAST + min([size, *packed]) * bound.bytes_each
    assert max(found["sizes"].values()) <= MOST_ANSWERED
