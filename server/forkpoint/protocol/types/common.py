"""Shapes that several requests share."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

Agent = Literal["claude-code", "codex"]
"""The coding agent that wrote a session."""

Role = Literal[
    "prompt",
    "response",
    "toolResult",
    "compactSummary",
    "compactBoundary",
    "command",
    "shell",
    "injected",
    "attachment",
    "system",
    "interrupt",
    "apiError",
]
"""What a record is in the conversation. What a command or a shell line put out has its role."""

Fate = Literal["sent", "summarized", "notSent"]
"""sent = content of the next request; summarized = before the newest compaction, readable but not
sent; notSent = on the path, but never part of a request."""

Tip = Literal[
    "complete",
    "awaitingAnswer",
    "toolRunningOrLost",
    "stoppedAfterTool",
    "interrupted",
    "apiError",
    "empty",
]
"""How the active path ends."""


@frozen(kw_only=True)
class SessionReference:
    """Names one transcript: a session's own, or that of one of its subagents."""

    session_id: str
    """The session's id. Where it lies in several places the newest file answers."""
    agent_id: str | None = None
    """The subagent's id; null = the session's own transcript."""


@frozen(kw_only=True)
class TokenCounts:
    """Tokens, counted once per response by the numbers of its last line."""

    input: int
    """Tokens sent that were neither read from nor written to the cache."""
    output: int
    """Tokens generated."""
    cache_read: int
    """Tokens read from the prompt cache."""
    cache_write_5m: int
    """Tokens written to the cache with a lifetime of five minutes."""
    cache_write_1h: int
    """Tokens written to the cache with a lifetime of one hour."""


@frozen(kw_only=True)
class Problem:
    """Something a person should know about what was read."""

    code: str
    """The same word for the same problem, for programs."""
    sentence: str
    """The problem in words, for people."""


@frozen(kw_only=True)
class Indexing:
    """How far the first reading of all transcripts has come."""

    done: int
    """Transcripts whose contents are known."""
    total: int
    """Transcripts found; `done` equals `total` when nothing is left to read."""


@frozen(kw_only=True)
class LiveProcess:
    """The running client that holds a session."""

    status: str
    """As the client wrote it: busy, idle or waiting."""
    waiting_for: str | None
    """What it waits for, as the client wrote it, such as `permission prompt`, or `dialog open` for
    a menu that the user opened; null = nothing is written."""
    pid: int
    """Its process id."""
