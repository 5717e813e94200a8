"""Which rows do the tables have? Asks what `forkpoint call` asks, session by session.

At any time only the rows of one transcript are held. One that cannot be read, or a question that is
refused, costs its own rows and is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import msgspec

from forkpoint.catalog import Catalog
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.params import decode_params
from forkpoint.protocol.uri import file_uri
from forkpoint.tables.rows import Row, call_row, moment, request_row, session_row, version_rows
from forkpoint.tables.schema import FILE_VERSIONS, REQUESTS, SESSIONS, TOOL_CALLS, Table

Rows = tuple[Table, list[Row]]

_ORIGINS = 8
"""Sessions that others were copied from whose calls and versions are remembered."""


class Selection(msgspec.Struct, frozen=True):
    """Which sessions are meant.

    Attributes:
        projects: absolute folders; only sessions started there or in a worktree of the same
            repository. Empty = all.
        since: only sessions with a record at or after this time (ms since 1970).
        agent: only this coding agent's.
        host: what to call this machine.
    """

    projects: Sequence[str] = ()
    since: int | None = None
    agent: str | None = None
    host: str | None = None


class Gathered:
    """Gives the rows, as often as they are asked for.

    Attributes:
        notes: sentences about what could not be read the last time, by session.
    """

    def __init__(self, catalog: Catalog, selection: Selection) -> None:
        self.notes: list[str] = []
        self._catalog = catalog
        self._selection = selection
        self._calls_of = lru_cache(_ORIGINS)(self._call_ids)
        self._versions_of = lru_cache(_ORIGINS)(self._version_names)

    def rows(self) -> Iterator[Rows]:
        """Yield rows, those of all sessions first; raises `InvalidParams` for a wrong selection."""
        self.notes = []
        sessions = self._sessions()
        yield SESSIONS, [{"host": self._selection.host, **session_row(each)} for each in sessions]
        for session in sessions:
            yield from self._of_session(session)
            self._let_go(session.session_id)

    def _ask(self, method: str, **params: object) -> Any:
        name = f"forkpoint/{method}"
        return HANDLERS[name](self._catalog, decode_params(name, params))

    def _let_go(self, session_id: str) -> None:
        """Have memory hold no answers of sessions that were written down."""
        entry = self._catalog.find(session_id)
        for transcript in entry.transcripts() if entry else ():
            transcript.rest()

    # --- which sessions ---

    def _sessions(self) -> list[types.SessionSummary]:
        """Programs' sessions and archived ones, too: columns tell them apart."""
        wanted, since = self._in_projects(), self._selection.since
        return [
            session
            for session in self._list()
            if (wanted is None or session.session_id in wanted)
            and (since is None or _last(session) >= since)
        ]

    def _in_projects(self) -> set[str] | None:
        folders = [file_uri(folder) for folder in self._selection.projects]
        if not folders:
            return None
        found = [self._list(folder=folder, scope="repository") for folder in folders]
        return {session.session_id for each in found for session in each}

    def _list(self, **place: str) -> Sequence[types.SessionSummary]:
        result: types.SessionsResult = self._ask(
            "sessions",
            agent=self._selection.agent,
            includeProgrammatic=True,
            includeArchived=True,
            **place,
        )
        return result.sessions

    # --- the rows of one ---

    def _of_session(self, session: types.SessionSummary) -> Iterator[Rows]:
        session_id = session.session_id
        shared = {"host": self._selection.host, "agent": session.agent, "session_id": session_id}
        main = {**shared, "agent_id": None, "agent_type": None}
        yield from self._of_transcript(session, main)
        with self._noting(session_id):
            for agent in self._agents(session_id):
                own = {**shared, "agent_id": agent.agent_id, "agent_type": agent.type}
                yield from self._of_transcript(session, own)
        with self._noting(session_id):
            yield FILE_VERSIONS, self._versions(session, shared)

    def _of_transcript(self, session: types.SessionSummary, whose: Row) -> Iterator[Rows]:
        agent_id = whose["agent_id"]
        who = session.session_id + (f", subagent {agent_id}" if agent_id is not None else "")
        with self._noting(who):
            yield REQUESTS, self._requests(session.session_id, whose)
        with self._noting(who):
            yield TOOL_CALLS, self._calls(session, whose)

    @contextmanager
    def _noting(self, who: str) -> Generator[None]:
        """Go on where a question is refused; the same reason is noted once."""
        try:
            yield
        except RequestFailed as failure:
            note = f"{who}: {failure.sentence}"
            if note not in self.notes[-1:]:
                self.notes.append(note)

    def _agents(self, session_id: str) -> list[types.Subagent]:
        """The subagents with a transcript of their own; what others did stands in the session's."""
        result: types.SubagentsResult = self._ask("subagents", sessionId=session_id)
        return [agent for agent in result.agents if agent.transcript is not None]

    def _requests(self, session_id: str, whose: Row) -> list[Row]:
        asked = {"sessionId": session_id, "agentId": whose["agent_id"]}
        result: types.CacheHistoryResult = self._ask("cacheHistory", **asked)
        return [{**whose, **request_row(request)} for request in result.requests]

    def _calls(self, session: types.SessionSummary, whose: Row) -> list[Row]:
        asked = {"sessionId": session.session_id, "agentId": whose["agent_id"]}
        result: types.ToolCallsResult = self._ask("toolCalls", **asked)
        rows = [{**whose, **call_row(call)} for call in result.calls]
        _mark_copies(rows, session, self._calls_of, lambda row: row["tool_use_id"])
        return rows

    def _versions(self, session: types.SessionSummary, whose: Row) -> list[Row]:
        result: types.CheckpointsResult = self._ask("checkpoints", sessionId=session.session_id)
        rows = [{**whose, **row} for row in version_rows(result.files)]
        _mark_copies(rows, session, self._versions_of, _name_of_version)
        return rows

    # --- what an origin has ---

    def _call_ids(self, session_id: str) -> frozenset[object] | None:
        try:
            agents: list[str | None] = [None]
            agents += [agent.agent_id for agent in self._agents(session_id)]
            found: list[types.ToolCallsResult] = [
                self._ask("toolCalls", sessionId=session_id, agentId=agent_id)
                for agent_id in agents
            ]
        except RequestFailed:
            return None
        return frozenset(call.tool_use_id for result in found for call in result.calls)

    def _version_names(self, session_id: str) -> frozenset[object] | None:
        try:
            result: types.CheckpointsResult = self._ask("checkpoints", sessionId=session_id)
        except RequestFailed:
            return None
        return frozenset(map(_name_of_version, version_rows(result.files)))


def _mark_copies(
    rows: Iterable[Row],
    session: types.SessionSummary,
    of_origin: Callable[[str], frozenset[object] | None],
    name_of: Callable[[Row], object],
) -> None:
    origin = session.forked_from
    known = frozenset[object]() if origin is None else of_origin(origin.session_id)
    for row in rows:
        row["inherited"] = None if known is None else name_of(row) in known


def _name_of_version(row: Row) -> object:
    return row["file"], row["version"], row["backup"], row["recorded_at"], row["prompt_uuid"]


def _last(session: types.SessionSummary) -> int:
    last = moment(session.updated_at)
    return (moment(session.modified_at) or 0) if last is None else last
