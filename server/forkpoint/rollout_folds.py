"""A rollout's item on its way into an index: the record that is made of it, and what it retells."""

from __future__ import annotations

from itertools import takewhile

from forkpoint.folds import Folds
from forkpoint.records.codex import ItemPiece
from forkpoint.records.decode import Piece
from forkpoint.records.record import Flag, Kind, Malformed, Record, Retold, Role
from forkpoint.rollout import record_of


def fold_item(folds: Folds, offset: int, piece: ItemPiece) -> None:
    """Append an item, or a malformed part of a line, to an index of a rollout."""
    assert folds.rollout is not None
    if isinstance(piece.value, Malformed):
        folds.fold_piece(offset, Piece(piece.start, piece.length, piece.value))
        return
    record = record_of(folds.rollout, piece.value)
    record.flags |= piece.flags
    folds.fold_piece(offset, Piece(piece.start, piece.length, record))
    _tell(folds, record, len(folds.nodes) - 1)


def _tell(folds: Folds, record: Record, ordinal: int) -> None:
    """Take in what a line says of the thread, and of earlier rows."""
    assert folds.rollout is not None
    header, summary = folds.rollout.header, folds.summary
    if record.kind is Kind.STATE:
        # Where a session stands is known before its first row.
        summary.written_by(folds.rollout.cwd, record.version)
        summary.went_on(folds.rollout.branch, header.source or header.originator)
    summary.forked_from = header.forked_from
    for retold in record.retold:
        _retell(folds, retold, ordinal)
    if record.used_by is not None:
        _pay(folds, record, record.used_by, ordinal)
    if record.files_of is not None:
        call_id, files = record.files_of
        number = folds.joins.number(call_id)
        if number is not None:
            folds.tools.found_on(number, files[0])
    if record.leads_to is not None:
        call_id, thread = record.leads_to
        number = folds.joins.number(call_id)
        if number is not None:
            folds.tools.leads_to(number, thread)
    folds.tools.ended_agents.update(record.agents_ended)


def _retell(folds: Folds, retold: Retold, ordinal: int) -> None:
    """Make a person's words of a row that was taken for what the client put in."""
    nodes, summary = folds.nodes, folds.summary
    row = nodes.find(retold.uuid)
    if row is None:
        return
    nodes.kind[row], nodes.role[row] = Kind.USER, Role.PROMPT
    nodes.flags[row] = (nodes.flags[row] & ~(Flag.META | Flag.RENDERED)) | Flag.TYPED
    if retold.here:
        nodes.body_of[row] = ordinal
    summary.talk = True
    later = [*takewhile(row.__lt__, reversed(summary.prompts))]
    summary.typed(retold.text, row, Role.PROMPT)
    for prompt in reversed(later):
        # They are told in file order.
        summary.prompts[prompt] = summary.prompts.pop(prompt)


def _pay(folds: Folds, record: Record, message_id: str, ordinal: int) -> None:
    """Say what a response used whose rows precede the line that tells it."""
    number = folds.joins.message_ids.find(message_id)
    if number is not None and record.usage is not None:
        folds.usage.tell(number, record.usage, record.model)
        # By this, answers that are gone on with know that an older response changed.
        folds.joins.response[ordinal] = number
