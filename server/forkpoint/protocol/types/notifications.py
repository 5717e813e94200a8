"""What the server tells without being asked."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from forkpoint.protocol.types.common import LiveProcess, Tip
from forkpoint.protocol.types.watch import RunningCall


@frozen(kw_only=True)
class DidChangeCatalogParams:
    """Which rows of the session list are no longer what they were. Changes come together."""

    added: Sequence[str]
    """Ids of new sessions."""
    changed: Sequence[str]
    """Ids of sessions whose summary changed."""
    removed: Sequence[str]
    """Ids of sessions that are gone."""


@frozen(kw_only=True)
class DidChangeSessionParams:
    """What happened to a followed session. Changes that come fast are told together."""

    session_id: str
    """The session's id."""
    agent_id: str | None
    """The subagent whose transcript it is; null = the session's own."""
    first_new: int | None
    """Ordinal of the first new record; null = there is none."""
    last_new: int | None
    """Ordinal of the last new record; null = there is none."""
    reread: bool
    """Whether the file was cut or replaced: ordinals known from before mean nothing now."""
    gone: bool
    """Whether the file is no longer there; what was read of it goes on answering."""
    leaf_moved: bool
    """Whether the active leaf is another record than before."""
    leaf: str | None
    """uuid of the active leaf; null = the next prompt begins anew."""
    tip: Tip
    """How the active path ends."""
    running: Sequence[RunningCall]
    """Calls at its end without a result, and subagents that work in the background."""
    new_branch: bool
    """Whether the conversation went another way: a branch point is new, or has one way more."""
    checkpoint_files: Sequence[str]
    """URIs of files whose state the new records keep."""
    live: LiveProcess | None
    """The client that has the session open; null = none is known to."""
