"""`forkpoint/transcript`: how does the conversation read, as one text?"""

from __future__ import annotations

from collections.abc import Iterator

from forkpoint.catalog import Catalog
from forkpoint.lsp.features.active_path import row_named
from forkpoint.passage import Row
from forkpoint.protocol import types
from forkpoint.protocol.wire.common import ROLES
from forkpoint.protocol.wire.sessions import title_of_entry
from forkpoint.readable import Header, Section, readable
from forkpoint.records.content import content_of
from forkpoint.records.decode import timestamp_of
from forkpoint.records.record import Role
from forkpoint.session import ActivePath, Conversation, Fate
from forkpoint.session_entry import SessionEntry
from forkpoint.transcript_file import TranscriptFile

BATCH = 200
"""Bodies held in memory at a time: a session of 200 MB must not be read as a whole."""


def transcript(catalog: Catalog, params: types.TranscriptParams) -> types.TranscriptResult:
    """Write a path down, the active one unless another end is named; older context first."""
    conversation = catalog.conversation(params.session_id, params.agent_id)
    entry = catalog.entry(params.session_id)
    file = catalog.transcript(params.session_id, params.agent_id)
    version = params.for_version or catalog.resuming_version
    path = conversation.path(version, row_named(conversation, params.leaf))
    cut_off = conversation.before_gap(version) if params.leaf is None else []
    rows = _rows(conversation, file, path, cut_off)
    written = readable(_header(catalog, entry, conversation), rows)
    return types.TranscriptResult(
        text=written.text, sections=[_section(section) for section in written.sections]
    )


def _header(catalog: Catalog, entry: SessionEntry, conversation: Conversation) -> Header:
    summary = conversation.index.summary
    return Header(
        title=title_of_entry(catalog, entry, conversation.index.summary).text or None,
        project=summary.relocated or summary.first_cwd,
        session_id=entry.session_id,
        version=summary.version,
    )


def _rows(
    conversation: Conversation, file: TranscriptFile, path: ActivePath, cut_off: list[int]
) -> Iterator[Row]:
    index = conversation.index
    unsent: list[tuple[int, Fate]] = [(row, "notSent") for row in cut_off]
    entries = unsent + path.entries
    behind_gap = path.entries[0][0] if cut_off else None
    for start in range(0, len(entries), BATCH):
        batch = entries[start : start + BATCH]
        bodies = file.bodies([row for row, _ in batch])
        for (row, fate), line in zip(batch, bodies, strict=True):
            yield Row(
                ordinal=row,
                uuid=index.nodes.uuid(row) or "",
                role=Role(index.nodes.role[row]),
                fate=fate,
                timestamp=timestamp_of(line),
                body=content_of(line),
                model=index.usage.model_of(index.joins.response[row]),
                behind_gap=row == behind_gap,
            )


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
    )
