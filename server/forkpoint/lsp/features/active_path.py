"""`forkpoint/activePath`: where would the client go on, and what would it send?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from forkpoint.active_line import Entries
from forkpoint.catalog import Catalog
from forkpoint.inherited import Inherited, before_path
from forkpoint.lsp.features.reads_on import title_of
from forkpoint.lsp.features.sessions import page
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.wire.path import leaf_of, repair_of
from forkpoint.protocol.wire.records import path_entry
from forkpoint.records.record import Flag
from forkpoint.session import Conversation, Fate
from forkpoint.transcript_file import TranscriptFile
from forkpoint.worded import say


def active_path(catalog: Catalog, params: types.ActivePathParams) -> types.ActivePathResult:
    """Tell the leaf, why there, and the records that lead there; bodies are read for the page."""
    conversation = catalog.conversation(params.session_id, params.agent_id)
    version = params.for_version or catalog.resuming_version
    path = conversation.path(version, row_named(conversation, params.leaf))
    file = catalog.transcript(params.session_id, params.agent_id)
    before: list[Inherited] = []
    if params.agent_id is None:
        before = before_path(catalog, catalog.entry(params.session_id), path.entries.rows)
    parts = [_Part(conversation, file, path.entries)]
    if params.with_inherited and not params.first_ordinal and params.last_ordinal is None:
        parts[:0] = [_part(each, version, path.entries) for each in before]
    wanted = [_wanted(part, params) for part in parts]
    return types.ActivePathResult(
        leaf=leaf_of(conversation, path, version),
        tip=path.tip,
        broken=path.broken,
        total=sum(map(len, wanted)),
        entries=_page(list(zip(parts, wanted, strict=True)), params),
        repairs=[repair_of(conversation, repair) for repair in path.repairs],
        inherited=inherited_paths(catalog, before, version),
    )


class _Part(NamedTuple):
    """A path of one transcript; `session_id` is that of an older one."""

    conversation: Conversation
    file: TranscriptFile
    entries: Sequence[tuple[int, Fate]]
    session_id: str | None = None


def _part(before: Inherited, version: str | None, later: Entries) -> _Part:
    entry = before.entry
    entries = before.entries(version, later)
    return _Part(before.conversation, entry.main, entries, entry.session_id)


def _page(
    parts: Sequence[tuple[_Part, Sequence[tuple[int, Fate]]]], params: types.ActivePathParams
) -> list[types.PathEntry]:
    """The page of paths that follow each other."""
    found: list[types.PathEntry] = []
    skip, left = params.offset, params.limit
    for part, entries in parts if params.order == "forward" else parts[::-1]:
        shown = page(entries, skip, left)
        skip = max(0, skip - len(entries))
        left = None if left is None else left - len(shown)
        index, bodies = part.conversation.index, part.file.bodies([row for row, _ in shown])
        found += [
            path_entry(index, row, fate, body, part.session_id)
            for (row, fate), body in zip(shown, bodies, strict=True)
        ]
    return found


def _wanted(part: _Part, params: types.ActivePathParams) -> Sequence[tuple[int, Fate]]:
    """The entries that are asked for, in the asked order; no body is read for this."""
    entries, first, last = part.entries, params.first_ordinal, params.last_ordinal
    if first or last is not None:
        end = float("inf") if last is None else last
        entries = [entry for entry in entries if first <= entry[0] <= end]
    if params.from_person:
        flags, typed = part.conversation.index.nodes.flags, Flag.TYPED
        entries = [entry for entry in entries if flags[entry[0]] & typed]
    return entries[::-1] if params.order == "backward" else entries


def inherited_paths(
    catalog: Catalog, before: Sequence[Inherited], version: str | None
) -> list[types.InheritedPath]:
    """Return which paths of older files a conversation goes on from."""
    return [_inherited(catalog, each, version) for each in before]


def _inherited(catalog: Catalog, before: Inherited, version: str | None) -> types.InheritedPath:
    rows = before.conversation.path(version, before.row).entries.rows
    flags = before.conversation.index.nodes.flags
    return types.InheritedPath(
        session_id=before.entry.session_id,
        title=title_of(catalog, before.entry),
        leaf=before.uuid,
        ordinal=before.row,
        record_count=len(rows),
        prompt_count=sum(bool(flags[row] & Flag.TYPED) for row in rows),
    )


def row_named(conversation: Conversation, uuid: str | None) -> int | None:
    """Return the node with a uuid that the caller may give; raises `RequestFailed` as below."""
    return None if uuid is None else node_named(conversation, uuid)


def node_named(conversation: Conversation, uuid: str) -> int:
    """Return the node with a uuid that the caller gave; raises `RequestFailed` if there is none."""
    row = conversation.index.nodes.find(uuid)
    if row is None:
        raise RequestFailed(
            "unknownRecord", say("There is no record {uuid} in this transcript.", uuid=uuid)
        )
    return row
