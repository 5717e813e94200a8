"""Which transcripts are still to be read, newest first, and who reads them?

Large ones that no earlier run has read go to a process of low priority, so that the server has time
for questions; if there is none, or it fails, they are read here as all others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from forkpoint.roster import Roster
from forkpoint.session_entry import SessionEntry
from forkpoint.transcript_file import TranscriptFile

if TYPE_CHECKING:
    from forkpoint.indexing_process import Indexed, IndexingProcess

LARGE = 512 * 1024
"""Bytes from which on it pays to hand an index from one process to the other."""

Item = tuple[SessionEntry, TranscriptFile]


class Backlog:
    """What is to be read, by the catalog's thread unless said otherwise."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._generation = -1
        self._here: deque[Item] = deque()
        self._for_helper: deque[Item] = deque()
        self._total = 0
        self._counted: tuple[object, int] = (None, 0)
        self._refused: set[str] = set()
        self._helper: IndexingProcess | None = None
        self._arrived: SimpleQueue[Indexed] = SimpleQueue()

    def be_helped(self, wake: Callable[[], None]) -> None:
        """Have a process read what is large from now on; `wake` is called on another thread."""
        # What starts processes is not needed for the first answers.
        from forkpoint.indexing_process import IndexingProcess

        def hear(indexed: Indexed) -> None:
            self._arrived.put(indexed)
            wake()

        self._helper = IndexingProcess(hear)

    def close(self) -> None:
        """End the process, if there is one."""
        if self._helper is not None:
            self._helper.stop(0)
            self._helper = None

    # --- what is next ---

    def here(self) -> Item | None:
        """Return the next one to be read by the caller; None while there is none."""
        self._look()
        while self._here:
            entry, transcript = self._here[0]
            if not _is_done(transcript):
                return entry, transcript
            self._here.popleft()
        return None

    def for_helper(self) -> Item | None:
        """Return the next one that the process would be given."""
        self._look()
        return self._for_helper[0] if self._for_helper else None

    def hand_over(self) -> None:
        """Give the process as much as it takes."""
        self._look()
        while self._for_helper:
            entry, transcript = self._for_helper[0]
            if not _is_done(transcript):
                helper = self._helper
                if helper is None or helper.is_off:
                    self._here.append(self._for_helper.popleft())
                    continue
                of_agent = transcript is not entry.main
                path, name = transcript.path, transcript.session_id
                if not helper.ask(path, name, of_agent=of_agent, agent=transcript.agent):
                    if helper.asked:
                        return
                    # It could not be started, which after some times is its end.
                    continue
            self._for_helper.popleft()

    def arrived(self) -> Indexed | None:
        """Return the next of what the process has read."""
        try:
            return self._arrived.get_nowait()
        except Empty:
            return None

    def read_here(self, path: str) -> None:
        """Read a transcript here that the process could not read."""
        self._refused.add(path)
        if (owner := self._roster.owner(path)) is not None:
            self._here.appendleft(owner)

    def awaits_help(self) -> bool:
        """Say whether something is still to come from the process."""
        return self._helper is not None and bool(self._helper.asked or not self._arrived.empty())

    def progress(self) -> tuple[int, int]:
        """Return how many transcripts are read (or cannot be), and how many there are."""
        self._look()
        asked = len(self._helper.asked) if self._helper is not None else 0
        lengths = len(self._here), len(self._for_helper), len(self._refused)
        state = self._generation, self._roster.steps.count, lengths
        if self._counted[0] != state:
            items = (*self._here, *self._for_helper)
            left = sum([not _is_done(transcript) for _, transcript in items])
            self._counted = (state, left)
        return self._total - self._counted[1] - asked, self._total

    def _look(self) -> None:
        """Begin anew when files came, went or changed."""
        if self._generation == self._roster.generation:
            return
        self._generation = self._roster.generation
        asked = set(self._helper.asked) if self._helper is not None else set[str]()
        self._here.clear()
        self._for_helper.clear()
        self._total = 0
        for entry in self._roster.entries():
            for transcript in entry.transcripts():
                self._total += 1
                if _is_done(transcript) or transcript.path in asked:
                    continue
                large = self._is_for_helper(transcript)
                (self._for_helper if large else self._here).append((entry, transcript))

    def _is_for_helper(self, transcript: TranscriptFile) -> bool:
        size = transcript.stat.size if transcript.stat is not None else 0
        is_new = transcript.conversation is None and transcript.path not in self._refused
        return self._helper is not None and is_new and size >= LARGE


def _is_done(transcript: TranscriptFile) -> bool:
    return transcript.is_indexed or transcript.failed
