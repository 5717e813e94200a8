"""Reads in the background what nobody asked for yet, in small steps, behind all questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from forkpoint.backlog import Backlog
from forkpoint.disk import Unreadable
from forkpoint.facts import Facts
from forkpoint.file_histories import FileHistories
from forkpoint.keeping import LEARNT, Keeping, go_on_from_bytes
from forkpoint.reading import STEP, Reading
from forkpoint.roster import Roster
from forkpoint.searching import Searching
from forkpoint.session_entry import SessionEntry
from forkpoint.transcript_file import TranscriptFile

if TYPE_CHECKING:
    from forkpoint.indexing_process import Indexed


class Background:
    """Works for one catalog, on its thread."""

    def __init__(
        self,
        roster: Roster,
        reading: Reading,
        keeping: Keeping | None,
        facts: Facts,
        histories: FileHistories,
        searching: Searching,
    ) -> None:
        self._roster = roster
        self._reading = reading
        self._keeping = keeping
        self._facts = facts
        self._histories = histories
        self._searching = searching
        self._backlog = Backlog(roster)
        self._unkept: dict[str, SessionEntry] = {}

    def be_helped(self, wake: Callable[[], None]) -> None:
        """Have another process read what is large; `wake` says, on any thread, that it has."""
        self._backlog.be_helped(wake)
        self._searching.is_wanted = True

    def awaits_help(self) -> bool:
        """Say whether something is still to come from that process."""
        return self._backlog.awaits_help()

    def progress(self) -> tuple[int, int]:
        """Return how many transcripts are indexed (or cannot be), and how many there are."""
        return self._backlog.progress()

    def close(self) -> None:
        """Work no more."""
        self._backlog.close()

    def next(self, version: str | None) -> bool:
        """Read on in the newest transcript that is not indexed; False when none is left here.

        Args:
            version: of the client that would resume.
        """
        if (indexed := self._backlog.arrived()) is not None:
            self._take_in(indexed, version)
            return True
        if (large := self._backlog.for_helper()) is not None and self._is_kept(large[1]):
            self._index(*large, version)
            return True
        self._backlog.hand_over()
        if (item := self._backlog.here()) is not None:
            self._index(*item, version)
            return True
        if self._backlog.awaits_help():
            return False
        if self._keep_next():
            return True
        return self._histories.measure_next() or self._searching.next_unasked()

    def _keep_next(self) -> bool:
        """Keep what the list shows of the next session that was read; False when none is left.

        Not as soon as one was read: where it came from is known when the others were.
        """
        if self._keeping is None or not self._unkept:
            return False
        self._facts.keep(self._unkept.pop(next(iter(self._unkept))))
        self._keeping.write_learnt(LEARNT if self._unkept else 0)
        return True

    def _is_kept(self, transcript: TranscriptFile) -> bool:
        return self._keeping is not None and self._keeping.give_index(transcript)

    def _take_in(self, indexed: Indexed, version: str | None) -> None:
        """Go on from what the other process has read."""
        owner = self._roster.owner(indexed.path)
        if owner is None:
            return
        if self._keeping is not None and indexed.stat is not None and indexed.problem is None:
            self._keeping.take_index_bytes(
                indexed.path, indexed.stat, indexed.data, indexed.read_up_to
            )
        transcript = owner[1]
        if transcript.conversation is None and not go_on_from_bytes(transcript, indexed.data):
            self._backlog.read_here(indexed.path)
            return
        self._index(*owner, version)

    def _index(self, entry: SessionEntry, transcript: TranscriptFile, version: str | None) -> None:
        try:
            if self._reading.step(entry, transcript, STEP) is None:
                return
            self._roster.has_changed(entry.session_id)
            self._histories.expect(entry)
            if all(other.is_indexed for other in entry.transcripts()):
                self._facts.counts(entry)
            self._facts.recorded(entry)
            if self._keeping is not None:
                self._keeping.take_index(transcript)
                self._unkept[entry.session_id] = entry
            self._searching.take_fates(transcript, version)
            transcript.rest()
        except Unreadable as failure:
            transcript.give_up()
            if transcript is entry.main:
                entry.problem = failure.reason
        except Exception:
            # Whatever it is, it would come again; the others are not to wait for it.
            transcript.give_up()
            raise
