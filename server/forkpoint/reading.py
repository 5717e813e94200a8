"""Reads transcripts on, and passes on what that means for what is known of their sessions."""

from __future__ import annotations

from contextlib import suppress

from forkpoint.disk import Unreadable
from forkpoint.facts import Facts, State, state_of
from forkpoint.file_histories import FileHistories
from forkpoint.keeping import Keeping
from forkpoint.roster import Roster
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.transcript_file import TranscriptFile

STEP = 2 * 1024 * 1024
"""Bytes per step of reading: some 10 ms."""


class Reading:
    """Reads for one catalog, on its thread."""

    def __init__(
        self, roster: Roster, keeping: Keeping | None, facts: Facts, histories: FileHistories
    ) -> None:
        self._roster = roster
        self._keeping = keeping
        self._facts = facts
        self._histories = histories

    def step(
        self, entry: SessionEntry, transcript: TranscriptFile, budget: int | None = None
    ) -> Conversation | None:
        """Read on for so many bytes, or to the end; None while more is to be read.

        Raises `Unreadable`.
        """
        before = state_of(transcript.conversation)
        if transcript.conversation is None and self._keeping is not None:
            self._keeping.give_index(transcript)
        try:
            conversation = transcript.advance(budget)
        except Unreadable as failure:
            if transcript is entry.main:
                entry.problem = failure.reason
            raise
        self._roster.take_note(entry, transcript)
        if conversation is not None:
            self._has_read(entry, transcript, conversation, before)
        return conversation

    def _has_read(
        self,
        entry: SessionEntry,
        transcript: TranscriptFile,
        conversation: Conversation,
        before: State,
    ) -> None:
        if state_of(conversation) != before:
            self._roster.has_changed(entry.session_id)
            self._histories.expect(entry)
        if transcript is not entry.main:
            return
        entry.problem = None
        if before[0] is not conversation:
            self._facts.forget(entry.session_id)
        self._facts.take_in(entry, conversation.index)

    def whole(self, entry: SessionEntry, transcript: TranscriptFile) -> Conversation:
        """Read to the end; raises `Unreadable`."""
        while (conversation := self.step(entry, transcript, STEP)) is None:
            pass
        return conversation

    def on(self, entry: SessionEntry, transcript: TranscriptFile) -> None:
        """Read what was appended if that is little; what is much is left to the background."""
        if transcript.conversation is None or transcript.is_indexed:
            return
        with suppress(Unreadable):
            self.step(entry, transcript, STEP)
