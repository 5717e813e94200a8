"""What of a transcript can be searched: a fold over its lines that gives a row per text.

The same bytes in any portions give the same rows. Ordinals are those of `nodes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import msgspec

from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.records.codex import agent_of, decode_item
from forkpoint.records.record import Block, Malformed, Role
from forkpoint.records.rollout_said import texts_of_item
from forkpoint.records.said import Said, said_on
from forkpoint.records.searchable import Part
from forkpoint.rollout import record_of
from forkpoint.rollout_state import RolloutState, rollout_state
from forkpoint.transcript import Line
from forkpoint.uuids import key_of

LAYOUT = 2
"""Of what is told of a transcript: another number where the same bytes give other rows."""

MOST_OPEN = 256
"""Calls whose results are waited for; beyond, the oldest is given up."""
MOST_ANSWERED = 16
"""Calls that are remembered behind their results, which may be written once more."""


class SearchRow(NamedTuple):
    """A text of a record, what is told of it, and where the record lies in the file."""

    ordinal: int
    offset: int
    length: int
    number: int
    """Which of the record's texts it is."""
    part: Part
    is_error: bool
    tool: str | None
    file: str | None
    """The path that the call names, as the agent wrote it."""
    branch: str | None
    model: str | None
    at: int | None
    """Milliseconds since 1970 UTC."""
    text: str


class SearchRecord(NamedTuple):
    """A record with a uuid. Of records with the same key in a transcript the last one counts."""

    key: int
    ordinal: int
    rows: list[SearchRow]


class FoldState(msgspec.Struct, array_like=True):
    """All that a fold knows between two lines."""

    ordinal: int = 0
    open: dict[str, tuple[str | None, str | None]] = {}
    """Id of a call -> its tool and file."""
    answered: dict[str, tuple[str | None, str | None]] = {}
    agent: Literal["", "claude-code", "codex"] = ""
    """Whose transcript it is, as soon as a line tells."""
    rollout: RolloutState | None = None


class SearchFold:
    """Takes lines in file order.

    Attributes:
        with_outputs: whether to tell what tools put out.
    """

    def __init__(self, state: FoldState | None = None, *, with_outputs: bool = True) -> None:
        self._state = state or FoldState()
        self.with_outputs = with_outputs

    @property
    def state(self) -> bytes:
        """What to go on from, for `load`."""
        return msgspec.msgpack.encode(self._state)

    @classmethod
    def load(cls, state: bytes) -> SearchFold:
        """Go on from a state; raises msgspec's errors for what is none."""
        return cls(msgspec.msgpack.decode(state, type=FoldState))

    def fold(self, lines: Iterable[Line]) -> list[SearchRecord]:
        """Return what whole lines tell."""
        told: list[SearchRecord] = []
        for offset, data in lines:
            for said in self._said(data):
                if said.uuid is not None:
                    told.append(self._record(said, said.uuid, offset + said.start))
                self._state.ordinal += 1
        return told

    def tail(self, offset: int, tail: bytes) -> list[SearchRecord]:
        """Return what an unfinished last line tells that is a whole record; it is not taken in."""
        tail = tail.removesuffix(b"\r")
        if not tail.strip():
            return []
        ahead = SearchFold.load(self.state)
        if len(said := ahead._said(tail)) != 1 or said[0].uuid is None:
            return []
        ahead = SearchFold.load(self.state)
        ahead.with_outputs = self.with_outputs
        return ahead.fold([Line(offset, tail)])

    def _said(self, data: bytes) -> list[Said]:
        state = self._state
        if not state.agent:
            state.agent = agent_of(data)
            state.rollout = rollout_state(None) if state.agent == "codex" else None
        return said_on(data) if state.rollout is None else said_in_rollout(state.rollout, data)

    def _record(self, said: Said, uuid: str, offset: int) -> SearchRecord:
        rows: list[SearchRow] = []
        ordinal = self._state.ordinal
        if said.texts:
            at = milliseconds(said.timestamp)
            moment = None if at == NO_TIME else at
        else:
            moment = None
        for number, (part, text, block) in enumerate(said.texts):
            if block is None:
                tool, file, failed = None, None, said.is_error
            else:
                (tool, file), failed = self._tool(block), block.is_error
            if part is Part.TOOL_OUTPUT and not self.with_outputs:
                text = ""
            about = (tool, file, said.branch, said.model, moment)
            rows.append(SearchRow(ordinal, offset, said.length, number, part, failed, *about, text))
        return SearchRecord(record_key(uuid), ordinal, rows)

    def _tool(self, block: Block) -> tuple[str | None, str | None]:
        """The tool and the file of a call, or of the call that a result answers."""
        known, answered = self._state.open, self._state.answered
        name = block.call_id
        if block.kind == "tool_use":
            tool = (block.name, block.file)
            if name is not None:
                known[name] = tool
                _keep_newest(known, MOST_OPEN)
            return tool
        if name is None:
            return None, None
        tool = known.pop(name, None) or answered.get(name)
        if tool is None:
            return None, None
        answered[name] = tool
        _keep_newest(answered, MOST_ANSWERED)
        return tool


def said_in_rollout(state: RolloutState, line: bytes) -> list[Said]:
    """Return the records of a rollout's next line; what another line said has no texts."""
    told: list[Said] = []
    for piece in decode_item(line):
        if isinstance(piece.value, Malformed):
            told.append(Said(piece.start, piece.length))
            continue
        record = record_of(state, piece.value)
        about = (record.uuid, record.timestamp, record.git_branch, record.model)
        texts = texts_of_item(piece.value) if record.uuid is not None else []
        is_error = record.role is Role.API_ERROR
        told.append(Said(piece.start, piece.length, *about, is_error, texts))
    return told


def _keep_newest(calls: dict[str, tuple[str | None, str | None]], most: int) -> None:
    while len(calls) > most:
        del calls[next(iter(calls))]


def record_key(uuid: str) -> int:
    """Return a number of 63 bits for a uuid; different ones are practically never equal."""
    key = key_of(uuid)
    halves = int.from_bytes(key[:8], "big"), int.from_bytes(key[8:], "big")
    return (halves[0] ^ halves[1]) & 0x7FFF_FFFF_FFFF_FFFF
