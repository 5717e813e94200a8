"""The server's side of `search_worker`: a process that fills the search table beside it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen

from forkpoint.search_worker import OF_CODEX, WITH, WITHOUT

MOST_STARTS = 2
"""What two processes leave undone is done by the server."""

# Without the folder in which the server was started (see `indexing_process`).
_COMMAND = ("-P", "-m", "forkpoint.search_worker")
_PRIORITY = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)


class SearchProcess:
    """Starts the process and knows whether it runs. Nobody has to hear of its end."""

    def __init__(self) -> None:
        self._process: Popen[bytes] | None = None
        self._starts = 0

    @property
    def runs(self) -> bool:
        """Whether the process is at work."""
        if self._process is not None and self._process.poll() is not None:
            self.stop()
        return self._process is not None

    def start(
        self,
        folder: Path,
        roots: Iterable[Path],
        codex_homes: Iterable[Path] = (),
        *,
        with_outputs: bool,
    ) -> bool:
        """Start it; False if that cannot be, or was done often enough."""
        if self._starts >= MOST_STARTS:
            return False
        self._starts += 1
        words = [str(folder), WITH if with_outputs else WITHOUT, *map(str, roots)]
        words += [word for home in codex_homes for word in (OF_CODEX, str(home))]
        command = [sys.executable, *_COMMAND, *words]
        flags = _PRIORITY | _WINDOW
        try:
            self._process = Popen(command, stdin=PIPE, stdout=DEVNULL, creationflags=flags)
        except (OSError, ValueError):
            return False
        return True

    def stop(self) -> None:
        """End it at once."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        with suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        process.wait()
