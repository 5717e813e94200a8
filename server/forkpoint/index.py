"""One transcript's state: a fold over its lines that knows no file, no clock and no client.

Feeding the same bytes in any portions gives the same state.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from forkpoint.checkpoints import Checkpoints
from forkpoint.joins import Joins
from forkpoint.nodes import NO_TIME, Nodes
from forkpoint.records.claude_code import KNOWN_TYPES
from forkpoint.records.decode import Piece, decode
from forkpoint.records.record import Compaction, Flag, Malformed, Pointer, Record, Role
from forkpoint.sent_requests import SentRequests
from forkpoint.state_lines import StateLines
from forkpoint.summary import Summary
from forkpoint.tool_calls import ToolCalls
from forkpoint.transcript import Line
from forkpoint.usage import ResponseUsage


class Delta(msgspec.Struct, frozen=True):
    """What a batch of lines changed: the ordinals from `first_new` up to, not including, `end`."""

    first_new: int
    end: int


class UnknownType(msgspec.Struct):
    """A record type that no known client writes, with the client versions that it came from."""

    count: int = 0
    versions: set[str] = msgspec.field(default_factory=set[str])


class TranscriptIndex:
    """Columns and folds of one transcript; see the classes of its attributes.

    Attributes:
        of_agent: a subagent wrote the whole file. Its rows are sidechains seen from the session,
            but its own conversation here.
        compactions, pointers: by ordinal, in file order.
        malformed: ordinal -> reason.
        unknown_types: by the `type` field.
    """

    def __init__(self, session_id: str | None = None, *, of_agent: bool = False) -> None:
        self.session_id = session_id
        self.of_agent = of_agent
        self.nodes = Nodes()
        self.joins = Joins()
        self.usage = ResponseUsage()
        self.tools = ToolCalls()
        self.checkpoints = Checkpoints()
        self.summary = Summary()
        self.states = StateLines()
        self.sent_requests = SentRequests()
        self.compactions: dict[int, Compaction] = {}
        self.pointers: dict[int, Pointer] = {}
        self.malformed: dict[int, str] = {}
        self.unknown_types: dict[str, UnknownType] = {}
        self._early: tuple[int, int, int] | None = None

    @property
    def has_tail(self) -> bool:
        """Say whether the last row is an unfinished line's (see `apply_tail`)."""
        return self._early is not None

    def apply(self, lines: Iterable[Line]) -> Delta:
        """Fold whole lines in, in file order."""
        start = len(self.nodes)
        for line in lines:
            self._line(line)
        return Delta(start, len(self.nodes))

    def apply_tail(self, offset: int, tail: bytes) -> Delta:
        """Fold in an unfinished last line if it is a whole record already.

        Only the line end is missing then; when it comes, the line is not folded in again. A tail
        that is no record yet changes nothing.
        """
        start = len(self.nodes)
        tail = tail.removesuffix(b"\r")
        if tail.strip() and self._early is None:
            pieces = decode(tail)
            if len(pieces) == 1 and isinstance(pieces[0].value, Record):
                self._piece(offset, pieces[0])
                self._early = (offset, len(tail), len(self.nodes) - 1)
        return Delta(start, len(self.nodes))

    def _line(self, line: Line) -> None:
        pieces = decode(line.data)
        if self._early is not None and self._early[0] == line.offset:
            _, known, ordinal = self._early
            self._early = None
            self._glue(pieces[0].value, ordinal)
            pieces = [piece for piece in pieces if piece.start >= known]
        for piece in pieces:
            self._piece(line.offset, piece)

    def _glue(self, value: Record | Malformed, ordinal: int) -> None:
        """Mark a row of an unfinished line behind which more stands, now that the line ends."""
        if isinstance(value, Record):
            for row in (ordinal, self.nodes.first_of.get(ordinal, ordinal)):
                self.nodes.flags[row] |= value.flags & Flag.GLUED_HEAD

    def _piece(self, offset: int, piece: Piece) -> None:
        value = piece.value
        if self.of_agent and isinstance(value, Record):
            value.flags &= ~Flag.SIDECHAIN
        ordinal = self.nodes.add(value, offset + piece.start, piece.length)
        node = self.nodes.first_of.get(ordinal, ordinal)
        if isinstance(value, Malformed):
            self.joins.add(None, ordinal, ordinal)
            self.malformed[ordinal] = value.reason
            return
        self.joins.add(value, ordinal, node)
        self._record(value, ordinal, node)

    def _record(self, record: Record, ordinal: int, node: int) -> None:
        if record.blocks or record.agent_ended or record.role is Role.INTERRUPT:
            self.tools.apply(record, self.joins, node)
        if record.usage is not None:
            self.usage.apply(record, self.joins, node)
        if record.file_history is not None:
            self.checkpoints.apply(record.file_history)
        self.summary.apply(record, node, self.nodes.time[ordinal] != NO_TIME)
        self.states.apply(record, ordinal, node)
        self.sent_requests.apply(record, ordinal)
        if record.compaction is not None:
            self.compactions[ordinal] = record.compaction
        if record.pointer is not None:
            self.pointers[ordinal] = record.pointer
        if record.type not in KNOWN_TYPES:
            self._unknown(record)
        if self.session_id and record.session_id not in (None, self.session_id):
            self._foreign(record, node)

    def _unknown(self, record: Record) -> None:
        seen = self.unknown_types.setdefault(record.type, UnknownType())
        seen.count += 1
        version = record.version or self.summary.version
        if version is not None:
            seen.versions.add(version)

    def _foreign(self, record: Record, node: int) -> None:
        if self.nodes.is_node(node):
            self.nodes.flags[node] |= Flag.FOREIGN
            self.summary.foreign_sessions.add(record.session_id or "")
