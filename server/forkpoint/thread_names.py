"""What the threads of a Codex home are called: `session_index.jsonl`, which is appended to.

A line `{id, thread_name, updated_at}` per naming; the last one of an id holds.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from forkpoint import disk
from forkpoint.codex_layout import THREAD_NAMES
from forkpoint.disk import FileStat, Unreadable
from forkpoint.records.words import one_line

MOST = 8 * 1024 * 1024
"""Bytes from the end that are read: some fifty thousand namings."""


class _Line(msgspec.Struct):
    id: str
    thread_name: str


_line = msgspec.json.Decoder(_Line)


class ThreadNames:
    """The names in one home, as of the last look.

    Attributes:
        looks: grows whenever a name may be another one than before.
    """

    def __init__(self, home: Path) -> None:
        """Know no name yet."""
        self.looks = 0
        self._path = str(home / THREAD_NAMES)
        self._stat: FileStat | None = None
        self._names: dict[str, str] = {}

    def look(self) -> set[str]:
        """Read the file if it is another one than at the last look.

        Returns:
            The threads, in lower case, whose name is another one now.
        """
        stat, data = None, b""
        try:
            stat = disk.stat(self._path)
            if stat == self._stat:
                return set()
            data = disk.read_span(self._path, max(stat.size - MOST, 0), MOST)
        except Unreadable:
            if self._stat is None:
                return set()
        before, self._names, self._stat = self._names, _names_in(data), stat
        self.looks += 1
        return {key for key, _ in before.items() ^ self._names.items()}

    @property
    def path(self) -> str:
        """The file that they stand in."""
        return self._path

    def threads(self) -> list[str]:
        """Return the ids of all threads that have a name, in lower case."""
        return list(self._names)

    def name(self, thread_id: str) -> str | None:
        """Return what a thread is called; None where nobody named it."""
        return self._names.get(thread_id.lower())


def _names_in(data: bytes) -> dict[str, str]:
    names: dict[str, str] = {}
    for line in data.splitlines():
        try:
            named = _line.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        names[named.id.lower()] = one_line(named.thread_name)
    return {thread_id: name for thread_id, name in names.items() if name}
