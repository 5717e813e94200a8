"""Which Chromium drives the end-to-end tests?"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from setup.step import SetupFailed, run_step

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_CHINESE_FONT = "fonts-wqy-microhei"
"""Debian's smallest: without any, screenshots of the Chinese views show boxes."""
_ON_MACOS = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def ensure_chromium() -> Path:
    """``$CHROMIUM``, else one on PATH, else Debian's package when this user may install it.

    Raises:
        SetupFailed: there is none and it cannot be installed from here.
    """
    if found := _find():
        return found
    if not _may_install():
        raise SetupFailed(
            "Chromium is missing: install it (Debian: apt-get install chromium) "
            "or set CHROMIUM to the path of a Chrome or Chromium."
        )
    root = Path("/")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run_step("apt's package lists", ["apt-get", "update"], root, env)
    install = ["apt-get", "install", "-y", "--no-install-recommends", "chromium", _CHINESE_FONT]
    run_step("Chromium", install, root, env)
    if found := _find():
        return found
    raise SetupFailed("apt-get installed no chromium on PATH.")


def _find() -> Path | None:
    if own := os.environ.get("CHROMIUM"):
        return Path(own)
    for name in _NAMES:
        if found := shutil.which(name):
            return Path(found)
    return _ON_MACOS if _ON_MACOS.is_file() else None


def _may_install() -> bool:
    is_root = sys.platform == "linux" and os.geteuid() == 0
    return is_root and shutil.which("apt-get") is not None
