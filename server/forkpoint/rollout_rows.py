"""How a rollout's item becomes a row: its name, what it hangs on, what is said of its client."""

from __future__ import annotations

from hashlib import blake2b

from forkpoint.records.codex import Item
from forkpoint.records.record import PREVIEW_SOURCE, Flag, Kind, Record, Role
from forkpoint.rollout_state import RolloutState


def state_row(state: RolloutState, item: Item) -> Record:
    """Return the record of a line that is no row of the conversation."""
    return Record(
        kind=Kind.STATE,
        role=Role.STATE,
        flags=Flag.COPIED if state.copying else 0,
        type=item.type,
        subtype=item.subtype,
        timestamp=item.timestamp or item.says.timestamp,
        version=state.version,
    )


def node(state: RolloutState, item: Item, kind: Kind, role: Role, text: str) -> Record:
    """Return a new row's record, which hangs on the last row that survived.

    Args:
        state: takes the row in.
        item: the line.
        kind: of the row.
        role: of the row.
        text: what is said there, whole; or what else tells it from others.
    """
    uuid = name_of("row", state.origin, state.nodes, text)
    record = Record(
        kind=kind,
        role=role,
        flags=Flag.COPIED if state.copying else 0,
        type=item.type,
        subtype=item.subtype,
        uuid=uuid,
        parent=state.tip,
        timestamp=item.timestamp,
        version=state.version,
        cwd=state.cwd,
        git_branch=state.branch,
        entrypoint=state.header.source or state.header.originator,
        forked_from=state.header.forked_from if state.copying else None,
        text=text[:PREVIEW_SOURCE],
    )
    state.tip = uuid
    state.nodes += 1
    return record


def answered(state: RolloutState, record: Record) -> Record:
    """Make a row part of the response that is being read; it may be its first."""
    if state.message_id is None:
        state.message_id = name_of("response", state.origin, state.responses, record.uuid or "")
        state.responses += 1
    record.message_id, record.model = state.message_id, state.model
    return record


def close_response(state: RolloutState) -> None:
    """Let what comes next be another response."""
    if state.message_id is not None:
        state.unpaid, state.message_id = state.message_id, None


def name_of(kind: str, origin: str, number: int, text: str) -> str:
    """Return a name in the form of a uuid, the same for the same arguments."""
    said = f"{kind}\0{origin}\0{number}\0{text}".encode("utf-8", "surrogatepass")
    digits = blake2b(said, digest_size=16).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
