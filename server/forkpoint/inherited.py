"""Which older files does a conversation go on from, and up to which record of each?

A resume by a client of 1.x, a paginated fork of Codex and a thread of it that was taken back begin
a file without the records before: those stand in the older file alone. Forks that copy records have
them already, and are none of these.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from forkpoint.catalog import Catalog
from forkpoint.copies import history_base, row_gone_on_from
from forkpoint.disk import Unreadable
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry

MOST = 100
"""Files that are gone back to."""


class Inherited(msgspec.Struct, frozen=True):
    """An older file that a conversation goes on from.

    Attributes:
        row: ordinal of the last record there that belongs to the conversation.
    """

    entry: SessionEntry
    conversation: Conversation
    row: int


def inherited(catalog: Catalog, entry: SessionEntry) -> Iterator[Inherited]:
    """Yield the files before a session's own, the nearest first; what is gone ends it."""
    seen = {entry.session_id}
    while len(seen) <= MOST:
        before = gone_on_from(catalog, entry)
        if before is None or before.entry.session_id in seen:
            return
        yield before
        entry = before.entry
        seen.add(entry.session_id)


def gone_on_from(catalog: Catalog, entry: SessionEntry) -> Inherited | None:
    """Return the file that a session's own one goes on from, as far as those read tell."""
    index = catalog.facts.known_index(entry.session_id)
    if index is None:
        return None
    name = history_base(index)
    if name is None:
        origin = catalog.origin(entry)
        name = None if origin is None else origin.session_id
    original = None if name is None else catalog.find(name)
    if original is None:
        return None
    try:
        conversation = catalog.read(original)
    except Unreadable:
        return None
    row = row_gone_on_from(index, conversation.index)
    return None if row is None else Inherited(original, conversation, row)
