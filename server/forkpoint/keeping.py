"""What is kept over restarts: indexes, and what the list shows of each session.

The store holds bytes; here is decided what they mean, whether they still hold, and when it is worth
to write them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

import msgspec

from forkpoint import index_state
from forkpoint.client_rules import rules_for
from forkpoint.disk import FileStat, Unreadable
from forkpoint.lineage import Origin
from forkpoint.listed import Basis, FileState, Listed, NotListed, dump_listed, load_listed
from forkpoint.prices import Prices
from forkpoint.session_entry import SessionEntry
from forkpoint.store import Store
from forkpoint.transcript_file import TranscriptFile

WORTH_BYTES = 256 * 1024
"""A transcript that grew by less is not written again: a start reads so much in no time."""


LEARNT = 32
"""Sessions of which what the list shows waits to be written: a write of some milliseconds."""

WRITE_BYTES = 4 * 1024 * 1024
"""What waits is written when it is more: some 20 ms of work."""

NEVER_SEEN = FileStat(0, 0, 0)

Find = Callable[[str], SessionEntry | None]
"""Gives a session by its id."""


class Ways(NamedTuple):
    """What facts depend on beside the transcripts: see `Basis`."""

    rules: str
    prices: int


class Keeping:
    """Gives and takes what is kept, for one catalog, on its thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pieces = store.listed()
        self._listed: dict[str, Listed | None] = {}
        self._read_up_to: dict[str, int] = {}
        self._tried: set[str] = set()
        self._waiting = 0
        self._learnt = 0

    # --- indexes ---

    def give_index(self, transcript: TranscriptFile) -> bool:
        """Have a transcript go on from what an earlier run read; False if nothing fits.

        Each is looked up once: whoever reads it anew later has reason to.
        """
        if transcript.path in self._tried:
            return False
        self._tried.add(transcript.path)
        kept = self._store.index_of(transcript.path)
        if kept is None:
            return False
        if not go_on_from_bytes(transcript, kept.data):
            return False
        self._read_up_to[transcript.path] = transcript.read_up_to
        return True

    def take_index(self, transcript: TranscriptFile) -> None:
        """Keep a transcript's index if more than a little of it is not kept yet."""
        read = transcript.state()
        if read is None or self._is_kept(transcript.path, read.bookmark.offset):
            return
        try:
            data = index_state.dump(read.index, read.bookmark)
        except index_state.NotKept:
            return
        self.take_index_bytes(transcript.path, read.stat, data, read.bookmark.offset)

    def take_index_bytes(self, path: str, stat: FileStat, data: bytes, read_up_to: int) -> None:
        """Keep an index that another process made."""
        self._store.put_index(path, stat, data)
        self._read_up_to[path] = read_up_to
        self._waiting += len(data)
        if self._waiting > WRITE_BYTES:
            self.write()

    def _is_kept(self, path: str, offset: int) -> bool:
        known = self._read_up_to.get(path)
        return known is not None and known <= offset < known + WORTH_BYTES

    # --- facts for the list ---

    def listed(self, entry: SessionEntry, find: Find, ways: Ways) -> Listed | None:
        """Return what is kept of a session if all that it was worked out of is as it was."""
        session_id = entry.session_id
        if session_id not in self._listed:
            self._listed[session_id] = self._load(entry)
        listed = self._listed[session_id]
        if listed is None or listed.basis != basis_of(entry, listed.origin, find, ways):
            return None
        return listed

    def _load(self, entry: SessionEntry) -> Listed | None:
        _, data = self._pieces.pop(entry.main.path, (b"", b""))
        try:
            return load_listed(data)
        except NotListed:
            return None

    def take_listed(self, entry: SessionEntry, listed: Listed) -> None:
        """Keep what the list shows of a session."""
        self._listed[entry.session_id] = listed
        with suppress(NotListed):
            self._store.put_listed(entry.main.path, b"", dump_listed(listed))
            self._learnt += 1

    def write_learnt(self, most_waiting: int = 0) -> None:
        """Write what the list shows of sessions, if of more than so many it waits.

        A server under load may be given no time to write at its end.
        """
        if self._learnt > most_waiting:
            self._learnt = 0
            self._store.flush()

    # --- answers ---

    def answer(self, transcript: TranscriptFile, name: str) -> bytes | None:
        """Return an answer about a transcript as it is now; None where none is kept."""
        if transcript.stat is None:
            return None
        return self._store.answer(transcript.path, name, transcript.stat)

    def take_answer(self, transcript: TranscriptFile, name: str, data: bytes) -> None:
        """Keep an answer about a transcript as it was read last."""
        read = transcript.state()
        if read is not None:
            self._store.put_answer(transcript.path, name, read.stat, data)

    # --- the store ---

    def write(self, transcripts: Iterable[TranscriptFile] = ()) -> None:
        """Write what waits; of all transcripts, if given those that are there.

        Their indexes are kept whoever had them read, and those that are gone are forgotten.
        """
        there = list(transcripts)
        for transcript in there:
            self.take_index(transcript)
        paths = [transcript.path for transcript in there]
        if paths:
            self._store.forget_missing(paths)
        self._waiting = self._learnt = 0
        self._store.flush()

    def close(self) -> None:
        """Let go of the store; what waits is not written."""
        self._store.close()


def go_on_from_bytes(transcript: TranscriptFile, data: bytes) -> bool:
    """Have a transcript go on from an index as bytes; False if they are none that fits."""
    try:
        return transcript.go_on_from(*index_state.load(data))
    except (index_state.NotOurs, Unreadable):
        return False


def basis_of(entry: SessionEntry, origin: Origin | None, find: Find, ways: Ways) -> Basis:
    """Return what the facts of a session are worked out of now."""
    source = find(origin.session_id) if origin is not None else None
    return Basis(
        transcripts=tuple([_state_of(transcript) for transcript in entry.transcripts()]),
        origin=_state_of(source.main) if source is not None else None,
        rules=ways.rules,
        prices=ways.prices,
    )


@lru_cache(maxsize=8)
def _since(version: str | None) -> str:
    return ".".join(map(str, rules_for(version).since))


def ways_of(version: str | None, prices: Prices) -> Ways:
    """Return what facts depend on beside the transcripts."""
    own = zlib.crc32(msgspec.msgpack.encode(prices.own)) if prices.own else 0
    return Ways(_since(version), own)


def _state_of(transcript: TranscriptFile) -> FileState:
    size, mtime_ns, inode = transcript.stat or NEVER_SEEN
    return transcript.path, size, mtime_ns, inode
