"""Calls of a rollout that begin other threads or deal with them, and what lines say of those."""

from __future__ import annotations

from forkpoint.records.codex import Item
from forkpoint.records.collab_calls import (
    SPAWNING,
    TALKING,
    plain_name,
    thread_begun,
    threads_asked,
    threads_ended,
)
from forkpoint.records.record import Record
from forkpoint.records.rollout_calls import RolloutCall, RolloutOutput
from forkpoint.rollout_rows import state_row
from forkpoint.rollout_state import RolloutState

_MOST = 64
"""Calls that are remembered; beyond, the oldest is given up."""


def take_call(state: RolloutState, record: Record, call: RolloutCall) -> None:
    """Remember a call that has to do with other threads, and say to which it leads.

    One that waits for several leads to none of them: each stands behind the call that began it.
    """
    name = plain_name(call.name)
    if name != SPAWNING and name not in TALKING:
        return
    threads = threads_asked(call)
    if len(threads) == 1:
        record.leads_to = (call.call_id, threads[0])
    state.collab[call.call_id] = (name, *threads)
    while len(state.collab) > _MOST:
        del state.collab[next(iter(state.collab))]


def take_output(
    state: RolloutState, record: Record, output: RolloutOutput, *, failed: bool
) -> None:
    """Take in what such a call put out."""
    name, *threads = state.collab.get(output.call_id, ("",))
    if not name or failed:
        return
    if name == SPAWNING:
        record.spawned_agent = thread_begun(output.text)
        record.spawned_in_background = True
        return
    record.agents_ended = threads_ended(name, tuple(threads), output.text)


def read_agent_event(state: RolloutState, item: Item) -> Record:
    """Read to which thread a call led, as an event tells it."""
    says = item.says
    record = state_row(state, item)
    call_id = says.call_id or says.event_id or ""
    thread = says.new_thread_id or says.agent_thread_id or says.receiver_thread_id
    if call_id in state.collab and thread is not None:
        record.leads_to = (call_id, thread)
    return record
