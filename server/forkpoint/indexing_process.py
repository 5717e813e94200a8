"""The server's side of `index_worker`: one process that reads transcripts beside it.

Few requests are under way at a time, so that a session which somebody opens is not behind many.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

import msgspec

from forkpoint.disk import FileStat
from forkpoint.index_worker import LENGTH, FrameHead, request
from forkpoint.layout import Agent

MOST_ASKED = 2
"""Requests under way: one that is read, and one so that the process does not wait for us."""
MOST_DEATHS = 3
"""Processes that end, one after the other, with no answer in between; then no more."""

# Without the folder in which the server was started: a module there might have the name of one of
# ours, or of the library's.
_COMMAND = ("-P", "-m", "forkpoint.index_worker")
_PRIORITY = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)


class Indexed(msgspec.Struct, frozen=True):
    """What came of a request.

    Attributes:
        path: as asked.
        stat: the file before it was read; None if it could not be looked at.
        problem: None where all is well. See `index_worker.FrameHead`, or `died`: the process
            ended over it; or `dropped`: it was not begun, and may be asked for again.
        data: for `index_state.load`; empty where there is a problem.
        read_up_to: the offset of the bookmark in the data.
    """

    path: str
    stat: FileStat | None
    problem: str | None
    data: bytes = b""
    read_up_to: int = 0


class IndexingProcess:
    """Asks and hears. `ask` and `stop` are for one thread; `hear` is called from another.

    Args:
        hear: Called with each result, in the order of the requests; it must not raise. After
            `stop` nothing is heard.
        command: To be started in place of the usual program.
    """

    def __init__(
        self, hear: Callable[[Indexed], None], command: Sequence[str] | None = None
    ) -> None:
        self._hear = hear
        self._command = command or [sys.executable, *_COMMAND]
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._asked: deque[str] = deque()
        self._deaths = 0
        self._is_stopped = False

    @property
    def is_off(self) -> bool:
        """Whether nothing will come any more: it was stopped, or cannot be kept alive."""
        return self._is_stopped or self._deaths >= MOST_DEATHS

    @property
    def asked(self) -> list[str]:
        """The paths that are under way."""
        with self._lock:
            return list(self._asked)

    def start(self) -> bool:
        """Start the process if none runs; False if it cannot be."""
        with self._lock:
            return self._start()

    def ask(
        self, path: str, session_id: str, *, of_agent: bool, agent: Agent = "claude-code"
    ) -> bool:
        """Ask for a transcript; False if enough are under way, or it is off. Starts what died."""
        with self._lock:
            if len(self._asked) >= MOST_ASKED or not self._start():
                return False
            process = self._process
            assert process is not None
            assert process.stdin is not None
            self._asked.append(path)
            # A process that ended meanwhile is heard of where its answers are waited for.
            with suppress(OSError, ValueError):
                line = request(path, session_id, of_agent=of_agent, agent=agent)
                process.stdin.write(line)
                process.stdin.flush()
            return True

    def stop(self, seconds: float = 2.0) -> None:
        """End the process at once, and wait so long for `hear` to return if it is at it."""
        with self._lock:
            self._is_stopped = True
            process, thread = self._process, self._thread
        if process is None or thread is None:
            return
        process.kill()
        thread.join(seconds)

    # --- the process ---

    def _start(self) -> bool:
        if self.is_off or self._process is not None:
            return not self.is_off
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                creationflags=_PRIORITY | _WINDOW,
            )
        except (OSError, ValueError):
            self._deaths += 1
            return False
        name = "indexing process"
        self._thread = threading.Thread(target=self._listen, args=(self._process,), name=name)
        self._thread.daemon = True
        self._thread.start()
        return True

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with suppress(OSError, ValueError, msgspec.MsgspecError):
            while (frame := _frame(process.stdout)) is not None:
                head, data = frame
                with self._lock:
                    path = self._asked.popleft() if self._asked else None
                    self._deaths = 0
                if path is None:  # An answer that nobody asked for: it is not our program.
                    break
                self._tell(Indexed(path, head.stat, head.problem, data, head.read_up_to))
        self._bury(process)

    def _bury(self, process: subprocess.Popen[bytes]) -> None:
        process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        process.wait()
        with self._lock:
            asked, self._asked = self._asked, deque()
            self._process = None
            self._deaths += 1
        for number, path in enumerate(asked):
            self._tell(Indexed(path, None, "dropped" if number else "died"))

    def _tell(self, indexed: Indexed) -> None:
        if not self._is_stopped:
            self._hear(indexed)


def _frame(stream: IO[bytes]) -> tuple[FrameHead, bytes] | None:
    """The next frame; None at the end, be it in the middle of one, and for what is no frame."""
    lengths = stream.read(2 * LENGTH)
    head, size = (int.from_bytes(part, "big") for part in (lengths[:LENGTH], lengths[LENGTH:]))
    if len(lengths) < 2 * LENGTH or head > _MOST_OF_HEAD or size > _MOST_OF_DATA:
        return None
    start, data = stream.read(head), stream.read(size)
    if len(data) < size:
        return None
    return msgspec.msgpack.decode(start, type=FrameHead), data


_MOST_OF_HEAD, _MOST_OF_DATA = 1024, 2**30
"""Bytes. Whatever a library might write on its output in place of a frame is more, as a number."""
