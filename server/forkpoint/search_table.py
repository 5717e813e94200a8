"""Which words stand in which text of which transcript: tables of SQLite, and what is put in them.

The texts themselves are not kept: a row says where in which transcript its text lies. Not every
SQLite that Python 3.11 comes with can delete rows of such a full-text table. So what is gone loses
its row in `pieces`, without which nothing is found; `gone` counts them.

What fails here raises `FAILURES`; `search_file` sees to it.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from forkpoint import store_file
from forkpoint.disk import FileStat
from forkpoint.search_rows import SearchRecord
from forkpoint.tokens import folded
from forkpoint.transcript import Bookmark

BLOCK = 16
"""Bits of a row's number that count within a block; all rows of a block are of one transcript.
Small numbers make a small table, and a negative one takes nine bytes."""
_IN_BLOCK = (1 << BLOCK) - 1
ERROR = 16
"""In a piece's `kind`, beside its part: a tool failed, or the API."""
PART = ERROR - 1
FAILURES = (*store_file.FAILURES, msgspec.DecodeError)

NameKind: TypeAlias = Literal["tool", "file", "branch", "model"]
_KINDS: dict[NameKind, int] = {"tool": 1, "file": 2, "branch": 3, "model": 4}

_TABLES = """
CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, tokenize='ascii');
INSERT INTO words (words, rank) VALUES ('automerge', 8);
CREATE TABLE pieces (id INTEGER PRIMARY KEY, ordinal INT, offset INT, length INT, number INT,
    kind INT, tool INT, file INT, branch INT, model INT, at INT, record INT);
CREATE TABLE transcripts (number INTEGER PRIMARY KEY, path BLOB UNIQUE, state BLOB, bookmark BLOB,
    fold BLOB, next INT, tail INT);
CREATE TABLE blocks (block INTEGER PRIMARY KEY, transcript INT);
CREATE TABLE names (number INTEGER PRIMARY KEY, kind INT, name TEXT);
CREATE TABLE counts (name TEXT PRIMARY KEY, value INT);
INSERT INTO counts VALUES ('gone', 0)
"""


def make_tables(database: sqlite3.Connection) -> None:
    """Make the tables in an empty database; raises where SQLite has no full-text search."""
    for statement in _TABLES.split(";"):
        database.execute(statement)


class Entry(msgspec.Struct):
    """How far a transcript is in the table.

    Attributes:
        number: of the transcript.
        stat: the file when it was read to its end; None while it is not.
        bookmark: behind what was read; None before the first portion.
        fold: the state of `SearchFold` there.
        next: the number of its next row.
        tail: the key of the record on an unfinished last line; None where there is none.
    """

    number: int
    stat: FileStat | None
    bookmark: Bookmark | None
    fold: bytes
    next: int
    tail: int | None


class Portion(NamedTuple):
    """What was read of a transcript in one go; for the first fields see `Entry`."""

    stat: FileStat | None
    bookmark: Bookmark
    fold: bytes
    records: Sequence[SearchRecord]
    """Of whole lines."""
    tail: Sequence[SearchRecord]
    """Of an unfinished last line, to be replaced the next time."""


class SearchTable:
    """The tables of an open database.

    Attributes:
        entries: by path, how far each transcript is in.
        blocks: block -> path of the transcript that its rows are of. A block whose transcript is
            gone is not used again: its words are still in the full-text table.
        names: all names of a kind, each with its number.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._seen = -1
        self._older: deque[int] = deque()
        self._first = 0
        self._records: dict[str, set[int]] = {}
        self.entries: dict[str, Entry] = {}
        self.blocks: dict[int, str] = {}
        self._used: set[int] = set()
        self.names: dict[NameKind, dict[str, int]] = {kind: {} for kind in _KINDS}

    def look(self) -> None:
        """Read what another process wrote, if one did."""
        seen = self._database.execute("PRAGMA data_version").fetchone()[0]
        if seen != self._seen:
            self._seen = seen
            self.load()

    def load(self) -> None:
        """Read all that is kept in memory of the tables."""
        self._records.clear()
        self._older.clear()
        self.entries, paths = {}, dict[int, str]()
        for number, key, state, mark, *rest in self._database.execute("SELECT * FROM transcripts"):
            path = paths[number] = key.decode("utf-8", "surrogatepass")
            stat = FileStat(*map(int, state.split())) if state else None
            bookmark = msgspec.msgpack.decode(mark, type=Bookmark) if mark else None
            self.entries[path] = Entry(number, stat, bookmark, *rest)
        blocks = self._database.execute("SELECT block, transcript FROM blocks").fetchall()
        self._used = {block for block, _ in blocks}
        self.blocks = {block: paths[number] for block, number in blocks if number in paths}
        self.names = {kind: {} for kind in _KINDS}
        kinds: dict[int, NameKind] = {number: kind for kind, number in _KINDS.items()}
        for number, kind, name in self._database.execute("SELECT number, kind, name FROM names"):
            self.names[kinds[kind]][name] = number

    def blocks_of(self, paths: Iterable[str]) -> list[int]:
        """Return the blocks of some transcripts."""
        wanted = frozenset(paths)
        return [block for block, path in self.blocks.items() if path in wanted]

    def name(self, kind: NameKind, number: int) -> str | None:
        """Return the name that has a number."""
        query = "SELECT name FROM names WHERE number = ? AND kind = ?"
        found = self._database.execute(query, (number, _KINDS[kind])).fetchone()
        return found[0] if found else None

    def gone(self) -> tuple[int, int]:
        """Return how many pieces are gone and how many are there."""
        gone = self._database.execute("SELECT value FROM counts WHERE name = 'gone'").fetchone()
        left = self._database.execute("SELECT count(*) FROM pieces").fetchone()
        return gone[0], left[0]

    # --- what is put in ---

    def put(self, path: str, portion: Portion) -> None:
        """Put in what follows on what the entry of a transcript says."""
        entry = self.entries.get(path) or self._new_entry(path)
        if entry.tail is not None:
            self._delete_record(path, entry.tail)
        self._put_all(path, entry, portion.records)
        self._put_all(path, entry, portion.tail)
        entry.tail = portion.tail[0].key if portion.tail else None
        entry.stat, entry.bookmark, entry.fold = portion.stat, portion.bookmark, portion.fold
        mark = msgspec.msgpack.encode(entry.bookmark)
        state = b"%d %d %d" % entry.stat if entry.stat else b""
        self._database.execute(
            "UPDATE transcripts SET state = ?, bookmark = ?, fold = ?, next = ?, tail = ?"
            " WHERE number = ?",
            (state, mark, entry.fold, entry.next, entry.tail, entry.number),
        )

    def forget(self, path: str) -> None:
        """Take a transcript out."""
        entry = self.entries.pop(path, None)
        self._records.pop(path, None)
        if entry is None:
            return
        for block in self.blocks_of([path]):
            del self.blocks[block]
            self._delete("id BETWEEN ? AND ?", *_rows_of(block))
            self._database.execute("UPDATE blocks SET transcript = NULL WHERE block = ?", (block,))
        self._database.execute("DELETE FROM transcripts WHERE number = ?", (entry.number,))

    def _delete(self, where: str, *values: int) -> None:
        gone = self._database.execute(f"DELETE FROM pieces WHERE {where}", values).rowcount
        if gone > 0:
            self._database.execute(
                "UPDATE counts SET value = value + ? WHERE name = 'gone'", (gone,)
            )

    def expect_older(self, count: int) -> None:
        """Take so many transcripts that come next for older ones, the oldest of them first.

        The newest ones have the highest rows: what fits is asked for from above. Within a
        transaction rows should rise, or FTS5 writes a part of its index for each that falls.
        """
        lowest = min(self._used, default=self._first)
        self._older = deque(range(max(lowest - count, 1), lowest))

    def expect(self, count: int) -> None:
        """Leave room for so many transcripts below the first, if the table is empty."""
        self._first = count

    def _new_entry(self, path: str) -> Entry:
        query = "INSERT INTO transcripts VALUES (NULL, ?, x'', x'', x'', 0, NULL)"
        number = self._database.execute(query, (path.encode("utf-8", "surrogatepass"),)).lastrowid
        assert number is not None
        entry = self.entries[path] = Entry(number, None, None, b"", 0, None)
        self._begin_block(path, entry, self._older.popleft() if self._older else None)
        self._records[path] = set()
        return entry

    def _begin_block(self, path: str, entry: Entry, block: int | None = None) -> None:
        """Begin a block for a transcript, above all others unless told which."""
        if block is None or block in self._used:
            block = max(self._used, default=self._first) + 1
        self.blocks[block] = path
        self._used.add(block)
        self._database.execute("INSERT INTO blocks VALUES (?, ?)", (block, entry.number))
        entry.next = block << BLOCK

    def _delete_record(self, path: str, key: int) -> None:
        for block in self.blocks_of([path]):
            self._delete("id BETWEEN ? AND ? AND record = ?", *_rows_of(block), key)

    def _put_all(self, path: str, entry: Entry, records: Sequence[SearchRecord]) -> None:
        known, number = self._records_of(path), self._number
        pieces: list[tuple[object, ...]] = []
        words: list[tuple[int, str]] = []
        for key, _, rows in records:
            if key in known:
                # What was put in before this one has to be there, or it could not be deleted.
                self._insert(pieces, words)
                self._delete_record(path, key)
            elif rows:
                known.add(key)
            for row in rows:
                if not entry.next & _IN_BLOCK and self.blocks.get(entry.next >> BLOCK) != path:
                    self._begin_block(path, entry)
                named = (
                    *(number("tool", row.tool), number("file", row.file)),
                    *(number("branch", row.branch), number("model", row.model)),
                )
                kind = row.part | (ERROR if row.is_error else 0)
                place = (entry.next, row.ordinal, row.offset, row.length, row.number)
                pieces.append((*place, kind, *named, row.at, key))
                if row.text:
                    words.append((entry.next, _words(row.text)))
                entry.next += 1
        self._insert(pieces, words)

    def _insert(self, pieces: list[tuple[object, ...]], words: list[tuple[int, str]]) -> None:
        self._database.executemany(_INSERT_PIECE, pieces)
        self._database.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", words)
        pieces.clear()
        words.clear()

    def _number(self, kind: NameKind, name: str | None) -> int | None:
        if not name:
            return None
        number = self.names[kind].get(name)
        if number is None:
            query = "INSERT INTO names VALUES (NULL, ?, ?)"
            number = self._database.execute(query, (_KINDS[kind], name)).lastrowid
            assert number is not None
            self.names[kind][name] = number
        return number

    def _records_of(self, path: str) -> set[int]:
        """The keys of the records of a transcript that are in the table."""
        known = self._records.pop(path, None)
        if known is None:
            known = set[int]()
            for block in self.blocks_of([path]):
                query = "SELECT record FROM pieces WHERE id BETWEEN ? AND ?"
                known.update(key for (key,) in self._database.execute(query, _rows_of(block)))
        self._records[path] = known
        while len(self._records) > _MOST_KNOWN:
            del self._records[next(iter(self._records))]
        return known


_INSERT_PIECE = f"INSERT INTO pieces VALUES ({', '.join('?' * 12)})"
_MOST_KNOWN = 4
"""Transcripts whose records are kept in memory: those that grow."""


def _rows_of(block: int) -> tuple[int, int]:
    """The first and the last row of a block."""
    return block << BLOCK, (block + 1 << BLOCK) - 1


def _words(text: str) -> str:
    return folded(text).replace("\0", " ")
