"""Which session another one was copied from, and what shows it (format.md section 12).

Copies keep message ids; some keep uuids, some say where they come from. What the records do not
say is decided by what both files hold: the copy has all that the original had when it was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec

from forkpoint.index import TranscriptIndex
from forkpoint.nodes import NO_TIME
from forkpoint.records.record import Flag

Evidence = Literal[
    "forkedFrom", "forkContextRef", "parentInOtherFile", "sameFirstUuid", "sameMessageIds"
]


class Origin(msgspec.Struct, frozen=True):
    """The session that another was copied from, and the strongest sign of it."""

    session_id: str
    evidence: Evidence


class Lineage:
    """The beginnings of all indexed sessions, by which copies find their originals."""

    def __init__(self, index_of: Callable[[str], TranscriptIndex | None]) -> None:
        self._index_of = index_of
        self._generation = 0
        self._beginnings: dict[str, tuple[str | None, str | None]] = {}
        self._by_uuid: dict[str, list[str]] = {}
        self._by_message: dict[str, list[str]] = {}

    def add(self, session_id: str, index: TranscriptIndex) -> None:
        """Take in a session; once it has begun, its beginning never changes."""
        first = _first_row(index)
        beginning = (None if first is None else index.nodes.uuid(first), _first_message(index))
        if self._beginnings.get(session_id) == beginning:
            return
        self.forget(session_id)
        self._generation += 1
        self._beginnings[session_id] = beginning
        for table, key in zip((self._by_uuid, self._by_message), beginning, strict=True):
            if key is not None:
                table.setdefault(key, []).append(session_id)

    def forget(self, session_id: str) -> None:
        """Leave a session out from now on."""
        beginning = self._beginnings.pop(session_id, None)
        if beginning is None:
            return
        self._generation += 1
        for table, key in zip((self._by_uuid, self._by_message), beginning, strict=True):
            if key is not None:
                table[key].remove(session_id)

    def state(self, session_id: str, index: TranscriptIndex) -> tuple[int, ...]:
        """Return what the answers about a session depend on, apart from its own rows."""
        first = _first_row(index)
        if first is not None and first in index.nodes.missing:
            # What it goes on from is looked for in all others.
            others = set(self._beginnings)
        else:
            uuid, message = self._beginnings.get(session_id, (None, None))
            others = {*self._by_uuid.get(uuid or "", ()), *self._by_message.get(message or "", ())}
        indexes = [self._index_of(other) for other in sorted(others - {session_id})]
        rows = [len(other.nodes) for other in indexes if other is not None]
        return (self._generation, *rows)

    def origin(self, session_id: str, index: TranscriptIndex) -> Origin | None:
        """Return the session that this one was copied from."""
        if index.summary.forked_from is not None:
            return Origin(index.summary.forked_from, "forkedFrom")
        first = _first_row(index)
        if first is None:
            return None
        parent = index.nodes.missing.get(first)
        if parent is not None and (holder := self._holder(session_id, parent)) is not None:
            return Origin(holder, "parentInOtherFile")
        uuid = index.nodes.uuid(first)
        beginnings: list[tuple[list[str], Evidence]] = [
            (self._by_uuid.get(uuid or "", []), "sameFirstUuid"),
            (self._by_message.get(_first_message(index) or "", []), "sameMessageIds"),
        ]
        for others, evidence in beginnings:
            original = self._original(session_id, index, others)
            if original is not None:
                return Origin(original, evidence)
        return None

    def copied(self, origin: Origin | None, index: TranscriptIndex) -> frozenset[str]:
        """Return the message ids that a session has from the one it was copied from."""
        other = None if origin is None else self._index_of(origin.session_id)
        if other is None:
            return frozenset()
        return frozenset(index.joins.message_ids) & frozenset(other.joins.message_ids)

    def _holder(self, session_id: str, uuid: str) -> str | None:
        known = dict.fromkeys(other for others in self._by_uuid.values() for other in others)
        for other in known:
            index = None if other == session_id else self._index_of(other)
            if index is not None and index.nodes.find(uuid) is not None:
                return other
        return None

    def _original(
        self, session_id: str, index: TranscriptIndex, others: Iterable[str]
    ) -> str | None:
        """The other session that diverged first from what both share, if this one did later."""
        best: tuple[int, str] | None = None
        for other_id in others:
            other = None if other_id == session_id else self._index_of(other_id)
            if other is None:
                continue
            shared = frozenset(index.joins.message_ids) & frozenset(other.joins.message_ids)
            own, theirs = _diverged(index, shared), _diverged(other, shared)
            if (theirs, other_id) < (own, session_id) and (
                best is None or (theirs, other_id) < best
            ):
                best = (theirs, other_id)
        return None if best is None else best[1]


def _diverged(index: TranscriptIndex, shared: frozenset[str]) -> int:
    """When a session's first response of its own came; none at all counts as before all others."""
    for number, message_id in enumerate(index.joins.message_ids):
        row = index.joins.first_row[number]
        if message_id not in shared and not index.nodes.has(row, Flag.SIDECHAIN):
            return index.nodes.time[row]
    return NO_TIME


def _first_row(index: TranscriptIndex) -> int | None:
    nodes = index.nodes
    rows = (row for row in range(len(nodes)) if nodes.is_node(row))
    return next((row for row in rows if not nodes.has(row, Flag.SIDECHAIN)), None)


def _first_message(index: TranscriptIndex) -> str | None:
    for number, row in enumerate(index.joins.first_row):
        if not index.nodes.has(row, Flag.SIDECHAIN | Flag.SYNTHETIC):
            return index.joins.message_ids[number]
    return None
