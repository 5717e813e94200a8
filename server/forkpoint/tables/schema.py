"""Which tables are there, and what does each column hold?

TABLES.md says the same for people; a test holds the two together. Names are never changed or given
another meaning, since queries are kept over years: what is new comes at the end of its table.
"""

from __future__ import annotations

from typing import Literal

import msgspec

VERSION = "1"
"""Another one where a column went or means something else."""

Type = Literal["text", "texts", "integer", "decimal", "time", "boolean"]
"""texts = a list of text; integer = 64 bits; decimal = a double; time = a moment in UTC, to the
millisecond."""

Content = Literal["fact", "name", "line", "words"]
"""fact = an id, a number, one of some words; name = what a person or a machine calls something:
paths, branches, tags; line = a title, which may be the beginning of a prompt; words = other texts
of a transcript, written only if they are asked for."""


class Column(msgspec.Struct, frozen=True):
    """A column.

    Attributes:
        about: a sentence without its full stop, in Markdown; says what null means where that is
            not merely "not written".
        unit: of a number.
        content: what kind of text it may hold.
    """

    name: str
    type: Type
    about: str
    unit: str | None = None
    content: Content = "fact"


class Table(msgspec.Struct, frozen=True):
    """A table; its file is called like it.

    Attributes:
        about: what a row is, and in which order rows come.
        request: what is asked for its rows.
    """

    name: str
    about: str
    request: str
    columns: tuple[Column, ...]

    @property
    def file_name(self) -> str:
        """Name of its file."""
        return f"{self.name}.parquet"


def _tokens(prefix: str, whose: str) -> tuple[Column, ...]:
    return tuple(
        Column(f"{prefix}{name}_tokens", "integer", f"{about}, {whose}", "tokens")
        for name, about in (
            ("input", "sent, neither read from the cache nor written to it"),
            ("output", "generated"),
            ("cache_read", "read from the prompt cache"),
            ("cache_write_5m", "written to the cache for five minutes"),
            ("cache_write_1h", "written to the cache for one hour"),
        )
    )


_HOST = Column("host", "text", "the machine, as `--host` names it; null = not asked for")
_AGENT = Column("agent", "text", "the coding agent that wrote the session")
_SESSION = Column("session_id", "text", "the session's id")
_IN_AGENT = (
    Column("agent_id", "text", "the subagent; null = the session itself"),
    Column("agent_type", "text", "the subagent's type; null = none, or not written"),
)

SESSIONS = Table(
    "sessions",
    "A row per session, the newest first. Numbers are null where its transcript cannot be read.",
    "forkpoint/sessions",
    (
        _HOST,
        _AGENT,
        _SESSION,
        Column("title", "text", "what to call it; empty = nothing tells", content="line"),
        Column("title_source", "text", "where the title comes from: `custom` = a person gave it"),
        Column("first_prompt", "text", "first words of the first prompt", content="words"),
        Column("tag", "text", "the tag that a person gave", content="name"),
        Column("agent_name", "text", "the name that the client gave the agent", content="name"),
        Column("project", "text", "last part of the directory of its start", content="name"),
        Column("project_key", "text", "name of its folder below `projects`", content="name"),
        Column("cwd", "text", "the directory of its start", content="name"),
        Column("worktree_of", "text", "main checkout if `cwd` is a worktree", content="name"),
        Column("git_branch", "text", "branch of the newest record", content="name"),
        Column("config_dir", "text", "config folder; null = the usual one", content="name"),
        Column("transcript", "text", "path of the transcript", content="name"),
        Column("version", "text", "newest client version that wrote to it"),
        Column("models", "texts", "models that answered, first use first"),
        Column("entrypoint", "text", "what the client ran in, such as `cli` or `sdk-py`"),
        Column("created_at", "time", "of the first record"),
        Column("updated_at", "time", "of the last record"),
        Column("modified_at", "time", "last change of the file"),
        Column("size_bytes", "integer", "size of the transcript", "bytes"),
        Column("prompt_count", "integer", "prompts of a person, on all branches"),
        Column("response_count", "integer", "answers of the model, on all branches"),
        Column("branch_count", "integer", "abandoned branches"),
        Column("compaction_count", "integer", "compactions"),
        Column("checkpoint_file_count", "integer", "files with at least one checkpoint"),
        Column("subagent_count", "integer", "subagents started"),
        *_tokens("", "by the session itself"),
        *_tokens("subagent_", "by its subagents"),
        *_tokens("inherited_", "as told by records copied from another session; null = none"),
        Column(
            "cost_usd",
            "decimal",
            "API price of what it and its subagents spent; null = a price is not known",
            "US dollars",
        ),
        Column("context_tokens", "integer", "size of the context at the tip", "tokens"),
        Column("tip", "text", "how the active path ends, such as `complete` or `interrupted`"),
        Column("forked_from", "text", "id of the session it was copied from; null = not copied"),
        Column("fork_evidence", "text", "what shows that it was copied"),
        Column("pull_requests", "texts", "pages of pull requests linked to it", content="name"),
        Column("archived", "boolean", "whether it was archived"),
        Column("expires_at", "time", "when the agent's retention deletes it; null = not known"),
        Column("problems", "texts", "codes of what to know about its files"),
    ),
)

REQUESTS = Table(
    "requests",
    "A row per answered request, subagents' included, each once: what a fork copied is its "
    "origin's. Requests of a subagent whose records stand in the session's own file (Claude Code "
    "1.x) are not listed; `subagent_…_tokens` of the session have their sums.",
    "forkpoint/cacheHistory",
    (
        _HOST,
        _AGENT,
        _SESSION,
        *_IN_AGENT,
        Column("message_id", "text", "the API's id of the answer"),
        Column("uuid", "text", "uuid of the answer's first record; empty = it has none"),
        Column("ordinal", "integer", "ordinal of that record in its transcript, from 0"),
        Column("answered_at", "time", "when the answer began; null = not written, or no time"),
        Column("model", "text", "model that answered"),
        Column("ttl", "text", "lifetime of its cache: `5m`, `1h`, `mixed` or `off`"),
        *_tokens("", "by this request"),
        Column("cost_usd", "decimal", "its API price; null = not known", "US dollars"),
        Column(
            "break_lost_tokens",
            "integer",
            "what the cache should have served and did not; null = nothing, as all of `break_…`",
            "tokens",
        ),
        Column("break_cost_usd", "decimal", "what that cost; null also = not known", "US dollars"),
        Column("break_cause", "text", "why, such as `expired`, `compaction` or `model`"),
        Column("break_certainty", "text", "`certain`, `likely` or `unknowable`"),
        Column("break_expected", "boolean", "whether somebody asked for what broke it"),
    ),
)

TOOL_CALLS = Table(
    "tool_calls",
    "A row per call of a tool, subagents' included, on all branches, in file order.",
    "forkpoint/toolCalls",
    (
        _HOST,
        _AGENT,
        _SESSION,
        *_IN_AGENT,
        Column("tool_use_id", "text", "id that call and result share"),
        Column("name", "text", "the tool's name"),
        Column("uuid", "text", "uuid of the record with the call; empty = it has none"),
        Column("ordinal", "integer", "ordinal of that record in its transcript, from 0"),
        Column("called_at", "time", "when the call was made; null = not written, or no time"),
        Column("state", "text", "`ok`, `error`, `denied`, `pending` or `interrupted`"),
        Column("files", "texts", "paths of the files it works on", content="name"),
        Column("summary", "text", "the call in one line", content="words"),
        Column("started_agent_id", "text", "the subagent it started; null = none"),
        Column("on_active_path", "boolean", "whether its record lies on the active path"),
        Column(
            "inherited",
            "boolean",
            "whether the session that this one was copied from has the call, too; "
            "null = that session is not there",
        ),
    ),
)

FILE_VERSIONS = Table(
    "file_versions",
    "A row per state of a file that a session recorded, by session and file, the oldest first.",
    "forkpoint/checkpoints",
    (
        _HOST,
        _AGENT,
        _SESSION,
        Column("file", "text", "path of the file", content="name"),
        Column("version", "integer", "the agent's number, from 1 in each session"),
        Column("owner_session_id", "text", "the session in whose backups the content lies"),
        Column("backup", "text", "name of the copy; null = none", content="name"),
        Column("state", "text", "`present`, `pruned` (the copy is gone) or `absent` (no file)"),
        Column("kind", "text", "what became of the file since the version before"),
        Column(
            "recorded_at",
            "time",
            "when the agent looked at the file; null = not written, or no time",
        ),
        Column("prompt_uuid", "text", "the prompt before which the file was so"),
        Column("prompt_preview", "text", "first words of that prompt", content="words"),
        Column("is_first", "boolean", "whether it is the state before the session's first edit"),
        Column("on_active_path", "boolean", "whether its prompt lies on the active path"),
        Column("size_bytes", "integer", "size of the content; null = not there", "bytes"),
        Column("is_binary", "boolean", "whether the content is no text"),
        Column("added_lines", "integer", "lines that the version before lacks; null = unknown"),
        Column("removed_lines", "integer", "lines that only the version before has; likewise"),
        Column("source", "text", "`backup`, or `toolResult` where the first copy came too late"),
        Column(
            "inherited",
            "boolean",
            "whether the session that this one was copied from names the version, too; "
            "null = that session is not there",
        ),
    ),
)

TABLES = (SESSIONS, REQUESTS, TOOL_CALLS, FILE_VERSIONS)
