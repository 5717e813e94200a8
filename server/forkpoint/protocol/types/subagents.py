"""`forkpoint/subagents`: whom did the agent send out?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.types.common import TokenCounts

SubagentState = Literal["completed", "failed", "stopped", "runningOrLost", "unknown"]
"""How a subagent ended. runningOrLost = it was started and no end is stored;
unknown = the call that started it was not found."""


@frozen(kw_only=True)
class SubagentsParams:
    """Whose subagents to list."""

    session_id: str
    """The session's id."""


@frozen(kw_only=True)
class Subagent:
    """One subagent of a session."""

    agent_id: str
    """Its id."""
    parent_agent_id: str | None
    """The subagent that started it; null = the session itself."""
    tool_use_id: str | None
    """The call that started it; null = not known."""
    type: str | None
    """Its agent type as the client wrote it; null = not written."""
    description: str | None
    """What it was told to do, in the words of the call; null = not written."""
    model: str | None
    """Model that answered; null = no response yet."""
    tokens: TokenCounts
    """What it spent itself."""
    state: SubagentState
    """How it ended."""
    transcript: str | None
    """URI of its transcript; null = its records stand in the session's own."""


@frozen(kw_only=True)
class SubagentsResult:
    """All subagents of a session, first started first."""

    agents: Sequence[Subagent]
    """Nested ones too: `parentAgentId` tells whose they are."""
