"""Turns of a rollout: where they begin, and which are taken back (format.md section 19)."""

from __future__ import annotations

from forkpoint.records.codex import Item
from forkpoint.records.record import Kind, Pointer, Record, Role
from forkpoint.rollout_rows import close_response, node, state_row
from forkpoint.rollout_state import RolloutState


def read_turn_context(state: RolloutState, item: Item) -> Record:
    """Read how the client is set from here on; it is told again within a turn."""
    says = item.says
    state.cwd = says.cwd or state.cwd
    state.model = says.model or state.model
    state.turn_id = says.turn_id or state.turn_id
    record = state_row(state, item)
    record.cwd = says.cwd
    return record


def read_turn_start(state: RolloutState, item: Item) -> Record:
    """Read that a turn begins: nothing of the one before is said once more."""
    state.turn_id = item.says.turn_id
    state.has_turns, state.asked, state.heard, state.aborted = True, False, False, False
    forget_said(state)
    close_response(state)
    return state_row(state, item)


def read_turn_end(state: RolloutState, item: Item) -> Record:
    """Read that a turn is over."""
    state.asked = False
    return state_row(state, item)


def forget_said(state: RolloutState) -> None:
    """Wait no longer for the other channel."""
    state.users, state.answers, state.thoughts = [], [], []
    state.searches = 0


def read_aborted(state: RolloutState, item: Item) -> Record:
    """Read that a person stopped a turn; mostly an item in the user's name says it already."""
    state.asked = False
    if state.aborted:
        return state_row(state, item)
    state.aborted = True
    return node(state, item, Kind.SYSTEM, Role.INTERRUPT, item.says.reason or "interrupted")


def read_rollback(state: RolloutState, item: Item) -> Record:
    """Read that the newest turns were taken back; the next row hangs on what they hung on."""
    record = state_row(state, item)
    count = item.says.num_turns or 0
    if count <= 0 or not state.turns:
        return record
    first = max(len(state.turns) - count, 0)
    state.tip = state.turns[first]
    del state.turns[first:]
    state.asked = False
    state.message_id = state.unpaid = None
    forget_said(state)
    record.pointer = Pointer(state.tip if state.turns else None, explicit=True, rewound=True)
    return record
