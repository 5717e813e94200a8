"""What did Claude Code tell its status line of a session's prompt cache, and when?

From 2.1.251 on the command of a status line is handed an object `prompt_cache`, once the main
conversation has had an answer in this process. `status_line_helper` keeps it in a file per session,
and here it is read. The object was watched with 2.1.300, 2.1.326 and 2.1.332
(fixtures/status-line); its fields are documented in the client's page on status lines.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
import orjson

from forkpoint import at_path, disk
from forkpoint.cache_folder import cache_folder
from forkpoint.layout import is_session_id

MOST_BYTES = 64 * 1024
"""Of a file, and of what a status line is told: the real thing has about 1.5 KB."""

KEPT: dict[str, Any] = {
    "session_id": None,
    "version": None,
    "model": {"id": None},
    "context_window": {
        "context_window_size": None,
        "current_usage": {"cache_read_input_tokens": None, "cache_creation_input_tokens": None},
    },
    "prompt_cache": {
        "warm": None,
        "caching_observed": None,
        "ttl": None,
        "expires_at": None,
        "last_miss_at": None,
        "last_miss_cause": {"causes": None},
        "recache_tokens_if_cold": None,
    },
}
"""The fields that are read, by their place; no other is stored."""

CAUSES = frozenset({
    "system_prompt_changed", "tools_changed", "model_changed", "fast_mode_changed",
    "cache_scope_or_ttl_changed", "betas_changed", "effort_changed", "thinking_mode_changed",
    "thinking_display_changed", "auto_mode_changed", "overage_changed", "extra_body_changed",
    "defer_loading_changed", "messages_rewritten", "ttl_expired_5m", "ttl_expired_1h",
    "likely_server_side", "unknown",
})  # fmt: skip
"""Causes of a miss that 2.1.332 can name."""

_TTLS = {"5m": 300, "1h": 3600}
_LATEST_SECOND = 10**10
_LONGEST_NAME = 200


class StatusLineCache(msgspec.Struct, frozen=True, kw_only=True):
    """What the client last said of the cache; None where it did not, or said something odd.

    Attributes:
        version: of the client that said it.
        model: id of the model chosen then. After a switch the rest is still about the model before,
            until the next answer.
        ttl_seconds: lifetime that the last request asked for.
        expires_at: end of it, counted from the start of that request and rounded up to a second;
            None when the last answer told of no cached tokens. A compaction moves it too.
        last_request_at: that start, up to a second late.
        read_tokens, created_tokens: of the last answer; 0 or None right after a compaction.
        tokens_if_cold: what the next request would write if the cache were gone; None right after
            a compaction.
        is_warm: whether the lifetime ran when it was said.
        is_used: whether any answer told of cached tokens; False = caching is off, or the provider
            does not tell.
        last_miss_at: when the client last saw a miss that no compaction explains.
        miss_causes: its guesses why, of `CAUSES`; empty when it has none.
        written_at: when it said so.
        window_tokens: size of the model's context window.

    Times are ms since 1970.
    """

    version: str | None
    model: str | None
    ttl_seconds: int | None
    expires_at: int | None
    last_request_at: int | None
    read_tokens: int | None
    created_tokens: int | None
    tokens_if_cold: int | None
    is_warm: bool | None
    is_used: bool | None
    last_miss_at: int | None
    miss_causes: tuple[str, ...]
    written_at: int
    window_tokens: int | None = None


def status_line_cache(session_id: str, folder: Path) -> StatusLineCache | None:
    """Read what is kept of a session; None if nothing is, or nothing that can be used.

    It may be older than the session: compare `last_request_at` with the transcript.
    """
    if not is_session_id(session_id):
        return None
    path = kept_file(folder, session_id)
    try:
        said = orjson.loads(disk.read_small(path, MOST_BYTES))
    except (disk.Unreadable, orjson.JSONDecodeError):
        return None
    written_at = at_path.changed_at(path)
    if written_at is None or not tells_of_cache(said) or at(said, "session_id") != session_id:
        return None
    cache, usage = at(said, "prompt_cache"), at(said, "context_window", "current_usage")
    ttl, expires_at = _ttl(at(cache, "ttl")), _time(at(cache, "expires_at"))
    return StatusLineCache(
        version=_name(at(said, "version")),
        model=_name(at(said, "model", "id")),
        ttl_seconds=ttl,
        expires_at=expires_at,
        last_request_at=None if ttl is None or expires_at is None else expires_at - ttl * 1000,
        read_tokens=_count(at(usage, "cache_read_input_tokens")),
        created_tokens=_count(at(usage, "cache_creation_input_tokens")),
        tokens_if_cold=_count(at(cache, "recache_tokens_if_cold")),
        is_warm=_yes_or_no(at(cache, "warm")),
        is_used=_yes_or_no(at(cache, "caching_observed")),
        last_miss_at=_time(at(cache, "last_miss_at")),
        miss_causes=_causes(at(cache, "last_miss_cause", "causes")),
        written_at=written_at,
        window_tokens=_count(at(said, "context_window", "context_window_size")) or None,
    )


def status_line_folder(
    environ: Mapping[str, str], home: str | Path, *, platform: str = sys.platform
) -> Path:
    """Folder with a file per session: a place for caches, so it may be deleted at any time.

    Args:
        environ: Environment variables; a value that is no absolute path counts as not set.
        home: The user's home folder.
        platform: As `sys.platform` names it.
    """
    return cache_folder(environ, home, platform=platform) / "status-line"


def kept_file(folder: Path, session_id: str) -> Path:
    """Where a session's object is kept; the id has been checked."""
    return folder / f"{session_id}.json"


def at(value: object, *keys: str) -> object:
    """What stands at a place of a JSON value; None if there is no such place."""
    for key in keys:
        value = cast("dict[str, object]", value).get(key) if isinstance(value, dict) else None
    return value


def tells_of_cache(said: object) -> bool:
    """Whether the object is there: from 2.1.251 on, and from the process's first answer on."""
    return isinstance(at(said, "prompt_cache"), dict)


def _ttl(value: object) -> int | None:
    return _TTLS.get(value) if isinstance(value, str) else None


def _time(value: object) -> int | None:
    """Seconds since 1970 as milliseconds."""
    seconds = _count(value)
    return seconds * 1000 if seconds is not None and 0 < seconds < _LATEST_SECOND else None


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value


def _yes_or_no(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _name(value: object) -> str | None:
    if not isinstance(value, str) or not value.isprintable():
        return None
    return value if 0 < len(value) <= _LONGEST_NAME else None


def _causes(value: object) -> tuple[str, ...]:
    named = cast("list[object]", value) if isinstance(value, list) else []
    return tuple(cause for cause in named if isinstance(cause, str) and cause in CAUSES)
