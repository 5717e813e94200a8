"""Which older files does a conversation go on from, and up to which record of each?

A resume by a client of 1.x, a paginated fork of Codex and a thread of it that was taken back begin
a file without the records before: those stand in the older file alone. Forks that copy records have
them already, and are none of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from forkpoint.active_line import NOT_SENT, SUMMARIZED, Entries
from forkpoint.catalog import Catalog
from forkpoint.copies import goes_on_from, history_base, row_gone_on_from
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

    @property
    def uuid(self) -> str:
        """The record's uuid."""
        return self.conversation.index.nodes.uuid(self.row) or ""

    def is_end(self, version: str | None) -> bool:
        """Say whether the older file's own path ends there, too."""
        return self.row in self.conversation.path(version).entries.rows[-1:]

    def entries(self, version: str | None, later: Entries) -> Entries:
        """Return the older file's path to that record, with what becomes of its rows.

        A client of Claude Code reads one file: what stands in another is not sent. Codex reads
        both.

        Args:
            version: of the client that would resume.
            later: the path that goes on from there.
        """
        entries = self.conversation.path(version, self.row).entries
        if self.entry.agent == "codex" and SUMMARIZED not in later.fates:
            return entries
        fate = SUMMARIZED if self.entry.agent == "codex" else NOT_SENT
        return Entries(entries.rows, bytes([fate]) * len(entries))


def before_path(catalog: Catalog, entry: SessionEntry, path: Sequence[int]) -> list[Inherited]:
    """Return the files before a path of a session's own transcript, the oldest first.

    A path that begins anew in the file has none before it.
    """
    index = catalog.facts.known_index(entry.session_id)
    if index is None or not path:
        return []
    if index.rollout is None:
        above = index.nodes.missing.get(path[0])
        if above is None or above != goes_on_from(index):
            return []
    return [*inherited(catalog, entry)][::-1]


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
