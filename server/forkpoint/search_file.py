"""The file of the search table, opened, written and given up.

It lies beside the store and is treated alike: another release's, a torn or a damaged one is thrown
away and made anew. Where nothing can be written the table is in memory, as long as the process
lives. No method raises but `ask`.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from forkpoint import __version__, disk, search_rows, store_file
from forkpoint.cache_folder import lies_below
from forkpoint.disk import StrPath, Unreadable
from forkpoint.search_table import FAILURES, SearchTable, make_tables
from forkpoint.store_file import Off, Refused
from forkpoint.tokens import UNICODE

LAYOUT = 1
"""Of the tables. A file with any other is thrown away, never converted."""
MOST_GONE = 50_000
"""Pieces that are gone, if they are more than those that are there: then the file begins anew."""

_FILE, _SHORT_FILE = "search.sqlite3", "search-without-outputs.sqlite3"

_T = TypeVar("_T")


def open_search(
    folder: StrPath | None, agents: Iterable[StrPath] = (), *, with_outputs: bool = True
) -> SearchFile:
    """Open the table in a folder, or in memory where that cannot be. Never raises.

    Args:
        folder: See `cache_folder.store_folder`; None = in memory.
        agents: Agents' folders, below which nothing is written.
        with_outputs: Whether what tools put out can be found.
    """
    if folder is None:
        return SearchFile(None, with_outputs=with_outputs)
    if lies_below(folder, agents):
        return SearchFile(None, with_outputs=with_outputs, off="agents")
    if not with_outputs:
        # Whoever wants no outputs in a table wants none in the one from before.
        store_file.throw_away_ours(Path(folder) / _FILE)
    name = _FILE if with_outputs else _SHORT_FILE
    return SearchFile(Path(folder) / name, with_outputs=with_outputs)


class SearchFile:
    """Made by `open_search`; one thread at a time may use it.

    Attributes:
        off: why nothing is kept on the disk; None while all is well.
        with_outputs: whether what tools put out is put in.
        table: None where there is none, not even in memory: SQLite has no full-text search.
    """

    def __init__(self, path: Path | None, *, with_outputs: bool, off: Off | None = None) -> None:
        self.off = off
        self.with_outputs = with_outputs
        self.table: SearchTable | None = None
        self._path = path
        self._database: sqlite3.Connection | None = None
        self._inode = 0
        self._is_writing = False
        self._begin()

    def _begin(self) -> None:
        if self._path is not None and self.off is None:
            try:
                self._take(store_file.opened(self._path, _made_by(), make_tables))
                self._inode = disk.stat(self._path).inode
                return
            except Refused as refusal:
                self.off = refusal.off
            except (Unreadable, *FAILURES):
                self.off = "broken"
        try:
            self._take(store_file.in_memory(make_tables))
        except FAILURES:
            self.table = self._database = None

    def _take(self, database: sqlite3.Connection) -> None:
        self._database, self._is_writing = database, False
        self.table = SearchTable(database)
        self.table.look()

    def close(self) -> None:
        """Write what waits and close the file; nothing is found any more."""
        self.commit()
        self._let_go()
        self.off = "closed"

    def _let_go(self) -> None:
        if self._database is not None:
            with suppress(*FAILURES):
                self._database.close()
        self._database = self.table = None

    @property
    def folder(self) -> Path | None:
        """Where the file lies; None where the table is in memory."""
        return self._path.parent if self._path is not None and self.off is None else None

    # --- reading ---

    def look(self) -> SearchTable | None:
        """Return the table as it is now, another process' work included."""
        if self._is_writing:
            return self.table
        if self._is_replaced():
            self._give_up("replaced")
        try:
            if self.table is not None:
                self.table.look()
        except FAILURES as failure:
            self._failed(failure)
        return self.table

    def ask(self, query: str, is_enough: Callable[[], bool]) -> Iterator[tuple[int, ...]]:
        """Yield the rows of a question until it is answered or enough; raises `FAILURES`."""
        if self._database is None:
            return
        database = self._database
        database.set_progress_handler(is_enough, _STEPS)
        try:
            yield from database.execute(query)
        except FAILURES as failure:
            if getattr(failure, "sqlite_errorcode", None) != sqlite3.SQLITE_INTERRUPT:
                self._failed(failure)
            raise
        finally:
            with suppress(*FAILURES):
                database.set_progress_handler(None, 0)

    # --- writing ---

    def write(self, work: Callable[[SearchTable], _T]) -> _T | None:
        """Do some work on the table, which is written by `commit`; None if it cannot be now.

        What was put in since the last `commit` is lost where it fails.
        """
        if not self._may_write() or self.table is None:
            return None
        try:
            return work(self.table)
        except FAILURES as failure:
            self._undo(failure)
            return None

    def commit(self) -> bool:
        """Write what was put in; False if that could not be, and it is lost."""
        if not self._is_writing or self._database is None:
            return True
        try:
            self._database.execute("COMMIT")
        except FAILURES as failure:
            self._undo(failure)
            return False
        self._is_writing = False
        return True

    def begin_anew_if_worn(self) -> bool:
        """Throw the table away if most of it is of what is gone."""
        if self.table is None or self._is_writing:
            return False
        try:
            gone, left = self.table.gone()
        except FAILURES as failure:
            self._failed(failure)
            return False
        if gone < MOST_GONE or gone <= left:
            return False
        self._begin_anew()
        return True

    def _may_write(self) -> bool:
        if self._is_writing:
            return True
        if self.look() is None or self._database is None:
            return False
        try:
            self._database.execute("BEGIN IMMEDIATE")
            self._is_writing = True
            if self.table is not None:
                self.table.look()
        except FAILURES as failure:
            if not store_file.is_busy(failure):
                self._undo(failure)
        return self._is_writing

    # --- failures ---

    def _undo(self, failure: Exception) -> None:
        """Take back what could not be written. On a full disk go on in memory."""
        self._is_writing = False
        if self._database is not None:
            with suppress(*FAILURES):
                self._database.execute("ROLLBACK")
        if not self._failed(failure) and not store_file.is_busy(failure):
            self._give_up("denied")
        elif self.table is not None:
            with suppress(*FAILURES):
                self.table.load()

    def _failed(self, failure: Exception) -> bool:
        """Begin anew if only that mends it; the second time in memory."""
        if not store_file.is_damage(failure) and not isinstance(failure, msgspec.DecodeError):
            return False
        if self._was_mended:
            self._give_up("broken")
        else:
            self._was_mended = True
            self._begin_anew()
        return True

    _was_mended = False

    def _begin_anew(self) -> None:
        self._let_go()
        if self._path is not None and self.off is None:
            try:
                store_file.throw_away(self._path)
            except Refused as refusal:
                self.off = refusal.off
        self._begin()

    def _give_up(self, off: Off) -> None:
        """Go on in memory."""
        if self._path is None or self.off is not None:
            return
        self._let_go()
        self.off = off
        self._begin()

    def _is_replaced(self) -> bool:
        """Whether another file has our name by now: what is written to ours is lost."""
        if self._path is None or self.off is not None:
            return False
        try:
            return disk.stat(self._path).inode != self._inode
        except Unreadable:
            return True


def _made_by() -> int:
    """A number that is another one for whoever makes other tables, or other rows in them."""
    layouts = f"search {LAYOUT} {search_rows.LAYOUT} {__version__} {UNICODE}"
    return zlib.crc32(layouts.encode()) & 0x7FFF_FFFF or 1


_STEPS = 4000
"""Steps of SQLite between two looks whether it is enough: some 0.1 ms."""
