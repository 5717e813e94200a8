"""`forkpoint/usage`: what was spent, by what?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.rules import Day, FileUri
from forkpoint.protocol.types.common import Agent, Indexing, Problem, TokenCounts
from forkpoint.protocol.types.sessions import Scope, Title

UsageDimension = Literal["session", "day", "month", "project", "model", "agent", "subagent"]
"""project = the main checkout of the repository a session was started in, else its directory;
agent = the coding agent; subagent = the conversation itself, and each subagent with its own
transcript."""


@frozen(kw_only=True)
class UsageParams:
    """What to sum up, and by what."""

    by: Sequence[UsageDimension] | None = None
    """A row for each that occurs together, in this order; null = the total alone."""
    folder: FileUri | None = None
    """The folder that `scope` speaks of; null = none."""
    scope: Scope = "all"
    """How far around `folder` sessions count."""
    since: Day | None = None
    """First day that counts; null = from the beginning."""
    until: Day | None = None
    """Last day that counts; null = to the end."""
    agent: Agent | None = None
    """Only this agent's sessions; null = all."""
    session_id: str | None = None
    """Only this session, which is read now; null = all that are read."""
    time_zone: str | None = None
    """Name of the zone whose days count, as Europe/Berlin; null = that of the server's machine."""
    with_text: bool = False
    """Also give the answer as a text to read."""


@frozen(kw_only=True)
class UsageAmount:
    """What some responses come to; each counts once, whichever files hold it."""

    responses: int
    """How many."""
    tokens: TokenCounts
    """Their tokens."""
    cost_usd: float | None
    """US dollars at list prices, or the user's own, of those with a known price; null = none of
    them has one."""
    unpriced: int
    """Responses without a known price: their dollars come on top."""


@frozen(kw_only=True)
class UsageSums:
    """A sum, with what subagents spent of it told apart."""

    sessions: int
    """How many sessions have a part in it."""
    both: UsageAmount
    """Of conversations and their subagents."""
    own: UsageAmount
    """Of conversations themselves."""
    subagents: UsageAmount
    """Of their subagents."""


@frozen(kw_only=True)
class UsageProject:
    """What counts as one project."""

    path: str | None
    """The directory; null = not written."""
    name: str
    """Its last part, else the name of the agent's folder for it."""


@frozen(kw_only=True)
class UsageRow(UsageSums):
    """A sum by what `by` names. What it does not name is null."""

    session_id: str | None
    """The session."""
    title: Title | None
    """What to call the session."""
    day: str | None
    """The day, 2026-11-30; null also of responses without a time."""
    month: str | None
    """The month, 2026-11; null also of responses without a time."""
    project: UsageProject | None
    """The project."""
    model: str | None
    """The model, as its responses name it; null also where they name none."""
    agent: Agent | None
    """The coding agent."""
    subagent_id: str | None
    """The subagent; null also of the conversation itself."""


@frozen(kw_only=True)
class UsageResult:
    """Sums over what is read by now."""

    rows: Sequence[UsageRow]
    """By the first of `by`, then by the next: days and months in their order, all else by what it
    cost, the dearest first."""
    total: UsageSums
    """All rows."""
    notes: Sequence[Problem]
    """What to know about the numbers: what dollars mean, and what they leave out."""
    text: str | None
    """The same as a text to read; null = not asked for."""
    indexing: Indexing
    """How far the first reading has come; what is not read yet is not in the answer."""
