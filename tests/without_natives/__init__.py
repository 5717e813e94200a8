"""A folder to be put first on the path: in it, libraries with native parts do not load.

    PYTHONPATH=tests/without_natives python -m pytest tests/core

runs what is left of them, in the processes that tests start, too.
"""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def are_blocked() -> bool:
    """Say whether this process runs without natives."""
    return str(FOLDER) in sys.path
