"""Trees of files and links for the tests of listing and reading."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

needs_posix = pytest.mark.skipif(os.name == "nt", reason="links, pipes and modes of POSIX")


def plant(root: Path, *paths: str) -> None:
    """Make files below a folder; each holds its own path."""
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path)


def link(root: Path, path: str, to: str | Path) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).symlink_to(to)


def stat_of(path: Path) -> tuple[int, int, int]:
    facts = path.stat()
    return facts.st_size, facts.st_mtime_ns, facts.st_ino
