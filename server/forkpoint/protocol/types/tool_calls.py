"""`forkpoint/toolCalls`: what did the agent do?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.rules import FileUri, Limit, Offset
from forkpoint.protocol.types.common import SessionReference

ToolCallState = Literal["ok", "error", "denied", "pending", "interrupted"]
"""How a call ended; pending = no result is stored."""


@frozen(kw_only=True)
class ToolCallsParams(SessionReference):
    """Which calls to list."""

    file: FileUri | None = None
    """Only calls that work on this file; null = all."""
    offset: Offset = 0
    """Index of the first call wanted."""
    limit: Limit | None = None
    """At most so many calls; null = all that follow."""


@frozen(kw_only=True)
class StartedSubagent:
    """The subagent that a call started."""

    agent_id: str
    """Its id."""


@frozen(kw_only=True)
class ToolCall:
    """A call joined with its result."""

    tool_use_id: str
    """Id that call and result share."""
    name: str
    """The tool's name."""
    uuid: str
    """uuid of the record that holds the call."""
    ordinal: int
    """Ordinal of that record."""
    at: str | None
    """When the call was made; null = not written."""
    state: ToolCallState
    """How it ended."""
    files: Sequence[str]
    """URIs of the files it works on."""
    summary: str
    """The call in one line of at most 200 characters."""
    subagent: StartedSubagent | None
    """The subagent it started; null = none."""
    on_active_path: bool
    """Whether its record lies on the active path."""


@frozen(kw_only=True)
class ToolCallsResult:
    """A page of the calls, in file order."""

    calls: Sequence[ToolCall]
    """The page."""
    total: int
    """Calls on all pages."""
