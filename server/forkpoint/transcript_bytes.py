"""The bytes of a transcript, whether it stands on disk as it is or compressed.

Offsets are always those of the lines as the agent wrote them. A compressed file has no middle: what
is asked for is unpacked up to, from the beginning or from where the last question stopped, and a
few pieces are kept. Compressed rollouts are never changed in place, so what was kept holds while
size, time and inode do.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol

from forkpoint import disk
from forkpoint.codex_layout import is_compressed
from forkpoint.disk import CHUNK, FileStat, Unreadable
from forkpoint.unpacked import CannotUnpack, Unpacked, bound

Flaw = Literal["cut", "damaged"]
"""Why a compressed file ends before its end: it would give more than any transcript of its size
(see `unpacked.bound`), or what follows cannot be unpacked."""

MOST_PIECES = 32
"""Pieces of `CHUNK` bytes that are kept of a file, 16 MiB."""
MOST_FILES = 2


def read(path: str, offset: int = 0) -> Iterator[bytes | bytearray]:
    """The bytes from `offset` on to the end, in chunks; raises `Unreadable`.

    A chunk holds until the next one is asked for only.
    """
    with opened(path) as file:
        yield from file.through(offset)


def read_span(path: str, offset: int, length: int) -> bytes:
    """The `length` bytes from `offset` on; fewer at the end; raises `Unreadable`."""
    return read_spans(path, [(offset, length)])[0]


def read_spans(path: str, spans: Iterable[tuple[int, int]]) -> list[bytes]:
    """Several spans (offset, length) of one file; raises `Unreadable`."""
    if not is_compressed(path):
        return disk.read_spans(path, spans)
    known = _known(path)
    return [known.span(offset, length) for offset, length in spans]


def read_ends(path: str, head: int, tail: int) -> tuple[bytes, bytes]:
    """The first and the last bytes of a file; raises `Unreadable`.

    The last ones of a compressed file are not worth unpacking all of it: they are empty.
    """
    if is_compressed(path):
        return _known(path).span(0, head), b""
    first, last = disk.read_ends(path, max(head, tail))
    return first[:head], last[-tail:]


class Opened(Protocol):
    """A transcript that is read in several ways at once, in one state; all raise `Unreadable`."""

    def may_hold(self, position: int) -> bool:
        """Say whether it may go on up to there; of a compressed one that is not known."""
        ...

    def span(self, offset: int, length: int) -> bytes:
        """The `length` bytes from `offset` on; fewer at the end."""
        ...

    def through(self, offset: int) -> Iterator[bytes | bytearray]:
        """The bytes from `offset` on to the end; a chunk holds until the next is asked for."""
        ...


def opened(path: str) -> AbstractContextManager[Opened]:
    """Open a transcript; raises `Unreadable`, here or when it is entered."""
    return nullcontext(_known(path)) if is_compressed(path) else disk.Opened(path)


def flaw_of(path: str) -> Flaw | None:
    """Say whether a file that was read to its end just now goes on behind that; never raises."""
    known = _files.get(path)
    return known.flaw if known is not None else None


class _Packed:
    """A compressed file in one state, and the pieces of it that were asked for last.

    Attributes:
        flaw: known as soon as the end was reached.
    """

    def __init__(self, path: str, stat: FileStat) -> None:
        self.stat = stat
        self.flaw: Flaw | None = None
        self._path = path
        self._pieces: OrderedDict[int, bytes] = OrderedDict()
        self._count: int | None = None
        self._stream: Unpacked | None = None
        self._lock = threading.Lock()

    def may_hold(self, position: int) -> bool:
        return True

    def through(self, offset: int) -> Iterator[bytes | bytearray]:
        number, begin = divmod(offset, CHUNK)
        while chunk := self.piece(number)[begin:]:
            yield chunk
            number, begin = number + 1, 0

    def span(self, offset: int, length: int) -> bytes:
        number, begin = divmod(offset, CHUNK)
        found: list[bytes] = []
        while length > 0 and (piece := self.piece(number)[begin : begin + length]):
            found.append(piece)
            length -= len(piece)
            number, begin = number + 1, 0
        return b"".join(found)

    def piece(self, number: int) -> bytes:
        """The piece with a number, empty behind the end."""
        with self._lock:
            while number not in self._pieces:
                if self._count is not None and number >= self._count:
                    return b""
                self._unpack_next(number)
            self._pieces.move_to_end(number)
            return self._pieces[number]

    def _unpack_next(self, number: int) -> None:
        """Unpack the next piece on the way to one."""
        try:
            stream = self._stream
            if stream is None or stream.position > number * CHUNK:
                stream = self._stream = Unpacked(self._packed(), bound(self.stat.size))
            place = stream.position // CHUNK
            data = stream.read(CHUNK)
        except CannotUnpack as failure:
            self._stop_at_damage(failure)
            return
        if data:
            self._pieces[place] = data
            if len(self._pieces) > MOST_PIECES:
                self._pieces.popitem(last=False)
        if stream.at_end:
            self._count = place + bool(data)
            self.flaw = "cut" if stream.is_cut else None

    def _stop_at_damage(self, failure: CannotUnpack) -> None:
        """What was unpacked before counts, if there is any."""
        stream = self._stream
        if stream is None or not stream.position:
            raise Unreadable(self._path, failure.problem) from failure
        self._count = -(-stream.position // CHUNK)
        self.flaw = "damaged"

    def _packed(self) -> Iterator[bytes]:
        """The file as it is. It is opened for each chunk, as a pause may be long."""
        offset = 0
        while chunk := disk.read_span(self._path, offset, CHUNK):
            yield chunk
            offset += len(chunk)


_files: OrderedDict[str, _Packed] = OrderedDict()
_lock = threading.Lock()


def _known(path: str) -> _Packed:
    """The file as it is now; raises `Unreadable`."""
    stat = disk.stat(path)
    with _lock:
        known = _files.pop(path, None)
        if known is None or known.stat != stat:
            known = _Packed(path, stat)
        _files[path] = known
        while len(_files) > MOST_FILES:
            _files.popitem(last=False)
    return known
