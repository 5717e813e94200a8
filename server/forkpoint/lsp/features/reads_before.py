"""The records of older files that stand above those of a readable text: it reads as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from forkpoint.active_line import Entries
from forkpoint.catalog import Catalog
from forkpoint.inherited import Inherited, before_path
from forkpoint.layout import TOOL_RESULTS
from forkpoint.lsp.features.reads_on import address_of, title_of
from forkpoint.path_rows import PathRows
from forkpoint.piece import Link, Piece
from forkpoint.protocol import types
from forkpoint.protocol.transcript_uri import Named
from forkpoint.protocol.wire.transcript import sections_of, targets
from forkpoint.readable import LIMIT, Prefix, Readable, ReadablePath
from forkpoint.session_entry import SessionEntry
from forkpoint.top import earlier_part_line, from_heading

TargetOf = Callable[[Link], str | None]

LEAST = 4 * 1024
"""Bytes below which an older file is not begun with: a line leads to it."""


def room_for(written: Readable) -> int:
    """Return how many bytes of older files stand above a text, in steps as it grows."""
    if written.earlier:
        return 0
    size = len(written.text.encode())
    return next((room for room in (LIMIT // 2, LIMIT // 4) if size + room <= LIMIT), 0)


class Before:
    """The older files of one text, the oldest first, as far as there is room for them.

    Attributes:
        prefixes: their records.
    """

    def __init__(
        self,
        catalog: Catalog,
        entry: SessionEntry,
        entries: Entries,
        version: str | None,
        room: int,
    ) -> None:
        self._catalog, self._version = catalog, version
        self.prefixes: list[Prefix] = []
        self._parts: list[Inherited] = []
        for part in reversed(before_path(catalog, entry, entries.rows)):
            if room < LEAST:
                break
            prefix = self._prefix(part, entries, room)
            self.prefixes.insert(0, prefix)
            self._parts.insert(0, part)
            if prefix.earlier:
                break
            room -= sum(len(line.encode()) + 1 for line in prefix.piece.lines)

    def _prefix(self, part: Inherited, later: Entries, room: int) -> Prefix:
        rows = PathRows(
            part.conversation.index, part.entry.main, part.entries(self._version, later)
        )
        leaf = None if part.is_end(self._version) else part.uuid

        def earlier(count: int, before: int | None) -> Piece:
            address = address_of(self._catalog, part.entry, leaf, before)
            return earlier_part_line(count, address)

        heading = from_heading(title_of(self._catalog, part.entry))
        return ReadablePath(room).prefix(heading, rows, earlier)

    def target(self, written: Readable, own: TargetOf) -> TargetOf:
        """Return where links lead: those of older files where they do in their own texts."""
        spans = [
            (sections[0].line, sections[-1].end_line, self._target(part))
            for part, sections in zip(self._parts, written.inherited, strict=False)
            if sections
        ]

        def target(link: Link) -> str | None:
            of_part = (to for first, last, to in spans if first <= link.line <= last)
            return next(of_part, own)(link)

        return target

    def _target(self, part: Inherited) -> TargetOf:
        entry = part.entry
        return targets(
            Named(entry.session_id),
            title_of(self._catalog, entry),
            part.conversation.index.summary.first_cwd,
            Path(entry.file.folder) / TOOL_RESULTS,
            entry.agents,
        )

    def told(self, written: Readable) -> Sequence[types.TranscriptInherited]:
        """Return where the records stand."""
        return [
            types.TranscriptInherited(
                session_id=part.entry.session_id,
                leaf=part.uuid,
                sections=sections_of(sections),
                earlier=prefix.earlier,
            )
            for part, prefix, sections in zip(
                self._parts, self.prefixes, written.inherited, strict=False
            )
        ]
