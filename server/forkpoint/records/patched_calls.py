"""What one line of a rollout tells of a patch: a call that applies one, or the event behind it."""

from __future__ import annotations

import msgspec

from forkpoint.records.apply_patch import changes_in_event, patch_in_input
from forkpoint.records.codex import EVENT, Item, decode_item
from forkpoint.records.file_changes import Patch
from forkpoint.records.rollout_calls import CALLS, call_in, folder_asked_in

_APPLIED = "patch_apply_end"


class ToldPatch(msgspec.Struct, frozen=True):
    """A patch and the call it belongs to.

    Attributes:
        is_event: told by the client when it was applied, so it fits the file exactly.
        folder: that the call asked to be run in; relative paths count from there.
    """

    call_id: str
    patch: Patch
    is_event: bool
    folder: str | None = None


def patch_told_in(line: bytes) -> ToldPatch | None:
    """Return the patch that a line tells of; None where it tells of none."""
    item = decode_item(line)[0].value if line else None
    if not isinstance(item, Item):
        return None
    if item.type == EVENT and item.subtype == _APPLIED:
        try:
            changes: object = msgspec.json.decode(item.says.changes) if item.says.changes else None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            changes = None
        return ToldPatch(item.says.call_id or "", changes_in_event(changes), is_event=True)
    if item.subtype not in CALLS:
        return None
    call = call_in(item)
    patch = patch_in_input(call.given)
    if patch is None:
        return None
    return ToldPatch(call.call_id, patch, is_event=False, folder=folder_asked_in(call.given))
