"""What a readable text says of the files before and behind it: a conversation reads as one."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

from forkpoint.agents import fork_context_of
from forkpoint.catalog import Catalog
from forkpoint.disk import Unreadable
from forkpoint.inherited import Inherited, gone_on_from
from forkpoint.piece import NOTHING, Piece, stacked
from forkpoint.protocol.transcript_uri import Named, transcript_uri
from forkpoint.protocol.wire.sessions import title_of_entry
from forkpoint.session_entry import SessionEntry
from forkpoint.started_by import caller_of
from forkpoint.summary import Summary
from forkpoint.top import (
    UNTITLED,
    began_line,
    copied_line,
    follows_line,
    goes_on_line,
    started_line,
)

MOST = 20
"""Files behind a text that get a line each."""


def before(catalog: Catalog, entry: SessionEntry, agent_id: str | None) -> Piece:
    """Return the line that leads to what a transcript goes on from, or was copied from."""
    with suppress(Unreadable):
        if agent_id is not None:
            return _before_agent(catalog, entry, agent_id)
        return _before_session(catalog, entry)
    return NOTHING


def _before_session(catalog: Catalog, entry: SessionEntry) -> Piece:
    catalog.read(entry)
    if (before := gone_on_from(catalog, entry)) is not None:
        return _follows(catalog, before)
    origin = catalog.origin(entry)
    if origin is None:
        return NOTHING
    original = catalog.find(origin.session_id)
    if original is None:
        return copied_line(None, "", len(catalog.facts.copies(entry).rows))
    copies = catalog.facts.copies(entry)
    return copied_line(title_of(catalog, original), address_of(catalog, original), len(copies.rows))


def _follows(catalog: Catalog, before: Inherited) -> Piece:
    original, nodes = before.entry, before.conversation.index.nodes
    path = before.conversation.path(catalog.resuming_version).entries.rows
    is_end = before.row in (path or [None])[-1:]
    leaf = None if is_end else nodes.uuid(before.row)
    return follows_line(title_of(catalog, original), address_of(catalog, original, leaf))


def _before_agent(catalog: Catalog, entry: SessionEntry, agent_id: str) -> Piece:
    if entry.agent == "codex":
        return _started(catalog, entry, agent_id)
    context = fork_context_of(catalog.agent(entry, agent_id).file)
    original = catalog.find(context.session_id) if context is not None else None
    if context is None or original is None:
        return NOTHING
    if catalog.read(original).index.nodes.find(context.uuid) is None:
        return NOTHING
    address = address_of(catalog, original, context.uuid)
    return began_line(title_of(catalog, original), address)


def _started(catalog: Catalog, entry: SessionEntry, agent_id: str) -> Piece:
    """The way back from a thread to the call of the session that led to it."""
    row = caller_of(entry, agent_id)
    if row is None:
        return NOTHING
    uuid = catalog.read(entry).index.nodes.uuid(row)
    return started_line(title_of(catalog, entry), address_of(catalog, entry, uuid))


def behind(catalog: Catalog, entry: SessionEntry, rows: Collection[int]) -> Piece:
    """Return a line for each session whose file goes on from one of the rows of a text."""
    index = catalog.facts.known_index(entry.session_id)
    if index is None:
        return NOTHING
    pieces: list[Piece] = []
    for name in catalog.facts.lineage.followers(entry.session_id)[:MOST]:
        follower = catalog.find(name)
        before = gone_on_from(catalog, follower) if follower is not None else None
        if follower is None or before is None or before.entry is not entry:
            continue
        if before.row in rows:
            is_end = before.row == max(rows)
            address = address_of(catalog, follower)
            pieces.append(goes_on_line(title_of(catalog, follower), address, is_end=is_end))
    return stacked(pieces)


def title_of(catalog: Catalog, entry: SessionEntry) -> str:
    """Return what to call a session."""
    summary = catalog.summary(entry) or Summary()
    return title_of_entry(catalog, entry, summary).text or UNTITLED


def address_of(
    catalog: Catalog, entry: SessionEntry, leaf: str | None = None, before: int | None = None
) -> str:
    """Return the address of a session's text, or of a part of it."""
    named = Named(entry.session_id, leaf=leaf, before=before)
    return transcript_uri(named, title_of(catalog, entry))
