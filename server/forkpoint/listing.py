"""Which transcripts lie below a config folder? Names and facts only: no file is opened here.

Links are resolved, and none leads out of the folder.
"""

from __future__ import annotations

import os
import time
from operator import attrgetter
from pathlib import Path
from stat import S_ISDIR, S_ISLNK
from typing import Literal, NamedTuple, TypeAlias

from forkpoint import layout
from forkpoint.disk import FileStat, Reason, Unreadable, is_below, reason_of, regular

ProblemReason: TypeAlias = Literal["denied", "dangling", "outside", "notRegular", "io"]

# On Windows a folder listing has no inodes, and the size of a file being written comes late.
_LISTING_IS_STALE = os.name == "nt"


class SessionFile(NamedTuple):
    """The main transcript of a session."""

    path: str
    """What to open: links resolved, if the listed name was a link or lay in a linked folder."""
    key: str
    """Name of the project folder in which it is listed."""
    session_id: str
    stat: FileStat
    is_link: bool
    """Whether the listed name is a link to `path`."""
    folder: str
    """The session's own folder (subagents, tool results), whether it exists or not."""
    has_sidecars: bool = False
    """Whether small files about the session lie in that folder."""


class AgentFile(NamedTuple):
    """The transcript of a subagent."""

    path: str
    key: str
    session_id: str | None
    """From the folder it lies in; None for the flat files of 2.0.x, whose records tell."""
    agent_id: str
    stat: FileStat
    meta_path: str | None
    """`agent-<id>.meta.json` beside it, if there is one."""
    is_link: bool


class Problem(NamedTuple):
    """Something below a root that is not read."""

    path: str
    reason: ProblemReason
    """`outside`: a link out of the root; `dangling`: a link to nothing or to itself."""


class Scan(NamedTuple):
    """All transcripts below one config folder, each once."""

    sessions: list[SessionFile]
    agents: list[AgentFile]
    problems: list[Problem]
    seen: Seen


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


def scan(root: Path, *, once: bool = False) -> Scan:
    """List the transcripts below a Claude config folder; opens none of them.

    A folder or transcript that is reached twice by links is listed once, under its own name if it
    has one below the root. Links out of the root are not followed. What vanishes meanwhile is left
    out, and so is a root without `projects`.

    Args:
        root: the folder.
        once: `seen` is not wanted, which saves a sixth of the time.
    """
    try:
        return _Walk(root, once=once).run()
    except ValueError:  # The root has a name that no folder can have.
        return Scan([], [], [], Seen({}, is_certain=False))


class _Walk:
    """One scan: every transcript met so far, those met by a link too, and what is not read."""

    def __init__(self, root: Path, *, once: bool) -> None:
        self.once = once
        self.projects = str(root / layout.PROJECTS)
        self.real_projects = os.path.realpath(self.projects)
        # Whoever makes `projects` itself a link means the place it leads to.
        self.homes = (os.path.realpath(root), self.real_projects)
        self.files: list[SessionFile | AgentFile] = []
        self.problems: list[Problem] = []
        self.with_sidecars: set[str] = set()
        self.folders: dict[str, FolderState | None] = {}
        self.met_links = _LISTING_IS_STALE
        self.began = time.time_ns()

    def run(self) -> Scan:
        links: list[os.DirEntry[str]] = []
        folders: list[str] = []
        for entry in self.entries(self.projects):
            if _is_link(entry):
                links.append(entry)
            elif self.is_plain_folder(entry.path):
                folders.append(self.real(entry.path))
                self.project(entry.path, entry.name)
        for entry in links:
            folder = self.target(entry.path)
            if folder and not any(is_below(folder, known) for known in folders):
                folders.append(folder)
                self.project(folder, entry.name)
        files = self.each_once()
        return Scan(
            [file for file in files if isinstance(file, SessionFile)],
            [file for file in files if isinstance(file, AgentFile)],
            self.problems,
            Seen(self.folders, self.is_certain()),
        )

    def is_certain(self) -> bool:
        recent = self.began - _CLOCK_NS
        states = [state for state in self.folders.values() if state is not None]
        is_quiet = all(max(state[:2]) < recent for state in states)
        return is_quiet and not (self.once or self.met_links or self.problems)

    def each_once(self) -> list[SessionFile | AgentFile]:
        """All files met, in order; one met again by a link only under its own name."""
        files: dict[str, SessionFile | AgentFile] = {}
        for file in sorted(self.files, key=attrgetter("is_link")):
            files.setdefault(self.real(file.path), file)
        return list(files.values())

    def project(self, folder: str, key: str) -> None:
        entries = self.entries(folder)
        for entry in entries:
            if session_id := layout.session_id_of(entry.name):
                self.session(entry, key, session_id)
            elif layout.is_session_id(entry.name):
                self.session_folder(entry, key)
        self.agents(entries, key, None)

    def session(self, entry: os.DirEntry[str], key: str, session_id: str) -> None:
        if place := self.place(entry):
            path, facts, is_link = place
            folder = entry.path.removesuffix(entry.name) + session_id
            has_sidecars = folder in self.with_sidecars
            file = SessionFile(path, key, session_id, facts, is_link, folder, has_sidecars)
            self.files.append(file)

    def session_folder(self, entry: os.DirEntry[str], key: str) -> None:
        if _is_link(entry):
            self.target(entry.path)
            return
        # The folder's name goes before that of the transcript beside it.
        entries: list[os.DirEntry[str]] = []
        for part in self.entries(entry.path):
            if part.name == layout.SUBAGENTS:
                entries = self.plain_entries(part.path)
            elif part.name in (layout.CUSTOM_TITLE, layout.ARCHIVED):
                self.with_sidecars.add(entry.path)
        self.agents(entries, key, entry.name)
        for runs in entries:
            if runs.name == layout.WORKFLOWS:
                for run in self.plain_entries(runs.path):
                    self.agents(self.plain_entries(run.path), key, entry.name)

    def agents(self, entries: list[os.DirEntry[str]], key: str, session_id: str | None) -> None:
        names = {entry.name for entry in entries}
        for entry in entries:
            agent_id = layout.agent_id_of(entry.name)
            if agent_id and (place := self.place(entry)):
                path, facts, is_link = place
                name = layout.agent_meta_name(agent_id)
                meta = entry.path.removesuffix(entry.name) + name if name in names else None
                self.files.append(AgentFile(path, key, session_id, agent_id, facts, meta, is_link))

    def place(self, entry: os.DirEntry[str]) -> tuple[str, FileStat, bool] | None:
        """Path, facts and "is a link" of a transcript; None when it is not to be read."""
        is_link = _is_link(entry)
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
        if any(is_below(path, home) for home in self.homes):
            return path
        self.note(link, "outside")
        return None

    def is_plain_folder(self, path: str) -> bool:
        """Whether to go into a folder. Not into a linked one below a project.

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
        return self.entries(folder) if self.is_plain_folder(folder) else []

    def entries(self, folder: str) -> list[os.DirEntry[str]]:
        if not self.once:
            self.folders[folder] = _state_of(folder)
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=attrgetter("name"))
        except OSError as error:
            self.note(folder, reason_of(error))
            return []

    def note(self, path: str, reason: Reason | ProblemReason) -> None:
        if reason != "gone":
            self.problems.append(Problem(path, reason))

    def real(self, path: str) -> str:
        """The path with a link in or above `projects` resolved; there is none below it."""
        inside = path.removeprefix(self.projects + os.sep)
        return path if inside == path else self.real_projects + os.sep + inside


def _is_link(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink()
    except OSError:
        return False
