"""Subagents: who started them, what for, and how they ended (format.md section 13).

Their transcripts lie in the session's own folder (2.1.100 and later) or flat beside the session
(2.0.x); in 1.x their rows stand in the session's file, one sidechain root each.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from forkpoint import disk
from forkpoint.listing import AgentFile
from forkpoint.records.decode import decode
from forkpoint.records.fork_context import ForkContext, fork_context_in
from forkpoint.records.record import Record
from forkpoint.rollout_head import head_of
from forkpoint.transcript import TranscriptReader
from forkpoint.transcript_file import TranscriptFile

State = Literal["completed", "failed", "stopped", "runningOrLost", "unknown"]


class AgentTranscript(msgspec.Struct):
    """A subagent's file and what is known of it."""

    file: AgentFile
    transcript: TranscriptFile


class AgentNotes(msgspec.Struct):
    """`agent-<id>.meta.json`, as far as it is read; 2.1.100 writes the first two only."""

    agentType: str | None = None
    description: str | None = None
    toolUseId: str | None = None
    parentAgentId: str | None = None
    model: str | None = None
    finished: bool | None = None


_notes = msgspec.json.Decoder(AgentNotes)


def notes_of(file: AgentFile) -> AgentNotes:
    """Return what the file beside a subagent's transcript says; all None without one.

    Of a thread of Codex its own first line says it.
    """
    if file.agent == "codex":
        return _notes_of_thread(file)
    if file.meta_path is None:
        return AgentNotes()
    try:
        return _notes.decode(disk.read_small(file.meta_path))
    except (disk.Unreadable, msgspec.DecodeError):
        return AgentNotes()


def _notes_of_thread(file: AgentFile) -> AgentNotes:
    head = head_of(file.path)
    if head is None:
        return AgentNotes()
    parent = head.parent_id if head.parent_id != file.session_id else None
    return AgentNotes(agentType=head.role, description=head.nickname, parentAgentId=parent)


def owner_of(file: AgentFile) -> str | None:
    """Return the session that a flat subagent file belongs to, as its first record says."""
    try:
        head, _ = disk.read_ends(file.path)
    except disk.Unreadable:
        return None
    for line in TranscriptReader().feed(head):
        for piece in decode(line.data):
            if isinstance(piece.value, Record) and piece.value.session_id is not None:
                return piece.value.session_id
    return None


def fork_context_of(file: AgentFile) -> ForkContext | None:
    """Return the context that a forked subagent began with, as the first line of its file says."""
    try:
        head, _ = disk.read_ends(file.path)
    except disk.Unreadable:
        return None
    lines = iter(TranscriptReader().feed(head))
    first = next(lines, None)
    return None if first is None else fork_context_in(first.data)
