"""`forkpoint/lineHistory`: who wrote the lines of a file?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.rules import FileUri
from forkpoint.protocol.types.checkpoints import PromptReference
from forkpoint.protocol.types.common import Indexing

LineAuthor = Literal["agent", "outside", "older", "unknown"]
"""agent = a tool call of the agent wrote them; outside = changed between recorded states, by a
person or by a command; older = they stood there before all that is recorded; unknown = older than
what was looked at."""


@frozen(kw_only=True)
class LineHistoryParams:
    """Which file is meant: as it is saved."""

    file: FileUri
    """The file."""


@frozen(kw_only=True)
class LineRun:
    """Lines that follow each other and have one author."""

    line: int
    """The first, 0-based."""
    end_line: int
    """The last."""
    by: LineAuthor
    """Who wrote them as they are now."""
    change: int | None
    """Index in `changes` of the call that wrote them; null = none did."""
    since: str | None
    """Of lines changed outside: the newest recorded time at which they were not there. Else null,
    as where no time is known."""
    until: str | None
    """Of lines changed outside: the oldest recorded time at which they were there; null = now."""


@frozen(kw_only=True)
class LineChange:
    """A tool call that wrote lines which are still there."""

    session_id: str
    """Its session."""
    agent_id: str | None
    """The subagent that made it; null = the session itself."""
    title: str
    """The session's title."""
    tool_use_id: str
    """The id that call and result share."""
    name: str
    """The tool's name."""
    uuid: str
    """uuid of the record that holds the call."""
    ordinal: int
    """Ordinal of that record in its transcript."""
    at: str | None
    """When it was made; null = not written."""
    prompt: PromptReference | None
    """The prompt that led to it, in the session's own transcript; null = none is known."""
    prompt_number: int | None
    """How manieth prompt that is on its way through the conversation, from 1; null likewise."""
    on_active_path: bool
    """Whether that way is the active path; false = a branch that was left."""


@frozen(kw_only=True)
class LineHistoryResult:
    """The authors of all lines."""

    runs: Sequence[LineRun]
    """In the order of the text; none for a file that no session edited."""
    changes: Sequence[LineChange]
    """The calls, newest first."""
    sentence: str
    """What a reader should know of the whole; empty = nothing."""
    indexing: Indexing
    """How far reading has come: edits of sessions that were not read yet are missing."""
