"""What a walk below an agent's folder does with each name: no file is opened.

Links are resolved, and none leads out of the folder.
"""

from __future__ import annotations

import os
import time
from operator import attrgetter
from pathlib import Path
from stat import S_ISDIR, S_ISLNK
from typing import Literal, NamedTuple, TypeAlias

from forkpoint.disk import FileStat, Reason, Unreadable, is_below, reason_of, regular

ProblemReason: TypeAlias = Literal[
    "denied", "dangling", "outside", "notRegular", "io", "damaged", "notUnpackable"
]

# On Windows a folder listing has no inodes, and the size of a file being written comes late.
_LISTING_IS_STALE = os.name == "nt"


class Problem(NamedTuple):
    """Something below a root that is not read."""

    path: str
    reason: ProblemReason
    """`outside`: a link out of the root; `dangling`: a link to nothing or to itself."""


class Seen(NamedTuple):
    """By what it is told cheaply that another scan would find the same names.

    Attributes:
        folders: each folder that was listed, with what says whether anything came or went in it;
            None where it was not there.
        is_certain: that tells all. It does not where links were met, or something could not be
            looked at, or a folder changed so shortly before that a change right behind the scan
            could carry the same time.
    """

    folders: dict[str, FolderState | None]
    is_certain: bool

    def still_holds(self) -> bool:
        """Say whether no name came or went since."""
        if not self.is_certain:
            return False
        # With each list each folder is asked: a generator takes as long as the system does.
        for folder, state in self.folders.items():  # noqa: SIM110
            if _state_of(folder) != state:
                return False
        return True


FolderState: TypeAlias = tuple[int, int, int]
"""Times of change of a folder's names and of its own facts (ns), and its inode."""

_CLOCK_NS = 50_000_000
"""No clock of a file system is coarser: 10 ms on Linux, 15 on Windows."""


def _state_of(folder: str) -> FolderState | None:
    try:
        facts = os.stat(folder)  # noqa: PTH116 -- asked of each folder; a Path costs twice as much
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino


class FolderWalk:
    """One walk below the folders of an agent: where it was, and what is not read.

    Attributes:
        tops: the folders, below which alone anything is read.
        problems: what is not read.
        met_links: whether links were met, so that a file may have been met twice.
    """

    def __init__(self, root: Path, names: tuple[str, ...], *, once: bool) -> None:
        """Begin a walk.

        Args:
            root: the agent's folder.
            names: folders in it.
            once: `seen` will not be asked.
        """
        self.tops = tuple(str(root / name) for name in names)
        self.problems: list[Problem] = []
        self._once = once
        self._real_tops = tuple(os.path.realpath(top) for top in self.tops)
        # Whoever makes such a folder itself a link means the place it leads to.
        self._homes = (os.path.realpath(root), *self._real_tops)
        self._folders: dict[str, FolderState | None] = {}
        self.met_links = _LISTING_IS_STALE
        self._began = time.time_ns()

    def seen(self) -> Seen:
        """By what it is told that another walk would find the same names."""
        recent = self._began - _CLOCK_NS
        states = [state for state in self._folders.values() if state is not None]
        is_quiet = all(max(state[:2]) < recent for state in states)
        is_certain = is_quiet and not (self._once or self.met_links or self.problems)
        return Seen(self._folders, is_certain)

    def place(self, entry: os.DirEntry[str]) -> tuple[str, FileStat, bool] | None:
        """Path, facts and "is a link" of a transcript; None when it is not to be read."""
        is_link = self.is_link(entry)
        path = self.target(entry.path) if is_link else entry.path
        if path is None:
            return None
        own_call = is_link or _LISTING_IS_STALE
        try:
            status = os.lstat(path) if own_call else entry.stat(follow_symlinks=False)
            return path, regular(path, status), is_link
        except (OSError, Unreadable) as error:
            self.note(path, reason_of(error))
            return None

    def target(self, link: str) -> str | None:
        """Real path of what a link leads to; None, with a problem noted, if it is not for us."""
        self.met_links = True
        try:
            path = os.path.realpath(link, strict=True)
        except OSError as error:
            self.note(link, "denied" if reason_of(error) == "denied" else "dangling")
            return None
        if any(is_below(path, home) for home in self._homes):
            return path
        self.note(link, "outside")
        return None

    def is_plain_folder(self, path: str) -> bool:
        """Whether to go into a folder; not into a linked one.

        What such a link leads to below the root is listed in its own place.
        """
        try:
            kind = os.lstat(path).st_mode
        except OSError as error:
            self.note(path, reason_of(error))
            return False
        if S_ISLNK(kind):
            self.target(path)
        return S_ISDIR(kind)

    def plain_entries(self, folder: str) -> list[os.DirEntry[str]]:
        """What is in a folder; nothing if it is a link."""
        return self.entries(folder) if self.is_plain_folder(folder) else []

    def entries(self, folder: str) -> list[os.DirEntry[str]]:
        """What is in a folder, by name."""
        if not self._once:
            self._folders[folder] = _state_of(folder)
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=attrgetter("name"))
        except OSError as error:
            self.note(folder, reason_of(error))
            return []

    def note(self, path: str, reason: Reason | ProblemReason) -> None:
        """Note what is not read; what is gone meanwhile is not missed."""
        if reason != "gone":
            self.problems.append(Problem(path, reason))

    def real(self, path: str) -> str:
        """The path with a link in or above the folders resolved; there is none below them."""
        for top, real_top in zip(self.tops, self._real_tops, strict=True):
            inside = path.removeprefix(top + os.sep)
            if inside != path:
                return real_top + os.sep + inside
        return path

    @staticmethod
    def is_link(entry: os.DirEntry[str]) -> bool:
        """Whether a name is a link; False where that cannot be said."""
        try:
            return entry.is_symlink()
        except OSError:
            return False
