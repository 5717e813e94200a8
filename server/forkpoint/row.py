"""A record of a readable transcript, with all that decides how it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import msgspec

from forkpoint.line_changes import Changes
from forkpoint.records.content import Body
from forkpoint.records.record import Compaction, Role
from forkpoint.session import Fate
from forkpoint.tool_calls import CallState

Kind = Literal[
    "turn",
    "compaction",
    "summary",
    "answer",
    "thinking",
    "call",
    "result",
    "output",
    "context",
    "attachment",
    "note",
    "raw",
]
"""What a record is on the page."""


class CallFacts(msgspec.Struct, frozen=True):
    """What became of a call.

    Attributes:
        changes: lines that it changed in its file; None where nothing tells.
        agent_id: the subagent that it started.
    """

    state: CallState
    changes: Changes | None = None
    agent_id: str | None = None


class TurnFacts(msgspec.Struct, frozen=True):
    """What followed a prompt, up to the next one.

    Attributes:
        answers: how many responses.
        context: tokens in the context after the last of them.
        output: tokens generated.
    """

    answers: int
    context: int
    output: int


class Row(msgspec.Struct, frozen=True):
    """A record of the page with what decides how it is shown.

    Attributes:
        behind_gap: its parent is missing, so what stands before it is not sent.
        calls: by id of the calls that it makes; what is not known is left out.
        turn: of a prompt.
        run: of an attachment, its place among those in a row, from 0, and how many these are.
        compaction: of a boundary.
        problem: why it is no record.
        agent: whose words the answers are, by its name.
    """

    ordinal: int
    uuid: str
    role: Role
    fate: Fate
    timestamp: str | None
    body: Body
    model: str | None = None
    behind_gap: bool = False
    calls: Mapping[str, CallFacts] = {}
    turn: TurnFacts | None = None
    run: tuple[int, int] | None = None
    compaction: Compaction | None = None
    problem: str | None = None
    agent: str = "Claude"


class Rows(Protocol):
    """The rows of a page by their places, from 0: a path's, summarized rows first."""

    def __len__(self) -> int: ...

    def prompts(self, start: int, end: int) -> int:
        """Return how many of some rows a person typed."""
        ...

    def state(self, start: int, end: int) -> object:
        """Return all that `read` depends on, to be compared with what it was before."""
        ...

    def read(self, start: int, end: int) -> Sequence[Row]:
        """Read some rows with their bodies."""
        ...

    def caller(self, call_id: str, before: int) -> tuple[int, int] | None:
        """Return which row before a place makes a call, and the line that holds its body."""
        ...

    def label(self, call_id: str, row: int) -> str | None:
        """Read how a call of a row is named."""
        ...
