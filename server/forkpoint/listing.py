"""Which transcripts lie below a config folder? Names and facts only: no file is opened here.

Links are resolved, and none leads out of the folder.
"""

from __future__ import annotations

import os
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from forkpoint import layout
from forkpoint.disk import FileStat, is_below
from forkpoint.folder_walk import FolderWalk, Problem, Seen
from forkpoint.layout import Agent


class SessionFile(NamedTuple):
    """The main transcript of a session."""

    path: str
    """What to open: links resolved, if the listed name was a link or lay in a linked folder."""
    key: str
    """Name of the project folder in which it is listed; empty for a rollout, which has none."""
    session_id: str
    stat: FileStat
    is_link: bool
    """Whether the listed name is a link to `path`."""
    folder: str
    """The session's own folder (subagents, tool results), whether it exists or not."""
    has_sidecars: bool = False
    """Whether small files about the session lie in that folder."""
    agent: Agent = "claude-code"
    archived: bool = False
    """Whether it lies where the agent puts away what is archived."""
    thread_id: str | None = None
    """Of a rollout: the thread whose file it is, which has several once it was taken back."""

    @property
    def resume_id(self) -> str:
        """What the agent resumes the session by."""
        return self.thread_id or self.session_id


class AgentFile(NamedTuple):
    """The transcript of a subagent."""

    path: str
    key: str
    session_id: str | None
    """From the folder it lies in; None for the flat files of 2.0.x, whose records tell."""
    agent_id: str
    stat: FileStat
    meta_path: str | None
    """`agent-<id>.meta.json` beside it, if there is one."""
    is_link: bool
    agent: Agent = "claude-code"


class Scan(NamedTuple):
    """All transcripts below one folder of an agent, each once."""

    sessions: list[SessionFile]
    agents: list[AgentFile]
    problems: list[Problem]
    seen: Seen


def scan(root: Path, *, once: bool = False) -> Scan:
    """List the transcripts below a Claude config folder; opens none of them.

    A folder or transcript that is reached twice by links is listed once, under its own name if it
    has one below the root. Links out of the root are not followed. What vanishes meanwhile is left
    out, and so is a root without `projects`.

    Args:
        root: the folder.
        once: `seen` is not wanted, which saves a sixth of the time.
    """
    try:
        return _Walk(root, once=once).run()
    except ValueError:  # The root has a name that no folder can have.
        return Scan([], [], [], Seen({}, is_certain=False))


class _Walk(FolderWalk):
    """One scan: every transcript met so far, those met by a link too."""

    def __init__(self, root: Path, *, once: bool) -> None:
        super().__init__(root, (layout.PROJECTS,), once=once)
        self.files: list[SessionFile | AgentFile] = []
        self.with_sidecars: set[str] = set()

    def run(self) -> Scan:
        links: list[os.DirEntry[str]] = []
        folders: list[str] = []
        for entry in self.entries(self.tops[0]):
            if self.is_link(entry):
                links.append(entry)
            elif self.is_plain_folder(entry.path):
                folders.append(self.real(entry.path))
                self.project(entry.path, entry.name)
        for entry in links:
            folder = self.target(entry.path)
            if folder and not any(is_below(folder, known) for known in folders):
                folders.append(folder)
                self.project(folder, entry.name)
        files = self.each_once()
        return Scan(
            [file for file in files if isinstance(file, SessionFile)],
            [file for file in files if isinstance(file, AgentFile)],
            self.problems,
            self.seen(),
        )

    def each_once(self) -> list[SessionFile | AgentFile]:
        """All files met, in order; one met again by a link only under its own name."""
        if not self.met_links:
            return self.files
        files: dict[str, SessionFile | AgentFile] = {}
        for file in sorted(self.files, key=attrgetter("is_link")):
            files.setdefault(self.real(file.path), file)
        return list(files.values())

    def project(self, folder: str, key: str) -> None:
        entries = self.entries(folder)
        for entry in entries:
            if session_id := layout.session_id_of(entry.name):
                self.session(entry, key, session_id)
            elif layout.is_session_id(entry.name):
                self.session_folder(entry, key)
        self.agents(entries, key, None)

    def session(self, entry: os.DirEntry[str], key: str, session_id: str) -> None:
        if place := self.place(entry):
            path, facts, is_link = place
            folder = entry.path.removesuffix(entry.name) + session_id
            has_sidecars = folder in self.with_sidecars
            file = SessionFile(path, key, session_id, facts, is_link, folder, has_sidecars)
            self.files.append(file)

    def session_folder(self, entry: os.DirEntry[str], key: str) -> None:
        if self.is_link(entry):
            self.target(entry.path)
            return
        # The folder's name goes before that of the transcript beside it.
        entries: list[os.DirEntry[str]] = []
        for part in self.entries(entry.path):
            if part.name == layout.SUBAGENTS:
                entries = self.plain_entries(part.path)
            elif part.name in (layout.CUSTOM_TITLE, layout.ARCHIVED):
                self.with_sidecars.add(entry.path)
        self.agents(entries, key, entry.name)
        for runs in entries:
            if runs.name == layout.WORKFLOWS:
                for run in self.plain_entries(runs.path):
                    self.agents(self.plain_entries(run.path), key, entry.name)

    def agents(self, entries: list[os.DirEntry[str]], key: str, session_id: str | None) -> None:
        named = {entry.name: entry for entry in entries}
        for name, entry in named.items():
            # Asked of each name there is: the beginning tells nearly all apart.
            is_agents = name.startswith(layout.AGENT_START)
            agent_id = layout.agent_id_of(name) if is_agents else None
            if agent_id and (place := self.place(entry)):
                path, facts, is_link = place
                meta = named.get(layout.agent_meta_name(agent_id))
                meta_path = meta.path if meta is not None else None
                self.files.append(
                    AgentFile(path, key, session_id, agent_id, facts, meta_path, is_link)
                )
