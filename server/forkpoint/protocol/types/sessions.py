"""`forkpoint/sessions`: which sessions are there?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.rules import Days, FileUri, Limit, Offset
from forkpoint.protocol.types.common import (
    Agent,
    Indexing,
    LiveProcess,
    Problem,
    Tip,
    TokenCounts,
)

Scope = Literal["folder", "repository", "all"]
"""folder = sessions started in the folder; repository = in any worktree of its repository."""

TitleSource = Literal["custom", "ai", "summary", "lastPrompt", "firstPrompt", "command", "none"]
"""Where a title comes from; custom = a person gave it."""

ForkEvidence = Literal[
    "forkedFrom",
    "historyBase",
    "forkContextRef",
    "parentInOtherFile",
    "sameFirstUuid",
    "sameMessageIds",
]
"""What shows where a session came from, strongest first: a pointer in its records, a header that
says up to where it goes on from another file (Codex), a pointer of a forked agent, a parent that
lies in another file, the other file's first uuid, the other file's first message ids."""


@frozen(kw_only=True)
class SessionsParams:
    """Which sessions to list."""

    folder: FileUri | None = None
    """The folder that `scope` speaks of; null = none."""
    scope: Scope = "all"
    """How far around `folder` to look."""
    query: str | None = None
    """Text to find in title, first lines of prompts, branch, tag or id, ignoring case."""
    include_programmatic: bool = False
    """Also sessions that a program drove (entrypoints of the SDKs, daemons)."""
    include_archived: bool = False
    """Also sessions that were archived."""
    agent: Agent | None = None
    """Only this agent's sessions; null = all."""
    expiring: Days | None = None
    """Only sessions that the agent's own clean-up deletes within so many days; null = all."""
    offset: Offset = 0
    """Index of the first session wanted."""
    limit: Limit | None = None
    """At most so many sessions; null = all that follow."""


@frozen(kw_only=True)
class Project:
    """Where a session was started."""

    key: str
    """Name of its folder below the agent's `projects`; for a session of Codex, which has no such
    folders, what Claude Code would call it."""
    cwd: str | None
    """The directory as the agent wrote it, which may be of another machine; null = not written."""
    name: str
    """The directory's last part, for display."""
    worktree_of: str | None
    """Main checkout of the repository when `cwd` is a linked worktree, else null."""
    exists: bool
    """Whether `cwd` is a directory here and now."""


@frozen(kw_only=True)
class Title:
    """What to call a session."""

    text: str
    """One line; empty when `source` is none."""
    source: TitleSource
    """Where the text comes from."""


@frozen(kw_only=True)
class ForkOrigin:
    """The session that another one was copied from."""

    session_id: str
    """Id of the session copied from."""
    evidence: ForkEvidence
    """What shows it."""


@frozen(kw_only=True)
class PullRequest:
    """A pull request that the agent linked to a session."""

    number: int | None
    """Its number; null = not written."""
    url: str | None
    """Its page; null = not written."""
    repository: str | None
    """owner/name; null = not written."""


@frozen(kw_only=True)
class SharedFile:
    """A file that two live sessions have in their checkpoints: one may overwrite the other."""

    file: str
    """URI of the file."""
    session_ids: Sequence[str]
    """The other live sessions."""


@frozen(kw_only=True)
class SessionCache:
    """What the clock alone says of a session's cached prefix; `cacheImpact` says the rest."""

    ttl_seconds: int | None
    """Lifetime after each use; null = not known, or no cache was used."""
    expires_at: str | None
    """When it expires, at the earliest; null = no lifetime is known, or no cache was used."""
    expires_by: str | None
    """When it expires, at the latest, if no request uses it before."""
    cost_usd_cold: float | None
    """What going on costs when it is gone, in US dollars; null = no price is known."""


@frozen(kw_only=True)
class SessionSummary:
    """One row of the list. A number is null until its transcript is indexed."""

    session_id: str
    """The session's id, which is also the name of its file."""
    resume_id: str
    """What its agent resumes it by: mostly that id. A thread of Codex that was taken back goes on
    in a further file: a session here with an id of its own, and the thread's id to resume it by."""
    agent: Agent
    """The agent that wrote it."""
    transcript: str
    """URI of the transcript."""
    config_dir: str | None
    """Config folder that a client has to be told to find it; null = it finds it by itself."""
    project: Project
    """Where it was started."""
    title: Title
    """What to call it."""
    first_prompt: str | None
    """The first prompt a person gave, one line of at most 200 characters; null = none (yet)."""
    tag: str | None
    """The tag a person gave; null = none."""
    agent_name: str | None
    """The name the client gave the running agent; null = none."""
    git_branch: str | None
    """Branch of the newest record; null = not written."""
    version: str | None
    """Newest client version that wrote to it; null = not written."""
    models: Sequence[str]
    """Models that answered, first use first."""
    created_at: str | None
    """Time of the first record; null = no record has one."""
    updated_at: str | None
    """Time of the last record; null = no record has one."""
    modified_at: str
    """Time of the last change of the file."""
    size_bytes: int
    """Size of the transcript."""
    prompt_count: int | None
    """Prompts a person gave, on all branches, without those that were copied from another session:
    they count there."""
    inherited_prompt_count: int | None
    """Prompts that were copied from another session; null also when none were."""
    response_count: int | None
    """Answers of the model, on all branches, without copied ones; one that takes several records
    counts once."""
    branch_count: int | None
    """Abandoned branches."""
    compaction_count: int | None
    """Compactions."""
    checkpoint_file_count: int | None
    """Files with at least one checkpoint."""
    subagent_count: int | None
    """Subagents started."""
    tokens: TokenCounts | None
    """What this session spent itself, without subagents and without copied records."""
    subagent_tokens: TokenCounts | None
    """What its subagents spent."""
    inherited_tokens: TokenCounts | None
    """What records copied from another session carry; null also when none were copied."""
    cost_usd: float | None
    """US dollars for `tokens` and `subagentTokens`; null also when a price is not known."""
    context_tokens: int | None
    """Size of the context at the tip; null also before the first response."""
    cache: SessionCache | None
    """Of its prefix in the prompt cache; null also before the first response."""
    tip: Tip | None
    """How the active path ends."""
    live: LiveProcess | None
    """The client that has it open; null = none."""
    shared_files: Sequence[SharedFile]
    """Of a live session: files in its checkpoints that another live session has in its own."""
    forked_from: ForkOrigin | None
    """Where it was copied from; null = not copied, as far as known."""
    pull_requests: Sequence[PullRequest]
    """Pull requests linked to it."""
    entrypoint: str | None
    """What the client ran in (cli, claude-vscode, sdk-py ...); null = not written."""
    archived: bool
    """Whether it was archived."""
    expires_at: str | None
    """When the agent's own retention deletes it; null = not known or never."""
    problems: Sequence[Problem]
    """What to know about its files."""


@frozen(kw_only=True)
class SessionsResult:
    """A page of the list, newest `updatedAt` first."""

    sessions: Sequence[SessionSummary]
    """The page."""
    total: int
    """How many sessions fit the question, on all pages."""
    indexing: Indexing
    """How far the first reading has come."""
