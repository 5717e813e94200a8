"""`forkpoint/abandoned`: which prompts were left behind, and what was answered to them?"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from forkpoint.protocol.rules import FileUri, Limit, Offset
from forkpoint.protocol.types.common import Agent, Indexing
from forkpoint.protocol.types.sessions import Project, Scope, Title


@frozen(kw_only=True)
class AbandonedParams:
    """Whose prompts to look for."""

    session_id: str | None = None
    """Only this session's; null = those of all that fit."""
    folder: FileUri | None = None
    """The folder that `scope` speaks of; null = none."""
    scope: Scope = "all"
    """How far around `folder` to look."""
    agent: Agent | None = None
    """Only this agent's sessions; null = all."""
    offset: Offset = 0
    """Index of the first prompt wanted."""
    limit: Limit | None = None
    """At most so many prompts; null = 50. More than 500 are never given at once."""


@frozen(kw_only=True)
class AbandonedPrompt:
    """A prompt that a person gave and that is not on the active path any more."""

    session_id: str
    """Id of the session."""
    title: Title
    """What to call the session."""
    project: Project
    """Where the session was started."""
    uuid: str
    """The prompt's uuid."""
    ordinal: int
    """Its ordinal."""
    at: str | None
    """When it was given; null = not written."""
    prompt: str
    """Its text, at most 20,000 characters of it."""
    answer: str
    """The text that answered it first, at most 2,000 characters; empty = there is none."""
    answer_uuid: str | None
    """uuid of the record that has the answer; null = there is none."""
    leaf: str
    """uuid of the newest record that follows from it, to open the way it went as a whole; the
    prompt's own when nothing does."""
    record_count: int
    """Records that follow from it, up to the next prompt on each way."""


@frozen(kw_only=True)
class AbandonedResult:
    """A page of what was left behind, the newest first."""

    prompts: Sequence[AbandonedPrompt]
    """The page."""
    total: int
    """How many there are, on all pages, as far as sessions are read."""
    indexing: Indexing | None
    """How many of the sessions asked about are read; null = all of them."""
