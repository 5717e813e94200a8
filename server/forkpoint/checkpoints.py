"""Which states of which files were recorded, and which of them a restore would use.

The agent repeats the whole map with every prompt, so entries are kept once and lines hold numbers.
Two questions are asked of them: all versions of a file, on whatever branch (`FileCheckpoints`), and
what the client would put back at a prompt (`RestorePoints`), which only looks along the path. The
rules of the latter were watched with 2.1.332 (fixtures/rewinds).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import astuple

from forkpoint.ids import Ids
from forkpoint.layout import backup_name, is_absolute, parse_backup_name, tracked_file
from forkpoint.records.record import Backup, FileHistoryLine
from forkpoint.records.usual import backup_of

LineKind: TypeAlias = Literal["base", "update", "delta"]
State: TypeAlias = Literal["copied", "absent", "broken", "unknown"]

_KINDS: tuple[LineKind, ...] = ("base", "update", "delta")
_CODES = {kind: code for code, kind in enumerate(_KINDS)}
_BETWEEN = b"},"
"""What stands between two entries of a line."""

NOTHING_WRITTEN: tuple[bytes, list[int]] = b"", []
"""Where nothing was written before."""
_PACK = msgspec.msgpack.Encoder()
_Fields: TypeAlias = tuple[str, State, str | None, int | None, str | None, str | None]
_UNPACK = msgspec.msgpack.Decoder(list[_Fields])

REACHABLE = 100
"""How many of the newest checkpoints the client can go back to (2.1.100 and 2.1.332)."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """A file-history line: `entries` are numbers of backups; ids are "" where not written."""

    kind: LineKind
    row: str
    prompt: str
    entries: array[int]


class Checkpoints:
    """File-history lines of a transcript, in file order.

    A line's entries are a piece of one column; a line that says what the one before said, and more
    behind, shares its piece. While there is a map of backups, it alone has those that came since;
    at rest they are one piece of bytes.
    """

    def __init__(self) -> None:
        self._kind = bytearray()
        self._start = array("I")
        self._count = array("I")
        self._entries = array("I")
        # Of each line its row's and its prompt's number among the texts, and texts to be numbered.
        self._beside = array("I")
        self._texts = Ids()
        self._said: list[str] = []
        self._backups = _PACK.encode([])
        self._backup_count = 0
        self._known: dict[Backup, int] | None = {}
        self._paths: list[str] = []
        self._written: dict[bytes, int] = {}
        self._last_written = NOTHING_WRITTEN

    @property
    def line_count(self) -> int:
        """How many lines there are."""
        return len(self._kind)

    @property
    def backup_count(self) -> int:
        """How many different entries there are."""
        return self._backup_count if self._known is None else len(self._known)

    @property
    def backups(self) -> list[Backup]:
        """All different entries, in the order in which they came; made anew for each caller."""
        if self._known is not None:
            return [*self._known]
        return [Backup(*fields) for fields in _UNPACK.decode(self._backups)]

    @property
    def lines(self) -> list[Line]:
        """All lines; likewise."""
        self._number_texts()
        texts = [*self._texts]
        beside = [texts[number] for number in self._beside]
        columns = zip(self._kind, beside[::2], beside[1::2], self._start, self._count, strict=True)
        return [
            Line(_KINDS[kind], row, prompt, self._entries[start : start + count])
            for kind, row, prompt, start, count in columns
        ]

    def apply(self, line: FileHistoryLine) -> None:
        """Take in a line."""
        self._add(line.kind, line.row, line.prompt, [*map(self._number, line.backups)])

    def apply_written(
        self, kind: LineKind, row: str | None, prompt: str | None, files: bytes
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
        self._add(kind, row, prompt, numbers)
        return True

    def _add(self, kind: LineKind, row: str | None, prompt: str | None, numbers: list[int]) -> None:
        entries, shared, start = self._entries, 0, len(self._entries)
        if kind != "delta" and self._kind and 0 < self._count[-1] <= len(numbers):
            last, end = self._start[-1], self._start[-1] + self._count[-1]
            is_open = end == len(entries) or end - last == len(numbers)
            if is_open and numbers[: end - last] == entries[last:end].tolist():
                start, shared = last, end - last
        entries.fromlist(numbers[shared:] if shared else numbers)
        self._kind.append(_CODES[kind])
        self._start.append(start)
        self._count.append(len(numbers))
        self._said += (row or "", prompt or "")

    def _numbers_of(self, body: bytes) -> list[int] | None:
        """The backups that are written so; mostly the same as last time, with some more behind."""
        last, numbers = self._last_written
        if body == last:
            return numbers
        if last and body.startswith(last) and body.startswith(_BETWEEN, len(last)):
            written = body[len(last) + len(_BETWEEN) :].split(_BETWEEN)
        else:
            # Cut where an entry may end; `backup_of` tells whether each piece is one.
            numbers, written = [], body.split(_BETWEEN) if body else []
        known = self._written
        for entry in written:
            if entry not in known:
                backup = backup_of(entry)
                if backup is None:
                    return None
                known[entry] = self._number(backup)
        numbers = [*numbers, *map(known.__getitem__, written)]
        if len(set(map(self._paths.__getitem__, numbers))) < len(numbers):
            return None
        self._last_written = body, numbers
        return numbers

    def settle(self) -> None:
        """Have all that is to be kept in the attributes that are kept.

        Raises:
            OverflowError: one of the numbers that the file holds has no form in 64 bits.
            UnicodeError: one of the texts has none in UTF-8.
        """
        self._number_texts()
        if self._known is not None and len(self._known) > self._backup_count:
            self._backups = _PACK.encode([*map(astuple, self._known)])
            self._backup_count = len(self._known)

    def rest(self) -> None:
        """Give back the memory of what only makes reading on faster."""
        self._written.clear()
        self._last_written = NOTHING_WRITTEN
        with suppress(OverflowError, UnicodeError):
            self.settle()
            self._known, self._paths = None, []
        self._texts.rest()

    def _number_texts(self) -> None:
        if self._said:
            self._beside.fromlist(self._texts.add_all(self._said))
            self._said.clear()
        self._texts.settle()

    def _number(self, backup: Backup) -> int:
        if self._known is None:
            self._known = dict(zip(self.backups, count()))
            self._paths = [known.path for known in self._known]
        number = self._known.get(backup)
        if number is None:
            number = self._known[backup] = len(self._known)
            self._paths.append(backup.path)
        return number

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
        self._paths = [file_of(backup, folders) for backup in self._backups]
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
        backups = checkpoints.backups
        beside = _by_row(checkpoints.lines)
        for row in path:
            for line in beside.get(row, ()):
                state = {
                    tracked_file(backup.path, folder): version_of(backup, line.prompt)
                    for backup in map(backups.__getitem__, line.entries)
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
