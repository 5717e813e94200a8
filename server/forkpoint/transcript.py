"""The append-only reader: chunks of a transcript in, whole lines with their byte offsets out.

What was read is remembered as a `Bookmark`, by which a later run tells a transcript that has grown
from one that was cut short or replaced. Nothing here opens a file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import NamedTuple, TypeAlias

WINDOW = 4096
"""Bytes at the beginning, and before the offset, by which a bookmark knows a transcript again."""

_BOM = b"\xef\xbb\xbf"
_BLANKS = b" \t\r"


class Line(NamedTuple):
    """One line that is not blank. Its place in the file is `offset` to `offset + len(data)`."""

    offset: int
    """Byte position of the first byte of `data` in the file."""
    data: bytes
    """The line without its line end (LF or CRLF); anything else stays in, NULs and blanks too."""


class Piece(NamedTuple):
    """Whole lines as they came: one that began in an earlier chunk, and those behind it."""

    first: bytes
    """The line that began earlier; empty if none did."""
    chunk: bytes | bytearray
    start: int
    stop: int
    """The others are `chunk[start:stop]`."""

    @property
    def size(self) -> int:
        """In bytes."""
        return len(self.first) + self.stop - self.start

    def cut(self) -> list[bytes]:
        """Cut behind each LF."""
        # `split` looks at every byte in turn; on lines of 20 kB it takes three times as long.
        stream = BytesIO(self.chunk)
        stream.seek(self.start)
        lines = stream.readlines()
        if self.stop < len(self.chunk):
            lines.pop()
        return [self.first, *lines] if self.first else lines

    def between(self, begin: int, end: int) -> bytes:
        """Some of the bytes, by their places in all of them."""
        ahead = len(self.first)
        if begin >= ahead:
            moved = self.start - ahead
            return bytes(self.chunk[begin + moved : min(end + moved, self.stop)])
        if end <= ahead:
            return self.first[begin:end]
        return self.first[begin:] + self.between(ahead, end)


class Lines:
    """The lines that a chunk completed, in file order; equal to a list of the same lines.

    Attributes:
        offset: byte position of the first byte of `raw` in the file.
        piece: the same bytes before they are cut; None where they were given in `raw`.
    """

    def __init__(self, offset: int, raw: list[bytes], piece: Piece | None = None) -> None:
        """Take lines that are cut already, or a piece."""
        self.offset = offset
        self.piece = piece
        self._raw = raw if piece is None else None

    @property
    def raw(self) -> list[bytes]:
        """Pieces of the file, one behind the other, each ending with its LF; blank ones too."""
        if self._raw is None:
            self._raw = self.piece.cut() if self.piece is not None else []
        return self._raw

    @property
    def end(self) -> int:
        """Byte position behind the last piece."""
        size = sum(map(len, self.raw)) if self.piece is None else self.piece.size
        return self.offset + size

    def are(self, count: int) -> bool:
        """Say whether there are so many at least; that is known without cutting them."""
        if self.piece is None:
            return len(self.raw) >= count
        first, chunk, at, stop = self.piece
        for _ in range(count - bool(first)):
            at = chunk.find(b"\n", at, stop) + 1
            if not at:
                return False
        return True

    def __iter__(self) -> Iterator[Line]:
        """Yield the lines that are not blank."""
        offset = self.offset
        for raw in self.raw:
            data = raw[:-2] if raw.endswith(b"\r\n") else raw[:-1]
            if data.strip(_BLANKS):
                yield Line(offset, data)
            offset += len(raw)

    def __eq__(self, other: object) -> bool:
        """Compare with other lines, or a list of them."""
        return isinstance(other, Lines | list) and list(self) == [*other]

    __hash__ = None  # type: ignore[assignment]


Span: TypeAlias = Callable[[int, int], bytes]
"""Gives bytes of a file by their offset and length, as far as they are there."""


class Windows(NamedTuple):
    """Two pieces by which a transcript is known again that was read up to an offset."""

    head: bytes
    """The first bytes of the file: 4096, or all there are before the offset."""
    last: bytes
    """As many before the offset."""

    @classmethod
    def at(cls, offset: int, span: Span) -> Windows:
        """Those of a file as it is now; shorter if it ends before."""
        length = min(WINDOW, offset)
        return cls(span(0, length), span(offset - length, length))


_NOTHING = Windows(b"", b"")


class Bookmark(NamedTuple):
    """How far a transcript was read, and what it looked like up to there."""

    offset: int
    """Position after the last whole line read."""
    head: bytes
    """BLAKE2b digest (16 bytes) of the first of the two `Windows` at the offset."""
    last: bytes
    """The same of the second."""


class TranscriptReader:
    """Splits what it is fed into lines; never raises because of what the bytes are.

    Attributes:
        offset: Position after the last whole line (or byte order mark) consumed.
        position: Position of the byte to be fed next: `offset` and the unfinished line.
    """

    def __init__(self, offset: int = 0) -> None:
        """Begin at a byte position of the file; a reader begun in mid-file has no bookmark."""
        self.offset = offset
        self.position = offset
        self._pending: list[bytes] = []
        self._may_have_bom = offset == 0
        self._windows = _NOTHING if offset == 0 else None

    @classmethod
    def resume(cls, bookmark: Bookmark, windows: Windows) -> TranscriptReader | None:
        """A reader that goes on where a bookmark was made; feed it the file from its offset on.

        Args:
            bookmark: Where, and what stood before.
            windows: What stands there in the file now.

        Returns:
            None when they are not what the bookmark was made from: read the file anew.
        """
        if (_digest(windows.head), _digest(windows.last)) != (bookmark.head, bookmark.last):
            return None
        reader = cls(bookmark.offset)
        reader._windows = windows
        return reader

    def has_read(self, windows: Windows) -> bool:
        """Say whether a file begins with the bytes that were read, by its windows at `offset`."""
        return windows == self._windows

    @property
    def tail(self) -> bytes:
        """The unfinished last line, from `offset` on; empty when the file ends with LF."""
        return b"".join(self._pending)

    def bookmark(self) -> Bookmark:
        """Where the reader is, unfinished line left out.

        Raises:
            ValueError: The reader was begun in mid-file, so that it does not know the head.
        """
        if self._windows is None:
            raise ValueError("a reader begun in mid-file has no bookmark")
        head, last = self._windows
        return Bookmark(self.offset, _digest(head), _digest(last))

    def feed(self, data: bytes | bytearray) -> Lines:
        """Take the next bytes of the file, and give the lines they complete.

        Lines end at LF only. Blank lines (spaces, tabs, CR) give nothing, nor does a UTF-8 byte
        order mark at byte 0, but their bytes count. A bytearray may be filled anew by the caller as
        soon as the lines are done with: only what is left of an unfinished one is copied.
        """
        self.position += len(data)
        if self._may_have_bom:
            data = self._after_bom(data)
        offset, start, stop = self.offset, 0, data.rfind(b"\n") + 1
        if not stop:
            self._pending.append(bytes(data))
            return Lines(offset, [])
        first = b""
        # Pieces are joined once per finished line, not per chunk: else a line of 64 MiB that
        # comes in small chunks would cost quadratic time.
        if any(self._pending):
            start = data.find(b"\n") + 1
            first = b"".join([*self._pending, memoryview(data)[:start]])
        self._pending = [bytes(memoryview(data)[stop:])]
        piece = Piece(first, data, start, stop)
        self._consume(piece)
        return Lines(offset, [], piece)

    def _after_bom(self, data: bytes | bytearray) -> bytes:
        """The first bytes of the file without a BOM, which is consumed as soon as it is whole."""
        data = self.tail + data
        self._pending = []
        if data.startswith(_BOM):
            self._consume(Piece(_BOM, b"", 0, 0))
            data = data[len(_BOM) :]
            self._may_have_bom = False
        elif not _BOM.startswith(data):
            self._may_have_bom = False
        return data

    def _consume(self, piece: Piece) -> None:
        """Move the offset over a piece of the file, and keep the windows up."""
        size = piece.size
        if self._windows is not None:
            head, last = self._windows
            if len(head) < WINDOW:
                head = (head + piece.between(0, min(WINDOW, size)))[:WINDOW]
            last = (last + piece.between(max(size - WINDOW, 0), size))[-WINDOW:]
            self._windows = Windows(head, last)
        self.offset += size


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()
