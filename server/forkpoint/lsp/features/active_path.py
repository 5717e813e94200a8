"""`forkpoint/activePath`: where would the client go on, and what would it send?"""

from __future__ import annotations

from collections.abc import Sequence

from forkpoint.catalog import Catalog
from forkpoint.lsp.features.sessions import page
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.wire.path import leaf_of, repair_of
from forkpoint.protocol.wire.records import path_entry
from forkpoint.records.record import Flag
from forkpoint.session import Conversation, Fate


def active_path(catalog: Catalog, params: types.ActivePathParams) -> types.ActivePathResult:
    """Tell the leaf, why there, and the records that lead there; bodies are read for the page."""
    conversation = catalog.conversation(params.session_id, params.agent_id)
    version = params.for_version or catalog.resuming_version
    path = conversation.path(version, row_named(conversation, params.leaf))
    entries = _wanted(conversation, path.entries, params)
    shown = page(entries, params.offset, params.limit)
    transcript = catalog.transcript(params.session_id, params.agent_id)
    bodies = transcript.bodies([row for row, _ in shown])
    return types.ActivePathResult(
        leaf=leaf_of(conversation, path, version),
        tip=path.tip,
        broken=path.broken,
        total=len(entries),
        entries=[
            path_entry(conversation.index, row, fate, body)
            for (row, fate), body in zip(shown, bodies, strict=True)
        ],
        repairs=[repair_of(conversation, repair) for repair in path.repairs],
    )


def _wanted(
    conversation: Conversation, entries: Sequence[tuple[int, Fate]], params: types.ActivePathParams
) -> Sequence[tuple[int, Fate]]:
    """The entries that are asked for, in the asked order; no body is read for this."""
    first, last = params.first_ordinal, params.last_ordinal
    if first or last is not None:
        end = float("inf") if last is None else last
        entries = [entry for entry in entries if first <= entry[0] <= end]
    if params.from_person:
        flags, typed = conversation.index.nodes.flags, Flag.TYPED
        entries = [entry for entry in entries if flags[entry[0]] & typed]
    return entries[::-1] if params.order == "backward" else entries


def row_named(conversation: Conversation, uuid: str | None) -> int | None:
    """Return the node with a uuid that the caller may give; raises `RequestFailed` as below."""
    return None if uuid is None else node_named(conversation, uuid)


def node_named(conversation: Conversation, uuid: str) -> int:
    """Return the node with a uuid that the caller gave; raises `RequestFailed` if there is none."""
    row = conversation.index.nodes.find(uuid)
    if row is None:
        raise RequestFailed("unknownRecord", f"There is no record {uuid} in this transcript.")
    return row
