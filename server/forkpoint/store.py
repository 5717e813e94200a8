"""What was read of transcripts, kept for the next start.

Nothing here is worth a question or a failure: what cannot be read is absent, what cannot be written
is not kept. Each piece says of which state it is and has a checksum over all of it.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from forkpoint import __version__, at_path, disk, index_state, store_file
from forkpoint.cache_folder import lies_below
from forkpoint.disk import FileStat, StrPath, Unreadable
from forkpoint.store_file import TABLES, Off, Refused

FILE = "transcripts.sqlite3"
"""Name of the file; SQLite puts two more beside it while it is open."""
LAYOUT = 2
"""Of the tables. A file with any other is thrown away, never converted."""
MOST_BYTES = 512 * 1024 * 1024
"""Of the file: some 40 GB of transcripts. Beyond it the indexes written longest ago go."""
MOST_WAITING = 64 * 1024 * 1024
"""Bytes that wait for `flush`; what comes on top is not kept."""

_Key: TypeAlias = tuple[str, bytes, bytes | None]
"""Table, path and name; no name for all that is kept of a path."""
_Piece: TypeAlias = tuple[bytes, bytes]
"""State and data."""
_Row: TypeAlias = tuple[Any, ...]
_INSERT = "INSERT OR REPLACE INTO {} VALUES (?, ?, ?, ?, ?)"


class Kept(NamedTuple):
    """A transcript's index, and what the file was like when it was read."""

    stat: FileStat
    data: bytes


def open_store(folder: StrPath, agents: Iterable[StrPath] = (), made_by: str = "") -> Store:
    """Open the store in a folder, which is made if need be. Never raises: see `Store.off`.

    Args:
        folder: See `cache_folder.store_folder`.
        agents: Agents' folders, below which nothing is written.
        made_by: What is another text for whoever puts pieces of another form.
    """
    layouts = f"{LAYOUT} {index_state.LAYOUT} {__version__} {made_by}"
    store = Store(Path(folder) / FILE, zlib.crc32(layouts.encode()) & 0x7FFF_FFFF or 1)
    if lies_below(folder, agents):
        store.off = "agents"
    else:
        store.begin()
    return store


class Store:
    """Made by `open_store`. No method raises; one thread at a time may use it.

    Paths are those of transcripts, a session's own or a subagent's. What is put is written by
    `flush`, and not given before. Two processes may use one file; the last to write is believed.

    Attributes:
        off: why nothing is kept; None while all is well.
    """

    def __init__(self, path: Path, made_by: int) -> None:
        self.off: Off | None = "closed"
        self._path = path
        self._made_by = made_by
        self._database: sqlite3.Connection | None = None
        self._inode = 0
        self._was_mended = False
        self._waiting: dict[_Key, _Piece | None] = {}
        self._bytes_waiting = 0

    def begin(self) -> None:
        """Open the file; `off` tells if it could not be."""
        try:
            self._database = store_file.opened(self._path, self._made_by)
            self._inode = disk.stat(self._path).inode
            self.off = None
        except Refused as refusal:
            self.off = refusal.off
        except Unreadable:
            self._end("replaced")

    def close(self) -> None:
        """Close the file; what waits is not written."""
        self._end("closed")

    # --- what is kept ---

    def listed(self) -> dict[str, tuple[bytes, bytes]]:
        """Return all that `put_listed` kept: path -> (state, data)."""
        return {path: (state, data) for path, state, data in self._pieces("listed")}

    def index_of(self, path: str) -> Kept | None:
        """Return what `put_index` kept of a transcript, of whichever state of the file."""
        for _, state, data in self._pieces("indexes", path):
            size, mtime_ns, inode = map(int, state.split())
            return Kept(FileStat(size, mtime_ns, inode), data)
        return None

    def answer(self, path: str, name: str, stat: FileStat) -> bytes | None:
        """Return what `put_answer` kept for the file in this very state."""
        for _, state, data in self._pieces("answers", path, name):
            return data if state == _state(stat) else None
        return None

    # --- what is to be kept ---

    def put_listed(self, path: str, state: bytes, data: bytes) -> None:
        """Keep what a list shows of a session, and of which state that is."""
        self._put("listed", path, "", (state, data))

    def put_index(self, path: str, stat: FileStat, data: bytes) -> None:
        """Keep a transcript's index, as `index_state.dump` returns it."""
        self._put("indexes", path, "", (_state(stat), data))

    def put_answer(self, path: str, name: str, stat: FileStat, data: bytes) -> None:
        """Keep an answer about a transcript in this state, in place of that of another state."""
        self._put("answers", path, name, (_state(stat), data))

    def forget_missing(self, paths: Iterable[str]) -> None:
        """Drop what is kept of transcripts that are gone, with the next `flush`.

        Args:
            paths: Those that are there; the disk is asked for any other that is kept.
        """
        there = {_key(path) for path in paths}
        query = " UNION ".join(f"SELECT path FROM {table}" for table in TABLES)
        kept = {path for (path,) in self._rows(query) if isinstance(path, bytes)}
        for path in sorted(kept - there):
            if not _exists(path):
                for table in TABLES:
                    self._wait((table, path, None), None)

    def flush(self) -> bool:
        """Write what waits, in one transaction; False if it was not.

        While another process writes it stays, for the next call. What cannot be written is dropped.
        """
        if self._database is None:
            return False
        if not self._waiting:
            return True
        if self._is_replaced():
            self._end("replaced")
            return False
        try:
            self._write(self._database)
        except store_file.FAILURES as failure:
            if not store_file.is_busy(failure):
                self._drop_waiting()
                self._mend(failure)
            return False
        self._drop_waiting()
        return True

    def _put(self, table: str, path: str, name: str, piece: _Piece) -> None:
        self._wait((table, _key(path), _key(name)), piece)

    def _wait(self, key: _Key, piece: _Piece | None) -> None:
        """Let a piece wait, or a deletion: they are written in the order in which they came."""
        size = len(piece[1]) if piece else 0
        if self._database is None or self._bytes_waiting + size > MOST_WAITING:
            return
        before = self._waiting.pop(key, None)
        self._waiting[key] = piece
        self._bytes_waiting += size - (len(before[1]) if before else 0)

    def _drop_waiting(self) -> None:
        self._waiting, self._bytes_waiting = {}, 0

    # --- the file ---

    def _write(self, database: sqlite3.Connection) -> None:
        with database:
            database.execute("BEGIN IMMEDIATE")
            for (table, path, name), piece in self._waiting.items():
                if piece is None or name is None:
                    database.execute(f"DELETE FROM {table} WHERE path = ?", (path,))
                else:
                    values = (path, name, *piece, _sum(path, name, *piece))
                    database.execute(_INSERT.format(table), values)
            _make_room(database)

    def _pieces(
        self, table: str, path: str | None = None, name: str = ""
    ) -> list[tuple[str, bytes, bytes]]:
        """Path, state and data of all pieces of a table, or of one."""
        query = f"SELECT path, name, state, data, sum FROM {table}"
        if path is None:
            rows = self._rows(query)
        else:
            rows = self._rows(f"{query} WHERE path = ? AND name = ?", _key(path), _key(name))
        if not all(_is_whole(*row) for row in rows):
            self._begin_anew()
            return []
        return [(_text(path), state, data) for path, _, state, data, _ in rows]

    def _rows(self, query: str, *values: bytes) -> list[_Row]:
        if self._database is None:
            return []
        try:
            return self._database.execute(query, values).fetchall()
        except MemoryError:  # So large a piece is none of ours.
            return []
        except store_file.FAILURES as failure:
            self._mend(failure)
            return []

    def _mend(self, failure: Exception) -> None:
        if store_file.is_damage(failure):
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Put a new file in place of a damaged one, but not again and again."""
        is_first, self._was_mended = not self._was_mended, True
        self._end("broken")
        if is_first:
            with suppress(Refused):
                store_file.throw_away(self._path)
                self.begin()

    def _is_replaced(self) -> bool:
        """Whether another file has our name by now: what is written to ours is lost."""
        try:
            return disk.stat(self._path).inode != self._inode
        except Unreadable:
            return True

    def _end(self, off: Off) -> None:
        self._drop_waiting()
        if self._database is not None:
            with suppress(*store_file.FAILURES):
                self._database.close()
            self._database = None
        self.off = off


def _make_room(database: sqlite3.Connection) -> None:
    """Drop the indexes written longest ago from a file that has grown too large."""
    too_many = store_file.bytes_used(database) - MOST_BYTES
    if too_many <= 0:
        return
    too_many += MOST_BYTES // 4
    query = "SELECT rowid, length(data) FROM indexes ORDER BY rowid"
    for row, size in database.execute(query).fetchall():
        if too_many <= 0:
            break
        database.execute("DELETE FROM indexes WHERE rowid = ?", (row,))
        too_many -= size


def _key(text: str) -> bytes:
    """The bytes of any path or name, be it no Unicode."""
    return text.encode("utf-8", "surrogatepass")


def _text(key: bytes) -> str:
    return key.decode("utf-8", "surrogatepass")


def _exists(key: bytes) -> bool:
    """Whether a file is there; a path that was damaged is none."""
    try:
        return at_path.exists(_text(key))
    except UnicodeDecodeError:
        return False


def _state(stat: FileStat) -> bytes:
    """Not three columns: an inode may have more than 63 bits."""
    return b"%d %d %d" % stat


def _sum(path: bytes, name: bytes, state: bytes, data: bytes) -> int:
    """A checksum over a row, and where each part of it ends; a `TypeError` if one is no bytes."""
    lengths = len(path), len(name), len(state), len(data)
    head = b"%d %d %d %d%b%b%b" % (*lengths, path, name, state)
    return zlib.crc32(data, zlib.crc32(head))


def _is_whole(path: Any, name: Any, state: Any, data: Any, total: Any) -> bool:
    """Whether a row is as it was written."""
    try:
        return _sum(path, name, state, data) == total
    except TypeError:
        return False
