"""`forkpoint/search`: where do these words stand, in all that was said and done?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from forkpoint import transcript_bytes
from forkpoint.catalog import Catalog
from forkpoint.disk import Unreadable
from forkpoint.fates import ABANDONED
from forkpoint.lsp.features.search_copies import AlsoIn, without_copies
from forkpoint.lsp.features.sessions import in_scope
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.wire.common import ROLES, iso_time, resolved_uri
from forkpoint.protocol.wire.search import FATES, PARTS, match_range, query_problem
from forkpoint.protocol.wire.sessions import place_of, project_of, title_of_entry
from forkpoint.records.record import Role
from forkpoint.records.said import said_on
from forkpoint.search_find import Found, find
from forkpoint.search_query import Misfit, Phrase, Query, parse
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.snippet import Snippet, snippet_of
from forkpoint.store_file import Off
from forkpoint.summary import Summary
from forkpoint.transcript_file import TranscriptFile
from forkpoint.worded import say

PAGE = 50
"""Hits in an answer that names no limit."""
LARGEST_PAGE = 500
"""Hits in an answer: the text of each is read from its transcript."""
SMALL = 1024 * 1024
"""Bytes of a transcript that a question may read."""
MOST_ABANDONED = 20_000
"""Texts that are looked at for those that were left behind, which the table does not know."""


def search(catalog: Catalog, params: types.SearchParams) -> types.SearchResult:
    """Look for what a query says; what is not read yet is told, never waited for."""
    query = parse(params.query)
    if isinstance(query, Misfit):
        return _refused(catalog, params, query)
    if not catalog.searching.look():
        catalog.rescan()
    places = _places(catalog, params, query)
    read = places if params.session_id is not None else _ready(catalog, places)
    done, total = catalog.searching.catch_up([place.transcript for place in places.values()])
    limit = min(params.limit or PAGE, LARGEST_PAGE)
    done = min(done, len(read))
    file, is_unwanted = catalog.searching.filling.file, catalog.searching.is_unwanted
    if query.is_abandoned:
        left = _with_abandoned(catalog, read)
        finds = find(file, query, left, most=MOST_ABANDONED, is_unwanted=is_unwanted)
        finds = finds.only([left[path][row:][:1] == _LEFT for path, row, _ in finds.places()])
    else:
        finds = find(file, query, read.keys(), is_unwanted=is_unwanted)
    if is_unwanted():
        raise RequestFailed("notIndexed", "The question was taken back.")
    originals = [place.entry for place in places.values() if place.agent_id is None]
    finds, also_in = without_copies(catalog, finds, originals)
    return types.SearchResult(
        hits=_hits(catalog, places, query, finds.page(params.offset, limit), also_in),
        total=len(finds),
        total_is_lower_bound=not finds.is_whole or done < total,
        indexing=None if done == total else types.Indexing(done=done, total=total),
        problem=None,
        notes=_notes(catalog),
    )


def _refused(catalog: Catalog, params: types.SearchParams, misfit: Misfit) -> types.SearchResult:
    return types.SearchResult(
        hits=[],
        total=0,
        total_is_lower_bound=False,
        indexing=None,
        problem=query_problem(misfit, params.query),
        notes=[],
    )


# --- where to look -----------------------------------------------------------------------------


class _Place(NamedTuple):
    """A transcript among those asked about."""

    entry: SessionEntry
    agent_id: str | None
    transcript: TranscriptFile


def sessions_in_scope(
    catalog: Catalog, params: types.SearchParams | types.AbandonedParams
) -> list[SessionEntry]:
    """Return the sessions that a question is about; raises `Unknown` where it names none."""
    named = params.session_id
    entries = catalog.entries() if named is None else [catalog.entry(named)]
    if params.agent is not None:
        entries = [entry for entry in entries if entry.agent == params.agent]
    if params.scope == "all" or params.folder is None:
        return entries
    return [
        entry
        for entry in entries
        if in_scope(catalog, entry, catalog.summary(entry) or Summary(), params)
    ]


def _places(catalog: Catalog, params: types.SearchParams, query: Query) -> dict[str, _Place]:
    places: dict[str, _Place] = {}
    for entry in sessions_in_scope(catalog, params):
        if query.agents and entry.agent not in query.agents:
            continue
        if not query.in_subagents:
            places[entry.main.path] = _Place(entry, None, entry.main)
        for agent_id, agent in entry.agents.items():
            places[agent.transcript.path] = _Place(entry, agent_id, agent.transcript)
    return places


# --- hits --------------------------------------------------------------------------------------


def _hits(
    catalog: Catalog,
    places: Mapping[str, _Place],
    query: Query,
    found: Sequence[Found],
    also_in: AlsoIn,
) -> list[types.SearchHit]:
    """Read what was found from the transcripts; what is not there any more is left out."""
    hits: dict[int, types.SearchHit] = {}
    by_path: dict[str, list[Found]] = {}
    for each in found:
        by_path.setdefault(each.path, []).append(each)
    for path, here in by_path.items():
        for each, hit in _hits_of(catalog, places[path], query.phrases, here, also_in):
            hits[each.row] = hit
    return [hits[each.row] for each in found if each.row in hits]


def _hits_of(
    catalog: Catalog,
    place: _Place,
    phrases: Sequence[Phrase],
    found: Sequence[Found],
    also_in: AlsoIn,
) -> Iterator[tuple[Found, types.SearchHit]]:
    entry = place.entry
    try:
        conversation = catalog.conversation(entry.session_id, place.agent_id)
        spans = [(each.offset, each.length) for each in found]
        lines = transcript_bytes.read_spans(place.transcript.path, spans)
    except Unreadable:
        return
    summary = catalog.summary(entry) or Summary()
    about = _About(catalog, place, conversation, summary)
    for each, line in zip(found, lines, strict=True):
        said = said_on(line)[0] if line.strip() else None
        if said is None or each.number >= len(said.texts):
            continue
        snippet = snippet_of(said.texts[each.number].text, phrases)
        uuid = about.uuid(each)
        if snippet is not None and uuid is not None:
            copies = also_in.get((each.path, each.ordinal, each.number), ())
            yield each, about.hit(each, uuid, snippet, copies)


class _About:
    """What all hits in a transcript share."""

    def __init__(
        self, catalog: Catalog, place: _Place, conversation: Conversation, summary: Summary
    ) -> None:
        entry = place.entry
        self._catalog, self._place, self._summary = catalog, place, summary
        self._nodes = conversation.index.nodes
        self._title = title_of_entry(catalog, entry, summary)
        self._project = project_of(entry.file, place_of(catalog, entry, summary))
        self._fates = _fates(catalog, place, conversation)

    def uuid(self, found: Found) -> str | None:
        """Return the uuid of what was found; None where it is not in the index (any more)."""
        return self._nodes.uuid(found.ordinal) if found.ordinal < len(self._nodes) else None

    def hit(
        self, found: Found, uuid: str, snippet: Snippet, also_in: Sequence[str]
    ) -> types.SearchHit:
        """Write a hit."""
        place, text, name = self._place, snippet.text, self._catalog.searching.filling.name
        file = name("file", found.file)
        return types.SearchHit(
            session_id=place.entry.session_id,
            agent_id=place.agent_id,
            title=self._title,
            project=self._project,
            uuid=uuid,
            ordinal=found.ordinal,
            role=ROLES[Role(self._nodes.role[found.ordinal])],
            part=PARTS[found.part],
            tool=name("tool", found.tool),
            file=None if file is None else resolved_uri(file, self._summary.first_cwd),
            is_error=found.is_error,
            snippet=text,
            ranges=[match_range(text, start, end) for start, end in snippet.ranges],
            at=None if found.at is None else iso_time(found.at),
            fate=FATES[self._fates[found.ordinal]],
            also_in=also_in,
        )


def _fates(catalog: Catalog, place: _Place, conversation: Conversation) -> bytes:
    of_agent = place.agent_id is not None
    return catalog.searching.fates.of(conversation, catalog.resuming_version, of_agent=of_agent)


def _ready(catalog: Catalog, places: dict[str, _Place]) -> dict[str, _Place]:
    """Those transcripts of which a hit can be shown at once.

    What becomes of a record depends on all of its transcript. A server reads them all anyway, and
    the list must not wait until a question has read large ones before their turn.
    """
    if not catalog.searching.is_wanted:
        return places
    return {path: place for path, place in places.items() if _is_ready(place.transcript)}


def _is_ready(transcript: TranscriptFile) -> bool:
    size = transcript.stat.size if transcript.stat is not None else 0
    return transcript.conversation is not None or transcript.failed or size <= SMALL


def _with_abandoned(catalog: Catalog, places: Mapping[str, _Place]) -> dict[str, bytes]:
    """The fates of the records of those transcripts in which some were left behind."""
    left: dict[str, bytes] = {}
    for path, place in places.items():
        with suppress(Unreadable):
            conversation = place.transcript.conversation
            if conversation is None or not place.transcript.is_indexed:
                conversation = catalog.conversation(place.entry.session_id, place.agent_id)
            fates = _fates(catalog, place, conversation)
            if ABANDONED in fates:
                left[path] = fates
    return left


_LEFT = bytes([ABANDONED])


# --- what else to know -------------------------------------------------------------------------

_NOT_KEPT: dict[Off, str] = {
    "agents": say("the folder for caches lies in an agent's folder"),
    "notOurs": say("a file of another program has its name"),
    "denied": say("the folder for caches cannot be written, or the disk is full"),
    "broken": say("its file was damaged"),
    "replaced": say("another release of Forkpoint put a file of its own in its place"),
}


def _notes(catalog: Catalog) -> list[types.Problem]:
    notes: list[types.Problem] = []
    file = catalog.searching.filling.file
    if file.table is None:
        sentence = say("This Python's SQLite has no full-text search (FTS5), so nothing is found.")
        notes.append(types.Problem(code="noFullText", sentence=sentence))
    elif file.off in _NOT_KEPT:
        sentence = say(
            "The index for searching is kept in memory only: {not_kept}.",
            not_kept=_NOT_KEPT[file.off],
        )
        notes.append(types.Problem(code="notKept", sentence=sentence))
    if not file.with_outputs:
        sentence = say("What tools put out is not searched, as the settings say.")
        notes.append(types.Problem(code="withoutToolOutputs", sentence=sentence))
    return notes
