"""The least that must be done: what other tools and the system take for a part of the work."""

from __future__ import annotations

import ctypes
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.measuring import timed

SUFFIX = ".jsonl"
_CHANGED = 0x2
"""IN_MODIFY of <sys/inotify.h>."""


def transcripts(projects: str) -> list[tuple[str, int, int, int]]:
    """Path, size, time and inode of every transcript below a folder: one plain walk."""
    found: list[tuple[str, int, int, int]] = []
    folders = [projects]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(SUFFIX):
                    facts = entry.stat()
                    found.append((entry.path, facts.st_size, facts.st_mtime_ns, facts.st_ino))
                elif entry.is_dir(follow_symlinks=False) and entry.name != "tool-results":
                    folders.append(entry.path)
    return found


def count_lines(paths: Sequence[str]) -> float:
    """CPU seconds that `wc -l` takes for files."""
    names = b"\0".join(os.fsencode(path) for path in paths)
    command = ["wc", "-l", "--files0-from=-"]

    def count() -> None:
        subprocess.run(command, input=names, stdout=subprocess.DEVNULL, check=True)

    return timed(count)[1].cpu


def start_python() -> float:
    """Wall seconds from the start to the end of a Python that does nothing."""
    return timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))[1].wall


class FolderWatch:
    """The kernel's own news of a folder, without anything on top (Linux)."""

    def __init__(self, folder: Path) -> None:
        library = ctypes.CDLL(None, use_errno=True)
        self._file = library.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
        if library.inotify_add_watch(self._file, os.fsencode(folder), _CHANGED) < 0:
            raise OSError(ctypes.get_errno(), "the folder cannot be watched", str(folder))

    def wait(self, seconds: float) -> float | None:
        """When the next news came, by the performance counter; None if none does in time."""
        if not select.select([self._file], [], [], seconds)[0]:
            return None
        now = time.perf_counter()
        os.read(self._file, 65536)
        return now

    def close(self) -> None:
        os.close(self._file)


def stat_all(projects: str) -> int:
    """Stat every transcript; gives their number."""
    return len(transcripts(projects))


JOBS: dict[str, Callable[..., object]] = {"stat_all": stat_all}
