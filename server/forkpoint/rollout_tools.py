"""Calls of a rollout and their results (format.md section 19).

A patch of several files is one call per file, so that each file has its call. Events tell of calls
once more, how they ended and which files they changed; where no item made the call, the event is
its row.
"""

from __future__ import annotations

from forkpoint.layout import tracked_file
from forkpoint.records.codex import Item
from forkpoint.records.record import Block, Flag, Kind, Record, Role
from forkpoint.records.rollout_calls import (
    ANSWERED,
    RolloutCall,
    call_in,
    changed_files,
    event_call,
    ids_of,
    output_in,
)
from forkpoint.rollout_agents import take_call, take_output
from forkpoint.rollout_rows import answered, close_response, node, state_row
from forkpoint.rollout_state import RolloutState
from forkpoint.rollout_words import found_without_event

_MOST = 256
"""Calls that are remembered; beyond, the oldest is given up."""


def read_call(state: RolloutState, item: Item) -> Record:
    """Read a call; one that the API answers itself is its own result."""
    call = call_in(item)
    is_answered = item.subtype in ANSWERED
    if is_answered and (call.call_id in state.calls or state.searches < 0):
        state.searches += 1
        return state_row(state, item)
    if is_answered:
        state.searches += 1
    return _call(state, item, call, is_answered=is_answered, failed=item.says.status == "failed")


def _call(
    state: RolloutState, item: Item, call: RolloutCall, *, is_answered: bool, failed: bool
) -> Record:
    retold = found_without_event(state)
    record = answered(state, node(state, item, Kind.ASSISTANT, Role.RESPONSE, call.call_id))
    record.text, record.retold = "", retold
    files = [tracked_file(file, state.cwd) for file in call.files] or [None]
    ids = ids_of(call)
    blocks = [
        Block("tool_use", call_id, call.name, file=file)
        for call_id, file in zip(ids, files, strict=True)
    ]
    record.flags |= Flag.CALL
    if is_answered:
        record.flags |= Flag.RESULT
        blocks += [Block("tool_result", call_id, is_error=failed) for call_id in ids]
    record.blocks = tuple(blocks)
    take_call(state, record, call)
    state.calls[call.call_id] = len(ids)
    while len(state.calls) > _MOST:
        del state.calls[next(iter(state.calls))]
    return record


def read_output(state: RolloutState, item: Item) -> Record:
    """Read what a call put out."""
    output = output_in(item.says)
    failed = output.failed or output.call_id in state.failed
    said = f"{output.call_id} {output.text[:64]}"
    record = node(state, item, Kind.USER, Role.TOOL_RESULT, said)
    record.text = ""
    record.flags |= Flag.RESULT
    count = state.calls.get(output.call_id, 1)
    ids = [output.call_id, *(f"{output.call_id}#{n}" for n in range(2, count + 1))]
    record.blocks = tuple(Block("tool_result", call_id, is_error=failed) for call_id in ids)
    take_output(state, record, output, failed=failed)
    if state.total is None:
        # Clients that count no tokens: a response goes on only until its calls are answered.
        close_response(state)
    return record


def read_outside_call(state: RolloutState, item: Item) -> Record:
    """Read how a call ended, as an event tells it."""
    call, failed = event_call(item)
    files = tuple(tracked_file(file, state.cwd) for file in changed_files(item.says.changes))
    is_known = call.call_id in state.calls
    if item.subtype in ("web_search_end", "image_generation_end"):
        is_known = is_known or state.searches > 0
        state.searches -= 1
    if not is_known:
        call = RolloutCall(call.call_id, call.name, call.given, files)
        return _call(state, item, call, is_answered=True, failed=failed)
    record = state_row(state, item)
    if failed:
        state.failed.append(call.call_id)
        del state.failed[:-_MOST]
    if files:
        record.files_of = (call.call_id, files)
    return record
