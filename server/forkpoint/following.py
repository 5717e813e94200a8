"""What happened to the sessions that somebody follows?

Each look compares a transcript with what was told of it the last time, so that nothing is told
twice, and nothing where nothing happened.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from forkpoint.live import LiveClient
from forkpoint.moved import Moved, Place, appeared, between, place_of
from forkpoint.session_entry import SessionEntry
from forkpoint.tool_calls import ToolCall
from forkpoint.transcript_file import TranscriptFile

logger = logging.getLogger(__name__)


class Sessions(Protocol):
    """What is asked of the catalog."""

    @property
    def live(self) -> dict[str, LiveClient]:
        """The running clients, by session id."""
        ...

    @property
    def resuming_version(self) -> str | None:
        """The client version that would resume."""
        ...

    def find(self, session_id: str) -> SessionEntry | None:
        """Return a session by its id if it is known."""
        ...

    def read_agents(self, entry: SessionEntry) -> None:
        """Read the transcripts of a session's subagents."""
        ...


class Move(NamedTuple):
    """What happened to one transcript of a followed session.

    Attributes:
        agent_id: the subagent whose transcript it is; None for the session's own.
        gone: the file is no longer there.
        place: where it stands now, which for one that is gone is where it stood.
        moved: the difference to the last time.
    """

    entry: SessionEntry
    agent_id: str | None
    transcript: TranscriptFile
    gone: bool
    place: Place
    moved: Moved
    live: LiveClient | None


class _Told(NamedTuple):
    """What was told of a transcript."""

    entry: SessionEntry
    transcript: TranscriptFile
    place: Place
    version: str | None
    live: LiveClient | None
    gone: bool


class Following:
    """The followed sessions, and what was told of each of their transcripts."""

    def __init__(self) -> None:
        self._told: dict[str, dict[str | None, _Told]] = {}

    def __contains__(self, session_id: str) -> bool:
        return session_id.lower() in self._told

    def begin(self, sessions: Sessions, entry: SessionEntry) -> Place:
        """Follow a session from now on, and return where it stands; it must have been read."""
        sessions.read_agents(entry)
        told = {
            agent_id: _look(sessions, entry, transcript)
            for agent_id, transcript in _transcripts(entry)
        }
        self._told[entry.session_id.lower()] = told
        return told[None].place

    def end(self, session_id: str) -> None:
        """Follow a session no longer."""
        self._told.pop(session_id.lower(), None)

    def take_moves(self, sessions: Sessions) -> list[Move]:
        """Return what happened since the last call."""
        moves: list[Move] = []
        for key in list(self._told):
            try:
                moves += self._of_session(sessions, key)
            except Exception:
                # One session's trouble costs the others nothing; it is looked at again next time.
                logger.exception("What happened to a session is not known")
        return moves

    def _of_session(self, sessions: Sessions, key: str) -> Iterator[Move]:
        told, entry = self._told[key], sessions.find(key)
        if entry is None:
            yield from self._gone(told, list(told))
            return
        if any(agent.transcript.conversation is None for agent in entry.agents.values()):
            sessions.read_agents(entry)
        # One that moved is unread where it is now, but not gone.
        there = {None, *entry.agents}
        yield from self._gone(told, [agent_id for agent_id in told if agent_id not in there])
        for agent_id, transcript in _transcripts(entry):
            before = told.get(agent_id)
            if before is None or _may_differ(before, sessions, entry, transcript):
                now = told[agent_id] = _look(sessions, entry, transcript)
                if (move := _move(agent_id, before, now)) is not None:
                    yield move

    def _gone(
        self, told: dict[str | None, _Told], agent_ids: Iterable[str | None]
    ) -> Iterator[Move]:
        for agent_id in agent_ids:
            before = told[agent_id]
            if not before.gone:
                now = told[agent_id] = before._replace(gone=True, live=None)
                if (move := _move(agent_id, before, now)) is not None:
                    yield move


def _transcripts(entry: SessionEntry) -> list[tuple[str | None, TranscriptFile]]:
    """The transcripts that were read."""
    agents = [(agent_id, agent.transcript) for agent_id, agent in entry.agents.items()]
    files: list[tuple[str | None, TranscriptFile]] = [(None, entry.main), *agents]
    return [(agent_id, file) for agent_id, file in files if file.conversation is not None]


def _may_differ(
    before: _Told, sessions: Sessions, entry: SessionEntry, transcript: TranscriptFile
) -> bool:
    conversation = transcript.conversation
    return (
        conversation is None
        or conversation is not before.place.conversation
        or len(conversation.index.nodes) != before.place.rows
        or sessions.resuming_version != before.version
        or sessions.live.get(entry.session_id) != before.live
        or before.gone
    )


def _look(sessions: Sessions, entry: SessionEntry, transcript: TranscriptFile) -> _Told:
    conversation = transcript.conversation
    assert conversation is not None, "callers look at what was read"
    version = sessions.resuming_version
    live = sessions.live.get(entry.session_id)
    place = place_of(conversation, version)
    place = place._replace(running=[call for call in place.running if _may_run(call, place, live)])
    return _Told(entry, transcript, place, version, live, gone=False)


def _may_run(call: ToolCall, place: Place, live: LiveClient | None) -> bool:
    """What works in the background ends with the client that started it."""
    if not call.in_background:
        return True
    began = place.conversation.index.nodes.time[call.row]
    return live is not None and (live.since is None or began >= live.since)


def _move(agent_id: str | None, before: _Told | None, now: _Told) -> Move | None:
    """Compare; None where nothing of what is told differs."""
    moved = appeared(now.place) if before is None else between(before.place, now.place)
    if before is not None and _same(before, now) and not moved.is_any:
        return None
    return Move(now.entry, agent_id, now.transcript, now.gone, now.place, moved, now.live)


def _same(before: _Told, now: _Told) -> bool:
    return _shown(before) == _shown(now)


def _shown(told: _Told) -> tuple[object, ...]:
    """What is told beside what moved."""
    live = told.live and (told.live.pid, told.live.status, told.live.waiting_for)
    return told.gone, live, told.place.tip, told.place.running
