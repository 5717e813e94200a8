"""All sessions below the given roots: found at once, read when asked for or in the background.

The catalog never waits for a whole index: what is known is answered, the rest says that it is not
known yet. State changes on the caller's thread only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from forkpoint.agents import AgentTranscript
from forkpoint.background import Background
from forkpoint.backups import Backups
from forkpoint.beside import Beside
from forkpoint.contents import Contents
from forkpoint.counts import Counts
from forkpoint.disk import Unreadable
from forkpoint.facts import Facts
from forkpoint.file_histories import FileHistories
from forkpoint.folder_walk import Problem
from forkpoint.following import Following, Move
from forkpoint.keeping import Keeping
from forkpoint.lineage import Origin
from forkpoint.live import LiveClient
from forkpoint.patch_histories import PatchHistories
from forkpoint.prices import Prices
from forkpoint.reading import Reading
from forkpoint.recorded import RecordedFile
from forkpoint.roster import Changes, Roster, Unknown
from forkpoint.searching import OpenSearch, Searching, in_memory
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.shown import Shown
from forkpoint.summary import Summary
from forkpoint.touched import Touched, what_to_look_at
from forkpoint.transcript_file import TranscriptFile


class Catalog:
    """Sessions by id.

    Attributes:
        roots: config folders.
        codex_homes: the folders of the other agent.
        usual_roots: those that clients use which are told nothing.
        beside: what lies beside transcripts.
        facts: what is worked out of the sessions that were read.
        contents: what versions of files hold.
        histories: which versions of files are kept.
        patches: which versions of files patches tell of, where none are kept.
        following: the sessions whose every move is told.
        shown: what the list showed last.
        searching: the words of all transcripts.
        prices: what a response costs.
        account: how the client is paid for: `subscription`, `apiKey` or `unknown`.
        status_line_cache: whether what a status line wrote of the prompt cache may be read.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        usual_root: Path | None = None,
        keeping: Keeping | None = None,
        search: OpenSearch = in_memory,
        codex_homes: Sequence[Path] = (),
        usual_codex_home: Path | None = None,
    ) -> None:
        """List what is there; `keeping` and `search` have what is kept over restarts."""
        self.roots = roots
        self.codex_homes = codex_homes
        self.usual_roots = (usual_root, usual_codex_home)
        self.beside = Beside(codex_homes)
        self.keeping = keeping
        self.facts = Facts(self, keeping)
        self.contents = Contents(Backups(), self._record)
        self.histories = FileHistories(self)
        self.patches = PatchHistories(self)
        self.following = Following()
        self.prices = Prices()
        self.account = "unknown"
        self.status_line_cache = False
        self._roster = Roster(roots, codex_homes)
        self._reading = Reading(self._roster, keeping, self.facts, self.histories)
        self.shown = Shown(self._roster, self.beside)
        self.searching = Searching(self._roster, search)
        self._background = Background(
            self._roster, self._reading, keeping, self.facts, self.histories, self.searching
        )
        self.rescan()

    def adopt(self, *, prices: Prices, account: str, status_line_cache: bool) -> None:
        """Go by what the user says from now on; nothing is read anew for it."""
        self.prices, self.account = prices, account
        self.status_line_cache = status_line_cache
        self._roster.all_have_changed()

    # --- what is there ---

    @property
    def problems(self) -> list[Problem]:
        """What could not be listed."""
        return self._roster.problems

    @property
    def live(self) -> dict[str, LiveClient]:
        """The running clients, by session id."""
        return self._roster.live

    def rescan(self, *, agents: bool = True) -> list[SessionEntry]:
        """List, look up anew what lies beside transcripts, and return the sessions that moved."""
        moved, removed = self._roster.rescan(agents=agents)
        self.beside.forget()
        self._look_at_names()
        for session_id in removed:
            self.facts.forget(session_id)
        if removed:
            self.histories.forget()
        return moved

    def refresh(self, paths: Iterable[str] | None) -> None:
        """Read what changed since the last look.

        Args:
            paths: files and folders that something happened to, as listed below the roots; None
                where anything may have.
        """
        homes = self.codex_homes
        wanted = None if paths is None else what_to_look_at(paths, self.roots, homes)
        if wanted is None:
            self._roster.try_all_again()
        if wanted is None or not self._look_at_known(wanted):
            for entry in self.rescan():
                for transcript in entry.transcripts():
                    self._reading.on(entry, transcript)
        elif wanted.registry:
            self._roster.look_who_is_live()
        if wanted is not None and wanted.names:
            self._look_at_names()
        for session_id in wanted.copies if wanted is not None else ():
            self._roster.has_changed(session_id)

    def _look_at_names(self) -> None:
        """Notice which threads are called otherwise by now."""
        if named := self.beside.look_at_names():
            for entry in self._roster.entries():
                if entry.file.resume_id.lower() in named:
                    self._roster.has_changed(entry.session_id)

    def _look_at_known(self, wanted: Touched) -> bool:
        """Read on in transcripts that were listed before; False where the listing is outdated."""
        if wanted.listing:
            return False
        for path in wanted.transcripts:
            owner = self._roster.owner(path)
            if owner is None or not self._roster.look_at(*owner):
                return False
            self._reading.on(*owner)
            self.beside.forget_session(owner[0].session_id)
        return True

    def look_who_is_live(self) -> None:
        """Notice clients that began or ended, also those that died without a word."""
        self._roster.look_who_is_live()

    def entries(self) -> list[SessionEntry]:
        """Return all sessions found, newest file first."""
        return self._roster.entries()

    def entry(self, session_id: str) -> SessionEntry:
        """Return a session by its id; raises `Unknown`."""
        entry = self.find(session_id)
        if entry is None:
            self.rescan()
            entry = self.find(session_id)
        if entry is None:
            raise Unknown("session", session_id)
        return entry

    def find(self, session_id: str) -> SessionEntry | None:
        """Return a session by its id if it is known."""
        return self._roster.find(session_id)

    # --- what is in it ---

    def conversation(self, session_id: str, agent_id: str | None = None) -> Conversation:
        """Return a transcript as it is now; raises `Unknown` or `Unreadable`."""
        entry = self.entry(session_id)
        if agent_id is None:
            return self._reading.whole(entry, entry.main)
        return self._reading.whole(entry, self.agent(entry, agent_id).transcript)

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

    def read(self, entry: SessionEntry) -> Conversation:
        """Return a session's own transcript as it is now; raises `Unreadable`."""
        return self._reading.whole(entry, entry.main)

    def catch_up(self, entry: SessionEntry) -> None:
        """Read what was appended to a session that was read before; a failure becomes a problem."""
        if entry.main.conversation is not None and not entry.main.is_indexed:
            with suppress(Unreadable):
                self._reading.whole(entry, entry.main)

    def read_agents(self, entry: SessionEntry) -> None:
        """Read the transcripts of a session's subagents; what cannot be read stays unknown."""
        for agent in entry.agents.values():
            with suppress(Unreadable):
                self._reading.whole(entry, agent.transcript)

    def summary(self, entry: SessionEntry) -> Summary | None:
        """Return a session's facts as far as known; None where it cannot be read."""
        main = entry.main
        if (known := self.known_summary(entry)) is not None:
            return known
        try:
            # A short one is read whole at once, and then counts as read.
            if main.conversation is None and main.is_short:
                return self._reading.whole(entry, main).index.summary
            return main.peek()
        except Unreadable as failure:
            entry.problem = failure.reason
            return None

    @property
    def generation(self) -> int:
        """Return what is another number whenever a file is another one than before."""
        return self._roster.generation

    @property
    def resuming_version(self) -> str | None:
        """The newest version of a running client, which is installed; None while none runs."""
        return self._roster.version

    def origin(self, entry: SessionEntry) -> Origin | None:
        """Return the session that one was copied from, as far as those that were read tell."""
        return self.facts.origin(entry)

    def counts(self, entry: SessionEntry) -> Counts | None:
        """Return a session's numbers; None until its transcript is read."""
        return self.facts.counts(entry)

    def recorded(self, entry: SessionEntry) -> list[RecordedFile] | None:
        """Return the files whose states a session recorded; None until its transcript is read."""
        return self.facts.recorded(entry)

    def _record(self, session_id: str, ordinal: int) -> bytes:
        """Read a record of a session; raises `Unreadable` where there is none, too."""
        entry = self.find(session_id)
        main = self._reading.whole(entry, entry.main) if entry else None
        if entry is None or main is None or ordinal >= len(main.index.nodes):
            raise Unreadable("", "gone")
        return entry.main.bodies([ordinal])[0]

    # --- reading in the background ---

    def heed(self, is_unwanted: Callable[[], bool]) -> None:
        """Learn by what to ask whether the answer that is being worked out is wanted no more."""
        self.searching.is_unwanted = is_unwanted

    def be_helped(self, wake: Callable[[], None]) -> None:
        """Have another process read what is large; `wake` says, on any thread, that it has."""
        self._background.be_helped(wake)

    def awaits_help(self) -> bool:
        """Say whether something is still to come from that process."""
        return self._background.awaits_help()

    def index_next(self) -> bool:
        """Read on in the newest transcript that is not indexed; False when none is left here.

        A step reads about `STEP` bytes, so that a question never waits long behind it.
        """
        return self._background.next(self.resuming_version)

    def keep(self) -> None:
        """Write what is worth to be kept over a restart."""
        self.searching.keep()
        if self.keeping is None:
            return
        for entry in self._roster.entries():
            self.facts.keep(entry)
        self.keeping.write(self._roster.all_transcripts())

    def close(self) -> None:
        """Let go of what is open; the catalog is not asked any more."""
        self._background.close()
        self.searching.close()
        if self.keeping is not None:
            self.keeping.close()

    def known_summary(self, entry: SessionEntry) -> Summary | None:
        """Return a session's facts if that costs no reading."""
        return self.facts.summary(entry) or entry.main.known_summary

    def indexing(self) -> tuple[int, int]:
        """Return how many transcripts are indexed (or cannot be), and how many there are."""
        return self._background.progress()

    def take_changes(self) -> Changes:
        """Return ids of sessions added, changed and removed since the last call."""
        return self._roster.take_changes()

    def take_moves(self) -> list[Move]:
        """Return what happened to the sessions that are followed since the last call."""
        return self.following.take_moves(self)
