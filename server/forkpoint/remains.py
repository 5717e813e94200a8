"""What is left of sessions that are not there any more?

The client's clean-up deletes the transcript, and not always what lies beside it: the session's own
folder (subagents, spilled outputs), copies of files, flat transcripts of subagents. A resume of
clients up to 2.1.145 also left copies of files under an id that never had a transcript. Codex keeps
the names of threads in one file, whether or not their rollouts are there.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Literal, NamedTuple, TypeAlias

from forkpoint import at_path, disk
from forkpoint.layout import FILE_HISTORY, PROJECTS, agent_id_of, is_session_id, session_id_of

Kind: TypeAlias = Literal[
    "folderWithoutTranscript",
    "orphanedSubagent",
    "backupsWithoutTranscript",
    "namesWithoutThreads",
]

MOST_WEIGHED = 1000
"""Files and folders that are looked at of one remain."""

_SETTLED_NS = 2_000_000_000
"""A folder listed this soon after it changed is listed again: its time may be too coarse."""


class Remain(NamedTuple):
    """Something without its session.

    Attributes:
        session_id: the session that it belonged to; None for a flat subagent, whose name says none.
        agent_id: the subagent whose transcript it is; None where it is a folder.
        names: threads of Codex that are named in the file, and are not there.
    """

    kind: Kind
    path: str
    session_id: str | None
    agent_id: str | None
    names: int = 0


class Weight(NamedTuple):
    """What a remain takes on the disk.

    Attributes:
        files: how many there are, at least.
        size: their bytes.
        subagents: how many of them are transcripts of subagents.
        is_whole: whether all was counted.
    """

    files: int
    size: int
    subagents: int
    is_whole: bool


class _Listed(NamedTuple):
    """Names in a project folder that may be remains, as listed when it was in a state."""

    changed: tuple[int, int]
    is_settled: bool
    folders: list[str]
    agents: list[str]


class Remains:
    """Remains below config folders; folders that did not change are not listed again."""

    def __init__(self) -> None:
        self._projects: dict[str, _Listed] = {}

    def below(
        self, root: Path, is_session: Callable[[str], bool], is_owned: Callable[[str], bool]
    ) -> Iterator[Remain]:
        """Yield what is left below a config folder, in the order of names.

        Args:
            root: the config folder.
            is_session: says of a session's id whether it has a transcript.
            is_owned: says of the path of a subagent's transcript whether its session is there.
        """
        projects = str(root / PROJECTS)
        for key in sorted(disk.list_names(projects, root)):
            yield from self._in_project(f"{projects}{os.sep}{key}", projects, is_session, is_owned)
        copies = str(root / FILE_HISTORY)
        for name in sorted(disk.list_names(copies, root)):
            path = f"{copies}{os.sep}{name}"
            if is_session_id(name) and not is_session(name) and _is_plain_folder(path):
                yield Remain("backupsWithoutTranscript", path, name, None)

    def _in_project(
        self,
        folder: str,
        projects: str,
        is_session: Callable[[str], bool],
        is_owned: Callable[[str], bool],
    ) -> Iterator[Remain]:
        listed = self._listed(folder, projects)
        if listed is None:
            return
        for name in listed.folders:
            path = f"{folder}{os.sep}{name}"
            if not is_session(name) and _is_plain_folder(path):
                yield Remain("folderWithoutTranscript", path, name, None)
        for name in listed.agents:
            path = f"{folder}{os.sep}{name}"
            if not is_owned(path) and _is_file(path):
                yield Remain("orphanedSubagent", path, None, agent_id_of(name))

    def _listed(self, folder: str, projects: str) -> _Listed | None:
        changed = at_path.folder_changed(folder)
        known = self._projects.get(folder)
        if changed is None:
            self._projects.pop(folder, None)
            return None
        if known is None or known.changed != changed or not known.is_settled:
            names = sorted(disk.list_names(folder, projects))
            transcripts = {session_id_of(name) for name in names}
            folders = [name for name in names if is_session_id(name) and name not in transcripts]
            agents = [name for name in names if agent_id_of(name) is not None]
            is_settled = time.time_ns() - changed[0] > _SETTLED_NS
            known = self._projects[folder] = _Listed(changed, is_settled, folders, agents)
        return known


def weigh(path: str) -> Weight:
    """Count what lies at a path and below, links not followed; what cannot be seen is not there."""
    files = size = subagents = looked_at = 0
    waiting = [path]
    while waiting and looked_at < MOST_WEIGHED:
        looked_at += 1
        here = waiting.pop()
        facts = _facts(here)
        if facts is None:
            continue
        if S_ISDIR(facts.st_mode):
            names = sorted(disk.list_names(here, here), reverse=True)
            waiting += [f"{here}{os.sep}{name}" for name in names]
        else:
            files += 1
            size += facts.st_size
            subagents += agent_id_of(os.path.basename(here)) is not None  # noqa: PTH119 -- a name
    return Weight(files, size, subagents, not waiting)


def _is_plain_folder(path: str) -> bool:
    facts = _facts(path)
    return facts is not None and S_ISDIR(facts.st_mode)


def _is_file(path: str) -> bool:
    facts = _facts(path)
    return facts is not None and S_ISREG(facts.st_mode)


def _facts(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except (OSError, ValueError):
        return None
