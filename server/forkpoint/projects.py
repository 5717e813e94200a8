"""Which directory, and which repository, a session belongs to.

A project folder's name is not reversible: the directory is what the records say. Worktrees are
recognised by git's own pointer file, or by the place where the client puts its worktrees.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

import msgspec

from forkpoint import disk
from forkpoint.layout import project_keys, same_key


class Place(msgspec.Struct, frozen=True):
    """A session's directory.

    Attributes:
        cwd: as the agent wrote it; None where no record has one.
        name: its last part, else the project folder's name.
        worktree_of: main checkout if the directory is a linked worktree.
        exists: whether it is there, on this machine and now.
    """

    cwd: str | None
    name: str
    worktree_of: str | None
    exists: bool


class Places:
    """Answers about directories, each looked up once until `forget`."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str | None], Place] = {}
        self._repositories: dict[str, str | None] = {}

    def forget(self) -> None:
        """Look everything up anew."""
        self._places.clear()
        self._repositories.clear()

    def place(self, key: str, cwd: str | None) -> Place:
        """Return the directory of a session in a project folder."""
        known = self._places.get((key, cwd))
        if known is None:
            exists = bool(cwd) and os.path.isdir(cwd or "")  # noqa: PTH112 -- asked with each list
            known = self._places[key, cwd] = Place(
                cwd=cwd,
                name=_last_part(cwd) if cwd else key,
                worktree_of=_main_checkout(cwd, exists=exists) if cwd else None,
                exists=exists,
            )
        return known

    def in_folder(self, place: Place, key: str, folder: str) -> bool:
        """Say whether a session was started in the folder."""
        candidates = _spellings(folder)
        if place.cwd is None:
            return any(
                same_key(key, other) for folder in candidates for other in project_keys(folder)
            )
        return any(_same_path(place.cwd, candidate) for candidate in candidates)

    def in_repository(self, place: Place, key: str, folder: str) -> bool:
        """Say whether a session was started in the folder's repository or a worktree of it."""
        if self.in_folder(place, key, folder):
            return True
        if place.cwd is None:
            return False
        # A checkout without its `.git` still is what a worktree's pointer names.
        root = self.repository(folder) or folder
        own = place.worktree_of or self.repository(place.cwd) or place.cwd
        return _same_path(own, root)

    def repository(self, folder: str) -> str | None:
        """Return the main checkout of the repository around a directory; None outside of one."""
        if folder not in self._repositories:
            self._repositories[folder] = _repository(folder)
        return self._repositories[folder]


def _repository(folder: str) -> str | None:
    for parent in (Path(folder), *Path(folder).parents):
        linked = _main_checkout(str(parent))
        if linked is not None:
            return linked
        if (parent / ".git").exists():
            return str(parent)
    return None


def _main_checkout(cwd: str, *, exists: bool = True) -> str | None:
    """Read git's pointer file of a linked worktree: `gitdir: <main>/.git/worktrees/<name>`."""
    text = ""
    if exists:
        with suppress(disk.Unreadable, ValueError):
            pointer = os.path.join(cwd, ".git")  # noqa: PTH118
            text = disk.read_small(pointer, 4096).decode("utf-8", "replace")
    for pattern, source in ((_POINTER, text), (_CLIENT_WORKTREE, cwd)):
        match = pattern.match(source)
        if match:
            return match[1]
    return None


_POINTER = re.compile(r"gitdir: (.+?)[/\\]\.git[/\\]worktrees[/\\]")
_CLIENT_WORKTREE = re.compile(r"(.+?)[/\\]\.claude[/\\]worktrees[/\\][^/\\]+")
"""Where `--worktree` puts a checkout (2.1.332)."""


def _last_part(cwd: str) -> str:
    pure = PureWindowsPath(cwd) if _is_windows(cwd) else PurePosixPath(cwd)
    return pure.name or cwd


def _is_windows(path: str) -> bool:
    return bool(re.match(r"[A-Za-z]:[\\/]|\\\\", path))


def _same_path(one: str, other: str) -> bool:
    if _is_windows(one) and _is_windows(other):
        return PureWindowsPath(one) == PureWindowsPath(other)
    return one.rstrip("/") == other.rstrip("/")


def _spellings(folder: str) -> tuple[str, ...]:
    """A directory as named and with its links resolved: the client writes the latter."""
    try:
        return tuple(dict.fromkeys((folder, os.path.realpath(folder))))
    except (OSError, ValueError):
        return (folder,)
