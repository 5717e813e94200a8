"""What the first line of a rollout says of its thread: whether another thread started it.

Asked of each rollout before it is listed, so only as much as that is read. Threads of subagents
lie among all others. Releases around 0.104 name the parent inside `source`, later ones beside it
as well.
"""

from __future__ import annotations

from typing import Any, cast

import msgspec

from forkpoint import transcript_bytes
from forkpoint.disk import Unreadable
from forkpoint.records.words import one_line

FIRST = 64 * 1024
"""Bytes that are looked at: the agent's instructions stand in that line."""
LONGEST = 1024 * 1024
"""Bytes of a line behind which nothing is looked for any more."""


class RolloutHead(msgspec.Struct, frozen=True):
    """The facts; None where the line does not name them.

    Attributes:
        parent_id: the thread that started this one.
        role: what the subagent was started as.
        nickname: what it is called meanwhile.
    """

    parent_id: str | None = None
    role: str | None = None
    nickname: str | None = None


NOTHING = RolloutHead()


class _Meta(msgspec.Struct):
    """Anything may stand there: what is no text or object counts as absent."""

    parent_thread_id: Any = None
    agent_role: Any = None
    agent_nickname: Any = None
    source: Any = None


class _Line(msgspec.Struct):
    payload: _Meta | None = None


_line = msgspec.json.Decoder(_Line)


def head_of(path: str) -> RolloutHead | None:
    """Read a rollout's first line; None while there is no whole one, or it cannot be read."""
    try:
        data = transcript_bytes.read_span(path, 0, FIRST)
        if b"\n" not in data and len(data) == FIRST:
            data = transcript_bytes.read_span(path, 0, LONGEST)
    except Unreadable:
        return None
    line, end, _ = data.partition(b"\n")
    if not end:
        return NOTHING if len(data) >= LONGEST else None
    return _head(line)


def _head(line: bytes) -> RolloutHead:
    try:
        meta = _line.decode(line).payload
    except (msgspec.DecodeError, UnicodeDecodeError):
        return NOTHING
    if meta is None:
        return NOTHING
    spawn = _object(_object(_object(meta.source).get("subagent")).get("thread_spawn"))
    return RolloutHead(
        parent_id=_text(meta.parent_thread_id) or _text(spawn.get("parent_thread_id")),
        role=_text(meta.agent_role) or _text(spawn.get("agent_role")),
        nickname=_text(meta.agent_nickname) or _text(spawn.get("agent_nickname")),
    )


def _object(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return one_line(value) or None if isinstance(value, str) else None
