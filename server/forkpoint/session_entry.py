"""A session as found on disk: its files, and those of its subagents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from forkpoint.agents import AgentTranscript
from forkpoint.disk import Reason
from forkpoint.index import TranscriptIndex
from forkpoint.layout import Agent
from forkpoint.listing import SessionFile
from forkpoint.tool_calls import ToolCall
from forkpoint.transcript_file import TranscriptFile


class SessionEntry(msgspec.Struct):
    """A session as found on disk.

    Attributes:
        file: the newest file with this id; `others` are the older ones.
        main: its transcript.
        agents: its subagents' transcripts, by agent id.
        problem: why the transcript could not be read the last time; None if it could.
    """

    file: SessionFile
    others: list[SessionFile]
    root: Path
    main: TranscriptFile
    agents: dict[str, AgentTranscript]
    problem: Reason | None = None

    @property
    def agent(self) -> Agent:
        """Whose session it is."""
        return self.file.agent

    @property
    def session_id(self) -> str:
        """The session's id as its file name spells it."""
        return self.file.session_id

    def transcripts(self) -> list[TranscriptFile]:
        """Return the files of the session and of its subagents."""
        return [self.main, *[agent.transcript for agent in self.agents.values()]]


def all_calls(entry: SessionEntry) -> Iterator[tuple[TranscriptFile, TranscriptIndex, ToolCall]]:
    """Yield the calls of a session, then of its subagents, as far as they are read."""
    for transcript in entry.transcripts():
        conversation = transcript.conversation
        if conversation is not None:
            index = conversation.index
            for call in index.tools.all(index.joins):
                yield transcript, index, call
