"""Which rollouts are sessions, and which are those of subagents?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from forkpoint.listing import AgentFile, Scan, SessionFile
from forkpoint.rollout_head import RolloutHead, head_of
from forkpoint.rollouts import scan_rollouts

MOST_ABOVE = 20
"""A subagent of a subagent of a subagent: where to stop looking for the first thread."""


class Threads:
    """What the first lines of rollouts said; such a line is never written again."""

    def __init__(self) -> None:
        self._heads: dict[Path, dict[tuple[str, int], RolloutHead]] = {}
        self._is_certain: dict[Path, bool] = {}

    @property
    def is_certain(self) -> bool:
        """Whether each had a whole first line the last time."""
        return all(self._is_certain.values())

    def listed(self, home: Path, *, once: bool) -> tuple[Path, Scan]:
        """List a home (see `scan_rollouts`), and tell sessions and subagents apart."""
        found = scan_rollouts(home, once=once)
        sessions, agents = self._apart(home, found.sessions)
        return home, found._replace(sessions=sessions, agents=agents)

    def _apart(
        self, home: Path, files: Iterable[SessionFile]
    ) -> tuple[list[SessionFile], list[AgentFile]]:
        """Tell sessions and subagents apart.

        A thread that another one started counts as that one's subagent if that is there; else it
        is a session like any other. A subagent's subagent belongs to the first thread.
        """
        is_certain, before = True, self._heads.get(home, {})
        known = {(file.path, file.stat.inode): file for file in files}
        heads: dict[tuple[str, int], RolloutHead] = {}
        for key, file in known.items():
            head = before.get(key) or head_of(file.path)
            if head is not None:
                heads[key] = head
            elif file.stat.size:
                is_certain = False
        self._heads[home], self._is_certain[home] = heads, is_certain
        parents = {file.session_id.lower(): _parent(heads.get(key)) for key, file in known.items()}
        sessions: list[SessionFile] = []
        agents: dict[str, AgentFile] = {}
        for file in sorted(known.values(), key=lambda file: file.stat.mtime_ns):
            first = _first(file.session_id.lower(), parents)
            if first is None:
                sessions.append(file)
            else:
                agents[file.session_id.lower()] = _as_agent(file, first)
        return sessions, list(agents.values())


def _parent(head: RolloutHead | None) -> str:
    return (head.parent_id or "").lower() if head is not None else ""


def _first(thread_id: str, parents: dict[str, str]) -> str | None:
    """The thread at the top of those that led to one; None if it is that itself."""
    above, found = parents[thread_id], None
    for _ in range(MOST_ABOVE):
        if above not in parents:
            return found
        if above == thread_id:
            return None
        found, above = above, parents[above]
    return None


def _as_agent(file: SessionFile, session_id: str) -> AgentFile:
    return AgentFile(
        file.path,
        file.key,
        session_id,
        file.session_id,
        file.stat,
        None,
        file.is_link,
        agent="codex",
    )
