"""Says which paths below the roots something happened to, as soon as it happens.

Where the system can tell (inotify, FSEvents, ReadDirectoryChangesW) watchfiles asks it. Where it
cannot, on network file systems, with all watches used up, or by the user's wish, everybody is told
to look at everything once in a while, which costs about 10 ms for 800 transcripts.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING, Literal

from forkpoint.mounts import is_remote
from forkpoint.touched import watched_folders, watched_of_codex

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

logger = logging.getLogger(__name__)

Mode = Literal["auto", "poll"]

Identity = tuple[int, int]
"""Device and inode: a folder that was made anew is another one, which nobody watches yet."""

Tell = Callable[["Watch", set[str] | None], None]
"""Takes the paths that changed, None for "look at everything". Called on the watching thread."""

QUIET_STEP_MS = 5
"""watchfiles says what happened after one step without news: this is the delay, and each step
costs a wake-up (0.3 % of a core)."""
BUSY_STEP_MS = 1
"""While something happens: a fifth of the delay for four times the wake-ups."""
BUSY_SECONDS = 10.0
MOST_DELAY_MS = 25
"""How long news waits while more and more comes."""
POLL_SECONDS = 1.0
LOOK_AGAIN_SECONDS = 1.0
"""How often to look whether folders that may be watched came or went."""
EVERYTHING_SECONDS = 30.0
"""The system drops news when too much comes at once; so now and then everything is looked at."""


class Watch:
    """Watches the folders of some agents on a thread of its own until it is stopped."""

    def __init__(
        self,
        roots: Sequence[Path],
        tell: Tell,
        mode: Mode = "auto",
        codex_homes: Sequence[Path] = (),
    ) -> None:
        self._folders = [folder for root in roots for folder in watched_folders(root)]
        self._folders += [folder for home in codex_homes for folder in watched_of_codex(home)]
        self._tell = tell
        self._mode = mode
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin; what happened before is not told."""
        self._thread.start()

    def stop(self) -> None:
        """Tell nothing from now on; does not wait for the thread to end."""
        self._stopped.set()

    def _run(self) -> None:
        if self._mode == "auto":
            self._watch_while_possible()
        while not self._stopped.wait(POLL_SECONDS):
            self._tell(self, None)

    def _watch_while_possible(self) -> None:
        """Watch whatever folders there are; returns when stopped or when it is not possible."""
        folders = self._folders
        while not self._stopped.is_set():
            there = _identities(folders)
            if any(is_remote(folder) for folder in there):
                logger.info("On a network file system: looking every %g s", POLL_SECONDS)
                return
            try:
                self._watch(there, folders)
            except Exception as error:
                # watchfiles raises OSError where watches are used up, and errors of its own.
                logger.warning("Watching failed (%s): looking every %g s", error, POLL_SECONDS)
                return

    def _watch(self, there: dict[Path, Identity], folders: list[Path]) -> None:
        """Watch until stopped, or until other folders are there."""
        if not there:
            self._wait_for(folders)
            return
        paths = [str(folder) for folder in there]
        with _notify(paths) as watcher:
            # Something may have happened before the system began to tell.
            self._tell(self, None)
            self._listen(watcher, there, folders)

    def _wait_for(self, folders: list[Path]) -> None:
        while not self._stopped.wait(LOOK_AGAIN_SECONDS):
            if _identities(folders):
                self._tell(self, None)
                return

    def _listen(
        self, watcher: RustNotify, there: dict[Path, Identity], folders: list[Path]
    ) -> None:
        look_at_everything = time.monotonic() + EVERYTHING_SECONDS
        busy_until = 0.0
        while not self._stopped.is_set():
            step = BUSY_STEP_MS if time.monotonic() < busy_until else QUIET_STEP_MS
            timeout = round(LOOK_AGAIN_SECONDS * 1000)
            changes = watcher.watch(MOST_DELAY_MS, step, timeout, self._stopped)
            if isinstance(changes, set):
                busy_until = time.monotonic() + BUSY_SECONDS
                self._tell(self, {path for _, path in changes})
                if not _all_are_watched({Path(path) for _, path in changes}, there):
                    return
            if _identities(folders) != there:
                return
            if time.monotonic() > look_at_everything:
                look_at_everything = time.monotonic() + EVERYTHING_SECONDS
                self._tell(self, None)


def _notify(paths: list[str], *, below: bool = True) -> RustNotify:
    """Watch folders; raises OSError where the system has no watches left."""
    # Imported here, as nobody waits for this thread when the server starts.
    from watchfiles._rust_notify import RustNotify

    try:
        return RustNotify(paths, False, False, 0, below, False)
    except PermissionError:
        # A folder below may not be read. Leaving such out also leaves out what there are no
        # watches for, without a word, so it is the second choice.
        return RustNotify(paths, False, False, 0, below, True)


def _all_are_watched(changed: set[Path], there: Container[Path]) -> bool:
    """Say whether new folders below are watched, and none of those above was replaced.

    watchfiles says nothing when there are no watches left for a new folder: to try one more tells.
    """
    if any(path in there and not path.is_file() for path in changed):
        return False
    for path in changed:
        if path.is_dir():
            _notify([str(path)], below=False).close()
    return True


def _identities(folders: Sequence[Path]) -> dict[Path, Identity]:
    """Those of the folders that are there; a file may be watched, too."""
    found: dict[Path, Identity] = {}
    for folder in folders:
        with suppress(OSError):
            facts = folder.stat()
            if S_ISDIR(facts.st_mode) or S_ISREG(facts.st_mode):
                found[folder] = (facts.st_dev, facts.st_ino)
    return found
