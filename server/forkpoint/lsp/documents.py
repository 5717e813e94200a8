"""Which transcript does an editor's document show, and where in it does each record stand?

A document is a raw `.jsonl` that was listed below a config folder, the lines of a compressed one,
or a readable transcript. All are looked at as they are now: on disk, not in the editor's memory. A
`.jsonl` elsewhere is nobody's transcript as far as Forkpoint knows, and nothing is said of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol
from weakref import WeakKeyDictionary

from lsprotocol import types as lsp

from forkpoint import transcript_bytes
from forkpoint.at_path import real_path
from forkpoint.catalog import Catalog
from forkpoint.index import TranscriptIndex
from forkpoint.layout import below, path_key
from forkpoint.lsp.features.transcript import transcript
from forkpoint.lsp.positions import Encoding, span, units
from forkpoint.protocol import raw_uri, transcript_uri, types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.uri import path_of
from forkpoint.roster import Unknown
from forkpoint.row_lines import RowLines
from forkpoint.session import Conversation, Fate
from forkpoint.session_entry import SessionEntry
from forkpoint.transcript_file import TranscriptFile

SUFFIX = ".jsonl"


class Shown:
    """The transcript that a document shows.

    Attributes:
        uri: of the document, as the editor spells it.
        agent_id: the subagent whose transcript it is; None for the session's own.
        version: of the client that would resume.
    """

    def __init__(
        self, catalog: Catalog, entry: SessionEntry, agent_id: str | None, encoding: Encoding
    ) -> None:
        """Read the transcript on; raises `Unknown` or `Unreadable`."""
        self.entry, self.agent_id = entry, agent_id
        self.encoding: Encoding = encoding
        self.conversation: Conversation = catalog.conversation(entry.session_id, agent_id)
        self.file: TranscriptFile = catalog.transcript(entry.session_id, agent_id)
        self.version = catalog.resuming_version

    @property
    def session_id(self) -> str:
        """Id of the session."""
        return self.entry.session_id

    @property
    def index(self) -> TranscriptIndex:
        """The transcript's index."""
        return self.conversation.index


class Document(Protocol):
    """A document in which records have places."""

    @property
    def uri(self) -> str:
        """As the editor spells it."""
        ...

    @property
    def shown(self) -> Shown:
        """The transcript that it shows."""
        ...

    def row_at(self, position: lsp.Position) -> int | None:
        """Return the row at a position; None on a line without one, and behind the end."""
        ...

    def range_of(self, row: int) -> lsp.Range | None:
        """Return where a row stands; None for one that the document does not show."""
        ...

    def fate_of(self, row: int) -> Fate | None:
        """Return what becomes of a row; None for one that is no part of the path."""
        ...


def part_at(
    catalog: Catalog, uri: str, position: lsp.Position, encoding: Encoding
) -> Document | None:
    """Return what is known of a document as to a position in it.

    Where records of an older file stand, they are what is known. Raises `Unreadable`.
    """
    document = document_at(catalog, uri, encoding)
    if not isinstance(document, ReadableDocument):
        return document
    for part in document.result.inherited:
        if part.sections and _begin(part) <= position.line <= _end(part):
            try:
                shown = Shown(catalog, catalog.entry(part.session_id), None, encoding)
            except Unknown:
                return None
            return ReadableDocument(uri, shown, document.result, part.sections)
    return document


def _begin(part: types.TranscriptInherited) -> int:
    return part.sections[0].line


def _end(part: types.TranscriptInherited) -> int:
    return part.sections[-1].end_line


def document_at(catalog: Catalog, uri: str, encoding: Encoding) -> Document | None:
    """Return what is known of a document; None for one that is no transcript, or not any more.

    Raises `Unreadable`.
    """
    try:
        if (named := transcript_uri.named_by(uri)) is not None:
            return _readable(catalog, uri, named, encoding)
        if uri.lower().startswith("file:/") and uri.lower().endswith(SUFFIX):
            return _raw(catalog, uri, path_of(uri), encoding)
        if (packed := raw_uri.shown_by(uri)) is not None:
            return _raw(catalog, uri, packed, encoding)
    except (Unknown, RequestFailed, ValueError):
        return None
    return None


def location_of(document: Document, row: int) -> lsp.Location:
    """Return the place of a row: in the document, or in the raw file if that does not show it."""
    if (found := document.range_of(row)) is not None:
        return lsp.Location(document.uri, found)
    return RawDocument(raw_uri.raw_uri(document.shown.file.path), document.shown).location(row)


# --- raw ---------------------------------------------------------------------------------------


class RawDocument:
    """The file itself: a line for each record, mostly."""

    def __init__(self, uri: str, shown: Shown) -> None:
        self.uri, self.shown = uri, shown

    @cached_property
    def lines(self) -> RowLines:
        """On which lines rows stand; raises `Unreadable`."""
        return lines_of(self.shown.conversation, self.shown.file)

    def row_at(self, position: lsp.Position) -> int | None:
        """See `Document`."""
        rows = self.lines.rows_on(position.line)
        # Of several on one line, the last that begins before the position.
        for row in reversed(rows):
            if row == rows[0] or self.start_of(row)[1] <= position.character:
                return row
        return None

    def range_of(self, row: int) -> lsp.Range:
        """See `Document`."""
        line, start = self.start_of(row)
        nodes = self.shown.index.nodes
        end = start + nodes.length[row]
        if row in self.lines.inside or len(self.lines.rows_on(line)) > 1:
            data = self.shown.file.lines([row])[0]
            end = start + units(data.decode("utf-8", "replace"), self.shown.encoding)
        return span((line, start), (line, end))

    def location(self, row: int) -> lsp.Location:
        """Return a row's place with the document's address."""
        return lsp.Location(self.uri, self.range_of(row))

    def start_of(self, row: int) -> tuple[int, int]:
        """Return the line and the unit at which a row begins."""
        begins = self.lines.inside.get(row)
        if begins is None:
            return self.lines[row], 0
        before = self.shown.index.nodes.offset[row] - begins
        data = transcript_bytes.read_span(self.shown.file.path, begins, before)
        return self.lines[row], units(data.decode("utf-8", "replace"), self.shown.encoding)

    def fate_of(self, row: int) -> Fate | None:
        """See `Document`."""
        entries = self.shown.conversation.path(self.shown.version).entries
        node = self.shown.index.nodes.first_of.get(row, row)
        try:
            return entries[entries.rows.index(node)][1]
        except ValueError:
            return None


_LINES: WeakKeyDictionary[Conversation, RowLines] = WeakKeyDictionary()


def lines_of(conversation: Conversation, file: TranscriptFile) -> RowLines:
    """Return on which lines the rows of a transcript stand; raises `Unreadable`."""
    lines = _LINES.setdefault(conversation, RowLines())
    read = transcript_bytes.read_spans
    lines.grow(conversation.index.nodes, lambda spans: read(file.path, spans))
    return lines


def raw_transcript(catalog: Catalog, path: str) -> str | None:
    """Return the path of a transcript as it was listed; None for a file that is none."""
    found = _listed(catalog, path)
    return None if found is None else catalog.transcript(found[0].session_id, found[1]).path


def _raw(catalog: Catalog, uri: str, path: str, encoding: Encoding) -> RawDocument | None:
    found = _listed(catalog, path)
    if found is None:
        return None
    entry, agent_id = found
    return RawDocument(uri, Shown(catalog, entry, agent_id, encoding))


def _listed(catalog: Catalog, path: str) -> tuple[SessionEntry, str | None] | None:
    real = real_path(path)
    keys = {path_key(path), path_key(real)}
    found = _owner(catalog, keys)
    if found is None and any(
        below(real, real_path(root)) for root in (*catalog.roots, *catalog.codex_homes)
    ):
        catalog.rescan()
        found = _owner(catalog, keys)
    return found


def _owner(catalog: Catalog, keys: set[str]) -> tuple[SessionEntry, str | None] | None:
    """The session, and the subagent, whose transcript a file is, by the keys of its path."""
    for entry in catalog.entries():
        if path_key(entry.main.path) in keys:
            return entry, None
        for agent_id, agent in entry.agents.items():
            if path_key(agent.transcript.path) in keys:
                return entry, agent_id
    return None


# --- readable ----------------------------------------------------------------------------------


class ReadableDocument:
    """The conversation as text, with sections.

    Attributes:
        lines: of the text, without their ends.
        sections: by line; a turn holds those of its records.
        folds, links: see `TranscriptResult`.
    """

    def __init__(
        self,
        uri: str,
        shown: Shown,
        result: types.TranscriptResult,
        sections: Sequence[types.TranscriptSection] | None = None,
    ) -> None:
        """Take a text; `sections` are those of another transcript's records in it."""
        self.uri, self.shown, self.result = uri, shown, result
        self.lines = result.text.split("\n")
        self.sections = result.sections if sections is None else sections
        self.folds: Sequence[types.TranscriptFold] = result.folds
        self.links: Sequence[types.TranscriptLink] = result.links
        self._starts = [section.line for section in self.sections]

    @property
    def all_sections(self) -> list[types.TranscriptSection]:
        """Where records stand, those of older files too, by line."""
        above = [section for part in self.result.inherited for section in part.sections]
        return [*above, *self.sections]

    @cached_property
    def section_of(self) -> dict[int, types.TranscriptSection]:
        """The first section of each row."""
        return {section.ordinal: section for section in reversed(self.sections)}

    def row_at(self, position: lsp.Position) -> int | None:
        """See `Document`."""
        at = bisect_right(self._starts, position.line) - 1
        section = self.sections[at] if at >= 0 else None
        return section.ordinal if section and position.line <= section.end_line else None

    def range_of(self, row: int) -> lsp.Range | None:
        """See `Document`."""
        section = self.section_of.get(self.shown.index.nodes.first_of.get(row, row))
        return None if section is None else self.range_of_lines(section.line, section.end_line)

    def range_of_lines(self, first: int, last: int) -> lsp.Range:
        """Return the range of some lines, the last one inclusive."""
        return span((first, 0), (last, units(self.lines[last], self.shown.encoding)))

    def fate_of(self, row: int) -> Fate | None:
        """See `Document`."""
        section = self.section_of.get(row)
        return None if section is None else section.fate


def _readable(
    catalog: Catalog, uri: str, named: transcript_uri.Named, encoding: Encoding
) -> ReadableDocument:
    asked = types.TranscriptParams(
        session_id=named.session_id,
        agent_id=named.agent_id,
        leaf=named.leaf,
        before=named.before,
    )
    shown = Shown(catalog, catalog.entry(named.session_id), named.agent_id, encoding)
    return ReadableDocument(uri, shown, transcript(catalog, asked))
