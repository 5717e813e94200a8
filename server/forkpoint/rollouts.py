"""Which rollouts lie below a Codex home? Names and facts only: no file is opened here.

Links are resolved, and none leads out of the home.
"""

from __future__ import annotations

import os
from operator import attrgetter
from pathlib import Path

from forkpoint.codex_layout import ARCHIVED_SESSIONS, SESSIONS, RolloutName, rollout_name
from forkpoint.disk import is_below
from forkpoint.folder_walk import FolderWalk, Seen
from forkpoint.listing import Scan, SessionFile

DEEPEST = 8
"""Folders that are gone down; a day lies in the third."""


def scan_rollouts(home: Path, *, once: bool = False) -> Scan:
    """List the rollouts below a Codex home; opens none of them.

    Subagents' rollouts are among the sessions: only their first line says what they are. Of a
    rollout that stands there compressed and plain, the plain one counts. What vanishes meanwhile is
    left out, and so is a home without such folders.

    Args:
        home: the folder.
        once: `seen` is not wanted.
    """
    try:
        return _Walk(home, once=once).run()
    except ValueError:  # The home has a name that no folder can have.
        return Scan([], [], [], Seen({}, is_certain=False))


class _Walk(FolderWalk):
    """One scan: every rollout met so far, those met by a link too."""

    def __init__(self, home: Path, *, once: bool) -> None:
        super().__init__(home, (SESSIONS, ARCHIVED_SESSIONS), once=once)
        self.files: list[SessionFile] = []
        self.links: list[tuple[os.DirEntry[str], bool]] = []
        self.walked: list[str] = []

    def run(self) -> Scan:
        for top in self.tops:
            self.folder(top, DEEPEST, archived=top.endswith(ARCHIVED_SESSIONS))
        while self.links:
            link, archived = self.links.pop()
            target = self.target(link.path)
            if target and not any(self.overlap(target, known) for known in self.walked):
                self.folder(target, DEEPEST, archived=archived)
        files: dict[str, SessionFile] = {}
        for file in sorted(self.files, key=attrgetter("is_link")):
            files.setdefault(self.real(file.path), file)
        return Scan(list(files.values()), [], self.problems, self.seen())

    def folder(self, folder: str, depth: int, *, archived: bool) -> None:
        self.walked.append(self.real(folder))
        rollouts: list[tuple[os.DirEntry[str], RolloutName]] = []
        for entry in self.entries(folder):
            if named := rollout_name(entry.name):
                rollouts.append((entry, named))
            elif self.is_link(entry):
                if Path(entry.path).is_dir():
                    self.links.append((entry, archived))
            elif entry.is_dir(follow_symlinks=False) and depth:
                self.folder(entry.path, depth - 1, archived=archived)
        plain = {named.stem for _, named in rollouts if not named.is_compressed}
        for entry, named in rollouts:
            if not (named.is_compressed and named.stem in plain):
                self.rollout(entry, named, archived=archived)

    @staticmethod
    def overlap(one: str, other: str) -> bool:
        """Whether a folder lies in another; one above those with rollouts has much else in it."""
        return is_below(one, other) or is_below(other, one)

    def rollout(self, entry: os.DirEntry[str], named: RolloutName, *, archived: bool) -> None:
        if place := self.place(entry):
            path, facts, is_link = place
            # Nothing lies beside a rollout: this name is that of no folder.
            folder = str(Path(entry.path).with_name(named.stem))
            self.files.append(
                SessionFile(
                    path,
                    "",
                    named.rollout_id,
                    facts,
                    is_link,
                    folder,
                    agent="codex",
                    archived=archived,
                    thread_id=named.thread_id,
                )
            )
