"""What lies at a path, and what would the system let us do there?

Nothing is opened for an answer.
"""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_IMODE, S_ISLNK, S_ISREG
from typing import Literal, NamedTuple

from forkpoint.disk import StrPath, Unreadable, failures, reason_of


def exists(path: StrPath) -> bool:
    """Whether something is there, links followed; what may not be looked at counts as there."""
    try:
        os.stat(path)  # noqa: PTH116 -- asked for every row of a list; a Path costs twice as much
    except (OSError, ValueError) as error:
        return reason_of(error) != "gone"
    return True


def is_folder(path: StrPath) -> bool:
    """Whether a folder is there, links followed."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def folder_changed(folder: StrPath) -> tuple[int, int] | None:
    """What changes when a file is added to a folder or taken out (ns, inode); None if not there."""
    try:
        status = os.stat(folder)  # noqa: PTH116 -- asked for every session of an answer
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_ino


def real_path(path: StrPath) -> str:
    """The path with links resolved; what is not there counts as it is written."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return os.fspath(path)


class Facts(NamedTuple):
    """What there is to know of a working file without reading it."""

    kind: Literal["file", "link", "other"]
    size: int
    mtime_ns: int
    links: int
    """Names that the file has: more than one for a hard link."""
    mode: int
    """Permission bits."""


def look_at(path: StrPath) -> Facts | None:
    """Facts of whatever is at a path, a link itself not followed; None if there is nothing.

    Raises:
        Unreadable: What is there may not be looked at.
    """
    try:
        with failures(path):
            status = os.lstat(path)
    except Unreadable as failure:
        if failure.reason == "gone":
            return None
        raise
    kind: Literal["file", "link", "other"] = "file" if S_ISREG(status.st_mode) else "other"
    if S_ISLNK(status.st_mode):
        kind = "link"
    return Facts(kind, status.st_size, status.st_mtime_ns, status.st_nlink, S_IMODE(status.st_mode))


Way = Literal["open", "closed", "noFolder", "dangling"]
"""To a place where a file is to be: noFolder = a file stands where a folder would be, dangling = a
link to nothing does, closed = the nearest folder may not be written to."""


def way_to(path: StrPath) -> Way:
    """Say whether a file could be made at a path, with the folders that are missing."""
    for folder in Path(path).parents:
        try:
            status = folder.lstat()
            is_folder = folder.is_dir()
        except (OSError, ValueError):
            continue
        if is_folder:
            return "open" if is_writable(folder) else "closed"
        return "dangling" if S_ISLNK(status.st_mode) and not folder.exists() else "noFolder"
    return "closed"


def is_writable(path: StrPath) -> bool:
    """Whether the system would let us write to a file or a folder; it is only asked."""
    try:
        return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
    except ValueError:
        return False


def mode_of(path: StrPath) -> int | None:
    """Permission bits of a regular file; None where there is none."""
    try:
        facts = look_at(path)
    except Unreadable:
        return None
    return facts.mode if facts is not None and facts.kind == "file" else None


def changed_at(path: StrPath) -> int | None:
    """When a regular file was changed (ms since 1970); None where there is none."""
    try:
        facts = look_at(path)
    except Unreadable:
        return None
    return facts.mtime_ns // 1_000_000 if facts is not None and facts.kind == "file" else None
