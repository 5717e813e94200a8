"""Where do downloaded programs live, and how do they get there whole?"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

OLDEST = "FORKPOINT_OLDEST_VSCODE"
"""When set, the oldest VS Code that is tried is taken, and the Node that it was made for."""
_VERSIONS = json.loads(Path(__file__).with_name("versions.json").read_text())


def is_oldest() -> bool:
    """Whether VS Code shall be the oldest that is tried, and Node the one that was made for."""
    return bool(os.environ.get(OLDEST))


def version_of(program: str) -> str:
    """The pinned version of ``node`` or ``code-server``."""
    versions: dict[str, str] = _VERSIONS["oldest"] if is_oldest() else _VERSIONS["current"]
    return versions[program]


def install_once(name: str, install: Callable[[Path], None]) -> Path:
    """Return the cache's folder ``name``; when it is not there, let ``install`` fill it first.

    The folder appears under its name only when it is complete: ``install`` works in a folder
    beside it, which is then renamed. So an interrupted installation leaves nothing that looks
    finished, and of two that run at once the first to finish wins and the other copy is deleted.

    Args:
        name: the folder's name, with the version in it.
        install: fills the empty folder it is given; must not write that folder's path into files.
    """
    target = cache_folder() / name
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=target.parent))
    try:
        install(beside)
        beside.chmod(0o755)
        beside.rename(target)
    except OSError:
        if not target.is_dir():
            raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return target


def cache_folder() -> Path:
    """``$FORKPOINT_CACHE``, else the folder ``forkpoint`` in the user's cache folder."""
    if own := os.environ.get("FORKPOINT_CACHE"):
        return Path(own).expanduser().absolute()
    home = Path.home()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or home / ".cache"
    return Path(base) / "forkpoint"
