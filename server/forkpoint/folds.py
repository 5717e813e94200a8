"""What an index keeps of a transcript, and how one record becomes part of it.

This is the general way, which knows every record; see `batches` for the usual ones.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from forkpoint.checkpoints import Checkpoints
from forkpoint.joins import Joins
from forkpoint.nodes import NO_TIME, Nodes
from forkpoint.records.claude_code import KNOWN_TYPES
from forkpoint.records.codex import KNOWN_LINES
from forkpoint.records.decode import Piece
from forkpoint.records.record import Compaction, Flag, Malformed, Pointer, Record, Role
from forkpoint.rollout_state import rollout_state
from forkpoint.sent_requests import SentRequests
from forkpoint.state_lines import StateLines
from forkpoint.summary import Summary
from forkpoint.tool_calls import ToolCalls
from forkpoint.usage import ResponseUsage

Agent = Literal["claude-code", "codex"]
"""The agents whose transcripts are read."""
AGENT_NAMES: dict[Agent, str] = {"claude-code": "Claude", "codex": "Codex"}
"""How the texts for people call them."""


class UnknownType(msgspec.Struct):
    """A record type that no known client writes, with the client versions that it came from."""

    count: int = 0
    versions: set[str] = msgspec.field(default_factory=set[str])


class Folds:
    """Columns and folds of one transcript; see the classes of its attributes.

    Attributes:
        rollout: what is known of a rollout of Codex; None for a transcript of Claude Code.
        of_agent: a subagent wrote the whole file. Its rows are sidechains seen from the session,
            but its own conversation here.
        compactions, pointers: by ordinal, in file order.
        malformed: ordinal -> reason.
        unknown_types: by the `type` field.
    """

    def __init__(self, session_id: str | None, *, of_agent: bool, agent: Agent) -> None:
        self.session_id = session_id
        self.of_agent = of_agent
        self.rollout = None if agent == "claude-code" else rollout_state(session_id)
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

    @property
    def agent(self) -> Agent:
        """Whose transcript it is."""
        return "claude-code" if self.rollout is None else "codex"

    def settle(self) -> None:
        """Have all that is to be kept in the attributes that are kept (see `index_state`).

        Raises `OverflowError` or `UnicodeError` where no bytes hold it.
        """
        self.joins.settle()
        self.tools.settle()
        self.checkpoints.settle()

    def rest(self) -> None:
        """Give back the memory of what only makes reading on faster."""
        self.nodes.rest()
        self.joins.rest()
        self.tools.rest()
        self.checkpoints.rest()

    def fold_piece(self, offset: int, piece: Piece) -> None:
        """Append a line's record, or a malformed part of it."""
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
        if self.nodes.time[ordinal] != NO_TIME:
            self.summary.seen_at(value.timestamp)
        self.fold_record(value, ordinal, node)

    def fold_record(self, record: Record, ordinal: int, node: int) -> None:
        """Fold in what is no column of a row that was appended and joined.

        Args:
            record: the record.
            ordinal: where it stands.
            node: its ordinal, a repeat's first.
        """
        if record.blocks or record.agent_ended or record.role is Role.INTERRUPT:
            self.tools.apply(record, self.joins, node)
        if record.usage is not None:
            self.usage.apply(record, self.joins, node)
        if record.file_history is not None:
            self.checkpoints.apply(record.file_history)
        self.summary.apply(record, node)
        self.states.apply(record, ordinal, node)
        self.sent_requests.apply(record, ordinal)
        if record.compaction is not None:
            self.compactions[ordinal] = record.compaction
        if record.pointer is not None:
            self.pointers[ordinal] = record.pointer
        if record.type not in (KNOWN_TYPES if self.rollout is None else KNOWN_LINES):
            self._unknown(record)
        if self.is_foreign(record.session_id) and self.nodes.is_node(node):
            self.nodes.flags[node] |= Flag.FOREIGN
            self.summary.foreign_sessions.add(record.session_id or "")

    def is_foreign(self, session_id: str | None) -> bool:
        """Say whether a row that names this session was written by another than the file's."""
        return bool(self.session_id) and session_id not in (None, self.session_id)

    def _unknown(self, record: Record) -> None:
        seen = self.unknown_types.setdefault(record.type, UnknownType())
        seen.count += 1
        version = record.version or self.summary.version
        if version is not None:
            seen.versions.add(version)
