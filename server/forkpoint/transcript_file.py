"""One transcript on disk and what is known of it: read at first, then only what was appended."""

from __future__ import annotations

from collections.abc import Sequence

from forkpoint import disk
from forkpoint.disk import FileStat
from forkpoint.index import TranscriptIndex
from forkpoint.session import Conversation
from forkpoint.summary import Summary
from forkpoint.transcript import TranscriptReader

PEEK = 32 * 1024
"""Bytes looked at from each end of a file that is not indexed yet."""


class TranscriptFile:
    """A followed transcript.

    Attributes:
        path: what to open.
        session_id: the session it belongs to.
        of_agent: it is a subagent's.
        stat: what the last listing said; None before the first.
        failed: the last attempt to read it in the background did not succeed.
        conversation: questions about what was read; None before the first `refresh`.
    """

    def __init__(
        self,
        path: str,
        session_id: str,
        stat: FileStat | None = None,
        *,
        of_agent: bool = False,
    ) -> None:
        self.path = path
        self.session_id = session_id
        self.of_agent = of_agent
        self.stat = stat
        self.conversation: Conversation | None = None
        self.failed = False
        self._reader = TranscriptReader()
        self._read_at: FileStat | None = None
        self._peeked: tuple[FileStat, Summary] | None = None

    @property
    def is_indexed(self) -> bool:
        """Say whether its contents are known as of the last listing."""
        return self.conversation is not None and self._read_at == self.stat

    @property
    def torn_tail(self) -> tuple[int, int] | None:
        """Offset and length in bytes of an unfinished last line that is no whole record."""
        tail = self._reader.tail
        if self.conversation is None or not tail.strip() or self.conversation.index.has_tail:
            return None
        return self._reader.offset, len(tail)

    def refresh(self) -> Conversation:
        """Read what is new and return the conversation; raises `Unreadable`."""
        stat = disk.stat(self.path)
        self.stat = stat
        if self.conversation is not None and self._read_at == stat:
            return self.conversation
        conversation = self._continued() or self._afresh()
        self._read_at = stat
        return conversation

    def _continued(self) -> Conversation | None:
        """Go on behind what was read, if the file still begins with it."""
        if self.conversation is None:
            return None
        if disk.changed(self.path, self._reader.bookmark()) not in ("same", "grown"):
            return None
        if self.stat is not None and self.stat.size < self._reader.position:
            return None
        self._feed(self.conversation)
        return self.conversation

    def _afresh(self) -> Conversation:
        self._reader = TranscriptReader()
        conversation = Conversation(TranscriptIndex(self.session_id, of_agent=self.of_agent))
        self._feed(conversation)
        self.conversation = conversation
        return conversation

    def _feed(self, conversation: Conversation) -> None:
        reader, index = self._reader, conversation.index
        for chunk in disk.read(self.path, reader.position):
            index.apply(reader.feed(chunk))
        index.apply_tail(reader.offset, reader.tail)

    def bodies(self, rows: Sequence[int]) -> list[bytes]:
        """Read the records of some rows, as their lines hold them; raises `Unreadable`.

        A node whose uuid was repeated gives the later line, which counts.
        """
        nodes = self.refresh().index.nodes
        lines = [nodes.body_of.get(row, row) for row in rows]
        return self.lines(lines)

    def lines(self, ordinals: Sequence[int]) -> list[bytes]:
        """Read the bytes of some ordinals exactly; raises `Unreadable`."""
        nodes = self.refresh().index.nodes
        spans = [(nodes.offset[ordinal], nodes.length[ordinal]) for ordinal in ordinals]
        return disk.read_spans(self.path, spans)

    def peek(self) -> Summary:
        """Return what both ends of the file tell, without reading what lies between.

        A title in the middle of a long file comes with the index only. Raises `Unreadable`.
        """
        if self.conversation is not None:
            return self.conversation.index.summary
        stat = self.stat or disk.stat(self.path)
        if stat.size <= 2 * PEEK:
            return self.refresh().index.summary
        if self._peeked is None or self._peeked[0] != stat:
            self._peeked = (stat, _both_ends(*disk.read_ends(self.path, PEEK)))
        return self._peeked[1]


def _both_ends(head: bytes, tail: bytes) -> Summary:
    first, last = _summary_of(head), _summary_of(tail.partition(b"\n")[2])
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


def _summary_of(data: bytes) -> Summary:
    reader, index = TranscriptReader(), TranscriptIndex()
    index.apply(reader.feed(data))
    return index.summary
