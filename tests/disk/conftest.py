from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def unprivileged_root() -> Iterator[Path]:
    """A folder of a user to whom modes apply: tests may be run by the superuser."""
    root = Path(tempfile.mkdtemp())
    superuser = os.geteuid() == 0
    if superuser:
        os.chown(root, 65534, 65534)
        os.seteuid(65534)
    yield root
    if superuser:
        os.seteuid(0)
    for folder, below, _ in os.walk(root):
        for name in below:
            Path(folder, name).chmod(0o700)
    shutil.rmtree(root)
