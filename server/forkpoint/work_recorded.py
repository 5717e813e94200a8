"""What does a transcript say last of how its work stood?

State lines count by their place in the file, attachments and calls by the active path. Bodies are
read by their ordinals, the newest first where only the newest counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from forkpoint.growing_calls import calls_of
from forkpoint.records import work_lines
from forkpoint.records.blocks import ToolUse
from forkpoint.records.content import content_of
from forkpoint.records.work_lines import server_of
from forkpoint.session import Conversation
from forkpoint.tool_calls import STOPPING_TOOLS, ToolCall
from forkpoint.transcript_file import TranscriptFile
from forkpoint.work_state import Recorded, Said, Task

MOST = 100
"""Folders, servers or tasks told of one session; more are no way of working but somebody's trap."""

_T = TypeVar("_T")


def work_recorded(
    transcript: TranscriptFile,
    conversation: Conversation,
    known: Mapping[str, ToolCall],
    version: str | None,
) -> Recorded:
    """Return what a transcript says of each thing; raises `Unreadable`.

    Args:
        transcript: the session's.
        conversation: what was read of it.
        known: the files that the client knows after a resume, with the calls that tell.
        version: the client that resumes; None stands for the newest.
    """
    summary = conversation.index.summary
    lines = _Lines(transcript, conversation, version)
    return Recorded(
        agent=lines.last(work_lines.AGENT, work_lines.setting_in),
        model=lines.model(),
        permission_mode=lines.last(work_lines.PERMISSION_MODE, work_lines.setting_in),
        mode=lines.last(work_lines.MODE, work_lines.setting_in),
        worktree=lines.last(work_lines.WORKTREE, work_lines.worktree_in),
        cwd=summary.relocated or summary.first_cwd,
        known_files={path: call.row for path, call in known.items()},
        tracked_files=len(conversation.checkpoints().versions),
        title=summary.custom_title or summary.ai_title,
        tag=summary.tag,
        added_folders=tuple(lines.added_folders()[:MOST]),
        servers=tuple(lines.servers()[:MOST]),
        tasks=tuple(lines.tasks()[-MOST:]),
    )


class _Lines:
    """The lines of one transcript that tell of the work."""

    def __init__(
        self, transcript: TranscriptFile, conversation: Conversation, version: str | None
    ) -> None:
        self._transcript = transcript
        self._index = conversation.index
        self._calls = calls_of(conversation)
        self._path = conversation.path(version).entries.rows
        self._on_path = set(self._path)

    def last(self, kind: str, read: Callable[[bytes], _T | None]) -> _T | None:
        """What the last state line of a type says."""
        ordinal = self._index.states.last.get(kind)
        return None if ordinal is None else read(self._transcript.lines([ordinal])[0])

    def _notes(self, kind: str) -> list[int]:
        """The attachments of a type on the active path, in file order."""
        return [row for row in self._index.states.notes.get(kind, []) if row in self._on_path]

    def _body(self, row: int) -> bytes:
        return self._transcript.bodies([row])[0]

    def model(self) -> Said | None:
        response, usage = self._index.joins.response, self._index.usage
        for row in reversed(self._path):
            model = usage.model_of(response[row])
            if model is not None:
                return Said(model, row)
        return None

    def added_folders(self) -> list[Said]:
        newest = self._notes(work_lines.ENVIRONMENT)[-1:]
        return [
            Said(path, row)
            for row in newest
            for path in dict.fromkeys(work_lines.added_folders_in(self._body(row)))
        ]

    def servers(self) -> list[Said]:
        """The servers whose tools were offered last, or used, each with the line that says so."""
        tools: dict[str, int] = {}
        for row, came, went in sorted([*self._announced(), *self._offered(), *self._used()]):
            tools.update(dict.fromkeys(came, row))
            for name in went:
                tools.pop(name, None)
        servers: dict[str, int] = {}
        for tool, row in tools.items():
            server = server_of(tool)
            if server is not None:
                servers[server] = max(row, servers.get(server, row))
        return [Said(server, row) for server, row in servers.items()]

    def _announced(self) -> list[tuple[int, list[str], list[str]]]:
        rows = self._notes(work_lines.TOOL_CHANGES)
        bodies = self._transcript.bodies(rows)
        return [
            (row, *work_lines.tool_changes_in(body)) for row, body in zip(rows, bodies, strict=True)
        ]

    def _offered(self) -> list[tuple[int, list[str], list[str]]]:
        for row in reversed(self._notes(work_lines.PROMPT)):
            tools = work_lines.offered_tools_in(self._body(row))
            if tools is not None:
                return [(row, tools, [])]
        return []

    def _used(self) -> list[tuple[int, list[str], list[str]]]:
        names = {call.name for call in self._calls}
        of_servers = {name for name in names if server_of(name) is not None}
        calls = [call for call in self._calls if call.name in of_servers]
        return [(call.row, [call.name], []) for call in calls if call.row in self._on_path]

    def tasks(self) -> list[Task]:
        """What was left to run in the background and has no recorded end, on whatever branch."""
        ended = self._index.tools.ended_agents
        started = [(call, name) for call in self._calls if (name := _task_of(call)) is not None]
        left = [(call, name) for call, name in started if name not in ended]
        stops = self._stops() if left else []
        return [
            self._task(call)
            for call, name in left
            if not any(stopped == name and row > call.row for row, stopped in stops)
        ]

    def _stops(self) -> list[tuple[int, str | None]]:
        """Where a task was ended by a call, and which."""
        return [
            (call.row, work_lines.stopped_task_in(self._body(call.result)))
            for call in self._calls
            if call.name in STOPPING_TOOLS and call.state == "ok" and call.result is not None
        ]

    def _task(self, call: ToolCall) -> Task:
        call_id = self._index.joins.call_ids[call.number]
        blocks = content_of(self._body(call.row)).blocks
        use = next((b for b in blocks if isinstance(b, ToolUse) and b.call_id == call_id), None)
        kind = "command" if call.task_id is not None else "subagent"
        return Task(kind, (use.summary if use else "") or call.name, call.row)


def _task_of(call: ToolCall) -> str | None:
    """The id under which the end of what a call left running would be told."""
    if call.task_id is not None:
        return call.task_id
    return call.agent_id if call.in_background else None
