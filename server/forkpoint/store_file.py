"""The file of the store: recognised, made, opened, thrown away.

It is a SQLite file that says by its header whose it is and who made it. One that is ours but not
of this release, or damaged, is replaced; one that is not ours is left alone. The only module that
writes besides `status_line_helper`: into a folder for caches, never below an agent's folder.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal, TypeAlias

from forkpoint import disk
from forkpoint.disk import Unreadable

Off: TypeAlias = Literal["agents", "notOurs", "denied", "broken", "replaced", "closed"]
"""Why nothing is kept: the folder is an agent's; another's file has our name; the system lets us
not write (or the disk is full); the file was damaged twice; another process put a new file in its
place, as another release does; it was closed."""

APPLICATION = int.from_bytes(b"Fkpt", "big")
"""Ours, in the header of a SQLite file."""
TABLES = ("listed", "indexes", "answers")
BUSY_SECONDS = 0.1
"""How long to wait for another process that writes; then nothing is kept this time."""

_BUSY_AT_OPENING = 1.0
_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_FORMAT_AT, _NEWEST_FORMAT = slice(18, 20), 2
_APPLICATION_AT = slice(68, 72)
_BESIDE = ("-wal", "-shm", "-journal")
_LARGEST_LOG = 4 * 1024 * 1024
"""Bytes that SQLite's write-ahead log keeps of the disk when it is empty again."""
_CACHE_KIBIBYTES = 256
"""What SQLite keeps in memory of the file; nearly all is read once, and the system caches files."""
FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite's calls raise; the second one where a message quotes from a damaged file."""
_DAMAGE = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_ERROR,  # A table is not there or has other columns.
}


class Refused(Exception):
    """There will be no store; `off` says why."""

    def __init__(self, off: Off) -> None:
        super().__init__(off)
        self.off: Off = off


MakeTables = Callable[[sqlite3.Connection], None]
"""Makes the tables in an empty file."""


def opened(path: Path, made_by: int, make_tables: MakeTables | None = None) -> sqlite3.Connection:
    """Open the file, made or made anew if need be; raises `Refused`.

    Args:
        path: Where; the folder is made if it is missing.
        made_by: A number, not 0, that is another one for whoever stores other things.
        make_tables: Makes other tables than those of `TABLES`.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        for _ in range(2):
            _check_ours(path)
            _create(path)
            database = _connected(path, made_by, make_tables or _make_tables)
            if database is not None:
                return database
            throw_away(path)
    except (OSError, ValueError, sqlite3.Error) as failure:
        raise Refused("denied") from failure
    raise Refused("broken")


def in_memory(make_tables: MakeTables) -> sqlite3.Connection:
    """Open a database that nothing keeps; raises `FAILURES`."""
    database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    make_tables(database)
    return database


def throw_away(path: Path) -> None:
    """Remove our file and what SQLite keeps beside it; raises `Refused`.

    What is beside goes first: it must never be taken for a part of the next file.
    """
    try:
        for end in (*_BESIDE, ""):
            path.with_name(path.name + end).unlink(missing_ok=True)
    except OSError as failure:
        raise Refused("denied") from failure


def throw_away_ours(path: Path) -> None:
    """Remove a file that is ours; leave any other alone, and what cannot be removed."""
    with suppress(Refused):
        _check_ours(path)
        throw_away(path)


def is_damage(failure: Exception) -> bool:
    """Whether only a new file mends it: not so a full disk, a lock, a missing right."""
    return isinstance(failure, UnicodeDecodeError) or _code(failure) in _DAMAGE


def is_busy(failure: Exception) -> bool:
    """Whether another process is writing."""
    return _code(failure) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _code(failure: Exception) -> int | None:
    """SQLite's primary code; None where it was Python that failed."""
    code = getattr(failure, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _check_ours(path: Path) -> None:
    """Look at the header, without SQLite: that would mend another's file by its log."""
    try:
        header = disk.read_small(path, _HEADER)
    except Unreadable as failure:
        if failure.reason == "gone":
            return
        raise Refused("notOurs" if failure.reason == "notRegular" else "denied") from failure
    is_torn = len(header) < _HEADER and _MAGIC.startswith(header[: len(_MAGIC)])
    name = int.from_bytes(header[_APPLICATION_AT], "big")
    if not is_torn and not (header.startswith(_MAGIC) and name == APPLICATION):
        raise Refused("notOurs")
    if max(header[_FORMAT_AT], default=0) > _NEWEST_FORMAT:
        throw_away(path)  # SQLite would take it for one that may be read only.


def _create(path: Path) -> None:
    """Make an empty file for nobody else to read; those beside it get the same rights."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _connected(path: Path, made_by: int, make_tables: MakeTables) -> sqlite3.Connection | None:
    """The database; None if it has to be thrown away; raises what a new file would not mend."""
    try:
        # Transactions are begun by hand. Whoever calls sees to it that one thread does at a time.
        database = sqlite3.connect(
            path, timeout=_BUSY_AT_OPENING, isolation_level=None, check_same_thread=False
        )
        try:
            if _prepare(database, made_by, make_tables):
                return database
        except BaseException:
            database.close()
            raise
        database.close()
    except FAILURES as failure:
        if not is_damage(failure):
            raise
    return None


def _prepare(database: sqlite3.Connection, made_by: int, make_tables: MakeTables) -> bool:
    """Make the tables in an empty file; False if another release made its own."""
    database.execute("PRAGMA cell_size_check = ON")
    if _number(database, "user_version") == 0:
        with database:
            database.execute("BEGIN IMMEDIATE")
            if _number(database, "user_version") == 0:
                make_tables(database)
                database.execute(f"PRAGMA application_id = {APPLICATION}")
                database.execute(f"PRAGMA user_version = {made_by}")
    if _number(database, "user_version") != made_by:
        return False
    for setting in (
        "journal_mode = WAL",
        "synchronous = NORMAL",
        f"journal_size_limit = {_LARGEST_LOG}",
        f"cache_size = {-_CACHE_KIBIBYTES}",
        f"busy_timeout = {round(BUSY_SECONDS * 1000)}",
    ):
        with closing(database.execute(f"PRAGMA {setting}")) as answer:
            answer.fetchall()
    return True


def _make_tables(database: sqlite3.Connection) -> None:
    for table in TABLES:
        database.execute(
            f"CREATE TABLE {table} (path BLOB, name BLOB, state BLOB, data BLOB, sum INT,"
            " PRIMARY KEY (path, name))"
        )


def _number(database: sqlite3.Connection, pragma: str) -> int:
    return database.execute(f"PRAGMA {pragma}").fetchone()[0]


def bytes_used(database: sqlite3.Connection) -> int:
    """Bytes of the file without its free pages."""
    pages = _number(database, "page_count") - _number(database, "freelist_count")
    return pages * _number(database, "page_size")
