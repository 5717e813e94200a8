"""One transcript on disk and what is known of it: read at first, then only what was appended."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import msgspec

from forkpoint import disk, transcript_bytes
from forkpoint.codex_layout import is_compressed
from forkpoint.disk import FileStat, Unreadable
from forkpoint.index import TranscriptIndex
from forkpoint.layout import Agent
from forkpoint.session import Conversation
from forkpoint.summary import Summary
from forkpoint.transcript import Bookmark, TranscriptReader, Windows
from forkpoint.transcript_bytes import Opened

PEEK = 16 * 1024
"""Bytes looked at from each end of a file that is not indexed yet."""
CODEX_PEEK = 48 * 1024
"""From the beginning of a rollout: instructions of that length stand before the first prompt."""
PACKED = 8
"""Times that a compressed rollout is longer than it looks, about."""


_UNREAD = TranscriptReader()
"""Of all that are not read; whoever reads takes one of his own."""


class ReadState(msgspec.Struct, frozen=True):
    """What was read of a transcript, how far, and what the file was like."""

    index: TranscriptIndex
    bookmark: Bookmark
    stat: FileStat


class Steps:
    """Counts whenever something else may be known of any of some transcripts than before."""

    def __init__(self) -> None:
        self.count = 0


class TranscriptFile:
    """A followed transcript.

    Attributes:
        path: what to open.
        session_id: the session it belongs to; of a subagent of Codex its own thread.
        of_agent: it is a subagent's.
        stat: what the last listing said; None before the first.
        failed: the last attempt to read it in the background did not succeed.
        agent: whose transcript it is.
        flaw: why a compressed file that was read ends before its end.
        conversation: questions about what was read; None before the first `refresh`.
        steps: grows whenever something else may be known of it than before.
    """

    def __init__(
        self,
        path: str,
        session_id: str,
        stat: FileStat | None = None,
        *,
        of_agent: bool = False,
        agent: Agent = "claude-code",
        all_steps: Steps | None = None,
    ) -> None:
        """Begin with nothing read; `all_steps` counts with those of others."""
        self.path = path
        self.session_id = session_id
        self.of_agent = of_agent
        self.agent: Agent = agent
        self.stat = stat
        self.flaw: transcript_bytes.Flaw | None = None
        self.conversation: Conversation | None = None
        self.failed = False
        self.steps = 0
        self._all_steps = all_steps or Steps()
        self._reader = _UNREAD
        self._read_at: FileStat | None = None
        self._reading: Conversation | None = None
        self._reading_at: FileStat | None = None
        self._peeked: tuple[FileStat, Summary] | None = None

    def _step(self) -> None:
        self.steps += 1
        self._all_steps.count += 1

    @property
    def is_indexed(self) -> bool:
        """Say whether its contents are known as of the last listing."""
        return self.conversation is not None and self._read_at == self.stat

    @property
    def known_summary(self) -> Summary | None:
        """What is known of it without reading."""
        if self.conversation is not None:
            return self.conversation.index.summary
        is_fresh = self._peeked is not None and self._peeked[0] == self.stat
        return self._peeked[1] if self._peeked is not None and is_fresh else None

    @property
    def torn_tail(self) -> tuple[int, int] | None:
        """Offset and length in bytes of an unfinished last line that is no whole record."""
        tail = self._reader.tail
        if self.conversation is None or not tail.strip() or self.conversation.index.has_tail:
            return None
        return self._reader.offset, len(tail)

    def refresh(self) -> Conversation:
        """Read what is new and return the conversation; raises `Unreadable`."""
        while (conversation := self.advance()) is None:
            pass
        return conversation

    def advance(self, budget: int | None = None) -> Conversation | None:
        """Read on for about so many bytes; None while more is to be read; raises `Unreadable`.

        What was read earlier keeps answering until a file that has to be read anew is read whole.
        """
        stat = self.look()
        if self._reading is None and self.conversation is not None and self._read_at == stat:
            return self.conversation
        self._step()
        with transcript_bytes.opened(self.path) as file:
            if self._reading is None:
                self._reading, self._reading_at = self._begin(file), stat
            if not self._feed(self._reading, file, budget):
                return None
        self.conversation, self._read_at = self._reading, self._reading_at
        self._reading = None
        return self.conversation

    def look(self) -> FileStat:
        """Return what the file is like now; raises `Unreadable`."""
        try:
            stat = disk.stat(self.path)
        except Unreadable:
            self._step()
            raise
        if stat != self.stat:
            self.stat = stat
            self._step()
        return stat

    def has_become(self, stat: FileStat) -> None:
        """Take note of what it is like now; it may be read again, whatever was wrong before."""
        self.stat = stat
        self.failed = False
        self._step()

    def has_moved(self, path: str, stat: FileStat) -> None:
        """Take note that it lies elsewhere now, compressed perhaps; what was read still holds.

        That it does is looked at before anything more is read.
        """
        self.path = path
        self._read_at = self._reading = None
        self.has_become(stat)

    def give_up(self) -> None:
        """Read it no more in the background until it is another one."""
        self.failed = True
        self._step()

    def go_on_from(self, index: TranscriptIndex, bookmark: Bookmark) -> bool:
        """Take over what an earlier run read, if the file begins with it; what follows is unread.

        Raises `Unreadable`.
        """
        with transcript_bytes.opened(self.path) as file:
            windows = Windows.at(bookmark.offset, file.span)
        reader = TranscriptReader.resume(bookmark, windows)
        is_of_codex = index.rollout is not None
        if reader is None or index.session_id != self.session_id:
            return False
        if is_of_codex != (self.agent == "codex"):
            return False
        self._reader, self._reading, self._read_at = reader, None, None
        self.conversation = Conversation(index)
        self._step()
        return True

    @property
    def read_up_to(self) -> int:
        """Position after the last whole line that was read."""
        return self._reader.offset

    def state(self) -> ReadState | None:
        """Return what was read, and of which file; None while it is not read to its end."""
        if self.conversation is None or self._read_at is None or self._reading is not None:
            return None
        return ReadState(self.conversation.index, self._reader.bookmark(), self._read_at)

    def rest(self) -> None:
        """Keep less in memory of a transcript that nobody asked for; asking brings it back."""
        if self.conversation is not None:
            self.conversation.rest()

    def _begin(self, file: Opened) -> Conversation:
        """Go on behind what was read if the file still begins with it, else begin anew."""
        if self.conversation is not None and self._is_continued(file):
            return self.conversation
        self._reader = TranscriptReader()
        return Conversation(self._new_index())

    def _new_index(self) -> TranscriptIndex:
        return TranscriptIndex(self.session_id, of_agent=self.of_agent, agent=self.agent)

    def _is_continued(self, file: Opened) -> bool:
        reader = self._reader
        if not file.may_hold(reader.position):
            return False
        return reader.has_read(Windows.at(reader.offset, file.span))

    def _feed(self, conversation: Conversation, file: Opened, budget: int | None) -> bool:
        reader, index = self._reader, conversation.index
        end = None if budget is None else reader.position + budget
        for chunk in file.through(reader.position):
            index.apply(reader.feed(chunk))
            if end is not None and reader.position >= end:
                return False
        index.apply_tail(reader.offset, reader.tail)
        self.flaw = transcript_bytes.flaw_of(self.path)
        return True

    @property
    def is_short(self) -> bool:
        """Say whether it is read whole as fast as the two ends that `peek` looks at."""
        length = self.stat.size if self.stat is not None else inf
        return length * (PACKED if is_compressed(self.path) else 1) <= 2 * PEEK

    def bodies(self, rows: Sequence[int]) -> list[bytes]:
        """Read the records of some rows, as their lines hold them; raises `Unreadable`.

        A node whose uuid was repeated gives the later line, which counts.
        """
        nodes = self._known().index.nodes
        lines = [nodes.body_of.get(row, row) for row in rows]
        return self.lines(lines)

    def lines(self, ordinals: Sequence[int]) -> list[bytes]:
        """Read the bytes of some ordinals exactly; raises `Unreadable`."""
        nodes = self._known().index.nodes
        spans = [(nodes.offset[ordinal], nodes.length[ordinal]) for ordinal in ordinals]
        return transcript_bytes.read_spans(self.path, spans)

    def _known(self) -> Conversation:
        """What the caller's ordinals are of: another look might find another file there."""
        return self.conversation or self.refresh()

    def peek(self) -> Summary:
        """Return what both ends of the file tell, without reading what lies between.

        A title in the middle of a long file comes with the index only; `is_short` says when to
        read it whole instead. Raises `Unreadable`.
        """
        if self.conversation is not None:
            return self.conversation.index.summary
        stat = self.stat or self.look()
        if self._peeked is None or self._peeked[0] != stat:
            self._step()
            self._peeked = (stat, self._both_ends())
        return self._peeked[1]

    def _both_ends(self) -> Summary:
        size = CODEX_PEEK if self.agent == "codex" else PEEK
        head, tail = transcript_bytes.read_ends(self.path, size, PEEK)
        first, last = self._summary_of(head), self._summary_of(tail.partition(b"\n")[2])
        both = _joined(first, last)
        if is_compressed(self.path):
            both.updated = None
        return both

    def _summary_of(self, data: bytes) -> Summary:
        reader, index = TranscriptReader(), self._new_index()
        index.apply(reader.feed(data))
        return index.summary


def _joined(first: Summary, last: Summary) -> Summary:
    last.first_prompt = first.first_prompt or last.first_prompt
    last.first_command = first.first_command or last.first_command
    last.first_cwd = first.first_cwd or last.first_cwd
    last.created = first.created or last.created
    last.updated = last.updated or first.updated
    last.entrypoint = first.entrypoint or last.entrypoint
    last.forked_from = first.forked_from or last.forked_from
    last.custom_title = last.custom_title or first.custom_title
    last.ai_title = last.ai_title or first.ai_title
    last.git_branch = last.git_branch or first.git_branch
    last.version = last.version or first.version
    # Neither end need hold talk, but a file with nothing but state lines is never this long.
    last.talk = True
    return last
