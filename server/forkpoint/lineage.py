"""Which session another one was copied from, and what shows it (format.md section 12).

Copies keep message ids; some keep uuids, some say where they come from. What the records do not
say is decided by what both files hold (`precedence`). Of several older sessions the one that shares
most is the parent, so that a fork of a fork hangs on that fork.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from functools import reduce
from typing import Literal, NamedTuple

import msgspec

from forkpoint.copies import goes_on_from, history_base, main_rows
from forkpoint.index import TranscriptIndex
from forkpoint.precedence import Pair, precedes
from forkpoint.records.record import Flag
from forkpoint.uuids import key_of

Evidence = Literal[
    "forkedFrom",
    "historyBase",
    "forkContextRef",
    "parentInOtherFile",
    "sameFirstUuid",
    "sameMessageIds",
]

MOST_ALIKE = 64
"""Sessions with one beginning that are compared: more are no family but somebody's test runs."""


class Origin(msgspec.Struct, frozen=True):
    """The session that another was copied from, and the strongest sign of it."""

    session_id: str
    evidence: Evidence


class Sign(NamedTuple):
    """A sign of where a session comes from, and how many rows or responses show it."""

    evidence: Evidence
    shown_by: int


class _Beginning(NamedTuple):
    """What a session is found by.

    Attributes:
        uuid: of its first row.
        message: id of its first response.
        sought: the key of a row that lies in an older file if it is there at all.
        base: the session whose file it goes on from, as its header says, in lower case.
    """

    uuid: str | None
    message: str | None
    sought: bytes | None
    base: str | None = None


_NONE = _Beginning(None, None, None)


class Lineage:
    """The beginnings of all indexed sessions, by which copies find their originals."""

    def __init__(self, index_of: Callable[[str], TranscriptIndex | None]) -> None:
        self._index_of = index_of
        self._generation = 0
        self._added: dict[str, int] = {}
        self._beginnings: dict[str, _Beginning] = {}
        self._by_uuid: dict[str, list[str]] = {}
        self._by_message: dict[str, list[str]] = {}
        self._seekers: dict[bytes, set[str]] = {}
        self._holders: dict[bytes, set[str]] = {}
        self._based: dict[str, list[str]] = {}
        self._pairs: dict[tuple[str, str], Pair] = {}

    def add(self, session_id: str, index: TranscriptIndex) -> None:
        """Take in a session; once it has begun, its beginning never changes."""
        beginning = _beginning(index)
        if self._beginnings.get(session_id) != beginning:
            self.forget(session_id)
            self._generation += 1
            self._added[session_id] = self._generation
            self._beginnings[session_id] = beginning
            for table, key in self._tables(beginning):
                table.setdefault(key, []).append(session_id)
            if beginning.sought is not None:
                self._seek(session_id, beginning.sought)
        for key, holders in self._holders.items():
            if (not holders or holders <= self._seekers[key]) and index.nodes.holds(key):
                holders.add(session_id)

    def _seek(self, session_id: str, key: bytes) -> None:
        """Look for a row in all sessions, once; those that come or grow are looked at then.

        One that has it is enough: copies of that one are found by what they have in common.
        """
        self._seekers.setdefault(key, set()).add(session_id)
        if self._holders.get(key, set[str]()) - {session_id}:
            return
        self._holders.setdefault(key, set())
        self._look_for(key)

    def _look_for(self, key: bytes) -> None:
        # What belongs together was mostly read together.
        for other in reversed(self._beginnings):
            if other not in self._holders[key] and self._holds(other, key):
                self._holders[key].add(other)
                if not self._holders[key] <= self._seekers[key]:
                    return

    def forget(self, session_id: str) -> None:
        """Leave a session out from now on."""
        beginning = self._beginnings.pop(session_id, None)
        if beginning is None:
            return
        del self._added[session_id]
        for table, key in self._tables(beginning):
            table[key].remove(session_id)
            if not table[key]:
                del table[key]
        for key, holders in self._holders.items():
            if session_id in holders:
                holders.remove(session_id)
                self._look_for(key)
        if beginning.sought is not None:
            seekers = self._seekers[beginning.sought]
            seekers.discard(session_id)
            if not seekers:
                del self._seekers[beginning.sought], self._holders[beginning.sought]
        for pair in [pair for pair in self._pairs if session_id in pair]:
            del self._pairs[pair]

    def _tables(self, beginning: _Beginning) -> Iterator[tuple[dict[str, list[str]], str]]:
        if beginning.uuid is not None:
            yield self._by_uuid, beginning.uuid
        if beginning.message is not None:
            yield self._by_message, beginning.message
        if beginning.base is not None:
            yield self._based, beginning.base

    # --- who is alike ---

    def _alike(self, session_id: str) -> list[str]:
        """The sessions that one may come from, or that may come from it, in a fixed order."""
        beginning = self._beginnings.get(session_id, _NONE)
        others = self._beginning_with(beginning)
        for holder in self._holders.get(beginning.sought or b"", ()):
            copies = self._beginning_with(self._beginnings.get(holder, _NONE))
            others |= {holder, *(each for each in copies if self._holds(each, beginning.sought))}
        return sorted(others - {session_id})[:MOST_ALIKE]

    def _beginning_with(self, beginning: _Beginning) -> set[str]:
        return {
            *self._by_uuid.get(beginning.uuid or "", ()),
            *self._by_message.get(beginning.message or "", ()),
        }

    def _holds(self, session_id: str, key: bytes | None) -> bool:
        index = self._index_of(session_id)
        return index is not None and key is not None and index.nodes.holds(key)

    def state(self, session_id: str, index: TranscriptIndex) -> tuple[object, ...]:
        """Return what the answers about a session depend on, apart from its own rows."""
        named = _named(session_id, index)
        others = self._alike(session_id)
        if named is not None and named not in others:
            others.append(named)
        states: list[object] = []
        for other in others:
            known = self._index_of(other)
            rows = len(known.nodes) if known is not None else 0
            states.append((other, self._added.get(other, 0), rows))
        return tuple(states)

    def _pair(self, one: str, other: str) -> Pair | None:
        """Two sessions, compared as they are now; None where one of them is not read."""
        first, second = self._index_of(one), self._index_of(other)
        if first is None or second is None:
            return None
        pair = self._pairs.get((one, other))
        if pair is None or not pair.are(first, second):
            pair = self._pairs[one, other] = Pair(first, second)
        pair.grow()
        return pair

    def shared(self, one: str, other: str) -> Set[str]:
        """Return the message ids that two sessions have in common."""
        pair = self._pair(*sorted((one, other)))
        return frozenset() if pair is None else pair.shared

    def _older(self, session_id: str) -> list[str]:
        """The sessions that this one was copied from, directly or by way of others."""
        return [each for each in self._alike(session_id) if self._precedes(each, session_id)]

    def _precedes(self, one: str, other: str) -> bool:
        if one > other:
            return self._pair(one, other) is not None and not self._precedes(other, one)
        first, second = self._index_of(one), self._index_of(other)
        pair = self._pair(one, other)
        if first is None or second is None or pair is None:
            return False
        return precedes((one, first), (other, second), pair.ends())

    def followers(self, session_id: str) -> list[str]:
        """Return the sessions whose first row may hang on one of this session's."""
        found = {*self._based.get(session_id.lower(), ())}
        found |= {
            seeker
            for key in self._holders
            if self._holds(session_id, key)
            for seeker in self._seekers[key]
        }
        return sorted(found - {session_id})

    # --- where one comes from ---

    def origin(self, session_id: str, index: TranscriptIndex) -> Origin | None:
        """Return the session that this one was copied from."""
        named = _named(session_id, index)
        older = self._older(session_id)
        if named is not None:
            # A copy of a fork keeps the fork's words about itself.
            older = [each for each in older if each != named and self._gave_more(each, index)]
        if not older:
            if named is None:
                return None
            says = index.summary.forked_from is not None
            return Origin(named, "forkedFrom" if says else "historyBase")
        most = max(len(self.shared(each, session_id)) for each in older)
        nearest = [each for each in older if len(self.shared(each, session_id)) == most]
        parent = reduce(lambda one, other: one if self._precedes(one, other) else other, nearest)
        for evidence in self._evidence(session_id, index, parent):
            return Origin(parent, evidence)
        return None

    def _gave_more(self, other: str, index: TranscriptIndex) -> bool:
        """Whether a session has, beside what says that it was copied, what says nothing."""
        theirs = self._index_of(other)
        if theirs is None:
            return False
        return any(
            theirs.joins.message_ids.find(index.joins.message_ids[number]) is not None
            for number, row in enumerate(index.joins.first_row)
            if not index.nodes.has(row, Flag.COPIED | Flag.SIDECHAIN)
        )

    def signs(self, session_id: str, index: TranscriptIndex, origin: str) -> list[Sign]:
        """Return all that shows where a session comes from, the strongest first."""
        other = self._index_of(origin)
        counts: dict[Evidence, Callable[[], int]] = {
            "forkedFrom": lambda: sum(bool(bits & Flag.COPIED) for bits in index.nodes.flags),
            "sameFirstUuid": lambda: (
                0 if other is None else sum(1 for _ in index.nodes.common(other.nodes))
            ),
            "sameMessageIds": lambda: len(self.shared(session_id, origin)),
        }
        kinds = self._evidence(session_id, index, origin)
        return [Sign(kind, counts.get(kind, lambda: 1)()) for kind in kinds]

    def _evidence(self, session_id: str, index: TranscriptIndex, origin: str) -> Iterator[Evidence]:
        other = self._index_of(origin)
        if (index.summary.forked_from or "").lower() == origin.lower():
            yield "forkedFrom"
        if (history_base(index) or "").lower() == origin.lower():
            yield "historyBase"
        if other is None:
            return
        if other.nodes.find(goes_on_from(index)) is not None:
            yield "parentInOtherFile"
        if other.nodes.find(_beginning(index).uuid) is not None:
            yield "sameFirstUuid"
        if self.shared(session_id, origin):
            yield "sameMessageIds"

    def copied(self, session_id: str, index: TranscriptIndex) -> frozenset[str]:
        """Return the message ids that older sessions have, too: they count there.

        All that are older, not only the nearest: so each id counts in one of them at most.
        """
        named = _named(session_id, index)
        older = dict.fromkeys(self._older(session_id))
        if named is not None:
            older[named] = None
        ids: set[str] = set()
        for each in older:
            ids |= self.shared(session_id, each)
        return frozenset(ids)


def _beginning(index: TranscriptIndex) -> _Beginning:
    first = next(iter(main_rows(index)), None)
    base = (history_base(index) or "").lower() or None
    if first is None:
        return _Beginning(None, _first_message(index), None, base)
    uuid = index.nodes.uuid(first)
    sought = index.nodes.missing.get(first)
    if sought is None and first in index.compactions:
        # A copy of what follows a compaction begins in the middle of its original.
        sought = uuid
    key = None if sought is None else key_of(sought)
    return _Beginning(uuid, _first_message(index), key, base)


def _named(session_id: str, index: TranscriptIndex) -> str | None:
    """The session that a transcript says it came from.

    A fork of Codex's says both: from which thread a person forked it, and whose file it goes on
    from, which may be one further up.
    """
    named = index.summary.forked_from or history_base(index)
    return None if named is None or named.lower() == session_id.lower() else named


def _first_message(index: TranscriptIndex) -> str | None:
    for number, row in enumerate(index.joins.first_row):
        if not index.nodes.has(row, Flag.SIDECHAIN | Flag.SYNTHETIC):
            return index.joins.message_ids[number]
    return None
