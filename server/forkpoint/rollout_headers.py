"""Which thread a rollout is, and whose rows it holds (format.md section 19)."""

from __future__ import annotations

from forkpoint.records.codex import CONTEXT, Item, source_of
from forkpoint.records.record import Record
from forkpoint.records.rollout_shapes import HistoryBaseShape, PayloadShape
from forkpoint.rollout_copies import is_own_turn, is_pause
from forkpoint.rollout_rows import state_row
from forkpoint.rollout_state import RolloutHeader, RolloutState

_MOST = 20
"""Headers that are remembered: each fork of a fork adds one."""


def read_header(state: RolloutState, item: Item) -> Record:
    """Read a header; the first one counts, or that with the file's id."""
    says = item.says
    is_new = says.id is not None and says.id not in state.headers
    is_files = says.id is not None and says.id == state.file_id
    if not state.has_header or (is_files and state.header.thread_id != state.file_id):
        _take(state, says)
        state.begun = item.timestamp or says.timestamp
    elif is_new:
        _enter_other(state, item)
    elif says.id == state.header.thread_id and state.copying:
        state.copying = False
        _count_from(state, state.header.thread_id)
    if is_new and says.id is not None and len(state.headers) < _MOST:
        state.headers = [*state.headers, says.id]
    return state_row(state, item)


def _take(state: RolloutState, says: PayloadShape) -> None:
    source, spawned_by = source_of(says.source)
    base = says.history_base or HistoryBaseShape()
    state.header = RolloutHeader(
        thread_id=says.id or state.file_id,
        forked_from=says.forked_from_id,
        parent_thread=says.parent_thread_id or spawned_by,
        history_base=base.thread_id,
        history_end=base.end_byte_offset,
        source=source,
        originator=says.originator,
        model_provider=says.model_provider,
        agent_nickname=says.agent_nickname,
        agent_role=says.agent_role,
    )
    state.has_header = True
    state.cwd = says.cwd or state.cwd
    state.version = says.cli_version or state.version
    state.branch = (says.git.branch if says.git else None) or state.branch
    state.own_from = says.subagent_history_start_ordinal
    has_copies = says.forked_from_id is not None or state.own_from is not None
    state.copying = has_copies and base.thread_id is None
    _count_from(state, _origin_of(says, state.file_id) or state.file_id)


def _origin_of(says: PayloadShape, file_id: str = "") -> str | None:
    """A fork's first rows are counted as those of the thread that it copies.

    A later page of a thread, or one that goes on from an older page, has none of its rows.
    """
    if says.history_base is not None:
        return f"{file_id or says.id} {says.history_base.thread_id}"
    return says.forked_from_id or says.id


def _enter_other(state: RolloutState, item: Item) -> None:
    """Another thread's header behind the own one: its rows follow, whether that was said or not."""
    if not state.copying and state.nodes:
        return
    if state.header.forked_from is None:
        state.header.forked_from = item.says.id
    state.copying = True
    _count_from(state, _origin_of(item.says) or "")


def _count_from(state: RolloutState, origin: str) -> None:
    if origin != state.origin or not state.nodes:
        state.origin, state.nodes, state.responses = origin, 0, 0


def still_copying(state: RolloutState, item: Item) -> bool:
    """Say whether a line is a copy of the other thread's (see `rollout_copies`)."""
    if state.own_from is not None and item.ordinal is not None:
        return item.ordinal < state.own_from
    if item.type == CONTEXT or item.subtype in ("task_started", "turn_started"):
        is_own = is_own_turn(item.says.turn_id, state.header.thread_id)
        if is_own is not None:
            return not is_own
    if is_own_turn(state.turn_id, state.header.thread_id) is False:
        return True
    return not is_pause(state.begun, item.timestamp)
