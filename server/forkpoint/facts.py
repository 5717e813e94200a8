"""What is worked out of the transcripts that were read, once per state of them.

Where a session came from, and so what it spent itself, is a question of what other sessions hold.
"""

from __future__ import annotations

from typing import Protocol

from forkpoint.backups import Copy
from forkpoint.contents import Contents
from forkpoint.copies import NOTHING, Copies, GrowingCopies
from forkpoint.counts import Copied, Counts, counts_of
from forkpoint.disk import Unreadable
from forkpoint.index import TranscriptIndex
from forkpoint.keeping import Keeping, Ways, basis_of, ways_of
from forkpoint.late_copies import late_copies
from forkpoint.lineage import Lineage, Origin
from forkpoint.listed import Listed
from forkpoint.prices import Prices
from forkpoint.recorded import RecordedFile, recorded_files
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.summary import Summary

State = tuple[Conversation | None, int]
"""What tells whether more was read since: a file that was read anew is another conversation."""


def state_of(conversation: Conversation | None) -> State:
    """Return the state of a transcript."""
    return conversation, len(conversation.index.nodes) if conversation else 0


class Sessions(Protocol):
    """What is asked of the catalog."""

    @property
    def prices(self) -> Prices:
        """What a response costs."""
        ...

    @property
    def generation(self) -> int:
        """What is another number whenever a file is another one than before."""
        ...

    @property
    def resuming_version(self) -> str | None:
        """The client version that would resume."""
        ...

    def find(self, session_id: str) -> SessionEntry | None:
        """Return a session by its id if it is known."""
        ...

    @property
    def contents(self) -> Contents:
        """What versions of files hold."""
        ...


class Facts:
    """Facts by session.

    Attributes:
        lineage: who was copied from whom, among the sessions that were read.
    """

    def __init__(self, sessions: Sessions, keeping: Keeping | None) -> None:
        """Begin without any session; `keeping` has the facts that an earlier run worked out."""
        self._sessions = sessions
        self._keeping = keeping
        self.lineage = Lineage(self.known_index)
        self._summaries: dict[str, dict[str, list[tuple[str, str]]]] = {}
        self._counts: dict[str, tuple[object, Counts]] = {}
        self._origins: dict[str, tuple[object, Origin | None]] = {}
        self._recorded: dict[str, tuple[object, list[RecordedFile]]] = {}
        self._copies: dict[str, GrowingCopies] = {}
        self._kept_at: object = None
        self._kept_now: dict[str, Listed | None] = {}
        self._ways = Ways("", 0)

    def take_in(self, entry: SessionEntry, index: TranscriptIndex) -> None:
        """Take note of what others want to know of a session."""
        self.lineage.add(entry.session_id, index)
        if index.summary.summaries:
            in_project = self._summaries.setdefault(entry.file.key, {})
            in_project[entry.session_id] = index.summary.summaries

    def forget(self, session_id: str) -> None:
        """Forget a session that is gone, or whose file is another one now."""
        self.lineage.forget(session_id)
        for known in (self._counts, self._origins, self._recorded, *self._summaries.values()):
            known.pop(session_id, None)
        self._copies.pop(session_id, None)

    def known_index(self, session_id: str) -> TranscriptIndex | None:
        """Return what was read of a session so far, None if nothing."""
        entry = self._sessions.find(session_id)
        conversation = entry.main.conversation if entry else None
        return conversation.index if conversation else None

    def origin(self, entry: SessionEntry) -> Origin | None:
        """Return the session that one was copied from, as far as those that were read tell."""
        index = self.known_index(entry.session_id)
        if index is None:
            kept = self._kept(entry)
            return None if kept is None else kept.origin
        state = (index, len(index.nodes), self.lineage.state(entry.session_id, index))
        known = self._origins.get(entry.session_id)
        if known is None or known[0] != state:
            known = (state, self.lineage.origin(entry.session_id, index))
            self._origins[entry.session_id] = known
        return known[1]

    def copied(self, entry: SessionEntry, index: TranscriptIndex) -> frozenset[str]:
        """Return the message ids that older sessions have, too."""
        return self.lineage.copied(entry.session_id, index)

    def copies(self, entry: SessionEntry) -> Copies:
        """Return which rows of a session are copies; none as long as it is not read."""
        index, origin = self.known_index(entry.session_id), self.origin(entry)
        if index is None or origin is None:
            return NOTHING
        growing = self._copies.setdefault(entry.session_id, GrowingCopies())
        return growing.of(index, self.known_index(origin.session_id))

    def counts(self, entry: SessionEntry) -> Counts | None:
        """Return a session's numbers; None until its transcript is read, now or by a run before."""
        kept, origin = self._kept(entry), self.origin(entry)
        if kept is not None and kept.origin == origin:
            return kept.counts
        main = entry.main.conversation
        if main is None or not entry.main.is_indexed:
            return None
        version, prices = self._sessions.resuming_version, self._sessions.prices
        agents = [agent.transcript.conversation for agent in entry.agents.values()]
        states = [state_of(agent) for agent in agents]
        # What was copied is what older sessions still hold.
        older = self.lineage.state(entry.session_id, main.index)
        state = (state_of(main), states, origin, older, version, prices)
        known = self._counts.get(entry.session_id)
        if known is None or known[0] != state:
            copied = Copied(self.copied(entry, main.index), self.copies(entry).rows)
            indexes = [agent.index if agent else None for agent in agents]
            known = (state, counts_of(main, indexes, copied, version, prices))
            self._counts[entry.session_id] = known
        return known[1]

    def recorded(self, entry: SessionEntry) -> list[RecordedFile] | None:
        """Return the files whose states a session recorded; None until its transcript is read."""
        main = entry.main.conversation
        if main is None:
            return None
        version = self._sessions.resuming_version
        state = (state_of(main), version)
        known = self._recorded.get(entry.session_id)
        if known is None or known[0] != state:
            late = late_copies(main, entry.main.bodies, lambda name: self._copy(entry, name))
            known = self._recorded[entry.session_id] = (state, recorded_files(main, version, late))
        return known[1]

    def _copy(self, entry: SessionEntry, name: str) -> bytes | None:
        """What a copy of a file beside a session holds; None where it cannot be read."""
        try:
            return self._sessions.contents.data(Copy(entry.root, entry.session_id, name))
        except Unreadable:
            return None

    def summary(self, entry: SessionEntry) -> Summary | None:
        """Return the summary that an earlier run made, of a transcript that is unread and same."""
        kept = None if entry.main.conversation is not None else self._kept(entry)
        return None if kept is None else kept.summary

    def keep(self, entry: SessionEntry) -> None:
        """Keep what the list shows of a session if all of it is known."""
        if self._keeping is None or not all(file.is_indexed for file in entry.transcripts()):
            return
        kept, origin, counts = self._kept(entry), self.origin(entry), self.counts(entry)
        index = self.known_index(entry.session_id)
        if counts is None or index is None or (kept is not None and kept.origin == origin):
            return
        basis = basis_of(entry, origin, self._sessions.find, self.ways())
        own = self.own_summary(entry)
        self._keeping.take_listed(entry, Listed(basis, index.summary, counts, origin, own))
        self._kept_now.pop(entry.session_id, None)

    def _kept(self, entry: SessionEntry) -> Listed | None:
        if self._keeping is None:
            return None
        sessions = self._sessions
        # A list asks this some times of each of its rows.
        state = (sessions.generation, sessions.resuming_version, sessions.prices)
        if self._kept_at != state:
            self._kept_at, self._kept_now, self._ways = state, {}, self.ways()
        session_id = entry.session_id
        if session_id not in self._kept_now:
            listed = self._keeping.listed(entry, sessions.find, self._ways)
            self._kept_now[session_id] = listed
        return self._kept_now[session_id]

    def ways(self) -> Ways:
        """Return what facts depend on beside the transcripts."""
        return ways_of(self._sessions.resuming_version, self._sessions.prices)

    def own_summary(self, entry: SessionEntry) -> str | None:
        """Return the last `summary` text that is about a row of this session, newest file first.

        Clients up to 2.0.76 wrote such lines into whichever file they opened next.
        """
        index = self.known_index(entry.session_id)
        if index is None:
            kept = self._kept(entry)
            return None if kept is None else kept.own_summary
        found = self._summaries.get(entry.file.key, {})
        newest_first = sorted(found, key=self._modified, reverse=True)
        pairs = (pair for session_id in newest_first for pair in reversed(found[session_id]))
        return next((text for text, leaf in pairs if index.nodes.find(leaf) is not None), None)

    def _modified(self, session_id: str) -> int:
        """When a session's file was changed last (ns); a file that is gone counts as the oldest."""
        entry = self._sessions.find(session_id)
        return entry.file.stat.mtime_ns if entry else 0
