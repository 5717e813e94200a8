"""Whatever becomes of a file between two looks at it: all is answered, and later answered right.

Between the listing, the look, the opening and each reading there is a window. In each of them a
file goes, becomes something else, is cut, or the system refuses; then it is there again.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import example, given, settings
from hypothesis import strategies as st

from forkpoint.catalog import Catalog
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.params import decode_params
from tests.builders import SESSION, backup, transcript, uuid
from tests.disk.trees import needs_posix
from tests.properties.test_answers import QUESTIONS
from tests.rollouts import THREAD, header, rollout, says, user

pytestmark = needs_posix

ABOUT = {
    **QUESTIONS,
    "forkpoint/checkpoints": {"sessionId": SESSION},
    "forkpoint/checkpointFiles": {},
    "forkpoint/checkpointChanges": {"sessionId": SESSION},
    "forkpoint/rewindPreview": {"sessionId": SESSION, "prompt": uuid("u3")},
}
LOOKS = ("open", "lstat", "stat", "scandir", "listdir", "readlink")
BY_NUMBER = ("read", "fstat", "lseek")
MOST_WINDOWS = 600


def make(root: Path) -> None:
    """A session with a subagent, a copy of a file and a setting, and a thread of Codex."""
    project = root / "claude" / "projects" / "-home-dev-shop"
    subagents = project / SESSION / "subagents"
    subagents.mkdir(parents=True)
    data = transcript("u1 a1 u2 t3 !u2(a.py@1) r3 +t3(a.py@1) a4 u3 a5 | a1 u6 a6 u3x")
    (project / f"{SESSION}.jsonl").write_bytes(data)
    (subagents / "agent-a1b2c3d4.jsonl").write_bytes(transcript("k1", start=5))
    copies = root / "claude" / "file-history" / SESSION
    copies.mkdir(parents=True)
    (copies / str(backup("a.py", 1)["backupFileName"])).write_text("one\n")
    (root / "claude" / "settings.json").write_text('{"cleanupPeriodDays": 30}')
    day = root / "codex" / "sessions" / "2026" / "09" / "01"
    day.mkdir(parents=True)
    thread = rollout(header(), *user("Go on"), *says("Done"))
    (day / f"rollout-2026-09-01T09-00-00-{THREAD}.jsonl").write_bytes(thread)


def opened(root: Path) -> Catalog:
    return Catalog([root / "claude"], codex_homes=[root / "codex"])


def answers(catalog: Catalog) -> dict[str, Any]:
    """What is answered to each question, a refusal included; anything else is raised."""
    given: dict[str, Any] = {}
    for method, params in ABOUT.items():
        try:
            given[method] = HANDLERS[method](catalog, decode_params(method, params))
        except RequestFailed as refused:
            given[method] = (refused.kind, refused.sentence)
    return given


# --- what happens -------------------------------------------------------------------------------


def gone(path: Path) -> None:
    path.rename(path.with_name(path.name + ".away"))


def a_folder(path: Path) -> None:
    gone(path)
    path.mkdir()


def a_pipe(path: Path) -> None:
    gone(path)
    os.mkfifo(path)


def a_link_out(path: Path) -> None:
    gone(path)
    path.symlink_to("/etc")


def a_loop(path: Path) -> None:
    gone(path)
    path.symlink_to(path.name)


def cut(path: Path) -> None:
    if path.is_file():
        os.truncate(path, path.stat().st_size // 2)


def refused(number: int) -> Callable[[Path], None]:
    def refuse(path: Path) -> None:
        raise OSError(number, os.strerror(number), str(path))

    refuse.__name__ = errno.errorcode[number]
    return refuse


HAPPENINGS = [
    *(gone, a_folder, a_pipe, a_link_out, a_loop, cut),
    *map(refused, (errno.EACCES, errno.EIO, errno.ESTALE, errno.EMFILE, errno.EINTR)),
]


class Windows:
    """Counts the looks below a folder, and has something happen before one of them."""

    def __init__(self, root: Path, at: int, happen: Callable[[Path], None]) -> None:
        self._root, self._at, self._happen = root, at, happen
        self._files: dict[int, Path] = {}
        self._is_at_it = False
        self.seen = 0

    @contextmanager
    def opened(self) -> Iterator[Windows]:
        """Count from here on."""
        real = {name: getattr(os, name) for name in (*LOOKS, *BY_NUMBER)}
        with patch.multiple(os, **{name: self._watched(real[name], name) for name in real}):
            yield self

    def _watched(self, look: Callable[..., Any], name: str) -> Callable[..., Any]:
        def watched(*given: Any, **named: Any) -> Any:
            path = self._path(given[0] if given else ".")
            if path is not None and not self._is_at_it:
                self._before(path)
            found = look(*given, **named)
            if name == "open" and path is not None:
                self._files[found] = path
            return found

        return watched

    def _path(self, given: Any) -> Path | None:
        if isinstance(given, int):
            return self._files.get(given)
        path = Path(os.fsdecode(given))
        return path if path.is_relative_to(self._root) and path != self._root else None

    def _before(self, path: Path) -> None:
        self.seen += 1
        if self.seen != self._at:
            return
        self._is_at_it = True
        try:
            if os.path.lexists(path) or self._happen not in HAPPENINGS[:6]:
                self._happen(path)
        finally:
            self._is_at_it = False


# --- and what holds -----------------------------------------------------------------------------


def check(at: int, happen: Callable[[Path], None], known: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        pristine, root = Path(folder).resolve() / "pristine", Path(folder).resolve() / "root"
        make(pristine)
        shutil.copytree(pristine, root)
        catalog = opened(root)
        if known:
            answers(catalog)
            newer = root / "claude" / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl"
            newer.touch()
        with Windows(root, at, happen).opened() as windows:
            answers(catalog)
            answers(catalog)
        assert windows.seen > 20
        shutil.rmtree(root)
        shutil.copytree(pristine, root)
        anew = opened(root)
        for each in (catalog, anew):
            answers(each)  # what the list tells of a transcript is known when that was read
        assert answers(catalog) == answers(anew)


@settings(max_examples=15)
@example(75, HAPPENINGS[7], False)
@example(129, HAPPENINGS[6], False)  # What was refused once is asked for again.
@given(st.integers(1, MOST_WINDOWS), st.sampled_from(HAPPENINGS), st.booleans())
def test_in_any_window(at: int, happen: Callable[[Path], None], known: bool) -> None:
    check(at, happen, known)


def test_the_windows_are_there() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        make(root)
        with Windows(root, -1, gone).opened() as windows:
            given = answers(opened(root))
        assert not [each for each in given.values() if isinstance(each, tuple)]
        assert MOST_WINDOWS / 2 < windows.seen < MOST_WINDOWS
