"""Which row has a given uuid: 16 bytes per row, and a map only while many are looked for."""

from __future__ import annotations

import re
from array import array
from binascii import unhexlify
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

from forkpoint.key_map import NO_KEY, WIDTH, KeyMap, ParentMarks, key_map, keys_in

_FEW = 32
"""Searches through the column before the map is built: it takes as long as about a hundred."""


class Uuids:
    """The uuids of a transcript's rows, in row order.

    A transcript that was read in the background and is not asked for does without the map (see
    `key_map`); the first few searches then go through the column.
    """

    def __init__(self) -> None:
        self._column = bytearray()
        self._odd: dict[int, str] = {}
        self._map: KeyMap | None = key_map()
        self._searches = 0

    def add(self, uuid: str | None) -> None:
        """Append a row."""
        row = len(self._column) // WIDTH
        self._column += NO_KEY if uuid is None else key_of(uuid)
        if uuid is None:
            return
        if self._map is not None:
            self._map.add(self._column, row)
        if not is_canonical(uuid):
            self._odd[row] = uuid

    def extend(self, uuids: Sequence[str | None]) -> bool:
        """Append many rows, if each uuid is canonical and new; else False, and nothing is done."""
        column = _keys_of(uuids)
        return column is not None and self.extend_keys(column)

    def extend_keys(self, column: bytes | bytearray) -> bool:
        """Append many rows by their keys, if each is new; else False, and nothing is done."""
        known, row = self._mapped(), len(self._column) // WIDTH
        self._column += column
        if known.add(self._column, row):
            return True
        del self._column[row * WIDTH :]
        self._map = None
        return False

    def keys(self, begin: int) -> list[bytes]:
        """Return the keys of the rows from one on."""
        return keys_in(self._column[begin * WIDTH :])

    def find(self, key: bytes) -> int | None:
        """Return the row with this key."""
        if self._map is None:
            self._searches += 1
            if self._searches <= _FEW:
                return self._search(key)
        return self._mapped().find(self._column, key)

    def holds(self, key: bytes) -> bool:
        """Say whether a row has this key; asked of many transcripts, it builds no map."""
        found = self._map.find(self._column, key) if self._map is not None else self._search(key)
        return found is not None

    def common(self, other: Uuids) -> Iterator[tuple[int, int]]:
        """Yield the rows of both that have the same uuid, in the order of these."""
        # What is built for this is not kept: many transcripts are compared.
        theirs = other._map if other._map is not None else other._new_map()
        for row, key in enumerate(self.keys(0)):
            if key != NO_KEY and (found := theirs.find(other._column, key)) is not None:
                yield row, found

    def text(self, row: int) -> str | None:
        """Return a row's uuid as written."""
        if row in self._odd:
            return self._odd[row]
        key = bytes(self._column[row * WIDTH : (row + 1) * WIDTH])
        return None if key == NO_KEY else text_of(key)

    def parents(self, begin: int, above: bytes | bytearray, marks: ParentMarks) -> array[int]:
        """Return the rows that those from one on hang on, by the keys of these."""
        return self._mapped().parents(self._column, begin, above, marks)

    def rest(self) -> None:
        """Give the map's memory back; it is built anew when many uuids are looked for."""
        self._map, self._searches = None, 0

    def _search(self, key: bytes) -> int | None:
        end = len(self._column)
        while (at := self._column.rfind(key, 0, end)) >= 0:
            if at % WIDTH == 0:
                return at // WIDTH
            end = at + WIDTH - 1
        return None

    def _mapped(self) -> KeyMap:
        if self._map is None:
            self._map = self._new_map()
        return self._map

    def _new_map(self) -> KeyMap:
        new = key_map()
        new.add(self._column, 0)
        return new


def _keys_of(uuids: Sequence[str | None]) -> bytes | None:
    """The keys of rows in one piece; None if 16 bytes do not give back each of the texts."""
    texts = [_NIL_TEXT if uuid is None else uuid for uuid in uuids]
    joined = "".join(texts).encode("ascii", "replace")
    # All digits become zeros. The lengths tell that no text begins in another's place.
    is_canonical = joined.translate(_ZEROS) == _NIL * len(texts)
    if not is_canonical or not set(map(len, texts)) <= {len(_NIL)}:
        return None
    if texts.count(_NIL_TEXT) != uuids.count(None):
        return None
    return unhexlify(joined.translate(None, b"-"))


_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NIL_TEXT = "00000000-0000-0000-0000-000000000000"
"""Its 16 bytes stand for no uuid here."""
_NIL = _NIL_TEXT.encode()
_ZEROS = bytes.maketrans(b"0123456789abcdef", b"0" * 16)


def is_canonical(uuid: str) -> bool:
    """Say whether 16 bytes give back this very text."""
    return _UUID.fullmatch(uuid) is not None and uuid != _NIL_TEXT


@lru_cache(maxsize=8)
def key_of(uuid: str) -> bytes:
    """Return 16 bytes for a uuid; other texts are hashed, and kept as written beside."""
    # A row that is added by itself asks twice, and the next one names it as its parent.
    if is_canonical(uuid):
        return bytes.fromhex(uuid.replace("-", ""))
    return blake2b(uuid.encode("utf-8", "replace"), digest_size=WIDTH).digest()


def text_of(key: bytes) -> str:
    """Return a canonical uuid by its key."""
    digits = key.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
