"""`forkpoint/search`: where do these words stand, in all that was said and done?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.rules import FileUri, Limit, Offset
from forkpoint.protocol.types.common import Agent, Indexing, Problem, Role
from forkpoint.protocol.types.sessions import Project, Scope, Title

HitFate = Literal["sent", "summarized", "notSent", "abandoned"]
"""As `Fate`, of the transcript that has the record, for the client that is installed; abandoned =
not on its active path."""

HitPart = Literal["prompt", "answer", "thinking", "toolInput", "toolOutput", "context"]
"""What of a record holds the words; prompt = what a person typed, also commands and shell lines;
context = what the client added by itself, its notices and summaries."""

QueryProblemCode = Literal["empty", "noWords", "openQuote", "badValue", "badDate", "tooLong"]
"""empty = nothing is asked for; noWords = there is no letter or digit to look for; openQuote = a
quotation mark has no partner; badValue = an operator with no value, or one it does not know;
badDate = no date; tooLong = too many words or characters."""


@frozen(kw_only=True)
class SearchParams:
    """What to look for, and where."""

    query: str
    """Words, which all must stand in one text of a record (a prompt, an answer, a call, an output),
    in any case and without regard to accents; `"a phrase"`; `prefix*`; and the operators `file:`
    `tool:` `branch:` `model:` `agent:` `in:` `after:` `before:` `is:`, whose values may be
    quoted."""
    folder: FileUri | None = None
    """The folder that `scope` speaks of; null = none."""
    scope: Scope = "all"
    """How far around `folder` to look."""
    agent: Agent | None = None
    """Only this agent's sessions; null = all."""
    session_id: str | None = None
    """Only this session, its subagents included; null = all."""
    offset: Offset = 0
    """Index of the first hit wanted."""
    limit: Limit | None = None
    """At most so many hits; null = 50. More than 500 are never given at once."""


@frozen(kw_only=True)
class MatchRange:
    """A stretch of a snippet that was looked for, in UTF-16 code units as LSP counts."""

    start: int
    """Its first unit."""
    end: int
    """The unit behind its last one."""


@frozen(kw_only=True)
class SearchHit:
    """A text that holds what was looked for, of a record; a record may have several."""

    session_id: str
    """Id of the session."""
    agent_id: str | None
    """The subagent in whose transcript it stands; null = the session's own."""
    title: Title
    """What to call the session."""
    project: Project
    """Where the session was started."""
    uuid: str
    """The record's uuid."""
    ordinal: int
    """Its ordinal in its transcript."""
    role: Role | None
    """What it is in the conversation; null = no part of one."""
    part: HitPart
    """What of it the snippet is from."""
    tool: str | None
    """Name of the tool that is called, or that answered; null = none."""
    file: str | None
    """URI of the file that the call, or the call that is answered, works on; null = none."""
    is_error: bool
    """Whether it is a tool's failure or an error of the API."""
    snippet: str
    """The text around the first match, one line of at most 200 characters, never markup."""
    ranges: Sequence[MatchRange]
    """What of the snippet was looked for, in order; empty when only operators were given."""
    at: str | None
    """When it was written; null = not written."""
    fate: HitFate
    """Whether the next request would carry it."""
    also_in: Sequence[str]
    """Ids of the sessions that have copies of the record, which are no hits of their own."""


@frozen(kw_only=True)
class QueryProblem:
    """Why a query could not be understood, and which part of it."""

    code: QueryProblemCode
    """The same word for the same problem, for programs."""
    sentence: str
    """The problem in words, for people."""
    start: int
    """First UTF-16 code unit of the part in question."""
    end: int
    """The unit behind its last one."""


@frozen(kw_only=True)
class SearchResult:
    """A page of the hits: prompts come first, then answers, calls, outputs, thinking and context.

    Of each the newest come first.
    """

    hits: Sequence[SearchHit]
    """The page."""
    total: int
    """How many texts hold it, on all pages; of more than 1,000 the newest are given."""
    total_is_lower_bound: bool
    """Whether there may be more: the rest was not looked at, or is not read yet."""
    indexing: Indexing | None
    """How many of the transcripts asked about can be searched; null = all of them."""
    problem: QueryProblem | None
    """Why nothing was looked for; null = the query was understood."""
    notes: Sequence[Problem]
    """What else to know about the answer, such as that outputs of tools are left out."""
