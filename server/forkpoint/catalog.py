"""All sessions below the given roots: found at once, read when asked for or in the background.

The catalog never waits for a whole index: what is known is answered, the rest says that it is not
known yet. State changes on the caller's thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from forkpoint import disk
from forkpoint.agents import AgentTranscript, owner_of
from forkpoint.backups import Backups, Copy
from forkpoint.client_rules import parse_version
from forkpoint.contents import Contents
from forkpoint.counts import Counts, counts_of
from forkpoint.disk import SessionFile, Unreadable
from forkpoint.file_histories import FileHistories
from forkpoint.index import TranscriptIndex
from forkpoint.late_copies import late_copies
from forkpoint.lineage import Lineage, Origin
from forkpoint.live import LiveClient, live_clients
from forkpoint.prices import Prices
from forkpoint.projects import Places
from forkpoint.recorded import RecordedFile, recorded_files
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.sidecars import Sidecars, retention_days, sidecars_of
from forkpoint.summary import Summary
from forkpoint.transcript_file import TranscriptFile

STEP = 2 * 1024 * 1024
"""Bytes per step of background reading: some 30 ms."""


class Unknown(Exception):
    """Nothing is there under a name that the caller gave; `what` is session or subagent."""

    def __init__(self, what: str, name: str) -> None:
        super().__init__(f"There is no {what} {name}.")


class Catalog:
    """Sessions by id.

    Attributes:
        roots: config folders.
        usual_root: the one that a client uses which is told nothing.
        places: what is known of directories.
        lineage: who was copied from whom, among indexed sessions.
        contents: what versions of files hold.
        histories: which versions of files are kept.
        problems: (root, reason) pairs of what could not be listed.
        prices: what a response costs.
        account: how the client is paid for: `subscription`, `apiKey` or `unknown`.
        status_line_cache: whether what a status line wrote of the prompt cache may be read.
    """

    def __init__(self, roots: Sequence[Path], usual_root: Path | None = None) -> None:
        self.roots = roots
        self.usual_root = usual_root
        self.places = Places()
        self.lineage = Lineage(self.known_index)
        self.contents = Contents(Backups(), self._record)
        self.histories = FileHistories(self)
        self.problems: list[disk.Problem] = []
        self.prices = Prices()
        self.account = "unknown"
        self.status_line_cache = False
        self.live: dict[str, LiveClient] = {}
        self._entries: dict[str, SessionEntry] = {}
        self._owners: dict[str, str | None] = {}
        self._summaries: dict[str, dict[str, list[tuple[str, str]]]] = {}
        self._counts: dict[str, tuple[object, Counts]] = {}
        self._origins: dict[str, tuple[object, Origin | None]] = {}
        self._recorded: dict[str, tuple[object, list[RecordedFile]]] = {}
        self._sidecars: dict[str, Sidecars] = {}
        self._retention: dict[Path, int | None] = {}
        self._added: set[str] = set()
        self._changed: set[str] = set()
        self._removed: set[str] = set()
        self.rescan()

    def adopt(self, *, prices: Prices, account: str, status_line_cache: bool) -> None:
        """Go by what the user says from now on; nothing is read anew for it."""
        self.prices, self.account = prices, account
        self.status_line_cache = status_line_cache
        self._changed.update(entry.session_id for entry in self._entries.values())

    # --- what is there ---

    def rescan(self) -> None:
        """List the roots again; sessions keep what was read of them."""
        scans = [(root, disk.scan(root)) for root in self.roots]
        self.problems = [problem for _, scan in scans for problem in scan.problems]
        self.live = live_clients(self.roots)
        self._sidecars.clear()
        self._retention.clear()
        self.places.forget()
        found: dict[str, list[tuple[Path, SessionFile]]] = {}
        for root, scan in scans:
            for file in scan.sessions:
                found.setdefault(file.session_id.lower(), []).append((root, file))
        for key in [key for key in self._entries if key not in found]:
            self._removed.add(self._entries.pop(key).session_id)
        for key, places in found.items():
            self._list(key, places)
        self._list_agents([file for _, scan in scans for file in scan.agents])

    def _list(self, key: str, places: list[tuple[Path, SessionFile]]) -> None:
        places.sort(key=lambda place: place[1].stat.mtime_ns, reverse=True)
        root, file = places[0]
        others = [other for _, other in places[1:]]
        entry = self._entries.get(key)
        if entry is None or entry.file.path != file.path:
            main = TranscriptFile(file.path, file.session_id, file.stat)
            self._entries[key] = SessionEntry(file, others, root, main, {})
            self._added.add(file.session_id)
        elif entry.file != file or entry.others != others:
            entry.file, entry.others = file, others
            entry.main.stat = file.stat
            self._changed.add(file.session_id)

    def _list_agents(self, files: Sequence[disk.AgentFile]) -> None:
        there = {file.path for file in files}
        for entry in self._entries.values():
            kept = {key: agent for key, agent in entry.agents.items() if agent.file.path in there}
            if len(kept) < len(entry.agents):
                entry.agents = kept
                self._changed.add(entry.session_id)
        for file in files:
            # A flat file may be listed before its first record, which names the session, is there.
            if file.session_id is None and self._owners.get(file.path) is None:
                self._owners[file.path] = owner_of(file)
            owner = file.session_id or self._owners[file.path]
            entry = self._entries.get((owner or "").lower())
            if entry is None:
                continue
            known = entry.agents.get(file.agent_id)
            if known is None or known.file.path != file.path:
                transcript = TranscriptFile(file.path, entry.session_id, file.stat, of_agent=True)
                entry.agents[file.agent_id] = AgentTranscript(file, transcript)
            elif known.file != file:
                known.file = file
                known.transcript.stat = file.stat
                self._changed.add(entry.session_id)

    def entries(self) -> list[SessionEntry]:
        """Return all sessions found, newest file first."""
        entries = self._entries.values()
        return sorted(entries, key=lambda entry: entry.file.stat.mtime_ns, reverse=True)

    def entry(self, session_id: str) -> SessionEntry:
        """Return a session by its id; raises `Unknown`."""
        entry = self._entries.get(session_id.lower())
        if entry is None:
            self.rescan()
            entry = self._entries.get(session_id.lower())
        if entry is None:
            raise Unknown("session", session_id)
        return entry

    def find(self, session_id: str) -> SessionEntry | None:
        """Return a session by its id if it is known."""
        return self._entries.get(session_id.lower())

    # --- what is in it ---

    def conversation(self, session_id: str, agent_id: str | None = None) -> Conversation:
        """Return a transcript as it is now; raises `Unknown` or `Unreadable`."""
        entry = self.entry(session_id)
        if agent_id is None:
            return self._read(entry, entry.main)
        return self._read(entry, self.agent(entry, agent_id).transcript)

    def agent(self, entry: SessionEntry, agent_id: str) -> AgentTranscript:
        """Return a subagent of a session; raises `Unknown`."""
        agent = entry.agents.get(agent_id)
        if agent is None:
            self.rescan()
            agent = entry.agents.get(agent_id)
        if agent is None:
            raise Unknown("subagent", agent_id)
        return agent

    def transcript(self, session_id: str, agent_id: str | None = None) -> TranscriptFile:
        """Return the file of a transcript; raises `Unknown`."""
        entry = self.entry(session_id)
        return entry.main if agent_id is None else self.agent(entry, agent_id).transcript

    def _read(self, entry: SessionEntry, transcript: TranscriptFile) -> Conversation:
        before = _state(transcript.conversation)
        try:
            conversation = transcript.refresh()
        except Unreadable as failure:
            if transcript is entry.main:
                entry.problem = failure.reason
            raise
        if _state(conversation) != before:
            self._changed.add(entry.session_id)
            self.histories.expect(entry)
        if transcript is entry.main:
            entry.problem = None
            self.lineage.add(entry.session_id, conversation.index)
            if conversation.index.summary.summaries:
                in_project = self._summaries.setdefault(entry.file.key, {})
                in_project[entry.session_id] = conversation.index.summary.summaries
        return conversation

    def read(self, entry: SessionEntry) -> Conversation:
        """Return a session's own transcript as it is now; raises `Unreadable`."""
        return self._read(entry, entry.main)

    def catch_up(self, entry: SessionEntry) -> None:
        """Read what was appended to a session that was read before; a failure becomes a problem."""
        if entry.main.conversation is not None and not entry.main.is_indexed:
            with suppress(Unreadable):
                self._read(entry, entry.main)

    def read_agents(self, entry: SessionEntry) -> None:
        """Read the transcripts of a session's subagents; what cannot be read stays unknown."""
        for agent in entry.agents.values():
            with suppress(Unreadable):
                self._read(entry, agent.transcript)

    def known_index(self, session_id: str) -> TranscriptIndex | None:
        """Return what was read of a session so far, None if nothing."""
        entry = self._entries.get(session_id.lower())
        conversation = entry.main.conversation if entry else None
        return conversation.index if conversation else None

    def summary(self, entry: SessionEntry) -> Summary | None:
        """Return a session's facts as far as known; None where it cannot be read."""
        main = entry.main
        try:
            # A short one is read whole at once, and then counts as read.
            if main.conversation is None and main.is_short:
                return self._read(entry, main).index.summary
            return main.peek()
        except Unreadable as failure:
            entry.problem = failure.reason
            return None

    def sidecars(self, entry: SessionEntry) -> Sidecars:
        """Return what the client keeps beside a session's transcript."""
        if entry.session_id not in self._sidecars:
            self._sidecars[entry.session_id] = sidecars_of(entry.file.folder)
        return self._sidecars[entry.session_id]

    def retention_days(self, root: Path) -> int | None:
        """Return after how many days the client deletes transcripts below a root."""
        if root not in self._retention:
            self._retention[root] = retention_days(root)
        return self._retention[root]

    @property
    def resuming_version(self) -> str | None:
        """The newest version of a running client, which is installed; None while none runs."""
        versions = [client.version for client in self.live.values() if client.version]
        return max(versions, key=lambda text: parse_version(text) or (0, 0, 0), default=None)

    def origin(self, entry: SessionEntry) -> Origin | None:
        """Return the session that one was copied from, as far as the indexed sessions tell."""
        index = self.known_index(entry.session_id)
        if index is None:
            return None
        # A session that goes on from a row nobody has is looked for in all others.
        state = (index, len(index.nodes), len(self.lineage.sessions))
        known = self._origins.get(entry.session_id)
        if known is None or known[0] != state:
            known = (state, self.lineage.origin(entry.session_id, index))
            self._origins[entry.session_id] = known
        return known[1]

    def counts(self, entry: SessionEntry) -> Counts | None:
        """Return a session's numbers; None until its transcript is read."""
        main = entry.main.conversation
        if main is None or not entry.main.is_indexed:
            return None
        agents = [agent.transcript.conversation for agent in entry.agents.values()]
        origin = self.origin(entry)
        version = self.resuming_version
        states = [_state(agent) for agent in agents]
        state = (_state(main), states, origin, version, self.prices)
        known = self._counts.get(entry.session_id)
        if known is None or known[0] != state:
            copied = self.lineage.copied(origin, main.index)
            indexes = [agent.index if agent else None for agent in agents]
            known = (state, counts_of(main, indexes, copied, version, self.prices))
            self._counts[entry.session_id] = known
        return known[1]

    def recorded(self, entry: SessionEntry) -> list[RecordedFile] | None:
        """Return the files whose states a session recorded; None until its transcript is read."""
        main = entry.main.conversation
        if main is None:
            return None
        version = self.resuming_version
        state = (_state(main), version)
        known = self._recorded.get(entry.session_id)
        if known is None or known[0] != state:
            late = late_copies(main, entry.main.bodies, lambda name: self._copy(entry, name))
            known = self._recorded[entry.session_id] = (state, recorded_files(main, version, late))
        return known[1]

    def _copy(self, entry: SessionEntry, name: str) -> bytes | None:
        try:
            return self.contents.data(Copy(entry.root, entry.session_id, name))
        except Unreadable:
            return None

    def _record(self, session_id: str, ordinal: int) -> bytes:
        """Read a record of a session; raises `Unreadable` where there is none, too."""
        entry = self._entries.get(session_id.lower())
        main = self._read(entry, entry.main) if entry else None
        if entry is None or main is None or ordinal >= len(main.index.nodes):
            raise Unreadable("", "gone")
        return entry.main.bodies([ordinal])[0]

    def own_summary(self, entry: SessionEntry) -> str | None:
        """Return the last `summary` text that is about a row of this session, newest file first.

        Clients up to 2.0.76 wrote such lines into whichever file they opened next.
        """
        index = self.known_index(entry.session_id)
        if index is None:
            return None
        found = self._summaries.get(entry.file.key, {})
        newest_first = sorted(found, key=self._modified, reverse=True)
        pairs = (pair for session_id in newest_first for pair in reversed(found[session_id]))
        return next((text for text, leaf in pairs if index.nodes.find(leaf) is not None), None)

    def _modified(self, session_id: str) -> int:
        """When a session's file was changed last (ns); a file that is gone counts as the oldest."""
        entry = self._entries.get(session_id.lower())
        return entry.file.stat.mtime_ns if entry else 0

    # --- reading in the background ---

    def index_next(self) -> bool:
        """Read on in the newest transcript that is not indexed; False when none is left.

        A step reads about `STEP` bytes, so that a question never waits long behind it.
        """
        for entry in self.entries():
            for transcript in entry.transcripts():
                if not transcript.is_indexed and not transcript.failed:
                    self._index(entry, transcript)
                    return True
        return self.histories.measure_next()

    def _index(self, entry: SessionEntry, transcript: TranscriptFile) -> None:
        try:
            if transcript.advance(STEP) is None:
                return
            self._read(entry, transcript)
            self._changed.add(entry.session_id)
            self.histories.expect(entry)
            if all(other.is_indexed for other in entry.transcripts()):
                self.counts(entry)
            self.recorded(entry)
            transcript.rest()
        except Unreadable as failure:
            transcript.failed = True
            if transcript is entry.main:
                entry.problem = failure.reason

    def indexing(self) -> tuple[int, int]:
        """Return how many transcripts are indexed (or cannot be), and how many there are."""
        all_of_them = [t for entry in self._entries.values() for t in entry.transcripts()]
        return sum(t.is_indexed or t.failed for t in all_of_them), len(all_of_them)

    def take_changes(self) -> tuple[list[str], list[str], list[str]]:
        """Return ids of sessions added, changed and removed since the last call."""
        changes = (
            sorted(self._added),
            sorted(self._changed - self._added),
            sorted(self._removed - self._added),
        )
        self._added, self._changed, self._removed = set(), set(), set()
        return changes


def _state(conversation: Conversation | None) -> tuple[Conversation | None, int]:
    """What tells whether more was read since: a file that was read anew is another conversation."""
    return conversation, len(conversation.index.nodes) if conversation else 0
