"""`workspace/symbol`: in which session was this asked?

Prompts of all sessions that were read so far, by words. Their places are lines of the raw files; an
editor that opens readable transcripts gets the address of one, and the line in it when it asks for
that, since laying out two hundred texts takes too long.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.copies import Copies
from forkpoint.disk import Unreadable
from forkpoint.inert import visible
from forkpoint.lsp.documents import lines_of
from forkpoint.lsp.editor import Editor
from forkpoint.lsp.features.transcript_place import transcript_place
from forkpoint.lsp.positions import span
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.raw_uri import raw_uri
from forkpoint.protocol.transcript_uri import Named, transcript_uri
from forkpoint.protocol.wire.sessions import title_of_entry
from forkpoint.roster import Unknown
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry

MOST = 200
"""Prompts in an answer, those of the sessions that were written to last: an editor asks again with
each key."""


def workspace_symbol(
    catalog: Catalog, params: lsp.WorkspaceSymbolParams, editor: Editor
) -> list[lsp.WorkspaceSymbol]:
    """Give the prompts that hold all words, in any order and case; a title counts as well."""
    words = params.query.casefold().split()
    found = _found(catalog, words, readable=editor.opens_transcripts)
    return [*islice(found, MOST)]


def resolve(catalog: Catalog, symbol: lsp.WorkspaceSymbol, _editor: Editor) -> lsp.WorkspaceSymbol:
    """Find the prompt in a readable transcript: that of the active path, or of its own branch."""
    match symbol.data:
        case {"sessionId": str(session_id), "uuid": str(uuid)}:
            wanted = types.TranscriptPlaceParams(session_id=session_id, uuid=uuid)
        case _:
            return symbol
    try:
        place = transcript_place(catalog, wanted)
    except (Unknown, RequestFailed):
        return symbol
    symbol.location = lsp.Location(place.document, span((place.line, 0), (place.line, 0)))
    return symbol


def _found(catalog: Catalog, words: list[str], *, readable: bool) -> Iterator[lsp.WorkspaceSymbol]:
    for entry in catalog.entries():
        conversation = entry.main.conversation
        if conversation is None:
            continue
        title = visible(title_of_entry(catalog, entry, conversation.index.summary).text)
        rows = _rows(conversation, title, words, catalog.facts.copies(entry))
        try:
            for row in rows:
                yield _symbol(entry, conversation, row, title, readable=readable)
        except Unreadable:
            continue


def _rows(
    conversation: Conversation, title: str, words: list[str], copies: Copies
) -> Iterator[int]:
    """The prompts that fit, the last first; copies only where the title says which are meant."""
    prompts = conversation.index.summary.prompts
    in_title = title.casefold()
    left = [word for word in words if word not in in_title]
    for row in reversed(prompts):
        asked = prompts[row].casefold()
        if left == words and copies.original_of(row) is not None:
            continue
        if all(word in asked for word in left):
            yield row


def _symbol(
    entry: SessionEntry, conversation: Conversation, row: int, title: str, *, readable: bool
) -> lsp.WorkspaceSymbol:
    name = visible(conversation.index.summary.prompts[row])
    location: lsp.Location | lsp.LocationUriOnly
    data: dict[str, Any] | None = None
    if readable:
        location = lsp.LocationUriOnly(transcript_uri(Named(entry.session_id, None, None), title))
        uuid = cast("str", conversation.index.nodes.uuid(row))
        data = {"sessionId": entry.session_id, "uuid": uuid}
    else:
        line = lines_of(conversation, entry.main)[row]
        location = lsp.Location(raw_uri(entry.main.path), span((line, 0), (line, 0)))
    return lsp.WorkspaceSymbol(
        name=name,
        kind=lsp.SymbolKind.Event,
        location=location,
        container_name=title or None,
        data=data,
    )
