"""What is found in all transcripts, and how that is kept up: the catalog's side of searching.

What does the work is imported when it is first needed: a start does not wait for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from forkpoint.roster import Roster
from forkpoint.transcript_file import TranscriptFile

if TYPE_CHECKING:
    from forkpoint.fates import Fates
    from forkpoint.search_file import SearchFile
    from forkpoint.search_filling import Filling
    from forkpoint.search_process import SearchProcess

MUCH = 16 * 1024 * 1024
"""Bytes to be taken in from which on it pays to start a process."""
NEWEST = 20
"""Sessions that a question looks at again though all are watched."""

OpenSearch = Callable[[], "SearchFile"]
"""Opens the table of words."""


def in_memory() -> SearchFile:
    """Open a table that nothing keeps."""
    from forkpoint.search_file import open_search

    return open_search(None)


class Searching:
    """Belongs to a catalog, and is used on its thread.

    Attributes:
        is_wanted: whether to fill the table unasked.
        is_watched: whether the catalog is told when something changes.
        is_unwanted: says whether the answer that is being looked for is wanted no more.
    """

    is_unwanted: Callable[[], bool] = staticmethod(lambda: False)

    def __init__(self, roster: Roster, open_search: OpenSearch = in_memory) -> None:
        """Open nothing yet."""
        self.is_wanted = self.is_watched = False
        self._roster = roster
        self._open = open_search
        self._filling: Filling | None = None
        self._fates: Fates | None = None
        self._helper: SearchProcess | None = None

    @property
    def filling(self) -> Filling:
        """What fills the table, which is opened when it is first asked for."""
        if self._filling is None:
            from forkpoint.search_filling import Filling

            self._filling = Filling(self._roster, self._open())
        return self._filling

    @property
    def fates(self) -> Fates:
        """What becomes of what is found."""
        if self._fates is None:
            from forkpoint.fates import Fates

            self._fates = Fates()
        return self._fates

    def next_unasked(self) -> bool:
        """Take in the next portion if that is wanted; False when nothing is left for us.

        What is much is left to a process of low priority, which needs no word when it is done.
        """
        if not self.is_wanted or self.is_helped:
            return False
        return not self._start_helper() and self.filling.next()

    @property
    def is_helped(self) -> bool:
        """Whether another process is filling the table."""
        return self._helper is not None and self._helper.runs

    def catch_up(self, transcripts: Iterable[TranscriptFile]) -> tuple[int, int]:
        """Take in what little is missing; for the result see `Filling.catch_up`."""
        return self.filling.catch_up(transcripts, may_write=not self.is_helped)

    def _start_helper(self) -> bool:
        """Start a process if it is worth one; False if it is not, or that cannot be."""
        folder = self.filling.file.folder
        if folder is None or self.filling.missing() < MUCH:
            return False
        if self._helper is None:
            from forkpoint.search_process import SearchProcess

            self._helper = SearchProcess()
        with_outputs = self.filling.file.with_outputs
        roster = self._roster
        return self._helper.start(
            folder, roster.roots, roster.codex_homes, with_outputs=with_outputs
        )

    def take_fates(self, transcript: TranscriptFile, version: str | None) -> None:
        """Keep the fates in a transcript whose path was just worked out, for the list."""
        if self.is_wanted and transcript.conversation is not None:
            self.fates.of(transcript.conversation, version, of_agent=transcript.of_agent)

    def look(self) -> bool:
        """Notice what was just appended to the sessions that changed last.

        Returns:
            Whether that will do: not so where nobody watches, or one of them is gone. A watch tells
            of everything, but somewhat later.
        """
        return self.is_watched and all(
            self._roster.look_at(entry, transcript)
            for entry in self._roster.entries()[:NEWEST]
            for transcript in entry.transcripts()
        )

    def keep(self) -> None:
        """Write what was taken in."""
        if self._filling is not None and not self.is_helped:
            self._filling.keep()

    def close(self) -> None:
        """Write what waits, and let go of the table."""
        if self._helper is not None:
            self._helper.stop()
        if self._filling is not None:
            self._filling.file.close()
            self._filling = None
