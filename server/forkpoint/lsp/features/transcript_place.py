"""`forkpoint/transcriptPlace`: where does a record stand to be read?"""

from __future__ import annotations

from collections.abc import Iterator

from forkpoint.catalog import Catalog
from forkpoint.lsp.features.transcript import Document
from forkpoint.parts import end_around
from forkpoint.protocol import types
from forkpoint.protocol.errors import InvalidParams, RequestFailed
from forkpoint.protocol.transcript_uri import Named, transcript_uri
from forkpoint.readable import Readable


def transcript_place(
    catalog: Catalog, params: types.TranscriptPlaceParams
) -> types.TranscriptPlaceResult:
    """Find the text that shows a record: the active path's, a branch's, a subagent's."""
    if (params.uuid is None) == (params.ordinal is None):
        raise InvalidParams("one of uuid and ordinal must name the record")
    agent_id, row = _record(catalog, params)
    finder = _Finder(catalog, params, agent_id)
    return finder.find(row)


def _record(catalog: Catalog, params: types.TranscriptPlaceParams) -> tuple[str | None, int]:
    """Return the transcript that holds the record, and its ordinal."""
    for agent_id in _agents(catalog, params):
        nodes = catalog.conversation(params.session_id, agent_id).index.nodes
        row = params.ordinal if params.uuid is None else nodes.find(params.uuid)
        if row is not None and row < len(nodes):
            return agent_id, nodes.first_of.get(row, row)
    name = f"{params.ordinal}" if params.uuid is None else params.uuid
    raise RequestFailed("unknownRecord", f"There is no record {name} in this transcript.")


def _agents(catalog: Catalog, params: types.TranscriptPlaceParams) -> Iterator[str | None]:
    yield params.agent_id
    if params.agent_id is None and params.uuid is not None:
        entry = catalog.entry(params.session_id)
        catalog.read_agents(entry)
        known = entry.agents.items()
        yield from [name for name, agent in known if agent.transcript.conversation is not None]


class _Finder:
    """Looks through the texts of one transcript."""

    def __init__(
        self, catalog: Catalog, params: types.TranscriptPlaceParams, agent_id: str | None
    ) -> None:
        self._catalog, self._params, self._agent_id = catalog, params, agent_id

    def find(self, row: int) -> types.TranscriptPlaceResult:
        """Return where a record stands."""
        active = self._document()
        found = self._in_path(active, None, row)
        if found is not None:
            return found
        group = next((each for each in active.groups() if row in each.rows), None)
        uuid = active.conversation.index.nodes.uuid(row)
        for leaf in (group.target if group and group.kind == "branch" else None, uuid):
            branch = self._document(leaf) if leaf and _is_chain(active, row) else None
            found = self._in_path(branch, leaf, row) if branch else None
            if found is not None:
                return found
        return self._named(active, row)

    def _document(self, leaf: str | None = None, before: int | None = None) -> Document:
        params = types.TranscriptParams(
            session_id=self._params.session_id,
            agent_id=self._agent_id,
            leaf=leaf,
            for_version=self._params.for_version,
            before=before,
        )
        return Document(self._catalog, params)

    def _in_path(
        self, document: Document, leaf: str | None, row: int
    ) -> types.TranscriptPlaceResult | None:
        """Look in the text of a path, and if it is left out there in an earlier part."""
        rows = document.entries.rows
        if row not in rows:
            return None
        line = _line_of(document.write(), row)
        if line is not None:
            return self._place(document, row, line, leaf=leaf)
        place = rows.index(row)
        nodes = document.conversation.index.nodes
        for end in (end_around(nodes, document.entries, place), place + 1):
            before = rows[end] if end is not None and end < len(rows) else None
            part = self._document(leaf, before)
            line = _line_of(part.write(), row)
            if line is not None:
                return self._place(part, row, line, leaf=leaf, before=before)
        return None

    def _named(self, document: Document, row: int) -> types.TranscriptPlaceResult:
        """Return the row that names a record among others."""
        rows = document.write().elsewhere
        line = next((each.line for each in rows if row in each.rows), 0)
        return self._place(document, row, line, shown=False)

    def _place(
        self,
        document: Document,
        row: int,
        line: int,
        *,
        leaf: str | None = None,
        before: int | None = None,
        shown: bool = True,
    ) -> types.TranscriptPlaceResult:
        named = Named(self._params.session_id, self._agent_id, leaf, before)
        return types.TranscriptPlaceResult(
            document=transcript_uri(named, document.title),
            agent_id=self._agent_id,
            leaf=leaf,
            before=before,
            ordinal=row,
            line=line,
            shown=shown,
        )


def _line_of(written: Readable, row: int) -> int | None:
    lines = (section.line for section in written.sections if section.ordinal == row)
    return next(lines, None)


def _is_chain(document: Document, row: int) -> bool:
    """Say whether a path can end at a record."""
    return document.conversation.index.nodes.is_node(row)
