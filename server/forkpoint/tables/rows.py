"""An answer's rows as rows of the tables: flat, with paths in place of URIs, times as numbers.

Left out is what only holds at the moment of asking: running clients, the clock of the cache.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.protocol import types
from forkpoint.protocol.uri import path_of

Row = dict[str, Any]
"""Values by column; times are milliseconds since 1970."""


def session_row(session: types.SessionSummary) -> Row:
    """Return the row of a session."""
    origin = session.forked_from
    return {
        **_names(session),
        "git_branch": session.git_branch,
        "config_dir": session.config_dir,
        "transcript": path_of(session.transcript),
        "version": session.version,
        "models": session.models,
        "entrypoint": session.entrypoint,
        "created_at": moment(session.created_at),
        "updated_at": moment(session.updated_at),
        "modified_at": moment(session.modified_at),
        "size_bytes": session.size_bytes,
        "prompt_count": session.prompt_count,
        "response_count": session.response_count,
        "branch_count": session.branch_count,
        "compaction_count": session.compaction_count,
        "checkpoint_file_count": session.checkpoint_file_count,
        "subagent_count": session.subagent_count,
        **_tokens("", session.tokens),
        **_tokens("subagent_", session.subagent_tokens),
        **_tokens("inherited_", session.inherited_tokens),
        "cost_usd": session.cost_usd,
        "context_tokens": session.context_tokens,
        "tip": session.tip,
        "forked_from": origin.session_id if origin else None,
        "fork_evidence": origin.evidence if origin else None,
        "pull_requests": [each.url for each in session.pull_requests if each.url is not None],
        "archived": session.archived,
        "expires_at": moment(session.expires_at),
        "problems": [problem.code for problem in session.problems],
    }


def _names(session: types.SessionSummary) -> Row:
    project = session.project
    return {
        "agent": session.agent,
        "session_id": session.session_id,
        "title": session.title.text,
        "title_source": session.title.source,
        "first_prompt": session.first_prompt,
        "tag": session.tag,
        "agent_name": session.agent_name,
        "project": project.name,
        "project_key": project.key,
        "cwd": project.cwd,
        "worktree_of": project.worktree_of,
    }


def _tokens(prefix: str, counts: types.TokenCounts | None) -> Row:
    return {
        f"{prefix}{name}_tokens": getattr(counts, name) if counts else None
        for name in ("input", "output", "cache_read", "cache_write_5m", "cache_write_1h")
    }


def request_row(request: types.CacheRequest) -> Row:
    """Return the row of a request; whose it is comes from who asked."""
    broken = request.break_
    return {
        "message_id": request.message_id,
        "uuid": request.uuid,
        "ordinal": request.ordinal,
        "answered_at": moment(request.at),
        "model": request.model,
        "ttl": request.ttl,
        "input_tokens": request.input,
        "output_tokens": request.output,
        "cache_read_tokens": request.cache_read,
        "cache_write_5m_tokens": request.cache_write_5m,
        "cache_write_1h_tokens": request.cache_write_1h,
        "cost_usd": request.cost_usd,
        "break_lost_tokens": broken.lost_tokens if broken else None,
        "break_cost_usd": broken.cost_usd if broken else None,
        "break_cause": broken.cause if broken else None,
        "break_certainty": broken.certainty if broken else None,
        "break_expected": broken.expected if broken else None,
    }


def call_row(call: types.ToolCall) -> Row:
    """Return the row of a call; whose it is, and whether it is a copy, comes from who asked."""
    return {
        "tool_use_id": call.tool_use_id,
        "name": call.name,
        "uuid": call.uuid,
        "ordinal": call.ordinal,
        "called_at": moment(call.at),
        "state": call.state,
        "files": [path_of(file) for file in call.files],
        "summary": call.summary,
        "started_agent_id": call.subagent.agent_id if call.subagent else None,
        "on_active_path": call.on_active_path,
    }


def version_rows(histories: Iterable[types.FileHistory]) -> list[Row]:
    """Return the rows of the files of a session."""
    return [
        {"file": path_of(history.file), **_version_row(version)}
        for history in histories
        for version in history.versions
    ]


def _version_row(version: types.FileVersion) -> Row:
    prompt = version.prompt
    return {
        "version": version.version,
        "owner_session_id": version.session_id,
        "backup": version.backup,
        "state": version.state,
        "kind": version.kind,
        "recorded_at": moment(version.time),
        "prompt_uuid": prompt.uuid if prompt else None,
        "prompt_preview": prompt.preview if prompt else None,
        "is_first": version.first,
        "on_active_path": version.on_active_path,
        "size_bytes": version.size_bytes,
        "is_binary": version.binary,
        "added_lines": version.added,
        "removed_lines": version.removed,
        "source": version.source,
    }


def moment(time: str | None) -> int | None:
    """Return a time in milliseconds since 1970; None for what is none."""
    found = milliseconds(time)
    return None if found == NO_TIME else found
