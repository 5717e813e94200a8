"""A transcript's index as bytes, and back: what a later run goes on from without reading anew.

All that cannot be derived is kept, by one table of attributes per fold; what is derived is made
anew. An index that was loaded and goes on is equal to one that read all the lines.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Callable
from typing import Any, cast

import msgspec

from forkpoint.checkpoints import NOTHING_WRITTEN, Checkpoints
from forkpoint.ids import Ids
from forkpoint.index import TranscriptIndex, UnknownType
from forkpoint.joins import Joins
from forkpoint.nodes import Nodes
from forkpoint.records.record import Compaction, Pointer, PullRequest
from forkpoint.sent_requests import SentRequests
from forkpoint.state_lines import StateLines
from forkpoint.summary import Summary
from forkpoint.tool_calls import ToolCalls
from forkpoint.transcript import Bookmark
from forkpoint.usage import ResponseUsage
from forkpoint.uuids import Uuids, key_of

LAYOUT = 4
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


# --- what is kept ------------------------------------------------------------------------------


_Number = int
"""A column's place in `_State.columns`."""
_Column = tuple[int, list[memoryview | None]]
"""Its rows and its planes (see `_Columns`)."""
_Ids = int
"""A list's place in `_State.ids`."""


class _Shape(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """Attributes by their names."""


class _Uuids(_Shape):
    _column: _Number
    _odd: dict[int, str]


class _Nodes(_Shape):
    offset: _Number
    length: _Number
    kind: _Number
    role: _Number
    flags: _Number
    time: _Number
    parent: _Number
    first_of: dict[int, int]
    body_of: dict[int, int]
    missing: dict[int, str]
    null_lines: list[int]
    _uuids: _Uuids


class _IdsOf(_Shape):
    _bytes: _Ids
    _ends: _Number


class _Joins(_Shape):
    response: _Number
    message_ids: _IdsOf
    first_row: _Number
    _span: _Number
    _scattered: dict[int, list[int]]
    call_ids: _IdsOf
    call_row: _Number
    _first_result: _Number
    _more_results: dict[int, list[int]]
    _tool: _Number
    _more_tools: dict[int, list[int]]


class _Usage(_Shape):
    models: list[str]
    _input: _Number
    _output: _Number
    _cache_read: _Number
    _cache_write_5m: _Number
    _cache_write_1h: _Number
    _odd: dict[int, tuple[int, ...]]
    _model: _Number
    _asked: _Number


class _Tools(_Shape):
    _name: _Number
    _file: _Number
    _names: _IdsOf
    _files: _IdsOf
    _errors: set[int]
    _denied: set[int]
    _agents: dict[int, str]
    _background: set[int]
    _tasks: dict[int, str]
    ended_agents: dict[str, str]
    _last_interrupt: int


class _Checkpoints(_Shape):
    _kind: _Number
    _start: _Number
    _count: _Number
    _entries: _Number
    _beside: _Number
    _texts: _IdsOf
    _backups: bytes
    _backup_count: int


class _Summary(_Shape):
    custom_title: str | None
    ai_title: str | None
    tag: str | None
    agent_name: str | None
    summaries: list[tuple[str, str]]
    first_prompt: str | None
    last_prompt: str | None
    first_command: str | None
    first_cwd: str | None
    last_cwd: str | None
    relocated: str | None
    cwds: dict[str, None]
    git_branch: str | None
    version: str | None
    first_version: str | None
    entrypoint: str | None
    created: str | None
    updated: str | None
    forked_from: str | None
    pull_requests: list[PullRequest]
    foreign_sessions: set[str]
    talk: bool
    prompts: dict[int, str]
    _texts: dict[int, bytes]
    _newest_version: tuple[int, int, int]


class _States(_Shape):
    last: dict[str, int]
    notes: dict[str, list[int]]


class _SentRequests(_Shape):
    requests: _Number
    shapes: _Number


class _Index(_Shape):
    session_id: str | None
    of_agent: bool
    nodes: _Nodes
    joins: _Joins
    usage: _Usage
    tools: _Tools
    checkpoints: _Checkpoints
    summary: _Summary
    states: _States
    sent_requests: _SentRequests
    compactions: dict[int, Compaction]
    pointers: dict[int, Pointer]
    malformed: dict[int, str]
    unknown_types: dict[str, UnknownType]


class _State(_Shape):
    """All of it.

    Attributes:
        ids: the API's; mostly chance, so that compressing them takes long and saves little.
        others: all planes that are not in `columns`, then an `_Index`; compressed.
        size: bytes of them before that.
    """

    bookmark: Bookmark
    columns: list[_Column]
    ids: list[memoryview]
    size: int
    others: memoryview


KEPT: dict[type, type[msgspec.Struct]] = {
    TranscriptIndex: _Index,
    Nodes: _Nodes,
    Uuids: _Uuids,
    Joins: _Joins,
    Ids: _IdsOf,
    ResponseUsage: _Usage,
    ToolCalls: _Tools,
    Checkpoints: _Checkpoints,
    Summary: _Summary,
    StateLines: _States,
    SentRequests: _SentRequests,
}
"""Which attributes of each fold are kept."""


def _waiting(nodes: Nodes) -> dict[bytes, list[int]]:
    waiting: dict[bytes, list[int]] = {}
    for ordinal, uuid in nodes.missing.items():
        waiting.setdefault(key_of(uuid), []).append(ordinal)
    return waiting


DERIVED: dict[type, dict[str, Callable[[Any], object]]] = {
    TranscriptIndex: {"_early": lambda _: None},
    # The map of uuids takes longer than all the rest: it is built when many are looked for.
    Uuids: {"_map": lambda _: None, "_searches": lambda _: 0},
    Nodes: {"_waiting": _waiting},
    Ids: {"_map": lambda _: None, "_searches": lambda _: 0},
    Checkpoints: {
        "_said": lambda _: list[str](),
        "_known": lambda _: None,
        "_paths": lambda _: list[str](),
        "_written": lambda _: {},
        "_last_written": lambda _: NOTHING_WRITTEN,
    },
}
"""How each attribute that is not kept is made, from those that are or as of an empty fold."""


# --- how it is taken and given back --------------------------------------------------------------


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
            data = bytes(value)
            planes = [self._plane(data[place::width]) for place in range(width)]
            views = [None if plane is None else memoryview(plane) for plane in planes]
            self.kept.append((len(value), views))
            return len(self.kept) - 1
        return self.taken(value) if type(value) in KEPT else value

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
_ENCODER = msgspec.msgpack.Encoder()
_OUTER = msgspec.msgpack.Decoder(_State)
_INNER = msgspec.msgpack.Decoder(_Index)
