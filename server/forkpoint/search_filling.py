"""Which transcripts are in the search table, and what is still to be put in?

Everything comes in small steps, the newest transcripts first, behind all other work; a question
first takes in what little was appended. A transcript is known by its size, time, inode and two
fingerprints: what has grown is gone on with, what was rewritten is taken in anew.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from typing import Literal, NamedTuple

from forkpoint import at_path, disk, transcript_bytes
from forkpoint.codex_layout import is_compressed
from forkpoint.disk import FileStat, Reason, Unreadable
from forkpoint.roster import Roster
from forkpoint.search_file import SearchFile
from forkpoint.search_rows import SearchFold, SearchRecord
from forkpoint.search_table import FAILURES, Entry, NameKind, Portion, SearchTable
from forkpoint.transcript import TranscriptReader, Windows
from forkpoint.transcript_file import TranscriptFile

STEP = 512 * 1024
"""Bytes of a step: some 5 ms of work."""
LITTLE = 4 * 1024 * 1024
"""Bytes that a question takes in before it is answered."""
TRIED_AGAIN = 100
"""Transcripts that could not be read which a question looks at again."""
GROUP = 32 * 1024 * 1024
"""Bytes of transcripts that are taken in as a group (see `Filling._plan`)."""
LATEST_SECONDS = 2.0
"""How long what was put in waits to be written while more comes."""
GROWN_ENOUGH = 256 * 1024
"""Bytes by which a transcript grew that are taken in unasked; less waits for `keep`."""


class _Reading(NamedTuple):
    """A transcript on its way into the table."""

    path: str
    stat: FileStat
    reader: TranscriptReader
    fold: SearchFold


_Step = Literal["more", "done", "failed"]
"""What comes behind a step: more of the transcript, nothing, or another try another time."""


class Filling:
    """Fills a table with the words of the transcripts of a catalog, on its thread.

    Attributes:
        file: the table.
    """

    def __init__(self, roster: Roster, file: SearchFile) -> None:
        """Fill nothing yet."""
        self.file = file
        self._roster = roster
        self._todo: deque[TranscriptFile] = deque()
        self._groups: deque[list[TranscriptFile]] = deque()
        self._planned_for: object = None
        self._reading: _Reading | None = None
        self._failed: dict[str, tuple[FileStat | None, Reason]] = {}
        self._written_at = 0.0

    def name(self, kind: NameKind, number: int | None) -> str | None:
        """Return the name of a kind that has a number in the table."""
        return self.file.table.name(kind, number) if self.file.table and number else None

    # --- in the background ---

    def next(self) -> bool:
        """Take in the next portion; False when nothing is left, or nothing can be written now."""
        table = self.file.look()
        if table is None:
            return False
        while self.file.table is table:
            self._plan(table)
            if not self._todo:
                break
            transcript = self._todo[0]
            missing = self._missing(table, transcript)
            waits = missing < GROWN_ENOUGH and self._was_in(table, transcript)
            after = "done" if waits else self._step(transcript)
            if after != "more":
                self._todo.popleft()
            if not waits and after != "failed":
                self._commit_after_a_while()
                return True
        self.file.commit()
        return False

    def keep(self) -> None:
        """Take in what grew a little, forget what is gone, and write it all."""
        if (table := self.file.look()) is None:
            return
        self._take_in(table, self._roster.all_transcripts(), LITTLE)
        self._forget_missing(table)
        self.file.commit()
        self.file.begin_anew_if_worn()

    def _plan(self, table: SearchTable) -> None:
        """List what is to be taken in when files came, went or changed.

        The newest come first, in groups, of which each begins with its oldest (see
        `SearchTable.expect_older`).
        """
        state = (self._roster.generation, id(table))
        if state != self._planned_for:
            self._planned_for = state
            todo = [each for each in self._roster.all_transcripts() if self._missing(table, each)]
            self._groups = _grouped(todo)
            table.expect(len(todo))
            self._todo.clear()
        if not self._todo and self._groups:
            group = self._groups.popleft()
            self._todo.extend(group)
            stats = [entry.stat for entry in table.entries.values() if entry.stat is not None]
            new = [each for each in group if each.path not in table.entries]
            if new and _changed_at(new[-1]) < max((stat.mtime_ns for stat in stats), default=0):
                self.file.write(lambda table: table.expect_older(len(new)))

    def _commit_after_a_while(self) -> None:
        now = time.monotonic()
        if now - self._written_at > LATEST_SECONDS:
            self._written_at = now
            self.file.commit()

    def _forget_missing(self, table: SearchTable) -> None:
        there = {transcript.path for transcript in self._roster.all_transcripts()}
        gone = [path for path in table.entries if path not in there and not at_path.exists(path)]
        for path in gone:
            self.file.write(lambda table, path=path: table.forget(path))

    def missing(self) -> int:
        """Return about how many bytes are still to be taken in."""
        table = self.file.look()
        each = (self._missing(table, one) for one in self._roster.all_transcripts() if table)
        return sum(each)

    # --- for a question ---

    def catch_up(
        self, transcripts: Iterable[TranscriptFile], *, may_write: bool = True
    ) -> tuple[int, int]:
        """Take in what little is missing, if that is wanted.

        Returns:
            How many of the transcripts can be searched as they are now, and how many there are.
        """
        table, asked = self.file.look(), list(transcripts)
        if table is None:
            return 0, len(asked)
        if may_write:
            self._try_again()
        missing = [each for each in asked if self._missing(table, each)]
        if missing and may_write:
            self._take_in(table, missing, LITTLE)
            self.file.commit()
            table = self.file.table or table
            missing = [each for each in missing if self._missing(table, each)]
        return len(asked) - len(missing), len(asked)

    def _take_in(
        self, table: SearchTable, transcripts: Iterable[TranscriptFile], budget: int
    ) -> None:
        missing = [(self._missing(table, each), each) for each in transcripts]
        for size, transcript in sorted((pair for pair in missing if pair[0]), key=_size):
            budget -= size
            if budget < 0:
                return
            while (after := self._step(transcript)) == "more":
                pass
            if after == "failed" and not self._has_failed(transcript):
                # The table cannot be written now; to try it for each would take long.
                return

    # --- one transcript ---

    def _missing(self, table: SearchTable, transcript: TranscriptFile) -> int:
        """About how many bytes are to be taken in; 0 if it is in, or cannot be read."""
        entry, stat = table.entries.get(transcript.path), transcript.stat
        if stat is None or (entry is not None and entry.stat == stat):
            return 0
        if self._has_failed(transcript):
            return 0
        done = entry.bookmark.offset if entry is not None and entry.bookmark else 0
        return max(stat.size - done if done <= stat.size else stat.size, 1)

    def _has_failed(self, transcript: TranscriptFile) -> bool:
        """Whether it could not be read as it was listed."""
        stat, _ = self._failed.get(transcript.path, _NEVER)
        return stat == transcript.stat

    def _try_again(self) -> None:
        """Forget failures of what can be opened again: a right that came back changes no stat."""
        for path, (_, reason) in [*self._failed.items()][:TRIED_AGAIN]:
            if reason in _OF_THE_BYTES:
                continue
            try:
                with transcript_bytes.opened(path):
                    del self._failed[path]
            except Unreadable as failure:
                if failure.reason == "gone":
                    del self._failed[path]

    def _was_in(self, table: SearchTable, transcript: TranscriptFile) -> bool:
        """Whether it was in to its end before."""
        entry = table.entries.get(transcript.path)
        return entry is not None and entry.stat is not None

    def _step(self, transcript: TranscriptFile) -> _Step:
        """Take in a portion of a transcript."""
        path = transcript.path
        try:
            reading = self._go_on(path)
            return self._read(reading) if reading is not None else "failed"
        except Unreadable as failure:
            self._failed[path], self._reading = (transcript.stat, failure.reason), None
        if self.file.table is not None and path in self.file.table.entries:
            self.file.write(lambda table: table.forget(path))
        return "failed"

    def _go_on(self, path: str) -> _Reading | None:
        """Where to read on; None where the table cannot be written."""
        stat, reading = disk.stat(path), self._reading
        if reading is not None and reading.path == path and reading.stat == stat:
            return reading
        self._reading = None
        table = self.file.look()
        entry = table.entries.get(path) if table else None
        reading = _after(entry, path, stat)
        if reading is None:
            if entry is not None and self.file.write(lambda table: (table.forget(path),)) is None:
                return None
            fold = SearchFold(with_outputs=self.file.with_outputs)
            reading = _Reading(path, stat, TranscriptReader(), fold)
        reading.fold.with_outputs = self.file.with_outputs
        self._reading = reading
        return reading

    def _read(self, reading: _Reading) -> _Step:
        reader, records, is_end = reading.reader, list[SearchRecord](), True
        start = reader.position
        for chunk in transcript_bytes.read(reading.path, start):
            records += reading.fold.fold(reader.feed(chunk))
            if reader.position - start >= STEP:
                # Where a compressed one ends is known behind its end.
                is_end = not is_compressed(reading.path)
                is_end = is_end and reader.position >= reading.stat.size
                break
        portion = Portion(
            stat=reading.stat if is_end else None,
            bookmark=reader.bookmark(),
            fold=reading.fold.state,
            records=records,
            tail=reading.fold.tail(reader.offset, reader.tail) if is_end else [],
        )
        put = self.file.write(lambda table: (table.put(reading.path, portion),))
        if put is None:
            self._reading = None
            return "failed"
        if is_end:
            self._reading = None
        return "done" if is_end else "more"


def _grouped(transcripts: list[TranscriptFile]) -> deque[list[TranscriptFile]]:
    """Cut them into groups, the newest first, of which each begins with its oldest."""
    groups: deque[list[TranscriptFile]] = deque()
    room = 0
    for transcript in sorted(transcripts, key=_changed_at, reverse=True):
        if room <= 0:
            groups.append([])
            room = GROUP
        groups[-1].insert(0, transcript)
        room -= transcript.stat.size if transcript.stat else 0
    return groups


def _changed_at(transcript: TranscriptFile) -> int:
    return transcript.stat.mtime_ns if transcript.stat else 0


_NEVER: tuple[FileStat, Reason] = FileStat(-1, -1, -1), "gone"
_OF_THE_BYTES: tuple[Reason, ...] = ("damaged", "notUnpackable")


def _size(pair: tuple[int, TranscriptFile]) -> int:
    return pair[0]


def _after(entry: Entry | None, path: str, stat: FileStat) -> _Reading | None:
    """Go on behind what is in the table; None if that is not how the file begins."""
    if entry is None or entry.bookmark is None:
        return None
    mark = entry.bookmark
    with transcript_bytes.opened(path) as file:
        windows = Windows.at(mark.offset, file.span)
    reader = TranscriptReader.resume(mark, windows)
    try:
        return _Reading(path, stat, reader, SearchFold.load(entry.fold)) if reader else None
    except FAILURES:
        return None
