"""What several answers have in common."""

from __future__ import annotations

import posixpath
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from forkpoint.live import LiveClient
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.records.record import Role
from forkpoint.usage import Tokens

ROLES: dict[Role, types.Role | None] = {
    Role.STATE: None,
    Role.PROMPT: "prompt",
    Role.RESPONSE: "response",
    Role.TOOL_RESULT: "toolResult",
    Role.COMPACT_SUMMARY: "compactSummary",
    Role.COMPACT_BOUNDARY: "compactBoundary",
    Role.COMMAND: "command",
    Role.SHELL: "shell",
    Role.INJECTED: "injected",
    Role.ATTACHMENT: "attachment",
    Role.SYSTEM: "system",
    Role.INTERRUPT: "interrupt",
    Role.API_ERROR: "apiError",
}


def token_counts(tokens: Tokens) -> types.TokenCounts:
    """Return a sum of tokens as it goes over the wire."""
    return types.TokenCounts(
        input=tokens.input,
        output=tokens.output,
        cache_read=tokens.cache_read,
        cache_write_5m=tokens.cache_write_5m,
        cache_write_1h=tokens.cache_write_1h,
    )


def live_process(live: LiveClient | None) -> types.LiveProcess | None:
    """Write a running client."""
    if live is None:
        return None
    return types.LiveProcess(status=live.status, waiting_for=live.waiting_for, pid=live.pid)


def resolved_uri(path: str, start_cwd: str | None) -> str:
    """Return the URI of a path that the agent wrote; relative ones start at the session's start."""
    if path.startswith(("/", "\\\\")) or path[1:3] in (":\\", ":/") or start_cwd is None:
        return file_uri(path)
    separator = "\\" if "\\" in start_cwd else "/"
    joined = start_cwd.rstrip("/\\") + separator + path
    return file_uri(joined if separator == "\\" else posixpath.normpath(joined))


def uri_to_open(path: str, start_cwd: str | None) -> str | None:
    """Return the URI of a path that the agent wrote, for somebody to go there; be it there or not.

    None for one on another host: to look at it would already tell that host who is there.
    """
    if path.replace("\\", "/").startswith("//"):
        return None
    return resolved_uri(path, start_cwd)


@lru_cache(maxsize=8192)
def iso_time(milliseconds: float) -> str:
    """Return an ISO 8601 UTC time with milliseconds, as the agent writes them.

    Files may have any time: one before the year 1 or behind 9999 is told as the first or last of
    these, which is as far as ISO 8601 goes.
    """
    # Windows knows no time before 1970 as `fromtimestamp` asks for it.
    try:
        moment = _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        moment = _FIRST if milliseconds < 0 else _LAST
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
