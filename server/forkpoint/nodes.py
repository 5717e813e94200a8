"""One row of columns per record: what stays in memory of a transcript.

Bodies stay on disk and are read again by offset and length. A row costs about 50 bytes here; the
dictionaries hold the exceptions only.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, count

from forkpoint.key_map import WIDTH, ParentMarks
from forkpoint.records.record import Flag, Kind, Malformed, Record, Role
from forkpoint.uuids import Uuids, key_of, text_of

ROOT = -1
"""The parent of a row that names none."""
MISSING = -2
"""The parent of a row that names one which is not in the file."""
NO_PARENT = -3
"""A row outside the graph: a state line, a malformed line, a repeated uuid."""
NO_TIME = -(2**62)
"""A record without a readable timestamp; earlier than all others."""

_MARKS = ParentMarks(NO_PARENT, ROOT, MISSING)

CHAIN_KINDS = (Kind.USER, Kind.ASSISTANT, Kind.ATTACHMENT, Kind.SYSTEM)
TALK_KINDS = (Kind.USER, Kind.ASSISTANT)


class Nodes:
    """Columns by ordinal.

    Attributes:
        offset: byte position of each record.
        length: bytes of each record, without the line end.
        kind, role: `Kind` and `Role` values.
        flags: `Flag` bits.
        time: milliseconds since 1970 UTC, or `NO_TIME`.
        parent: ordinal of the parent, `ROOT`, `MISSING` or `NO_PARENT`.
        first_of: ordinal of a repeated uuid -> ordinal of its first line, which is the node.
        body_of: node -> ordinal of the line whose content counts, where that is a later one.
        missing: node -> the uuid that its parent field names, for parents not in the file.
        null_lines: ordinals of lines that hold a JSON `null`.
    """

    def __init__(self) -> None:
        self.offset = array("Q")
        self.length = array("Q")
        self.kind = bytearray()
        self.role = bytearray()
        self.flags = array("I")
        self.time = array("q")
        self.parent = array("i")
        self.first_of: dict[int, int] = {}
        self.body_of: dict[int, int] = {}
        self.missing: dict[int, str] = {}
        self.null_lines: list[int] = []
        self._uuids = Uuids()
        self._waiting: dict[bytes, list[int]] = {}

    def __len__(self) -> int:
        return len(self.offset)

    def add(self, value: Record | Malformed, offset: int, length: int) -> int:
        """Append a row and return its ordinal; late parents and repeated uuids are resolved."""
        ordinal = len(self.offset)
        self.offset.append(offset)
        self.length.append(length)
        if isinstance(value, Malformed):
            self._append(Kind.MALFORMED, Role.STATE, 0, NO_TIME, NO_PARENT, None)
            if value.reason.startswith("null"):
                self.null_lines.append(ordinal)
            return ordinal
        time = milliseconds(value.timestamp)
        if value.kind is Kind.STATE or value.uuid is None:
            self._append(value.kind, value.role, value.flags, time, NO_PARENT, None)
            return ordinal
        return self._add_node(value, value.uuid, time, ordinal)

    def extend(
        self,
        offset: int,
        sizes: Sequence[int],
        uuids: Sequence[str | None],
        parents: Sequence[str | None],
        timestamps: Sequence[str | None],
    ) -> int | None:
        """Append the rows of many lines that follow each other in the file; as `add` does it.

        Kinds, roles and flags are 0 afterwards, and the caller's task.

        Args:
            offset: of the first line.
            sizes: bytes of each line and its LF.
            uuids: of each row; None keeps it out of the graph.
            parents: the uuid that each row hangs on.
            timestamps: as written.

        Returns:
            The first row's ordinal; None if nothing was done, as a uuid is odd or was there before.
        """
        if not self._uuids.extend(uuids):
            return None
        first = len(self.offset)
        self.offset.fromlist([*accumulate(sizes[:-1], initial=offset)])
        self.length.fromlist([size - 1 for size in sizes])
        self.time.fromlist(_all_milliseconds(timestamps))
        self._begin(len(sizes))
        self._hang_all(first, uuids, parents)
        self._gather_all(first)
        return first

    def extend_columns(
        self,
        columns: Sequence[array[int]],
        uuids: bytearray,
        parents: bytearray,
        named: Mapping[int, str],
    ) -> int | None:
        """Do the same by columns.

        Args:
            columns: offsets, lengths and times, as they stand here.
            uuids: the key of each row (see `Uuids`); `NO_KEY` keeps it out of the graph.
            parents: the key that each row hangs on, `NO_KEY` for a root.
            named: by place, parents that are no canonical uuids.
        """
        if not self._uuids.extend_keys(uuids):
            return None
        first = len(self.offset)
        for column, more in zip((self.offset, self.length, self.time), columns, strict=True):
            column.extend(more)
        self._begin(len(self.offset) - first)
        self.parent.extend(self._uuids.parents(first, parents, _MARKS))
        for row in self.children(MISSING, first):
            begin = (row - first) * WIDTH
            self._hang(row, text_of(bytes(parents[begin : begin + WIDTH])))
        for place, parent in named.items():
            self._hang(first + place, parent)
        self._gather_all(first)
        return first

    def _begin(self, rows: int) -> None:
        """Append rows to the columns that the caller of `extend` fills."""
        self.kind.extend(bytes(rows))
        self.role.extend(bytes(rows))
        self.flags.frombytes(bytes(rows * self.flags.itemsize))

    def _gather_all(self, first: int) -> None:
        if self._waiting:
            keys = self._uuids.keys(first)
            for key in self._waiting.keys() & keys:
                self._gather(key, first + keys.index(key))

    def _hang_all(
        self, first: int, uuids: Sequence[str | None], parents: Sequence[str | None]
    ) -> None:
        """Nearly all parents are rows of the same batch; the others are looked for one by one."""
        rows: dict[str | None, int] = dict(zip(uuids, count(first)))
        rows[None] = ROOT
        find = rows.get
        found = [
            NO_PARENT if uuid is None else find(parent, MISSING)
            for uuid, parent in zip(uuids, parents, strict=True)
        ]
        self.parent.fromlist(found)
        if MISSING in found:
            for place, row in enumerate(found):
                if row == MISSING:
                    self._hang(first + place, parents[place])

    def _add_node(self, record: Record, uuid: str, time: int, ordinal: int) -> int:
        key = key_of(uuid)
        first = self._uuids.find(key)
        if first is not None:
            self._append(record.kind, record.role, record.flags, time, NO_PARENT, None)
            self.flags[ordinal] |= Flag.REPEAT
            self._repeat(first, ordinal, record)
            return ordinal
        self._append(record.kind, record.role, record.flags, time, ROOT, uuid)
        self._hang(ordinal, record.parent)
        self._gather(key, ordinal)
        return ordinal

    def _gather(self, key: bytes, ordinal: int) -> None:
        """Hang those on a row that waited for it."""
        for child in self._waiting.pop(key, ()):
            self.parent[child] = ordinal
            del self.missing[child]

    def _repeat(self, first: int, ordinal: int, record: Record) -> None:
        """The later line's content and parent win; the first line's place stays (2.1.332)."""
        self.first_of[ordinal] = first
        self.body_of[first] = ordinal
        self.kind[first] = record.kind
        self.role[first] = record.role
        self.flags[first] = record.flags
        self.time[first] = self.time[ordinal]
        if first in self.missing:
            self._waiting[key_of(self.missing.pop(first))].remove(first)
        self._hang(first, record.parent)

    def _append(
        self, kind: Kind, role: Role, flags: int, time: int, parent: int, uuid: str | None
    ) -> None:
        self.kind.append(kind)
        self.role.append(role)
        self.flags.append(flags)
        self.time.append(time)
        self.parent.append(parent)
        self._uuids.add(uuid)

    def _hang(self, ordinal: int, parent: str | None) -> None:
        if parent is None:
            self.parent[ordinal] = ROOT
            return
        key = key_of(parent)
        found = self._uuids.find(key)
        if found is None:
            self.parent[ordinal] = MISSING
            self.missing[ordinal] = parent
            self._waiting.setdefault(key, []).append(ordinal)
        else:
            self.parent[ordinal] = found

    def find(self, uuid: str | None) -> int | None:
        """Return the node with this uuid."""
        return None if uuid is None else self._uuids.find(key_of(uuid))

    def holds(self, key: bytes) -> bool:
        """Say whether there is a node with the key of a uuid (see `uuids.key_of`)."""
        return self._uuids.holds(key)

    def common(self, other: Nodes) -> Iterator[tuple[int, int]]:
        """Yield the nodes that two transcripts share by their uuids, in the order of this one."""
        return self._uuids.common(other._uuids)

    def uuid(self, ordinal: int) -> str | None:
        """Return a row's uuid as written; a repeated uuid's row gives it too."""
        return self._uuids.text(self.first_of.get(ordinal, ordinal))

    def rest(self) -> None:
        """Give back the memory of what is only needed where many uuids are looked for."""
        self._uuids.rest()

    def has(self, ordinal: int, flags: int) -> bool:
        """Say whether a row carries any of the flags."""
        return bool(self.flags[ordinal] & flags)

    def is_node(self, ordinal: int) -> bool:
        """Say whether a row takes part in the graph."""
        return self.parent[ordinal] != NO_PARENT

    def children(self, ordinal: int, start: int = 0) -> Iterator[int]:
        """Yield the rows from `start` on whose parent field names this node, in file order."""
        column = self.parent
        while True:
            try:
                start = column.index(ordinal, start)
            except ValueError:
                return
            yield start
            start += 1


def milliseconds(timestamp: str | None) -> int:
    """Read an ISO 8601 time, `NO_TIME` if it is none; a time without a zone counts as UTC."""
    if timestamp is None:
        return NO_TIME
    try:
        moment = datetime.fromisoformat(timestamp)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return (moment - _EPOCH) // _MILLISECOND
    except ValueError:
        return NO_TIME


def iso_time(time: int) -> str:
    """Return a time of a row as clients write it.

    One that its zone puts before the year 1 or behind 9999 is told as the first or last of these.
    """
    try:
        moment = _EPOCH + time * _MILLISECOND + _MILLISECOND / 2
    except OverflowError:
        moment = (datetime.min if time < 0 else datetime.max).replace(tzinfo=UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _all_milliseconds(timestamps: Sequence[str | None]) -> list[int]:
    """Read many times at once, if those that are there have a zone, as all clients so far write."""
    read, epoch, millisecond = datetime.fromisoformat, _EPOCH, _MILLISECOND
    try:
        return [
            NO_TIME if timestamp is None else (read(timestamp) - epoch) // millisecond
            for timestamp in timestamps
        ]
    except (ValueError, TypeError):  # The latter where a time without a zone is subtracted from.
        return [milliseconds(timestamp) for timestamp in timestamps]


_MILLISECOND = timedelta(milliseconds=1)
# Half a millisecond earlier, so that what is cut off was rounded.
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC) - _MILLISECOND / 2
