"""Which of a transcript's rows has a given key of 16 bytes, where many are looked for.

A dictionary takes six times the memory of the column of keys, and a microsecond for each of them.
Where there is the scanner in C, a table of row numbers takes half of the column, and hardly any
time.
"""

from __future__ import annotations

from array import array
from itertools import repeat
from struct import iter_unpack
from typing import NamedTuple, Protocol

from forkpoint.native import Native, loaded

NO_KEY = bytes(16)
"""A row without a uuid."""

WIDTH = len(NO_KEY)
"""Bytes of a key."""

Column = bytes | bytearray


class ParentMarks(NamedTuple):
    """What stands in the place of a parent's row."""

    outside: int
    """The row is outside the graph: it has no key."""
    root: int
    """The row names no parent."""
    missing: int
    """No row has the key of its parent."""


class KeyMap(Protocol):
    """The rows of one column by their keys. The column is the caller's, and only grows."""

    def add(self, column: Column, begin: int) -> bool:
        """Take in the rows from one on; False if a key was there before, and the map is void."""
        ...

    def find(self, column: Column, key: bytes) -> int | None:
        """Return the row with a key."""
        ...

    def parents(self, column: Column, begin: int, above: Column, marks: ParentMarks) -> array[int]:
        """Return the row that each row from `begin` on hangs on, by the keys of these."""
        ...


def key_map() -> KeyMap:
    """Return an empty map."""
    return DictMap() if _NATIVE is None else SlotMap(_NATIVE)


class DictMap:
    """By a dictionary."""

    def __init__(self) -> None:
        self._rows: dict[bytes, int] = {}

    def add(self, column: Column, begin: int) -> bool:
        """See `KeyMap`."""
        keys, rows = keys_in(column[begin * WIDTH :]), self._rows
        known = len(rows)
        rows.update(zip(keys, range(begin, begin + len(keys)), strict=True))
        rows.pop(NO_KEY, None)
        return len(rows) == known + len(keys) - keys.count(NO_KEY)

    def find(self, column: Column, key: bytes) -> int | None:
        """See `KeyMap`; a dictionary has the keys itself."""
        return self._rows.get(key)

    def parents(self, column: Column, begin: int, above: Column, marks: ParentMarks) -> array[int]:
        """See `KeyMap`."""
        outside, root, missing = marks
        over = keys_in(above)
        found = map(self._rows.get, over, repeat(missing))
        rows = zip(keys_in(column[begin * WIDTH :]), over, found, strict=True)
        return array(
            "i",
            [outside if key == NO_KEY else root if up == NO_KEY else row for key, up, row in rows],
        )


class SlotMap:
    """By a table of row numbers, which the scanner fills and looks through."""

    def __init__(self, native: Native) -> None:
        self._native = native
        self._slots = bytearray(_SLOT * _LEAST)

    def add(self, column: Column, begin: int) -> bool:
        """See `KeyMap`."""
        rows = len(column) // WIDTH
        if rows * 2 * _SLOT > len(self._slots):
            # A power of two, and at most half full.
            self._slots = bytearray(_SLOT << (rows * 2).bit_length())
            begin = 0
        return self._native.put_keys(column, self._slots, begin)

    def find(self, column: Column, key: bytes) -> int | None:
        """See `KeyMap`."""
        row = self._native.find_key(column, self._slots, key)
        return None if row < 0 else row

    def parents(self, column: Column, begin: int, above: Column, marks: ParentMarks) -> array[int]:
        """See `KeyMap`."""
        return array("i", self._native.parents(column, self._slots, begin, above, *marks))


def keys_in(column: Column) -> list[bytes]:
    """Take a column apart."""
    return [key for (key,) in iter_unpack(_FORMAT, column)]


_NATIVE = loaded()
_FORMAT = f"{WIDTH}s"
_SLOT = 4
"""Bytes of a number in the table."""
_LEAST = 64
"""Slots of the smallest table."""
