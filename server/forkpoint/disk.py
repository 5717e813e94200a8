"""The only module that opens agents' files. It reads; it never writes, creates or locks.

`scan` lists what lies below a config folder, the other functions read single files. A file is
opened only when it is a regular one and no link: `scan` resolves links, and `lies_within` answers
for paths put together from names found in files. What fails raises `Unreadable`, nothing else.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import Literal, NamedTuple, TypeAlias

from forkpoint import layout
from forkpoint.transcript import Bookmark

StrPath: TypeAlias = str | os.PathLike[str]
Reason: TypeAlias = Literal["gone", "denied", "notRegular", "io"]
ProblemReason: TypeAlias = Literal["denied", "dangling", "outside", "notRegular", "io"]
Change: TypeAlias = Literal["same", "grown", "rewritten", "gone"]

CHUNK = 1024 * 1024
"""Bytes read at a time: larger chunks were not faster, and leave the processor's caches."""

# A FIFO must not make us wait, a link not lead us astray, Windows not turn CRLF into LF.
_FLAG_NAMES = ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_BINARY")
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in _FLAG_NAMES)
# On Windows a folder listing has no inodes, and the size of a file being written comes late.
_LISTING_IS_STALE = os.name == "nt"

_REASONS: dict[int | None, Reason] = {
    errno.ENOENT: "gone",
    errno.ENOTDIR: "gone",
    errno.ENAMETOOLONG: "gone",
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.ELOOP: "notRegular",
    errno.EISDIR: "notRegular",
    errno.ENXIO: "notRegular",
}


class Unreadable(Exception):
    """A file that could not be read.

    Attributes:
        path: As the caller gave it.
        reason: "gone" (nothing there, or no name a file can have), "denied", "notRegular" (folder,
            link, device, pipe) or "io" (anything else the system says).
    """

    def __init__(self, path: StrPath, reason: Reason) -> None:
        super().__init__(f"{os.fspath(path)}: {reason}")
        self.path = os.fspath(path)
        self.reason: Reason = reason


class FileStat(NamedTuple):
    """What tells without opening whether a file is still the one that was read."""

    size: int
    mtime_ns: int
    inode: int


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


def scan(root: Path) -> Scan:
    """List the transcripts below a Claude config folder; opens none of them.

    A folder or transcript that is reached twice by links is listed once, under its own name if it
    has one below the root. Links out of the root are not followed. What vanishes meanwhile is left
    out, and so is a root without `projects`.
    """
    try:
        return _Walk(root).run()
    except ValueError:  # The root has a name that no folder can have.
        return Scan([], [], [])


def stat(path: StrPath) -> FileStat:
    """Facts of a regular file."""
    with failures(path):
        return _regular(path, os.lstat(path))


def read(path: StrPath, offset: int = 0, chunk: int = CHUNK) -> Iterator[bytes]:
    """The bytes of a file from `offset` to where it ends when that is reached.

    Nothing is opened, and nothing fails, before the first chunk is asked for.
    """
    with _opened(path) as (file, _):
        os.lseek(file, offset, os.SEEK_SET)
        while data := os.read(file, chunk):
            yield data


def read_span(path: StrPath, offset: int, length: int) -> bytes:
    """The `length` bytes from `offset` on; fewer when the file ends before."""
    return read_spans(path, [(offset, length)])[0]


def read_spans(path: StrPath, spans: Iterable[tuple[int, int]]) -> list[bytes]:
    """Several spans (offset, length) of one file, opened once; each as `read_span` gives it."""
    with _opened(path) as (file, facts):
        return [_span(file, facts.size, offset, length) for offset, length in spans]


def read_ends(path: StrPath, size: int = 65536) -> tuple[bytes, bytes]:
    """The first and the last `size` bytes of a file; both are all of it when it is not longer."""
    with _opened(path) as (file, facts):
        head = _span(file, facts.size, 0, size)
        if facts.size <= size:
            return head, head
        return head, _span(file, facts.size, facts.size - size, size)


def read_small(path: StrPath, limit: int = CHUNK) -> bytes:
    """All of a file that is expected to be small; one longer than `limit` bytes is cut there."""
    return read_span(path, 0, limit)


def changed(path: StrPath, bookmark: Bookmark) -> Change:
    """What became of a transcript since the bookmark was made.

    "same": it ends at the bookmark's offset; "grown": more stands behind it, be it the unfinished
    line known before; "rewritten": it was cut short or holds other bytes, so read it anew.
    """
    try:
        with _opened(path) as (file, facts):
            window = bookmark.window
            head = _span(file, facts.size, 0, window)
            last = _span(file, facts.size, bookmark.offset - window, window)
    except Unreadable as unreadable:
        if unreadable.reason == "gone":
            return "gone"
        raise
    if not bookmark.fits(head, last):
        return "rewritten"
    return "grown" if facts.size > bookmark.offset else "same"


def list_names(folder: StrPath, home: StrPath) -> list[str]:
    """Names of all that is in a folder; none if it cannot be listed or leads out of `home`."""
    if not lies_within(folder, home):
        return []
    try:
        return os.listdir(folder)  # noqa: PTH208 -- names are asked for, no paths
    except OSError:
        return []


def lies_within(path: StrPath, folder: StrPath) -> bool:
    """Whether something is there and, links resolved, lies below the folder."""
    try:
        return _is_below(os.path.realpath(path, strict=True), os.path.realpath(folder))
    except (OSError, ValueError):
        return False


class _Walk:
    """One scan: every transcript met so far, those met by a link too, and what is not read."""

    def __init__(self, root: Path) -> None:
        self.projects = str(root / layout.PROJECTS)
        self.real_projects = os.path.realpath(self.projects)
        # Whoever makes `projects` itself a link means the place it leads to.
        self.homes = (os.path.realpath(root), self.real_projects)
        self.files: list[SessionFile | AgentFile] = []
        self.problems: list[Problem] = []

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
            if folder and not any(_is_below(folder, known) for known in folders):
                folders.append(folder)
                self.project(folder, entry.name)
        files = self.each_once()
        return Scan(
            [file for file in files if isinstance(file, SessionFile)],
            [file for file in files if isinstance(file, AgentFile)],
            self.problems,
        )

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
            self.files.append(SessionFile(path, key, session_id, facts, is_link, folder))

    def session_folder(self, entry: os.DirEntry[str], key: str) -> None:
        if _is_link(entry):
            self.target(entry.path)
            return
        entries = self.plain_entries(f"{entry.path}{os.sep}{layout.SUBAGENTS}")
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
            return path, _regular(path, status), is_link
        except (OSError, Unreadable) as error:
            self.note(path, reason_of(error))
            return None

    def target(self, link: str) -> str | None:
        """Real path of what a link leads to; None, with a problem noted, if it is not for us."""
        try:
            path = os.path.realpath(link, strict=True)
        except OSError as error:
            self.note(link, "denied" if reason_of(error) == "denied" else "dangling")
            return None
        if any(_is_below(path, home) for home in self.homes):
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


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _is_link(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink()
    except OSError:
        return False


def _regular(path: StrPath, status: os.stat_result) -> FileStat:
    if not S_ISREG(status.st_mode):
        raise Unreadable(path, "notRegular")
    return FileStat(status.st_size, status.st_mtime_ns, status.st_ino)


@contextmanager
def _opened(path: StrPath) -> Generator[tuple[int, FileStat]]:
    """A descriptor to read a regular file from, and its facts."""
    with failures(path):
        if not hasattr(os, "O_NOFOLLOW"):
            _regular(path, os.lstat(path))
        file = os.open(path, _FLAGS)
        try:
            yield file, _regular(path, os.fstat(file))
        finally:
            os.close(file)


def _span(file: int, size: int, offset: int, length: int) -> bytes:
    """Bytes of an open file; never asks for more than the file has, however wrong the length."""
    left = min(length, size - offset)
    pieces: list[bytes] = []
    if left > 0:
        os.lseek(file, offset, os.SEEK_SET)
    while left > 0 and (piece := os.read(file, left)):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


@contextmanager
def failures(path: StrPath) -> Generator[None]:
    """Turn what the system says against a path into the one exception of this module."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise Unreadable(path, reason_of(error)) from error


def reason_of(error: OSError | ValueError | Unreadable) -> Reason:
    """Why it failed. A name with a NUL or a lone surrogate is a ValueError: no file can have it."""
    if isinstance(error, Unreadable):
        return error.reason
    return _REASONS.get(error.errno, "io") if isinstance(error, OSError) else "gone"
