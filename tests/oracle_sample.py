"""How do tests get the oracle's config folder with the file times that its answers rest on?"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from tests.fixture_paths import ORACLE


def copy_sample(target: Path) -> Path:
    """Copy the sample to the new folder `target` and set the recorded file times; gives `target`.

    Git keeps no file times, but where one id lies in two projects the newest file answers.
    """
    shutil.copytree(ORACLE / "sample", target)
    for name, seconds in json.loads((ORACLE / "mtimes.json").read_bytes()).items():
        os.utime(target / name, (seconds, seconds))
    return target
