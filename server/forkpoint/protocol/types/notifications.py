"""What the server tells without being asked."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from forkpoint.protocol.types.common import LiveProcess


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
    """What was appended to a watched session, in ordinals; the client fetches what it shows."""

    session_id: str
    """The session's id."""
    agent_id: str | None
    """The subagent whose transcript grew; null = the session's own."""
    first_new: int | None
    """Ordinal of the first new record; null = none is new."""
    last_new: int | None
    """Ordinal of the last new record; null = none is new."""
    leaf_moved: bool
    """Whether the active leaf is another one now."""
    leaf: str | None
    """uuid of the active leaf; null = none."""
    new_branch: bool
    """Whether a branch began."""
    checkpoint_files: Sequence[str]
    """URIs of the files that got a checkpoint."""
    live: LiveProcess | None
    """The client that has it open; null = none."""
