"""A rollout's items become the records that the index knows, one by one (format.md section 19).

What Codex does not write is made here: names of rows, what each hangs on, which rows are one
response. Names are made of what was said and of how many rows the thread had, not of places, so
that a fork's copies have the names of what they copy. A line that only says what another line says
already becomes a state line; none is lost.
"""

from __future__ import annotations

from collections.abc import Callable

from forkpoint.records.codex import (
    COMPACTED,
    CONTEXT,
    HEADER,
    ITEM,
    USAGE,
    Item,
)
from forkpoint.records.record import Compaction, Flag, Kind, Note, Record, Role
from forkpoint.rollout_agents import read_agent_event
from forkpoint.rollout_headers import read_header, still_copying
from forkpoint.rollout_rows import node, state_row
from forkpoint.rollout_state import RolloutState
from forkpoint.rollout_tools import read_call, read_output, read_outside_call
from forkpoint.rollout_turns import (
    read_aborted,
    read_rollback,
    read_turn_context,
    read_turn_end,
    read_turn_start,
)
from forkpoint.rollout_usage import read_tokens, read_usage_record
from forkpoint.rollout_words import (
    read_answer_event,
    read_injected,
    read_message,
    read_plan,
    read_thought_event,
    read_thoughts,
    read_user_event,
)


def record_of(state: RolloutState, item: Item) -> Record:
    """Return what an item is among those before it, and take it in."""
    if state.copying and item.type != HEADER:
        state.copying = still_copying(state, item)
    read = _LINES.get(item.type)
    if read is None and item.subtype is not None:
        read = (_ITEMS if item.type == ITEM else _EVENTS).get(item.subtype)
    return state_row(state, item) if read is None else read(state, item)


def _read_compacted(state: RolloutState, item: Item) -> Record:
    """Replaces all before it for the model, by what it carries itself: that is no new talk."""
    before = state.tip
    compaction = Compaction(
        trigger=None,
        tokens_before=state.context,
        tokens_after=None,
        kept=None,
        segment=None,
        goes_on_from=before,
    )
    record = node(state, item, Kind.USER, Role.COMPACT_BOUNDARY, item.says.message or "")
    record.flags |= Flag.BOUNDARY
    record.parent, record.compaction = None, compaction
    return record


def _read_error(state: RolloutState, item: Item) -> Record:
    text = item.says.message or ""
    return node(state, item, Kind.SYSTEM, Role.API_ERROR, text)


def _read_note(state: RolloutState, item: Item) -> Record:
    return node(state, item, Kind.SYSTEM, Role.SYSTEM, item.subtype or "")


def _read_name(state: RolloutState, item: Item) -> Record:
    record = state_row(state, item)
    if item.says.thread_name is not None:
        record.notes = (Note("custom-title", item.says.thread_name),)
    return record


_Reader = Callable[[RolloutState, Item], Record]

_LINES: dict[str, _Reader] = {
    HEADER: read_header,
    CONTEXT: read_turn_context,
    COMPACTED: _read_compacted,
    USAGE: read_usage_record,
}
_ITEMS: dict[str, _Reader] = {
    "message": read_message,
    "agent_message": read_injected,
    "reasoning": read_thoughts,
    "function_call": read_call,
    "custom_tool_call": read_call,
    "local_shell_call": read_call,
    "web_search_call": read_call,
    "tool_search_call": read_call,
    "image_generation_call": read_call,
    "function_call_output": read_output,
    "custom_tool_call_output": read_output,
    "tool_search_output": read_output,
}
_EVENTS: dict[str, _Reader] = {
    "user_message": read_user_event,
    "agent_message": read_answer_event,
    "agent_reasoning": read_thought_event,
    "agent_reasoning_raw_content": read_thought_event,
    "token_count": read_tokens,
    "task_started": read_turn_start,
    "turn_started": read_turn_start,
    "task_complete": read_turn_end,
    "turn_complete": read_turn_end,
    "turn_aborted": read_aborted,
    "thread_rolled_back": read_rollback,
    "patch_apply_end": read_outside_call,
    "mcp_tool_call_end": read_outside_call,
    "web_search_end": read_outside_call,
    "image_generation_end": read_outside_call,
    "exec_command_end": read_outside_call,
    "thread_name_updated": _read_name,
    "sub_agent_activity": read_agent_event,
    "collab_agent_spawn_end": read_agent_event,
    "collab_agent_interaction_end": read_agent_event,
    "collab_close_end": read_agent_event,
    "collab_resume_end": read_agent_event,
    "item_completed": read_plan,
    "entered_review_mode": _read_note,
    "exited_review_mode": _read_note,
    "error": _read_error,
}
