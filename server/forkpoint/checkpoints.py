"""Which states of which files were recorded, and which of them a restore would use.

The agent repeats the whole map with every prompt, so entries are kept once and lines hold numbers.
Two questions are asked of them: all versions of a file, on whatever branch (`FileCheckpoints`), and
what the client would put back at a prompt (`RestorePoints`), which only looks along the path. The
rules of the latter were watched with 2.1.332 (fixtures/rewinds).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from forkpoint.layout import backup_name, is_absolute, parse_backup_name, tracked_file
from forkpoint.records.record import Backup, FileHistoryLine
from forkpoint.records.usual import backup_of

_BETWEEN = b"},"
"""What stands between two entries of a line."""

REACHABLE = 100
"""How many of the newest checkpoints the client can go back to (2.1.100 and 2.1.332)."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """A file-history line: `entries` are numbers of backups; ids are "" where not written."""

    kind: Literal["base", "update", "delta"]
    row: str
    prompt: str
    entries: array[int]


class Checkpoints:
    """File-history lines of a transcript, in file order."""

    def __init__(self) -> None:
        self.backups: list[Backup] = []
        self.lines: list[Line] = []
        self._numbers: dict[Backup, int] = {}
        self._written: dict[bytes, int] = {}
        self._last_written: tuple[bytes, list[int]] = b"", []

    def apply(self, line: FileHistoryLine) -> None:
        """Take in a line."""
        entries = array("I", map(self._number, line.backups))
        self.lines.append(Line(line.kind, line.row or "", line.prompt or "", entries))

    def apply_written(
        self,
        kind: Literal["base", "update", "delta"],
        row: str | None,
        prompt: str | None,
        files: bytes,
    ) -> bool:
        """Take in a line by its files as written, each entry of which is decoded once.

        Args:
            kind: see `Line`.
            row: likewise.
            prompt: likewise.
            files: the object of all entries, without blanks around it.

        Returns:
            False if nothing was done, since one of them is no entry, or a path stands there twice.
        """
        numbers = self._numbers_of(files[1:-2]) if files.startswith(b"{") else None
        if numbers is None:
            return False
        self.lines.append(Line(kind, row or "", prompt or "", array("I", numbers)))
        return True

    def _numbers_of(self, body: bytes) -> list[int] | None:
        """The backups that are written so; mostly the same as last time, with some more behind."""
        last, numbers = self._last_written
        if body == last:
            return numbers
        if last and body.startswith(last + _BETWEEN):
            written = body[len(last) + len(_BETWEEN) :].split(_BETWEEN)
        else:
            # Cut where an entry may end; `backup_of` tells whether each piece is one.
            numbers, written = [], body.split(_BETWEEN) if body else []
        known, backups = self._written, self.backups
        for entry in written:
            if entry not in known:
                backup = backup_of(entry)
                if backup is None:
                    return None
                known[entry] = self._number(backup)
        numbers = numbers + [known[entry] for entry in written]
        if len({backups[number].path for number in numbers}) < len(numbers):
            return None
        self._last_written = body, numbers
        return numbers

    def rest(self) -> None:
        """Give back the memory of what only makes reading on faster."""
        self._written.clear()
        self._last_written = b"", []

    def _number(self, backup: Backup) -> int:
        number = self._numbers.get(backup)
        if number is None:
            number = self._numbers[backup] = len(self.backups)
            self.backups.append(backup)
        return number

    def entries(self, line: Line) -> Iterator[Backup]:
        """Yield what a line says of each file."""
        return (self.backups[number] for number in line.entries)

    def backup_names(self) -> set[str]:
        """Return the names of all copies spoken of that are names of copies."""
        names = {backup.name for backup in self.backups if backup.name is not None}
        return {name for name in names if parse_backup_name(name) is not None}


class Version(msgspec.Struct, frozen=True, gc=False):
    """One recorded state of a file.

    Attributes:
        number: the agent's version number; 0 where none was written.
        backup: name of the copy; None where there is none or the name must not be used.
        is_absent: the file did not exist.
        is_unknown: nothing is said of it, so that a restore leaves it alone.
        first: it is the state before the agent's first edit.
        time: when the agent looked at it, as written.
        prompt: uuid of the prompt before which the file was so; None where no line tells.
        real_parent: see `Backup`.
    """

    number: int
    backup: str | None
    is_absent: bool
    is_unknown: bool
    first: bool
    time: str | None
    prompt: str | None
    real_parent: str | None


def version_of(backup: Backup, prompt: str) -> Version:
    """Return what an entry of a prompt's checkpoint stands for."""
    named = parse_backup_name(backup.name) if backup.name else None
    return Version(
        number=max(backup.version or 0, 0) or (named[1] if named else 0),
        backup=backup.name if named else None,
        is_absent=backup.state == "absent",
        is_unknown=backup.state == "unknown",
        first=backup.version == 1,
        time=backup.time,
        prompt=prompt or None,
        real_parent=backup.real_parent,
    )


class FileCheckpoints:
    """All states by file: paths are absolute, and both spellings of one path are one file.

    Attributes:
        versions: absolute path -> its states, each once, in the order in which they were recorded.
    """

    def __init__(self, checkpoints: Checkpoints, folders: Sequence[str]) -> None:
        """Order a transcript's states.

        Args:
            checkpoints: the file-history lines.
            folders: where clients were started, as far as known, the session's start first.
        """
        self._backups = checkpoints.backups
        self._paths = [file_of(backup, folders) for backup in checkpoints.backups]
        self.versions: dict[str, list[Version]] = {}
        self._lines: dict[str, list[Line]] = {}
        met: set[int] = set()
        seen: set[tuple[str, int, str | None]] = set()
        for line in checkpoints.lines:
            self._lines.setdefault(line.prompt, []).append(line)
            # Each line repeats nearly all entries of the one before.
            for number in [number for number in line.entries if number not in met]:
                met.add(number)
                path, version = self._paths[number], version_of(self._backups[number], line.prompt)
                key = (path, version.number, version.backup)
                if key not in seen:
                    seen.add(key)
                    self.versions.setdefault(path, []).append(version)

    def before(self, prompt: str) -> dict[str, Version | None] | None:
        """Return all files as they were before a prompt ran; None if it has no checkpoint.

        What was not tracked then was as before its first edit; None where even that is not known.
        """
        if prompt not in self._lines:
            return None
        numbers = [number for line in self._lines[prompt] for number in line.entries]
        state = {self._paths[each]: version_of(self._backups[each], prompt) for each in numbers}
        firsts = {path: _first(versions) for path, versions in self.versions.items()}
        return {path: state.get(path, firsts[path]) for path in self.versions}

    def next_prompt(self, prompt: str) -> str | None:
        """Return the prompt whose checkpoint follows in the file; None behind the last."""
        prompts = list(self._lines)
        following = prompts[prompts.index(prompt) + 1 :] if prompt in self._lines else []
        return next(iter(following), None)


class RestorePoints:
    """The checkpoints that a client finds when it resumes, oldest first, and what they restore."""

    def __init__(self, checkpoints: Checkpoints, path: Iterable[str], folder: str | None) -> None:
        """Go along a path.

        Args:
            checkpoints: the file-history lines.
            path: uuids from the root to the leaf, attachments and trailing rows included, without
                what lies before a compaction. Lines beside other rows are not used.
            folder: where the client is started: relative keys count from there.
        """
        self._points: list[tuple[str, dict[str, Version]]] = []
        beside = _by_row(checkpoints.lines)
        for row in path:
            for line in beside.get(row, ()):
                state = {
                    tracked_file(backup.path, folder): version_of(backup, line.prompt)
                    for backup in checkpoints.entries(line)
                }
                self._lay(line, state)
        self._reachable = self._points[-REACHABLE:]

    def _lay(self, line: Line, state: dict[str, Version]) -> None:
        """A base is added, an update takes the place of its prompt's, a delta is laid over it."""
        if line.kind == "base":
            self._points.append((line.prompt, state))
            return
        place = self._newest(line.prompt, self._points)
        if line.kind == "delta":
            state = {**self._base(place), **state}
        if place is None:
            self._points.append((line.prompt, state))
        else:
            self._points[place] = (line.prompt, state)

    def _base(self, place: int | None) -> Mapping[str, Version]:
        """What a delta is laid over: without a checkpoint of its prompt, the newest there is."""
        if place is None and not self._points:
            return {}
        return self._points[-1 if place is None else place][1]

    @staticmethod
    def _newest(prompt: str, points: list[tuple[str, dict[str, Version]]]) -> int | None:
        numbers = range(len(points) - 1, -1, -1)
        return next((number for number in numbers if points[number][0] == prompt), None)

    def has(self, prompt: str) -> bool:
        """Say whether a prompt has a checkpoint here at all, however old."""
        return self._newest(prompt, self._points) is not None

    def at(self, prompt: str) -> dict[str, Version | None] | None:
        """Return what a restore would put back; None if the client cannot go back there.

        A file that the checkpoint does not hold becomes what its first entry with version 1 says,
        an earlier or a later one. If there is none it is left alone: None.
        """
        place = self._newest(prompt, self._reachable)
        if place is None:
            return None
        state = self._reachable[place][1]
        known: dict[str, Version | None] = {}
        for _, other in self._reachable:
            for path, version in other.items():
                if known.get(path) is None:
                    known[path] = version if version.first else None
        return {path: state.get(path, first) for path, first in known.items()}


def file_of(backup: Backup, folders: Sequence[str]) -> str:
    """Return the file of an entry: a relative key counts from where the client was started.

    That need not be the session's start, as a resume may begin elsewhere; the copy's name tells.
    """
    first = tracked_file(backup.path, folders[0] if folders else None)
    digest = parse_backup_name(backup.name or "")
    if digest is None or len(folders) < 2 or is_absolute(backup.path):
        return first
    others = (tracked_file(backup.path, folder) for folder in folders)
    wanted = f"{digest[0]}@v1"
    return next((path for path in others if backup_name(path, 1) == wanted), first)


def _by_row(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """The lines that count of each row: its last snapshot, then all deltas, in file order."""
    snapshots: dict[str, Line] = {}
    deltas: dict[str, list[Line]] = {}
    for line in lines:
        if line.kind == "delta":
            deltas.setdefault(line.row, []).append(line)
        else:
            snapshots[line.row] = line
    rows = {**snapshots, **deltas}
    return {
        row: [*([snapshots[row]] if row in snapshots else []), *deltas.get(row, [])] for row in rows
    }


def _first(versions: Iterable[Version]) -> Version | None:
    return next((version for version in versions if version.first), None)
