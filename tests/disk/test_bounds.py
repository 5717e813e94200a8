"""What is too large takes no more memory than it may, and no answer is too long.

Smaller than in README, where the same is promised of a million lines; `tests/bounds` asks that.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bounds.homes import BOUNDS
from tests.bounds.measured import check
from tests.disk.trees import needs_posix


@needs_posix
@pytest.mark.parametrize(
    ("name", "size"), [(name, bound.small) for name, bound in BOUNDS.items() if bound.small]
)
def test_a_bound(name: str, size: int, tmp_path: Path) -> None:
    check(name, size, tmp_path)
