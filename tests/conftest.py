"""Settings of all tests."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings

# What a server keeps over restarts is none of the user's: see `forkpoint.cache_folder`.
_CACHES = tempfile.mkdtemp(prefix="forkpoint-caches-")
os.environ["XDG_CACHE_HOME"] = os.environ["LOCALAPPDATA"] = _CACHES
# Nor are the sessions of Codex that a developer has.
os.environ["CODEX_HOME"] = str(Path(_CACHES, "no-codex-home"))
atexit.register(shutil.rmtree, _CACHES, ignore_errors=True)

# The machine is shared, so that a slow example says nothing.
settings.register_profile(
    "forkpoint",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("forkpoint")
