"""The body of a process of low priority that reads transcripts for the server's store.

`python -m forkpoint.index_worker` takes a request per line on its standard input and answers each,
in turn, by a frame on its standard output. It ends when its input does, at the latest after the
file that it is reading. `indexing_process` is the other side.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, BinaryIO

import msgspec

from forkpoint import disk, transcript_bytes
from forkpoint.disk import FileStat, Unreadable
from forkpoint.index import TranscriptIndex
from forkpoint.index_state import NotKept, dump
from forkpoint.layout import Agent
from forkpoint.transcript import TranscriptReader

NICENESS = 10
_KEPT = 16 * 1024 * 1024
_OBJECTS = 100_000
"""New ones, some 10 MB, after which cycles are looked for."""
LENGTH = 4
"""Bytes of each of the two big-endian numbers before a frame: of its head, and of its data."""


class FrameHead(msgspec.Struct, array_like=True):
    """What a frame says of its data.

    Attributes:
        stat: the file before it was read; None if it could not be looked at.
        problem: why there are no data: a `disk.Reason`, `notKept` or `failed`; None if there are.
        read_up_to: the offset of the bookmark in the data.
    """

    stat: FileStat | None
    problem: str | None
    read_up_to: int = 0


def request(path: str, session_id: str, *, of_agent: bool, agent: Agent = "claude-code") -> bytes:
    """Return the line that asks for a transcript; any path is fine, be it no Unicode."""
    asked = {"path": path, "sessionId": session_id, "ofAgent": of_agent, "agent": agent}
    return json.dumps(asked).encode() + b"\n"


def answer(line: bytes) -> tuple[FrameHead, bytes]:
    """Return a frame's parts for a request; never raises because of what it asks for.

    The data are `index_state.dump` of all whole lines. An unfinished last one is not in them, so
    whoever loads them reads on from the bookmark even if the file has not changed.
    """
    stat = None
    try:
        asked: dict[str, Any] = json.loads(line)
        path = asked["path"]
        stat = disk.stat(path)
        reader = TranscriptReader()
        index = TranscriptIndex(asked["sessionId"], of_agent=asked["ofAgent"], agent=asked["agent"])
        for chunk in transcript_bytes.read(path):
            index.apply(reader.feed(chunk))
        return FrameHead(stat, None, reader.offset), dump(index, reader.bookmark())
    except Unreadable as failure:
        return FrameHead(stat, failure.reason), b""
    except NotKept:
        return FrameHead(stat, "notKept"), b""
    except Exception:
        # Whatever it is, the next file is not to suffer. The server reads this one by itself, and
        # says there what is wrong.
        return FrameHead(stat, "failed"), b""


def serve(requests: Iterable[bytes], frames: BinaryIO) -> None:
    """Answer requests until they end, or nobody takes the answers any more."""
    encode = msgspec.msgpack.encode
    with suppress(BrokenPipeError):
        for line in requests:
            head, data = answer(line)
            start = encode(head)
            for part in (_length(start), _length(data), start, data):
                frames.write(part)
            frames.flush()


def _length(part: bytes) -> bytes:
    return len(part).to_bytes(LENGTH, "big")


def make_quick() -> None:
    """Set a process up for reading much, and for nothing else."""
    # The C library gives freed memory back at once until something as large as this was freed; what
    # is read would be put into new pages again and again (two thirds of all page faults, 4 %).
    bytes(_KEPT)
    # Only what fails to be decoded leaves cycles, and these may wait (4 %).
    gc.set_threshold(_OBJECTS)


def main() -> None:
    """Serve standard input and output."""
    # A key that the user presses in the server's terminal is for the server.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):  # On Windows whoever starts it says so.
        os.nice(NICENESS)
    make_quick()
    serve(sys.stdin.buffer, sys.stdout.buffer)
    with suppress(OSError):
        sys.stdout.close()


if __name__ == "__main__":
    main()
