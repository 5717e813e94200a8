"""Which copies of files are there, and what do they hold?

What was measured of a copy is kept as long as its size, time and inode stay: a client that was
killed may make a version again. A name becomes part of a path only if it is a copy's name, and a
folder that leads out of `file-history` counts as empty.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from forkpoint import at_path, disk
from forkpoint.disk import FileStat, Unreadable
from forkpoint.layout import FILE_HISTORY, is_session_id, parse_backup_name
from forkpoint.written_text import HEAD, is_binary

LARGEST = 5 * 1024 * 1024
"""Bytes up to which a content is read."""

_SETTLED_NS = 2_000_000_000
"""A folder listed this soon after it changed is listed again: its time may be too coarse."""


class Copy(NamedTuple):
    """Names a copy: below a config folder, of a session, by its file's name."""

    root: Path
    session_id: str
    name: str

    @property
    def path(self) -> str:
        """Where it lies, if its name is a copy's."""
        return f"{_folder(self.root, self.session_id)}{os.sep}{self.name}"


class Measured(NamedTuple):
    """What a copy's beginning tells."""

    size: int
    is_binary: bool


class Backups:
    """The copies below all config folders."""

    def __init__(self) -> None:
        self._folders: dict[tuple[Path, str], _Folder] = {}
        self._measured: dict[Copy, tuple[FileStat, Measured]] = {}
        self._looked_at: set[tuple[Path, str]] = set()
        self._stats: dict[Copy, FileStat | None] = {}

    def begin(self) -> None:
        """Begin a new question: look at everything anew."""
        self._looked_at.clear()
        self._stats.clear()

    def versions(self, root: Path, session_id: str, digest: str) -> list[tuple[int, str]]:
        """Return version and name of the copies of one file, by the hash of its path."""
        known = self._known((root, session_id))
        named = known.by_digest.get(digest, []) if known else []
        return [each for each in named if self.stat(Copy(root, session_id, each[1])) is not None]

    def names(self, root: Path, session_id: str) -> Collection[str] | None:
        """Return the names of a session's copies, unseen; None where it has no folder of them."""
        known = self._known((root, session_id))
        return None if known is None else known.names

    def _known(self, key: tuple[Path, str]) -> _Folder | None:
        if key not in self._looked_at:
            self._looked_at.add(key)
            self._look(key)
        return self._folders.get(key)

    def _look(self, key: tuple[Path, str]) -> None:
        root, session_id = key
        folder = _folder(root, session_id)
        changed = at_path.folder_changed(folder) if is_session_id(session_id) else None
        known = self._folders.get(key)
        if changed is None:
            self._folders.pop(key, None)
        elif known is None or known.changed != changed or not known.is_settled:
            names: set[str] = set()
            by_digest: dict[str, list[tuple[int, str]]] = {}
            for name in disk.list_names(folder, root / FILE_HISTORY):
                if (parsed := parse_backup_name(name)) is not None:
                    names.add(name)
                    by_digest.setdefault(parsed[0], []).append((parsed[1], name))
            is_settled = time.time_ns() - changed[0] > _SETTLED_NS
            self._folders[key] = _Folder(changed, names, by_digest, is_settled)

    def stat(self, copy: Copy) -> FileStat | None:
        """Return the facts of a copy; None when it is not there, or must not be read."""
        if copy not in self._stats:
            known = self._known((copy.root, copy.session_id))
            self._stats[copy] = _stat(copy) if known and copy.name in known.names else None
        return self._stats[copy]

    def measure(self, copy: Copy) -> Measured | None:
        """Return size and kind of a copy; None when it is not there or cannot be read."""
        stat = self.stat(copy)
        if stat is None:
            return None
        known = self._measured.get(copy)
        if known is None or known[0] != stat:
            try:
                head = disk.read_span(copy.path, 0, HEAD)
            except Unreadable:
                return None
            known = self._measured[copy] = (stat, Measured(stat.size, is_binary(head)))
        return known[1]

    def content(self, copy: Copy) -> bytes | None:
        """Return all of a copy; None when it is larger than `LARGEST`. Raises `Unreadable`."""
        stat = self.stat(copy)
        if stat is None:
            raise Unreadable(copy.path, "gone")
        return None if stat.size > LARGEST else disk.read_span(copy.path, 0, stat.size)


class _Folder(NamedTuple):
    changed: tuple[int, int]
    names: set[str]
    by_digest: dict[str, list[tuple[int, str]]]
    is_settled: bool


def _stat(copy: Copy) -> FileStat | None:
    try:
        return disk.stat(copy.path)
    except Unreadable:
        return None


def _folder(root: Path, session_id: str) -> str:
    # Asked for five hundred times in an answer: joining with pathlib takes ten times as long.
    return f"{root}{os.sep}{FILE_HISTORY}{os.sep}{session_id}"
