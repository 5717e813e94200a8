"""The only module that opens agents' files. It reads; it never writes, creates or locks.

A file is opened only when it is a regular one and no link: `listing.scan` resolves links, and
`lies_within` answers for paths put together from names found in files. What fails raises
`Unreadable`, nothing else.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from stat import S_ISREG
from typing import Literal, NamedTuple, TypeAlias

StrPath: TypeAlias = str | os.PathLike[str]
Reason: TypeAlias = Literal["gone", "denied", "notRegular", "io", "damaged", "notUnpackable"]

CHUNK = 512 * 1024
"""Bytes read at a time: larger chunks leave the processor's caches, smaller ones cost calls."""

BUFFER = 2 * 1024 * 1024
"""Bytes read at a time where much is read: what is done once for each takes longer than a miss."""

_ROOM = 4096
"""Bytes that a file may grow by while it is read, before it takes another turn."""

# A FIFO must not make us wait, a link not lead us astray, Windows not turn CRLF into LF.
_FLAG_NAMES = ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_BINARY")
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in _FLAG_NAMES)

_REASONS: dict[int | None, Reason] = {
    errno.ENOENT: "gone",
    errno.ENOTDIR: "gone",
    errno.ENAMETOOLONG: "gone",
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.ELOOP: "notRegular",
    errno.EISDIR: "notRegular",
    errno.ENXIO: "notRegular",
}


class Unreadable(Exception):
    """A file that could not be read.

    Attributes:
        path: As the caller gave it.
        reason: "gone" (nothing there, or no name a file can have), "denied", "notRegular" (folder,
            link, device, pipe), "io" (anything else the system says), or, for what is compressed,
            "damaged" or "notUnpackable" (nothing is installed that could unpack it).
    """

    def __init__(self, path: StrPath, reason: Reason) -> None:
        super().__init__(f"{os.fspath(path)}: {reason}")
        self.path = os.fspath(path)
        self.reason: Reason = reason


class FileStat(NamedTuple):
    """What tells without opening whether a file is still the one that was read."""

    size: int
    mtime_ns: int
    inode: int


def stat(path: StrPath) -> FileStat:
    """Facts of a regular file."""
    # Asked of each transcript with each list: `failures` would take as long as the system does.
    try:
        return regular(path, os.lstat(path))
    except (OSError, ValueError) as error:
        raise Unreadable(path, reason_of(error)) from error


def is_as(path: str, known: FileStat | None) -> bool:
    """Say whether a file is as it was known; False where nothing can be said, too."""
    # Asked of each transcript with each list, and nearly always so.
    try:
        facts = os.lstat(path)
    except (OSError, ValueError):
        return False
    same = known == (facts.st_size, facts.st_mtime_ns, facts.st_ino)
    return same and S_ISREG(facts.st_mode)


def read(path: StrPath, offset: int = 0, chunk: int = CHUNK) -> Iterator[bytes]:
    """The bytes of a file from `offset` to where it ends when that is reached.

    Nothing is opened, and nothing fails, before the first chunk is asked for.
    """
    with Opened(path) as file:
        yield from file.chunks(offset, chunk)


def read_span(path: StrPath, offset: int, length: int) -> bytes:
    """The `length` bytes from `offset` on; fewer when the file ends before."""
    return read_spans(path, [(offset, length)])[0]


def read_spans(path: StrPath, spans: Iterable[tuple[int, int]]) -> list[bytes]:
    """Several spans (offset, length) of one file, opened once; each as `read_span` gives it."""
    with Opened(path) as file:
        return [file.span(offset, length) for offset, length in spans]


def read_ends(path: StrPath, size: int = 65536) -> tuple[bytes, bytes]:
    """The first and the last `size` bytes of a file; both are all of it when it is not longer."""
    with Opened(path) as file:
        head = file.span(0, size)
        if file.size <= size:
            return head, head
        return head, file.span(file.size - size, size)


def read_small(path: StrPath, limit: int = CHUNK) -> bytes:
    """All of a file that is expected to be small; one longer than `limit` bytes is cut there."""
    return read_span(path, 0, limit)


def list_names(folder: StrPath, home: StrPath) -> list[str]:
    """Names of all that is in a folder; none if it cannot be listed or leads out of `home`."""
    if not lies_within(folder, home):
        return []
    try:
        return os.listdir(folder)  # noqa: PTH208 -- names are asked for, no paths
    except OSError:
        return []


def lies_within(path: StrPath, folder: StrPath) -> bool:
    """Whether something is there and, links resolved, lies below the folder."""
    try:
        return is_below(os.path.realpath(path, strict=True), os.path.realpath(folder))
    except (OSError, ValueError):
        return False


def is_below(path: str, folder: str) -> bool:
    """Whether a path is that of a folder or of something in it, by their spelling alone."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def regular(path: StrPath, status: os.stat_result) -> FileStat:
    """Facts of a regular file; raises `Unreadable` for anything else."""
    if not S_ISREG(status.st_mode):
        raise Unreadable(path, "notRegular")
    return FileStat(status.st_size, status.st_mtime_ns, status.st_ino)


class Opened:
    """A regular file that is open while it is entered; what fails is `Unreadable`.

    No generator: it is entered for each appended line, and that would cost as much as reading it.

    Attributes:
        size: bytes that it had when it was opened.
    """

    __slots__ = ("_file", "_path", "size")

    def __init__(self, path: StrPath) -> None:
        self._path = path

    def __enter__(self) -> Opened:
        try:
            if not hasattr(os, "O_NOFOLLOW"):
                regular(self._path, os.lstat(self._path))
            self._file = os.open(self._path, _FLAGS)
            try:
                status = os.fstat(self._file)
                if not S_ISREG(status.st_mode):
                    raise Unreadable(self._path, "notRegular")
                self.size = status.st_size
            except BaseException:
                os.close(self._file)
                raise
        except (OSError, ValueError) as error:
            raise Unreadable(self._path, reason_of(error)) from error
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def may_hold(self, position: int) -> bool:
        """Say whether the file goes on up to there."""
        return self.size >= position

    def span(self, offset: int, length: int) -> bytes:
        """Some bytes; never asks for more than the file has, however wrong the length."""
        left = min(length, self.size - offset)
        pieces: list[bytes] = []
        try:
            if left > 0:
                os.lseek(self._file, offset, os.SEEK_SET)
            while left > 0 and (piece := os.read(self._file, left)):
                pieces.append(piece)
                left -= len(piece)
        except (OSError, ValueError) as error:
            raise Unreadable(self._path, reason_of(error)) from error
        return b"".join(pieces)

    def through(self, offset: int) -> Iterator[bytes | bytearray]:
        """The bytes from `offset` to the end, in chunks of which each takes the place of the last.

        New memory for each chunk takes as long as what is read into it.
        """
        if self.size - offset <= CHUNK:
            yield from self.chunks(offset)
            return
        buffer = bytearray(min(self.size - offset + 1, BUFFER))
        try:
            os.lseek(self._file, offset, os.SEEK_SET)
            with open(self._file, "rb", buffering=0, closefd=False) as stream:
                while count := stream.readinto(buffer):
                    yield buffer if count == len(buffer) else bytes(buffer[:count])
        except (OSError, ValueError) as error:
            raise Unreadable(self._path, reason_of(error)) from error

    def chunks(self, offset: int, chunk: int = CHUNK) -> Iterator[bytes]:
        """The bytes from `offset` to where the file ends when that is reached."""
        # Room for a whole chunk costs more than to read one appended line.
        size = min(chunk, max(self.size - offset, 0) + _ROOM)
        try:
            os.lseek(self._file, offset, os.SEEK_SET)
            while data := os.read(self._file, size):
                yield data
        except (OSError, ValueError) as error:
            raise Unreadable(self._path, reason_of(error)) from error


@contextmanager
def failures(path: StrPath) -> Generator[None]:
    """Turn what the system says against a path into the one exception of this module."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise Unreadable(path, reason_of(error)) from error


def reason_of(error: OSError | ValueError | Unreadable) -> Reason:
    """Why it failed. A name with a NUL or a lone surrogate is a ValueError: no file can have it."""
    if isinstance(error, Unreadable):
        return error.reason
    return _REASONS.get(error.errno, "io") if isinstance(error, OSError) else "gone"
