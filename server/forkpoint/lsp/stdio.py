"""Standard input and output as the wire: one thread reads, and only whole messages are written."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, BinaryIO, Protocol, cast

if TYPE_CHECKING:
    from io import BufferedReader

CHUNK = 1 << 16
"""Bytes read at once, at most: what a pipe holds."""

SWITCH_SECONDS = 0.001
"""How long a thread may keep the others from running. A request passes several switches before it
is answered: while transcripts were indexed, one in twenty took 78 ms with Python's own 5 ms, and
20 ms with this."""


class RawInput(Protocol):
    """What gives the bytes that are there, waits when there are none, and b"" at the end."""

    def read(self, size: int, /) -> bytes | None:
        """Give at most so many bytes."""
        ...


class Input:
    """The only reader of a stream, from the beginning to the end of the process.

    Who is to get the bytes may change between any two of them, though a read is always under way.
    The reading thread holds no lock that the end of the interpreter could wait for.
    """

    def __init__(self, stream: RawInput) -> None:
        self._stream = stream
        self._arrived: SimpleQueue[bytes | None] = SimpleQueue()
        self._sink: Callable[[bytes], object] = self._arrived.put
        self._passing = threading.Lock()
        threading.Thread(target=self._read_all, name="input", daemon=True).start()

    def next(self) -> bytes | None:
        """Wait for bytes and give them; b"" says that no more come, None that somebody called."""
        return self._arrived.get()

    def call(self) -> None:
        """Have `next` return, at the latest when it has given the bytes that are there."""
        self._arrived.put(None)

    def pass_to(self, sink: Callable[[bytes], object]) -> None:
        """Give all bytes that `next` did not give to another, b"" at the end.

        The sink is called on the reading thread, and here for those that are there already.
        """
        with self._passing:
            while (chunk := self._next_there()) is not None:
                sink(chunk)
            self._sink = sink

    def _next_there(self) -> bytes | None:
        while True:
            try:
                chunk = self._arrived.get_nowait()
            except Empty:
                return None
            if chunk is not None:
                return chunk

    def _read_all(self) -> None:
        chunk = None
        while chunk != b"":
            chunk = self._read()
            with self._passing:
                self._sink(chunk)

    def _read(self) -> bytes:
        try:
            return self._stream.read(CHUNK) or b""
        except (OSError, ValueError):
            return b""


class Output:
    """Where answers go. Several threads may write; a message is never broken into."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._writing = threading.Lock()

    def write(self, message: bytes) -> None:
        """Write a whole message.

        Raises:
            OSError, ValueError: The client reads no more.
        """
        with self._writing:
            self._stream.write(message)
            self._stream.flush()

    def close(self) -> None:
        """Write no more."""
        with self._writing:
            self._stream.close()


def claim_stdio() -> tuple[Input, Output]:
    """Take standard input and output for the wire; a stray print goes to standard error.

    What the reading thread brings is looked at soon, whatever the others do.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    stdout, sys.stdout = sys.stdout, sys.stderr
    stdin = cast("BufferedReader", sys.stdin.buffer)
    return Input(cast("RawInput", stdin.raw)), Output(stdout.buffer)
