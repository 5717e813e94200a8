"""A transcript's index as bytes, and back: what a later run goes on from without reading anew.

All that cannot be derived is kept, by one table of attributes per fold; what is derived is made
anew. An index that was loaded and goes on is equal to one that read all the lines.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from typing import Any, cast

import msgspec

from forkpoint.index import TranscriptIndex
from forkpoint.kept_attributes import DERIVED, KEPT, IndexShape, Shape
from forkpoint.native import loaded
from forkpoint.transcript import Bookmark

LAYOUT = 7
"""To be raised when anything kept changes its meaning: what a fold finds, a flag, an attribute."""

_HEAD = b"fkpt" + LAYOUT.to_bytes(2, "big") + sys.byteorder[:1].encode()
_LEVEL = 1
"""Of zlib: the higher ones take three times as long for a twentieth less."""


class NotOurs(Exception):
    """These bytes are no index that this release has written, or not all of one."""


class NotKept(Exception):
    """An index that cannot be kept: it holds an unfinished last line, or what no bytes hold."""


def dump(index: TranscriptIndex, bookmark: Bookmark) -> bytes:
    """Return an index and how far it was read.

    Raises:
        NotKept: `index.has_tail`: what stands in that line is not behind the bookmark, and may
            be another line tomorrow. Or a number or text of the file has no form in UTF-8 and 64
            bits; such a transcript is read anew each time.
    """
    if index.has_tail:
        raise NotKept("the last line is unfinished")
    columns = _Columns()
    try:
        index.settle()
        columns.others.append(_ENCODER.encode(columns.taken(index)))
        others = b"".join(columns.others)
        compressed = memoryview(zlib.compress(others, _LEVEL))
        state = _State(bookmark, columns.kept, columns.ids, len(others), compressed)
        body = _ENCODER.encode(state)
    except (OverflowError, UnicodeError) as failure:
        raise NotKept(str(failure)) from failure
    return _HEAD + zlib.crc32(body).to_bytes(4, "big") + body


def load(data: bytes) -> tuple[TranscriptIndex, Bookmark]:
    """Return what `dump` was given; feed it the file from the bookmark's offset on.

    Raises:
        NotOurs: anything else than the whole of what this release's `dump` returns.
    """
    head, body = data[: len(_HEAD) + 4], memoryview(data)[len(_HEAD) + 4 :]
    if head != _HEAD + zlib.crc32(body).to_bytes(4, "big"):
        raise NotOurs("damaged, or written by another release")
    try:
        state = _OUTER.decode(body)
        others = memoryview(zlib.decompress(state.others, bufsize=state.size + 1))
        if len(others) != state.size:
            raise ValueError("more or less than was put in")
        index = TranscriptIndex()
        kept = _Kept(state, others)
        _give(index, _INNER.decode(others[kept.end :]), kept)
    except (zlib.error, msgspec.MsgspecError, ValueError, LookupError) as failure:
        raise NotOurs(str(failure)) from failure
    return index, state.bookmark


# --- how it is taken and given back --------------------------------------------------------------


_Column = tuple[int, list[memoryview | None]]
"""Its rows and its planes (see `_Columns`)."""


class _State(Shape):
    """All of it.

    Attributes:
        ids: the API's; mostly chance, so that compressing them takes long and saves little.
        others: all planes that are not in `columns`, then an `IndexShape`; compressed.
        size: bytes of them before that.
    """

    bookmark: Bookmark
    columns: list[_Column]
    ids: list[memoryview]
    size: int
    others: memoryview


class _Columns:
    """Columns on their way out: folds hold the number of each.

    A column is taken apart into planes: the first bytes of its numbers, the second ones and so on.
    The higher ones are mostly alike. The lowest, and uuids, are noise: compressing them takes most
    of the time and saves nothing, neither then nor whenever they are loaded.

    Attributes:
        kept: by number; of each plane one byte if all are that one, all bytes if they are noise,
            None if they are in `others`.
        others: the other planes, in order.
        ids: see `_State`.
    """

    def __init__(self) -> None:
        self.kept: list[_Column] = []
        self.others: list[bytes] = []
        self.ids: list[memoryview] = []

    def taken(self, fold: object) -> Any:
        """What is kept of a fold."""
        shape = KEPT[type(fold)]
        names = shape.__struct_fields__
        return shape(*[self._value(name, getattr(fold, name)) for name in names])

    def _value(self, name: str, value: Any) -> Any:
        if name in _ARE_IDS:
            self.ids.append(memoryview(bytes(value)))
            return len(self.ids) - 1
        if width := _width(value):
            self.kept.append((len(value), self._planes(bytes(value), width)))
            return len(self.kept) - 1
        return self.taken(value) if type(value) in KEPT else value

    def _planes(self, data: bytes, width: int) -> list[Any]:
        if _NATIVE is not None:
            return _NATIVE.planes(data, width, self.others)
        return [self._plane(data[place::width]) for place in range(width)]

    def _plane(self, data: bytes) -> bytes | None:
        # As fast as memory; `count` takes ten times as long where there is something to count.
        if data == data[:1] * len(data):
            return data[:1]
        if len(set(data[:_SAMPLE])) > _NOISE:
            return data
        self.others.append(data)
        return None


class _Kept:
    """Columns on their way back: each goes straight into its fold, with no copy between.

    Attributes:
        end: where in `others` the planes end.
    """

    def __init__(self, state: _State, others: memoryview) -> None:
        self._state, self._others, self.end = state, others, 0
        self._begins: list[int] = []
        for rows, planes in state.columns:
            self._begins.append(self.end)
            self.end += rows * planes.count(None)

    def column(self, number: int, fresh: Any) -> Any:
        """Return a column of the kind of an empty one, of just the size that it needs."""
        rows, planes = self._state.columns[number]
        width = len(planes)
        column: Any = bytearray(rows * width)
        if isinstance(fresh, array):
            column = array(fresh.typecode, bytes(column))
        begin = self._begins[number]
        with memoryview(column) as view, view.cast("B") as data:
            for place, plane in enumerate(planes):
                if plane is None:
                    data[place::width] = self._others[begin : begin + rows]
                    begin += rows
                elif len(plane) == rows:
                    data[place::width] = plane
                elif (alike := bytes(plane)) != _ZERO:
                    data[place::width] = alike * rows
        return column

    def ids(self, number: int) -> bytearray:
        """Return the bytes of a list of ids."""
        return bytearray(self._state.ids[number])


def _give(fold: object, state: msgspec.Struct, columns: _Kept) -> None:
    """Fill a fold that has read nothing yet."""
    for name in state.__struct_fields__:
        kept: Any = getattr(state, name)
        fresh: Any = getattr(fold, name)
        if name in _ARE_IDS:
            setattr(fold, name, columns.ids(kept))
        elif _width(fresh):
            setattr(fold, name, columns.column(kept, fresh))
        elif type(fresh) in KEPT:
            _give(fresh, kept, columns)
        else:
            setattr(fold, name, kept)
    for name, make in DERIVED.get(type(fold), {}).items():
        setattr(fold, name, make(fold))


def _width(value: object) -> int:
    """Bytes of a column's numbers; 0 for what is no column."""
    if isinstance(value, array):
        return cast("array[int]", value).itemsize
    return isinstance(value, bytearray)


_ARE_IDS = frozenset({"_bytes"})
_ZERO = bytes(1)
_SAMPLE, _NOISE = 64, 36
"""Where so many bytes have more values than this, compressing them saves a quarter at most."""
_NATIVE = loaded()
_ENCODER = msgspec.msgpack.Encoder()
_OUTER = msgspec.msgpack.Decoder(_State)
_INNER = msgspec.msgpack.Decoder(IndexShape)
