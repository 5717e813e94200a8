"""Where what can be made anew is kept: never below an agent's folder."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from forkpoint import at_path
from forkpoint.disk import StrPath


def cache_folder(
    environ: Mapping[str, str], home: str | Path, *, platform: str = sys.platform
) -> Path:
    """Our own folder among a user's caches, so it may be deleted at any time.

    Args:
        environ: Environment variables; a value that is no absolute path counts as not set.
        home: The user's home folder.
        platform: As `sys.platform` names it.
    """
    usual = {"win32": "AppData/Local", "darwin": "Library/Caches"}.get(platform, ".cache")
    named = environ.get("LOCALAPPDATA" if platform == "win32" else "XDG_CACHE_HOME", "")
    caches = Path(named) if Path(named).is_absolute() else Path(home) / usual
    return caches / "forkpoint"


def store_folder(
    environ: Mapping[str, str], home: str | Path, *, platform: str = sys.platform
) -> Path:
    """Folder of the store; on Windows, where data that matters lies beside, one of its own."""
    folder = cache_folder(environ, home, platform=platform)
    return folder / "Cache" if platform == "win32" else folder


def lies_below(folder: StrPath, agents: Iterable[StrPath]) -> bool:
    """Whether a folder is one of the agents' or lies in one, links resolved."""
    real = Path(at_path.real_path(folder))
    return any(real.is_relative_to(at_path.real_path(agent)) for agent in agents)
