"""`forkpoint/watch`, `forkpoint/unwatch`: what moves while the agent works?"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from forkpoint.protocol.types.common import LiveProcess, Tip


@frozen(kw_only=True)
class WatchParams:
    """Which session to follow, or to follow no longer."""

    session_id: str
    """The session's id."""


@frozen(kw_only=True)
class RunningCall:
    """A call on the active path that is not over: it runs, or was lost."""

    tool_use_id: str
    """Its id."""
    name: str
    """The tool's name."""
    file: str | None
    """URI of the file it works on; null = none is named."""
    summary: str
    """The call in one line of at most 200 characters."""
    in_background: bool
    """Whether the conversation goes on meanwhile: a subagent whose end was not told yet."""


@frozen(kw_only=True)
class WatchResult:
    """Where the session stands; `forkpoint/didChangeSession` tells what changes from here on."""

    total: int
    """Records in its transcript; the next one gets this ordinal."""
    leaf: str | None
    """uuid of the active leaf; null = the next prompt begins anew."""
    tip: Tip
    """How the active path ends."""
    running: Sequence[RunningCall]
    """Calls at its end without a result, and subagents that work in the background."""
    live: LiveProcess | None
    """The client that has the session open; null = none is known to."""


@frozen(kw_only=True)
class UnwatchResult:
    """Says that nothing more is told of the session."""

    session_id: str
    """The session's id, as asked."""
