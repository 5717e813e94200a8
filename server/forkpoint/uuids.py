"""Which row has a given uuid: 16 bytes per row, and a map only while many are looked for."""

from __future__ import annotations

import re
from binascii import unhexlify
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import repeat
from struct import iter_unpack

NO_KEY = bytes(16)
"""A row without a uuid."""

WIDTH = len(NO_KEY)
"""Bytes of a key."""
_FORMAT = f"{WIDTH}s"
_FEW = 32
"""Searches through the column before the map is built: it takes as long as about a hundred."""


class Uuids:
    """The uuids of a transcript's rows, in row order.

    The map costs six times as much memory as the column. A transcript that was read in the
    background and is not asked for does without; the first few searches then go through the column.
    """

    def __init__(self) -> None:
        self._column = bytearray()
        self._odd: dict[int, str] = {}
        self._map: dict[bytes, int] | None = {}
        self._searches = 0

    def add(self, uuid: str | None) -> None:
        """Append a row."""
        row = len(self._column) // WIDTH
        key = NO_KEY if uuid is None else key_of(uuid)
        self._column += key
        if uuid is None:
            return
        if self._map is not None:
            self._map[key] = row
        if not is_canonical(uuid):
            self._odd[row] = uuid

    def extend(self, uuids: Sequence[str | None]) -> list[bytes] | None:
        """Append many rows and return their keys, if each uuid is canonical and new; else None."""
        column = _keys_of(uuids)
        return None if column is None else self.extend_keys(column)

    def extend_keys(self, column: bytes | bytearray) -> list[bytes] | None:
        """Append many rows by their keys, which are returned, if each is new; else None."""
        keys = keys_in(column)
        known = self._map = self._mapped() if self._map is None else self._map
        if not known.keys().isdisjoint(keys):
            return None
        row, count = len(self._column) // WIDTH, len(known)
        known.update(zip(keys, range(row, row + len(keys)), strict=True))
        known.pop(NO_KEY, None)
        if len(known) != count + len(keys) - keys.count(NO_KEY):
            for key in keys:
                known.pop(key, None)
            return None
        self._column += column
        return keys

    def find(self, key: bytes) -> int | None:
        """Return the row with this key."""
        if self._map is None:
            self._searches += 1
            if self._searches <= _FEW:
                return self._search(key)
            self._map = self._mapped()
        return self._map.get(key)

    def holds(self, key: bytes) -> bool:
        """Say whether a row has this key; asked of many transcripts, it builds no map."""
        return (self._search(key) is not None) if self._map is None else key in self._map

    def common(self, other: Uuids) -> Iterator[tuple[int, int]]:
        """Yield the rows of both that have the same uuid, in the order of these."""
        theirs = other._mapped() if other._map is None else other._map
        for row, (key,) in enumerate(iter_unpack(_FORMAT, bytes(self._column))):
            if key != NO_KEY and (found := theirs.get(key)) is not None:
                yield row, found

    def text(self, row: int) -> str | None:
        """Return a row's uuid as written."""
        if row in self._odd:
            return self._odd[row]
        key = bytes(self._column[row * WIDTH : (row + 1) * WIDTH])
        return None if key == NO_KEY else text_of(key)

    def find_all(self, keys: Sequence[bytes], default: int) -> list[int]:
        """Return the row with each key, or a number that stands for none."""
        known = self._map = self._mapped() if self._map is None else self._map
        return [*map(known.get, keys, repeat(default))]

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

    def _mapped(self) -> dict[bytes, int]:
        column = bytes(self._column)
        rows = range(len(column) // WIDTH)
        keys = (column[row * WIDTH : (row + 1) * WIDTH] for row in rows)
        return {key: row for row, key in enumerate(keys) if key != NO_KEY}


def keys_in(column: bytes | bytearray) -> list[bytes]:
    """Take a column apart."""
    return [key for (key,) in iter_unpack(_FORMAT, column)]


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


def key_of(uuid: str) -> bytes:
    """Return 16 bytes for a uuid; other texts are hashed, and kept as written beside."""
    if is_canonical(uuid):
        return bytes.fromhex(uuid.replace("-", ""))
    return blake2b(uuid.encode("utf-8", "replace"), digest_size=WIDTH).digest()


def text_of(key: bytes) -> str:
    """Return a canonical uuid by its key."""
    digits = key.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
