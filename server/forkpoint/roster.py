"""Which sessions are there, with which files, and which of them does a client hold open?

What was read of a session stays with it while its file is the same one by name. State changes on
the caller's thread only.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal

from forkpoint import disk
from forkpoint.agents import AgentTranscript, owner_of
from forkpoint.client_rules import parse_version
from forkpoint.disk import Unreadable
from forkpoint.folder_walk import Problem, Seen
from forkpoint.listing import AgentFile, SessionFile, scan
from forkpoint.live import LiveClient, live_clients
from forkpoint.session_entry import SessionEntry
from forkpoint.threads import Threads
from forkpoint.transcript_file import Steps, TranscriptFile
from forkpoint.worded import say

Changes = tuple[list[str], list[str], list[str]]
"""Ids of sessions added, changed and removed."""


class Unknown(Exception):
    """Nothing is there under a name that the caller gave; `what` is session or subagent."""

    def __init__(self, what: Literal["session", "subagent"], name: str) -> None:
        of_session = say("There is no session {name}.", name=name)
        of_subagent = say("There is no subagent {name}.", name=name)
        self.sentence = of_session if what == "session" else of_subagent
        super().__init__(self.sentence)


class Roster:
    """Sessions by id, as last listed.

    Attributes:
        roots: config folders.
        codex_homes: the folders of the other agent.
        problems: what could not be listed.
        live: the running clients, by session id.
        version: the newest of the running clients', which is installed; None while none runs.
        generation: grows whenever a file is another one than before, or comes, or goes.
        steps: of all transcripts.
    """

    def __init__(self, roots: Sequence[Path], codex_homes: Sequence[Path] = ()) -> None:
        self.roots = roots
        self.codex_homes = tuple(dict.fromkeys(codex_homes))
        self._threads = Threads()
        self.problems: list[Problem] = []
        self.live: dict[str, LiveClient] = {}
        self.generation = 0
        self.steps = Steps()
        self.version: str | None = None
        self._entries: dict[str, SessionEntry] = {}
        self._owners: dict[str, str | None] = {}
        self._has_listed = False
        self._agents_found: list[AgentFile] = []
        self._seen: list[Seen] = []
        self._by_path: dict[str, tuple[SessionEntry, TranscriptFile]] | None = None
        self._added: set[str] = set()
        self._changed: set[str] = set()
        self._removed: set[str] = set()

    # --- listing ---

    def rescan(self, *, agents: bool = True) -> tuple[list[SessionEntry], list[str]]:
        """List the roots again.

        Args:
            agents: look at the files of subagents, too, also where none came or went.

        Returns:
            The sessions that are new or have files that changed, and the ids of those gone.
        """
        self.look_who_is_live()
        if (moved := self._look_at_all(agents=agents)) is not None:
            return moved, []
        found = self._scan()
        if self._entries.keys() - found.keys():
            # A file that is moved while folders are listed, one behind the other, may be met
            # nowhere: what is gone is gone the second time, too.
            found = self._scan()
        gone = [key for key in self._entries if key not in found]
        removed = [self._entries.pop(key).session_id for key in gone]
        self._removed.update(removed)
        moved = {key for key, places in found.items() if self._list(key, places)}
        moved |= self._list_agents(self._agents_found)
        self.generation += bool(moved or removed)
        return [self._entries[key] for key in moved], removed

    def _scan(self) -> dict[str, list[tuple[Path, SessionFile]]]:
        """List the roots; the main transcripts by session, each with its root."""
        # What the first answer waits for is done at once.
        once = not self._has_listed
        scans = [(root, scan(root, once=once)) for root in self.roots]
        scans += [self._threads.listed(home, once=once) for home in self.codex_homes]
        self._has_listed = True
        self._by_path = None
        # Whose thread a rollout is may be written into it later, which only another scan looks for.
        self._seen = [listed.seen for _, listed in scans] if self._threads.is_certain else []
        self.problems = [problem for _, listed in scans for problem in listed.problems]
        self._agents_found = [file for _, listed in scans for file in listed.agents]
        found: dict[str, list[tuple[Path, SessionFile]]] = {}
        for root, listed in scans:
            for file in listed.sessions:
                found.setdefault(file.session_id.lower(), []).append((root, file))
        return found

    def _look_at_all(self, *, agents: bool) -> list[SessionEntry] | None:
        """Look at the files that are listed; None where others may be there by now.

        That costs a third of a scan, and it is asked with every list that a client wants.
        """
        if not self._seen or not all(seen.still_holds() for seen in self._seen):
            return None
        moved: dict[str, SessionEntry] = {}
        is_as = disk.is_as
        for key, entry in self._entries.items():
            files = [(entry.main, entry.file.stat)]
            if agents and entry.agents:
                files += [(agent.transcript, agent.file.stat) for agent in entry.agents.values()]
            for transcript, stat in files:
                if not is_as(transcript.path, stat):
                    if not self.look_at(entry, transcript):
                        return None
                    moved[key] = entry
        return list(moved.values())

    def _list(self, key: str, places: list[tuple[Path, SessionFile]]) -> bool:
        others: list[SessionFile] = []
        if len(places) > 1:
            places.sort(key=lambda place: place[1].stat.mtime_ns, reverse=True)
            others = [other for _, other in places[1:]]
            # Which of them is the newest is for another scan to say.
            self._seen = []
        root, file = places[0]
        entry = self._entries.get(key)
        if entry is None or entry.file.path != file.path:
            if entry is not None and entry.agent == file.agent == "codex":
                # To be compressed or archived makes no other session of it.
                entry.file, entry.others, entry.root = file, others, root
                entry.main.has_moved(file.path, file.stat)
                self._changed.add(file.session_id)
                return True
            main = TranscriptFile(
                file.path, file.session_id, file.stat, agent=file.agent, all_steps=self.steps
            )
            self._entries[key] = SessionEntry(file, others, root, main, {})
            self._added.add(file.session_id)
        elif entry.file != file or entry.others != others:
            entry.file, entry.others = file, others
            entry.main.has_become(file.stat)
            self._changed.add(file.session_id)
        else:
            return False
        return True

    def _list_agents(self, files: Sequence[AgentFile]) -> set[str]:
        """Give each session its subagents' files; return the keys of those where that changed."""
        there = {file.path for file in files}
        threads = {file.agent_id for file in files if file.agent == "codex"}
        moved: set[str] = set()
        for key, entry in self._entries.items():
            kept = {
                name: agent
                for name, agent in entry.agents.items()
                if agent.file.path in there or name in threads
            }
            if len(kept) < len(entry.agents):
                entry.agents = kept
                moved.add(key)
        moved.update(key for file in files if (key := self._list_agent(file)) is not None)
        for key in moved:
            entry = self._entries[key]
            # In one order, whichever came first.
            entry.agents = dict(sorted(entry.agents.items()))
            self._changed.add(entry.session_id)
        return moved

    def _list_agent(self, file: AgentFile) -> str | None:
        # A flat file may be listed before its first record, which names the session, is there.
        if file.session_id is None and self._owners.get(file.path) is None:
            self._owners[file.path] = owner_of(file)
        key = (file.session_id or self._owners[file.path] or "").lower()
        entry = self._entries.get(key)
        if entry is None:
            # Whose it is may be written into it later, which only another scan looks for.
            self._seen = []
            return None
        known, is_of_codex = entry.agents.get(file.agent_id), file.agent == "codex"
        if known is not None and known.file == file:
            return None
        if known is None or (known.file.path != file.path and not is_of_codex):
            transcript = TranscriptFile(
                file.path,
                # A thread has an id of its own, by which it is known in its file.
                file.agent_id if is_of_codex else entry.session_id,
                file.stat,
                of_agent=True,
                agent=file.agent,
                all_steps=self.steps,
            )
            entry.agents[file.agent_id] = AgentTranscript(file, transcript)
        else:
            before, known.file = known.file, file
            if before.path == file.path:
                known.transcript.has_become(file.stat)
            else:
                known.transcript.has_moved(file.path, file.stat)
        return key

    def look_who_is_live(self) -> None:
        """Read the registry of running clients again."""
        before, self.live = self.live, live_clients(self.roots, self.live)
        if before == self.live:
            return
        versions = [client.version for client in self.live.values() if client.version]
        self.version = max(versions, key=_numbers, default=None)
        changed = {name for name, _ in before.items() ^ self.live.items()}
        self._changed.update(entry.session_id for name in changed if (entry := self.find(name)))

    def try_all_again(self) -> None:
        """Have what could not be read be tried again: what was wrong may be over."""
        for transcript in self.all_transcripts():
            if transcript.failed:
                transcript.failed = False
                self.generation += 1

    # --- one file ---

    def owner(self, path: str) -> tuple[SessionEntry, TranscriptFile] | None:
        """Return the session and the transcript that a file was listed as."""
        if self._by_path is None:
            self._by_path = {
                transcript.path: (entry, transcript)
                for entry in self._entries.values()
                for transcript in entry.transcripts()
            }
        return self._by_path.get(path)

    def look_at(self, entry: SessionEntry, transcript: TranscriptFile) -> bool:
        """Look how large a listed file is now; say whether it is still there as one."""
        try:
            stat = disk.stat(transcript.path)
        except Unreadable:
            return False
        if stat != transcript.stat:
            transcript.has_become(stat)
        self.take_note(entry, transcript)
        return True

    def take_note(self, entry: SessionEntry, transcript: TranscriptFile) -> None:
        """Note what a file is like that was looked at, be it by whoever read it."""
        stat = transcript.stat
        if stat is None:
            return
        if transcript is entry.main and entry.file.stat != stat:
            entry.file = entry.file._replace(stat=stat)
            self._has_moved(entry)
            return
        for agent in entry.agents.values():
            if agent.transcript is transcript and agent.file.stat != stat:
                agent.file = agent.file._replace(stat=stat)
                self._has_moved(entry)

    def _has_moved(self, entry: SessionEntry) -> None:
        self.generation += 1
        self._changed.add(entry.session_id)

    # --- questions ---

    def entries(self) -> list[SessionEntry]:
        """Return all sessions found, newest file first."""
        entries = self._entries.values()
        return sorted(entries, key=lambda entry: (-entry.file.stat.mtime_ns, entry.session_id))

    def known(self) -> Collection[SessionEntry]:
        """Return all sessions found, in no order that means anything."""
        return self._entries.values()

    def find(self, session_id: str) -> SessionEntry | None:
        """Return a session by its id if it is known."""
        return self._entries.get(session_id.lower())

    def all_transcripts(self) -> list[TranscriptFile]:
        """Return the files of all sessions and their subagents."""
        return [file for entry in self._entries.values() for file in entry.transcripts()]

    # --- news ---

    def has_changed(self, session_id: str) -> None:
        """Note that a session's row in the list is no longer what it was."""
        self._changed.add(session_id)

    def all_have_changed(self) -> None:
        """Note that every row of the list is no longer what it was."""
        self._changed.update(entry.session_id for entry in self._entries.values())

    def take_changes(self) -> Changes:
        """Return ids of sessions added, changed and removed since the last call."""
        there = {entry.session_id for entry in self._entries.values()}
        changes = (
            sorted(self._added & there),
            sorted((self._changed - self._added) & there),
            sorted(self._removed - there),
        )
        self._added, self._changed, self._removed = set(), set(), set()
        return changes


def _numbers(version: str) -> tuple[int, int, int]:
    return parse_version(version) or (0, 0, 0)
