"""What would a restore of the code not undo: shell commands, and edits of subagents?

The agent's checkpoints hold the files that its own editing tools touched, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from forkpoint.agents import notes_of
from forkpoint.disk import Unreadable
from forkpoint.index import TranscriptIndex
from forkpoint.layout import tracked_file
from forkpoint.nodes import NO_TIME
from forkpoint.records.edits import (
    shell_command_in,
    was_kept_from_running,
)
from forkpoint.session_entry import SessionEntry
from forkpoint.shell_writes import Writes, shell_writes
from forkpoint.started_by import started_by
from forkpoint.tool_calls import SHELL_TOOLS, ToolCall, is_edit
from forkpoint.transcript_file import TranscriptFile


class ShellRun(NamedTuple):
    """A shell command that may have written files.

    Attributes:
        agent_id: the subagent that ran it; None = the session itself.
        row: ordinal of the record with the call, in that one's transcript.
    """

    agent_id: str | None
    call_id: str
    uuid: str
    row: int
    command: str
    writes: Writes


class SubagentEdits(NamedTuple):
    """Absolute paths of the files that a subagent edited, in the order of the first edits."""

    agent_id: str
    call_id: str | None
    files: list[str]


BATCH = 200
"""Records held in memory at a time."""


def shell_runs(entry: SessionEntry, prompt: int) -> Iterator[ShellRun]:
    """Yield the commands that ran after a prompt (by its ordinal), on whatever branch."""
    for agent_id, transcript, calls in _calls_after(entry, prompt):
        index = transcript.refresh().index
        ran = [
            call for call in calls if call.name in SHELL_TOOLS and not _never_ran(transcript, call)
        ]
        for start in range(0, len(ran), BATCH):
            batch = ran[start : start + BATCH]
            lines = transcript.bodies([call.row for call in batch])
            for call, line in zip(batch, lines, strict=True):
                run = _run(agent_id, index, call, line)
                if run is not None:
                    yield run


def _run(
    agent_id: str | None, index: TranscriptIndex, call: ToolCall, line: bytes
) -> ShellRun | None:
    call_id = index.joins.call_ids[call.number]
    command = shell_command_in(line, call_id)
    writes = shell_writes(command) if command else None
    if not command or writes is None:
        return None
    # Whether a refused one ran to its end, or at all, is not written.
    certainty = "unknown" if call.state == "denied" else writes.certainty
    uuid = index.nodes.uuid(call.row) or ""
    return ShellRun(
        agent_id, call_id, uuid, call.row, command, writes._replace(certainty=certainty)
    )


def _never_ran(transcript: TranscriptFile, call: ToolCall) -> bool:
    if call.state != "denied" or call.result is None:
        return False
    return was_kept_from_running(transcript.bodies([call.result])[0])


def subagent_edits(entry: SessionEntry, prompt: int, start: str | None) -> list[SubagentEdits]:
    """Return the files that subagents edited after a prompt.

    Args:
        entry: the session.
        prompt: the prompt's ordinal.
        start: the session's starting directory.
    """
    callers = started_by(entry)
    found: list[SubagentEdits] = []
    for agent_id, _, calls in _calls_after(entry, prompt):
        files = [tracked_file(call.file, start) for call in calls if is_edit(call) and call.file]
        if agent_id is not None and files:
            noted = notes_of(entry.agents[agent_id].file).toolUseId
            distinct = list(dict.fromkeys(files))
            found.append(SubagentEdits(agent_id, noted or callers.get(agent_id), distinct))
    return found


def _calls_after(
    entry: SessionEntry, prompt: int
) -> Iterator[tuple[str | None, TranscriptFile, list[ToolCall]]]:
    """The calls after a prompt: the session's by place, its subagents' by time."""
    main = entry.main.refresh().index
    calls = main.tools.all(main.joins)
    yield None, entry.main, [call for call in calls if call.row > prompt]
    began = main.nodes.time[prompt]
    for agent_id, agent in entry.agents.items():
        with suppress(Unreadable):
            index = agent.transcript.refresh().index
            times = index.nodes.time
            calls = index.tools.all(index.joins)
            later = [c for c in calls if NO_TIME in (began, times[c.row]) or times[c.row] >= began]
            yield agent_id, agent.transcript, later
