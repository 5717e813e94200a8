"""Which attributes of an index are kept, one table per fold, and how the others are made of them.

A test fails for an attribute that stands in neither.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from forkpoint.checkpoints import NOTHING_WRITTEN, Checkpoints
from forkpoint.ids import Ids
from forkpoint.index import TranscriptIndex, UnknownType
from forkpoint.joins import Joins
from forkpoint.nodes import Nodes
from forkpoint.records.record import Compaction, Pointer, PullRequest
from forkpoint.rollout_state import RolloutState
from forkpoint.sent_requests import SentRequests
from forkpoint.state_lines import StateLines
from forkpoint.summary import Summary
from forkpoint.tool_calls import ToolCalls
from forkpoint.usage import ResponseUsage
from forkpoint.uuids import Uuids, key_of

_Number = int
"""A column's place among the columns."""
_Ids = int
"""A text's place among the ids."""


class Shape(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """Attributes by their names."""


class _Uuids(Shape):
    _column: _Number
    _odd: dict[int, str]


class _Nodes(Shape):
    offset: _Number
    length: _Number
    kind: _Number
    role: _Number
    flags: _Number
    time: _Number
    parent: _Number
    first_of: dict[int, int]
    body_of: dict[int, int]
    missing: dict[int, str]
    null_lines: list[int]
    _uuids: _Uuids


class _IdsOf(Shape):
    _bytes: _Ids
    _ends: _Number


class _Joins(Shape):
    response: _Number
    message_ids: _IdsOf
    first_row: _Number
    _span: _Number
    _scattered: dict[int, list[int]]
    call_ids: _IdsOf
    call_row: _Number
    _first_result: _Number
    _more_results: dict[int, list[int]]
    _tool: _Number
    _more_tools: dict[int, list[int]]


class _Usage(Shape):
    models: list[str]
    _input: _Number
    _output: _Number
    _cache_read: _Number
    _cache_write_5m: _Number
    _cache_write_1h: _Number
    _odd: dict[int, tuple[int, ...]]
    _model: _Number
    _asked: _Number


class _Tools(Shape):
    _name: _Number
    _file: _Number
    _names: _IdsOf
    _files: _IdsOf
    _errors: set[int]
    _denied: set[int]
    _agents: dict[int, str]
    _background: set[int]
    _tasks: dict[int, str]
    ended_agents: dict[str, str]
    _last_interrupt: int


class _Checkpoints(Shape):
    _kind: _Number
    _start: _Number
    _count: _Number
    _entries: _Number
    _beside: _Number
    _texts: _IdsOf
    _backups: bytes
    _backup_count: int


class _Summary(Shape):
    custom_title: str | None
    ai_title: str | None
    tag: str | None
    agent_name: str | None
    summaries: list[tuple[str, str]]
    first_prompt: str | None
    last_prompt: str | None
    first_command: str | None
    first_cwd: str | None
    last_cwd: str | None
    relocated: str | None
    cwds: dict[str, None]
    git_branch: str | None
    version: str | None
    first_version: str | None
    entrypoint: str | None
    created: str | None
    updated: str | None
    forked_from: str | None
    pull_requests: list[PullRequest]
    foreign_sessions: set[str]
    talk: bool
    prompts: dict[int, str]
    _texts: dict[int, bytes]
    _newest_version: tuple[int, int, int]


class _States(Shape):
    last: dict[str, int]
    notes: dict[str, list[int]]


class _SentRequests(Shape):
    requests: _Number
    shapes: _Number


class IndexShape(Shape):
    """All folds of a transcript."""

    session_id: str | None
    of_agent: bool
    nodes: _Nodes
    joins: _Joins
    usage: _Usage
    tools: _Tools
    checkpoints: _Checkpoints
    summary: _Summary
    states: _States
    sent_requests: _SentRequests
    compactions: dict[int, Compaction]
    pointers: dict[int, Pointer]
    malformed: dict[int, str]
    unknown_types: dict[str, UnknownType]
    rollout: RolloutState | None


KEPT: dict[type, type[msgspec.Struct]] = {
    TranscriptIndex: IndexShape,
    Nodes: _Nodes,
    Uuids: _Uuids,
    Joins: _Joins,
    Ids: _IdsOf,
    ResponseUsage: _Usage,
    ToolCalls: _Tools,
    Checkpoints: _Checkpoints,
    Summary: _Summary,
    StateLines: _States,
    SentRequests: _SentRequests,
}
"""Which attributes of each fold are kept."""


def _waiting(nodes: Nodes) -> dict[bytes, list[int]]:
    waiting: dict[bytes, list[int]] = {}
    for ordinal, uuid in nodes.missing.items():
        waiting.setdefault(key_of(uuid), []).append(ordinal)
    return waiting


DERIVED: dict[type, dict[str, Callable[[Any], object]]] = {
    TranscriptIndex: {"_early": lambda _: None},
    # The map of uuids takes longer than all the rest: it is built when many are looked for.
    Uuids: {"_map": lambda _: None, "_searches": lambda _: 0},
    Nodes: {"_waiting": _waiting},
    Ids: {"_map": lambda _: None, "_searches": lambda _: 0},
    Checkpoints: {
        "_said": lambda _: list[str](),
        "_known": lambda _: None,
        "_paths": lambda _: list[str](),
        "_written": lambda _: {},
        "_last_written": lambda _: NOTHING_WRITTEN,
    },
}
"""How each attribute that is not kept is made, from those that are or as of an empty fold."""
