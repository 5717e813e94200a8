"""`forkpoint/transcript`: how does the conversation read, as one text?"""

from __future__ import annotations

from array import array
from typing import NamedTuple
from weakref import WeakKeyDictionary, ref

from forkpoint.active_line import NOT_SENT, Entries
from forkpoint.catalog import Catalog
from forkpoint.lsp.features.active_path import row_named
from forkpoint.passage import Row, call_in
from forkpoint.protocol import types
from forkpoint.protocol.wire.common import ROLES
from forkpoint.protocol.wire.sessions import title_of_entry
from forkpoint.readable import Header, ReadablePath, Section
from forkpoint.records.content import content_of
from forkpoint.records.decode import timestamp_of
from forkpoint.records.record import Flag, Role
from forkpoint.session import ActivePath, Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.transcript_file import TranscriptFile

MOST_KEPT = 3
"""Texts that are gone on with when they are asked for again: some 10 MB for one of 2 MiB."""


def transcript(catalog: Catalog, params: types.TranscriptParams) -> types.TranscriptResult:
    """Write a path down, the active one unless another end is named; older context first."""
    conversation = catalog.conversation(params.session_id, params.agent_id)
    entry = catalog.entry(params.session_id)
    file = catalog.transcript(params.session_id, params.agent_id)
    version = params.for_version or catalog.resuming_version
    path = conversation.path(version, row_named(conversation, params.leaf))
    cut_off = conversation.before_gap(version) if params.leaf is None else []
    rows = _PathRows(conversation, file, path, cut_off)
    text = _texts(catalog).of(params, conversation)
    written = text.write(_header(catalog, entry, conversation), rows)
    return types.TranscriptResult(
        text=written.text,
        sections=[_section(section) for section in written.sections],
        folds=[],
        links=[],
        elsewhere=[],
        earlier=0,
        later=0,
    )


def _header(catalog: Catalog, entry: SessionEntry, conversation: Conversation) -> Header:
    summary = conversation.index.summary
    return Header(
        title=title_of_entry(catalog, entry, conversation.index.summary).text or None,
        project=summary.relocated or summary.first_cwd,
        session_id=entry.session_id,
        version=summary.version,
    )


# --- texts that grow ---------------------------------------------------------------------------


class _Texts:
    """The texts that were asked for last, by what was asked."""

    def __init__(self) -> None:
        self._kept: dict[object, tuple[ref[Conversation], ReadablePath]] = {}

    def of(self, params: types.TranscriptParams, conversation: Conversation) -> ReadablePath:
        """Return what was written of a transcript, as long as it is the same one."""
        question = (params.session_id, params.agent_id, params.leaf)
        known = self._kept.pop(question, None)
        if known is None or known[0]() is not conversation:
            known = (ref(conversation), ReadablePath())
        self._kept[question] = known
        while len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return known[1]


_OF: WeakKeyDictionary[Catalog, _Texts] = WeakKeyDictionary()


def _texts(catalog: Catalog) -> _Texts:
    return _OF.setdefault(catalog, _Texts())


# --- rows --------------------------------------------------------------------------------------


class _RowsState(NamedTuple):
    """What is said of some rows beside their lines, which never change."""

    rows: array[int]
    fates: bytes
    roles: bytes
    models: list[str | None]
    bodies: list[int]
    gap: int | None


class _PathRows:
    """The rows of a path behind those that a gap cuts off (see `readable.Rows`)."""

    def __init__(
        self, conversation: Conversation, file: TranscriptFile, path: ActivePath, cut_off: list[int]
    ) -> None:
        self._index = conversation.index
        self._file = file
        self._behind_gap = path.entries.rows[0] if cut_off else None
        self._entries = Entries(
            array("i", cut_off) + path.entries.rows,
            bytes([NOT_SENT]) * len(cut_off) + path.entries.fates,
        )
        self._places: dict[int, int] | None = None

    def __len__(self) -> int:
        return len(self._entries)

    def prompts(self, start: int, end: int) -> int:
        flags, typed = self._index.nodes.flags, Flag.TYPED
        # Steps in C, as this looks at all rows of the path.
        bits = map(typed.__and__, map(flags.__getitem__, self._entries.rows[start:end]))
        return sum(bits) // typed

    def state(self, start: int, end: int) -> _RowsState:
        nodes, entries = self._index.nodes, self._entries[start:end]
        rows, gap = entries.rows, self._behind_gap
        return _RowsState(
            rows,
            entries.fates,
            bytes(map(nodes.role.__getitem__, rows)),
            self._models(rows),
            [nodes.body_of.get(row, row) for row in rows] if nodes.body_of else [],
            gap if gap is not None and gap in rows else None,
        )

    def _models(self, rows: array[int]) -> list[str | None]:
        model_of, response = self._index.usage.model_of, self._index.joins.response
        return [model_of(response[row]) for row in rows]

    def read(self, start: int, end: int) -> list[Row]:
        index, entries = self._index, self._entries[start:end]
        lines = self._file.bodies(entries.rows)
        return [
            Row(
                ordinal=row,
                uuid=index.nodes.uuid(row) or "",
                role=Role(index.nodes.role[row]),
                fate=fate,
                timestamp=timestamp_of(line),
                body=content_of(line),
                model=model,
                behind_gap=row == self._behind_gap,
            )
            for (row, fate), line, model in zip(
                entries, lines, self._models(entries.rows), strict=True
            )
        ]

    def caller(self, call_id: str, before: int) -> tuple[int, int] | None:
        joins = self._index.joins
        number = joins.number(call_id)
        row = -1 if number is None else joins.call_row[number]
        if self._places is None:
            rows = self._entries.rows
            self._places = dict(zip(rows, range(len(rows)), strict=True))
        if self._places.get(row, before) >= before:
            return None
        return row, self._index.nodes.body_of.get(row, row)

    def label(self, call_id: str, row: int) -> str | None:
        return call_in(content_of(self._file.bodies([row])[0]), call_id)


def _section(section: Section) -> types.TranscriptSection:
    return types.TranscriptSection(
        ordinal=section.ordinal,
        uuid=section.uuid,
        line=section.line,
        end_line=section.end_line,
        label=section.label,
        role=ROLES[section.role],
        fate=section.fate,
        level=section.level,
        kind=_KINDS.get(section.role, "note") if section.level else "turn",
        agent_id=None,
    )


_KINDS: dict[Role, types.TranscriptKind] = {
    Role.STATE: "raw",
    Role.RESPONSE: "answer",
    Role.TOOL_RESULT: "result",
    Role.COMPACT_SUMMARY: "summary",
    Role.INJECTED: "context",
    Role.ATTACHMENT: "attachment",
}
