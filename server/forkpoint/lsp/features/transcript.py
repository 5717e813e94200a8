"""`forkpoint/transcript`: how does the conversation read, as one text?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from weakref import WeakKeyDictionary, ref

from forkpoint.active_line import Entries
from forkpoint.agents import notes_of
from forkpoint.catalog import Catalog
from forkpoint.elsewhere import Group, elsewhere
from forkpoint.layout import TOOL_RESULTS
from forkpoint.lsp.features.active_path import row_named
from forkpoint.lsp.features.reads_before import Before, room_for
from forkpoint.lsp.features.reads_on import before, behind
from forkpoint.parts import next_end
from forkpoint.path_rows import AgentOf, PathRows, entries_of, with_unread
from forkpoint.piece import NOTHING, Piece
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.transcript_uri import Named
from forkpoint.protocol.wire.sessions import title_of_entry
from forkpoint.protocol.wire.transcript import targets, transcript_result
from forkpoint.readable import Header, Later, Prefix, Readable, ReadablePath
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.top import UNTITLED
from forkpoint.worded import say

MOST_KEPT = 3
"""Texts that are gone on with when they are asked for again: some 3 MB for one of 512 KiB."""


def transcript(catalog: Catalog, params: types.TranscriptParams) -> types.TranscriptResult:
    """Write a path down, the active one unless another end is named; older context first."""
    return Document(catalog, params).result()


class Document:
    """A readable text of a transcript, made when it is asked for.

    Attributes:
        conversation: what it is of.
        entries: all rows of its path.
        title: of the session, which names the document.
    """

    def __init__(self, catalog: Catalog, params: types.TranscriptParams) -> None:
        """Look the path up; raises what `Catalog.conversation` does, and `RequestFailed`."""
        self._catalog, self._params = catalog, params
        self.conversation = catalog.conversation(params.session_id, params.agent_id)
        self._entry = catalog.entry(params.session_id)
        self._file = catalog.transcript(params.session_id, params.agent_id)
        self._version = params.for_version or catalog.resuming_version
        conversation, is_active = self.conversation, params.leaf is None
        path = conversation.path(self._version, row_named(conversation, params.leaf))
        cut_off = conversation.before_gap(self._version) if is_active else []
        self._gap = path.entries.rows[0] if cut_off else None
        self.entries = entries_of(conversation, path, cut_off)
        if is_active:
            self.entries = with_unread(conversation.index, self.entries)
        self._end = _place_of(self.entries, params.before)
        of_session = catalog.known_summary(self._entry) or self._entry.main.peek()
        self.title = title_of_entry(catalog, self._entry, of_session).text or UNTITLED

    def result(self) -> types.TranscriptResult:
        """Write it down and return it as it goes over the wire."""
        written, before = self.written_below_others()
        later = self._later()
        params, entry = self._params, self._entry
        named = Named(params.session_id, params.agent_id, params.leaf, params.before)
        target = targets(
            named,
            self.title,
            self.conversation.index.summary.first_cwd,
            Path(entry.file.folder) / TOOL_RESULTS,
            entry.agents,
        )
        return transcript_result(
            written,
            later.count if later else 0,
            before.target(written, target),
            before.told(written),
        )

    def write(self) -> Readable:
        """Write it down."""
        return self.written_below_others()[0]

    def written_below_others(self) -> tuple[Readable, Before]:
        """Write it down, below records of older files if there are such and there is room."""
        written = self._write(())
        room = room_for(written) if self._params.agent_id is None else 0
        before = Before(self._catalog, self._entry, self.entries, self._version, room)
        return (self._write(before.prefixes) if before.prefixes else written), before

    def _write(self, prefixes: Sequence[Prefix]) -> Readable:
        index = self.conversation.index
        agent_of = _agent_of(self._entry)
        rows = PathRows(
            index, self._file, self.entries, end=self._end, gap=self._gap, agent_of=agent_of
        )
        text = _texts(self._catalog).of(self._params, self.conversation)
        groups = self.groups() if self._end is None else ()
        return text.write(self._header(), rows, groups, self._later(), prefixes)

    def groups(self) -> list[Group]:
        """Return what of the transcript is not on the path."""
        leaf = self._params.leaf
        return elsewhere(self.conversation, self._version, self.entries.rows, leaf)

    def _later(self) -> Later | None:
        if self._end is None:
            return None
        entries = self.entries
        end = next_end(self.conversation.index.nodes, entries, self._end)
        return Later(len(entries) - self._end, None if end is None else entries.rows[end])

    def _header(self) -> Header:
        summary = self.conversation.index.summary
        return Header(
            title=title_of_entry(self._catalog, self._entry, summary).text or None,
            project=summary.relocated or summary.first_cwd,
            session_id=self._entry.session_id,
            version=summary.version,
            person="You" if self._params.agent_id is None else say("The agent that sent it"),
            before=before(self._catalog, self._entry, self._params.agent_id),
            behind=self._behind(),
        )

    def _behind(self) -> Piece:
        if self._params.agent_id is not None or self._end is not None:
            return NOTHING
        return behind(self._catalog, self._entry, self.entries.rows)


def _place_of(entries: Entries, ordinal: int | None) -> int | None:
    """The place of a record that the caller gave; raises `RequestFailed` if it is on no path."""
    if ordinal is None:
        return None
    try:
        return entries.rows.index(ordinal)
    except (ValueError, OverflowError):
        sentence = say("Record {ordinal} does not stand on this path.", ordinal=ordinal)
        raise RequestFailed("unknownRecord", sentence) from None


def _agent_of(entry: SessionEntry) -> AgentOf:
    """Which subagent a call started, as the files beside their transcripts say; read when asked."""
    known: dict[str, str] = {}

    def agent_of(call_id: str) -> str | None:
        if not known and entry.agents:
            for agent_id, agent in entry.agents.items():
                known[notes_of(agent.file).toolUseId or ""] = agent_id
        return known.get(call_id) if call_id else None

    return agent_of


# --- texts that grow ---------------------------------------------------------------------------


class _Texts:
    """The texts that were asked for last, by what was asked."""

    def __init__(self) -> None:
        self._kept: dict[object, tuple[ref[Conversation], ReadablePath]] = {}

    def of(self, params: types.TranscriptParams, conversation: Conversation) -> ReadablePath:
        """Return what was written of a transcript, as long as it is the same one."""
        question = (params.session_id, params.agent_id, params.leaf, params.before)
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
