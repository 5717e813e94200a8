"""What does a version of a file hold, and how many lines changed from one to the next?

A content is a copy, what a tool's result says an edit replaced, what patches tell, a file as it is
now, or nothing.
Only regular files are read, none larger than `LARGEST`, and only so much for one question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from forkpoint import at_path, disk
from forkpoint.backups import LARGEST, Backups, Copy, Measured
from forkpoint.disk import Unreadable
from forkpoint.line_changes import Changes, line_changes
from forkpoint.records.edits import original_in
from forkpoint.written_text import is_binary

READ_AT_ONCE = 64 * 1024 * 1024
"""Bytes that one question may have read to count lines; the next one goes on from there."""

COMPARED_AT_MOST = 256 * 1024 * 1024
"""Bytes up to which two contents of one length are compared."""


class Replaced(NamedTuple):
    """What an edit replaced, as the result in a session's record says."""

    session_id: str
    ordinal: int


class Patched(NamedTuple):
    """What patches tell of a file: as one of them left it, or as it found it."""

    session_id: str
    path: str
    key: str
    is_before: bool


class Working(NamedTuple):
    """A file as it is now; links are followed, as an editor does."""

    path: str


class Empty(NamedTuple):
    """The file did not exist."""


EMPTY = Empty()

Source: TypeAlias = Copy | Replaced | Patched | Working | Empty


class Contents:
    """Reads contents, and remembers what was counted between copies.

    Attributes:
        rebuild: gives the bytes that patches tell of, or raises `Unreadable`.
    """

    def __init__(self, backups: Backups, record: Callable[[str, int], bytes]) -> None:
        """Read copies through `backups`, records by session id and ordinal through `record`."""
        self.backups = backups
        self._record = record
        self.rebuild: Callable[[Patched], bytes] = _not_rebuilt
        self._left = READ_AT_ONCE
        self._known: dict[tuple[Source, Source], tuple[object, Changes | None]] = {}

    def begin(self) -> None:
        """Begin a new question: look at folders anew, and allow another `READ_AT_ONCE` bytes."""
        self._left = READ_AT_ONCE
        self.backups.begin()

    def measure(self, source: Source) -> Measured | None:
        """Return size and kind of a content; None when it is not there or cannot be read."""
        match source:
            case Copy():
                return self.backups.measure(source)
            case Empty():
                return Measured(0, is_binary=False)
            case _:
                try:
                    data = self.data(source)
                except Unreadable:
                    return None
                return None if data is None else Measured(len(data), is_binary(data))

    def data(self, source: Source) -> bytes | None:
        """Return all bytes; None when they are more than `LARGEST`. Raises `Unreadable`."""
        match source:
            case Copy():
                return self.backups.content(source)
            case Replaced(session_id, ordinal):
                text = original_in(self._record(session_id, ordinal))
                if text is None:
                    raise Unreadable("", "gone")
                return text.encode("utf-8", "replace")
            case Patched():
                return self.rebuild(source)
            case Working(path):
                return _working(path)
            case Empty():
                return b""

    def changes(self, before: Source, after: Source) -> Changes | None:
        """Count changed lines; None where that is not known.

        Unknown are binary, large and unreadable contents, and what one question may not read.
        """
        state = self._state(before), self._state(after)
        known = self._known.get((before, after))
        if known is not None and None not in state and known[0] == state:
            return known[1]
        try:
            counted = self._count(before, after)
        except Unreadable:
            return None
        if None not in state and self._left > 0:
            self._known[before, after] = (state, counted)
        return counted

    def differ(self, one: Source, other: Source) -> bool | None:
        """Say whether two contents are not the same; None where that is not known."""
        sizes = self.size(one), self.size(other)
        if sizes[0] is None or sizes[1] is None:
            return None
        # No file is not the same as an empty one.
        if sizes[0] != sizes[1] or isinstance(one, Empty) != isinstance(other, Empty):
            return True
        if sizes[0] > COMPARED_AT_MOST:
            return None
        try:
            pairs = zip_longest(self._chunks(one), self._chunks(other))
            return any(first != second for first, second in pairs)
        except Unreadable:
            return None

    def _chunks(self, source: Source) -> Iterator[bytes]:
        match source:
            case Copy():
                yield from disk.read(source.path)
            case Working(path):
                yield from disk.read(at_path.real_path(path))
            case _:
                data = self.data(source) or b""
                yield from (data[at : at + disk.CHUNK] for at in range(0, len(data), disk.CHUNK))

    def size(self, source: Source) -> int | None:
        """Return the bytes of a content, without reading a file; None when it is not there."""
        try:
            match source:
                case Copy():
                    stat = self.backups.stat(source)
                    return stat.size if stat else None
                case Working(path):
                    return disk.stat(at_path.real_path(path)).size
                case _:
                    data = self.data(source)
                    return None if data is None else len(data)
        except Unreadable:
            return None

    def _state(self, source: Source) -> object:
        """What tells whether a content is still the one counted; None where nothing does."""
        match source:
            case Copy():
                return self.backups.stat(source)
            case Empty():
                return EMPTY
            case _:
                return None

    def _count(self, before: Source, after: Source) -> Changes | None:
        sizes = [self.size(before) or 0, self.size(after) or 0]
        if max(sizes) > LARGEST:
            return None
        self._left -= sum(sizes)
        if self._left < 0:
            return None
        old, new = self.data(before), self.data(after)
        if old is not None and old == new:
            return Changes(0, 0)
        if old is None or new is None or is_binary(old) or is_binary(new):
            return None
        return line_changes(old, new)


def _working(path: str) -> bytes | None:
    real = at_path.real_path(path)
    size = disk.stat(real).size
    return None if size > LARGEST else disk.read_span(real, 0, size)


def _not_rebuilt(source: Patched) -> bytes:
    raise Unreadable(source.path, "gone")
