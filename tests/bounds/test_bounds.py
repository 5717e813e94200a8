"""The bounds of README at full size; the gate asks the same of a smaller one (`tests/disk`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bounds.homes import BOUNDS
from tests.bounds.measured import check


@pytest.mark.parametrize("name", BOUNDS)
def test_what_is_too_large_is_answered_within_its_bound(name: str, tmp_path: Path) -> None:
    check(name, BOUNDS[name].size, tmp_path)
