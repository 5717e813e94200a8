"""What versions hold: sizes, bytes, differences, and what one question may read."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from forkpoint import contents as contents_module
from forkpoint import disk
from forkpoint.backups import LARGEST, Backups, Copy, Measured
from forkpoint.contents import COMPARED_AT_MOST, EMPTY, Contents, Replaced, Source, Working
from forkpoint.disk import Unreadable
from forkpoint.line_changes import Changes
from tests.builders import line
from tests.disk.checkpoint_home import A, CheckpointHome
from tests.disk.trees import needs_posix

BIG = b"0123456789abcde\n" * (disk.CHUNK // 16 + 1)
"""More than is read at a time."""


class Texts:
    """Contents of every kind, all of which hold what a test says."""

    def __init__(self, root: Path) -> None:
        self.home = CheckpointHome(root / "config")
        self.folder = root / "shop"
        self.folder.mkdir()
        self.records: list[bytes] = []
        self.contents = Contents(Backups(), self._record)

    def _record(self, session_id: str, ordinal: int) -> bytes:
        if session_id != A or ordinal >= len(self.records):
            raise Unreadable("", "gone")
        return self.records[ordinal]

    def copy(self, content: bytes, version: int = 1) -> Copy:
        self.contents.begin()
        return self.home.copy(A, "cart.py", version, content)

    def working(self, content: bytes, name: str = "cart.py") -> Working:
        (self.folder / name).write_bytes(content)
        return Working(str(self.folder / name))

    def replaced(self, content: bytes) -> Replaced:
        result: dict[str, Any] = {"originalFile": content.decode()}
        self.records.append(line(type="user", toolUseResult=result))
        return Replaced(A, len(self.records) - 1)


@pytest.fixture
def texts(tmp_path: Path) -> Texts:
    return Texts(tmp_path)


Make = Callable[[Texts, bytes], Source]
KINDS: list[Make] = [Texts.copy, Texts.working, Texts.replaced]


# --- one content -------------------------------------------------------------------------------


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize(
    ("content", "is_binary"), [(b"", False), (b"total = 0\n", False), (b"a\0b", True), (BIG, False)]
)
def test_a_content(texts: Texts, make: Make, content: bytes, is_binary: bool) -> None:
    source = make(texts, content)
    assert texts.contents.size(source) == len(content)
    assert texts.contents.data(source) == content
    assert texts.contents.measure(source) == Measured(len(content), is_binary)


def test_what_did_not_exist_is_empty(texts: Texts) -> None:
    assert texts.contents.size(EMPTY) == 0
    assert texts.contents.data(EMPTY) == b""
    assert texts.contents.measure(EMPTY) == Measured(0, is_binary=False)


MISSING: list[Source] = [
    Copy(Path("/nowhere"), A, "0123456789abcdef@v1"),
    Working("/nowhere/cart.py"),
    Working("/nowhere/\0"),
    Working(""),
    Replaced(A, 7),
    Replaced("nobody", 0),
]


@pytest.mark.parametrize("source", MISSING)
def test_what_is_not_there(texts: Texts, source: Source) -> None:
    there = texts.copy(b"x")
    assert texts.contents.size(source) is None
    assert texts.contents.measure(source) is None
    assert texts.contents.changes(source, there) is None
    assert texts.contents.changes(there, source) is None
    assert texts.contents.differ(source, there) is None
    with pytest.raises(Unreadable):
        texts.contents.data(source)


@pytest.mark.parametrize("result", [{}, {"originalFile": None}, "a text", None])
def test_a_record_that_tells_nothing(texts: Texts, result: Any) -> None:
    texts.records.append(line(type="user", toolUseResult=result))
    assert texts.contents.size(Replaced(A, 0)) is None


@needs_posix
def test_a_working_file_is_followed_as_an_editor_does(texts: Texts) -> None:
    file = texts.working(b"x\n")
    (texts.folder / "link.py").symlink_to("cart.py")
    (texts.folder / "linked").symlink_to(texts.folder)
    for path in ("link.py", "linked/cart.py", "linked/link.py"):
        assert texts.contents.data(Working(f"{texts.folder}/{path}")) == b"x\n"
    assert texts.contents.differ(file, Working(f"{texts.folder}/link.py")) is False


def _pipe(place: Path) -> None:
    os.mkfifo(place)


def _dangling(place: Path) -> None:
    place.symlink_to("nowhere")


def _to_a_device(place: Path) -> None:
    place.symlink_to(os.devnull)


@needs_posix
@pytest.mark.parametrize("make", [Path.mkdir, _pipe, _dangling, _to_a_device])
def test_only_regular_files_are_read(texts: Texts, make: Callable[[Path], None]) -> None:
    make(texts.folder / "odd")
    source = Working(f"{texts.folder}/odd")
    assert texts.contents.size(source) is None
    assert texts.contents.measure(source) is None
    with pytest.raises(Unreadable):
        texts.contents.data(source)


def test_large_contents_are_not_read(texts: Texts) -> None:
    copy, working = texts.copy(b"x"), texts.working(b"x")
    for place in (copy.path, working.path):
        os.truncate(place, LARGEST + 1)
    texts.contents.begin()
    assert [texts.contents.size(source) for source in (copy, working)] == [LARGEST + 1] * 2
    assert [texts.contents.data(source) for source in (copy, working)] == [None, None]
    assert texts.contents.measure(copy) == Measured(LARGEST + 1, is_binary=True)
    assert texts.contents.changes(copy, EMPTY) is None
    longest = texts.copy(b"a\n" * (LARGEST // 2), 2)
    longer = texts.copy(b"a\n" * (LARGEST // 2 + 1), 3)
    assert texts.contents.changes(EMPTY, longest) == Changes(LARGEST // 2, 0)
    assert texts.contents.changes(EMPTY, longer) is None


# --- two contents ------------------------------------------------------------------------------


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (b"x\n", b"x\n", False),
        (b"x\n", b"y\n", True),
        (b"x\n", b"x", True),
        (b"", b"", False),
        (b"", b"x", True),
        (BIG, BIG, False),
        (BIG, BIG[:-2] + b"!\n", True),
        (b"a\0b", b"a\0b", False),
        (b"a\0b", b"a\0c", True),
    ],
)
def test_contents_that_differ(
    texts: Texts, first: Make, second: Make, one: bytes, other: bytes, differ: bool
) -> None:
    if first is second is Texts.copy:
        sources: tuple[Source, Source] = texts.copy(one, 1), texts.copy(other, 2)
    elif first is second is Texts.working:
        sources = texts.working(one, "one.py"), texts.working(other, "other.py")
    else:
        sources = first(texts, one), second(texts, other)
    assert texts.contents.differ(*sources) is differ


@pytest.mark.parametrize("make", KINDS)
def test_an_empty_file_is_not_the_same_as_none(texts: Texts, make: Make) -> None:
    source = make(texts, b"")
    assert texts.contents.differ(EMPTY, source) is True
    assert texts.contents.differ(source, EMPTY) is True
    assert texts.contents.differ(EMPTY, EMPTY) is False
    assert texts.contents.changes(EMPTY, source) == Changes(0, 0)


def test_very_large_contents_are_not_compared(texts: Texts) -> None:
    copy, working = texts.copy(b"x"), texts.working(b"x")
    for size, differ in ((COMPARED_AT_MOST + 1, None), (2 << 40, None)):
        for place in (copy.path, working.path):
            os.truncate(place, size)
        texts.contents.begin()
        assert texts.contents.differ(copy, working) is differ
    os.truncate(working.path, 5)
    assert texts.contents.differ(copy, working) is True


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        (b"a\nb\n", b"a\nB\nc\n", (2, 1)),
        (b"a\n", b"a\n", (0, 0)),
        (b"", b"a\n", (1, 0)),
        (b"a\n", b"a\0", None),
        (b"a\0", b"a\n", None),
    ],
)
def test_changed_lines(
    texts: Texts, before: bytes, after: bytes, changes: tuple[int, int] | None
) -> None:
    first, second = texts.copy(before, 1), texts.copy(after, 2)
    assert texts.contents.changes(first, second) == changes
    assert texts.contents.changes(texts.replaced(before), texts.working(after)) == changes


def test_all_lines_of_a_file_that_did_not_exist_are_new(texts: Texts) -> None:
    copy = texts.copy(b"a\nb\n")
    assert texts.contents.changes(EMPTY, copy) == Changes(2, 0)
    assert texts.contents.changes(copy, EMPTY) == Changes(0, 2)


# --- what is remembered, and what a question may read ------------------------------------------


def count_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    read: list[str] = []
    real = disk.read_spans
    monkeypatch.setattr(disk, "read_spans", lambda p, s: read.append(os.fspath(p)) or real(p, s))
    return read


def test_copies_are_counted_once(texts: Texts, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = texts.copy(b"a\n", 1), texts.copy(b"b\n", 2)
    read = count_reads(monkeypatch)
    assert texts.contents.changes(first, second) == Changes(1, 1)
    assert read == [first.path, second.path]
    texts.contents.begin()
    assert texts.contents.changes(first, second) == Changes(1, 1)
    assert len(read) == 2
    # A copy that is another one now is counted again, and one that is gone is not known any more.
    texts.copy(b"b\nc\n", 2)
    assert texts.contents.changes(first, second) == Changes(2, 1)
    Path(second.path).unlink()
    texts.contents.begin()
    assert texts.contents.changes(first, second) is None


def test_working_files_are_counted_each_time(texts: Texts) -> None:
    copy, working = texts.copy(b"a\n"), texts.working(b"a\n")
    assert texts.contents.changes(copy, working) == Changes(0, 0)
    before = Path(working.path).stat()
    texts.working(b"b\n")
    os.utime(working.path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert texts.contents.changes(copy, working) == Changes(1, 1)


def test_a_question_reads_only_so_much_and_the_next_goes_on(
    texts: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = [texts.copy(b"%d\n" % version * 10, version) for version in range(1, 6)]
    steps = list(pairwise(copies))
    monkeypatch.setattr(contents_module, "READ_AT_ONCE", 100)

    def ask() -> list[bool]:
        texts.contents.begin()
        return [texts.contents.changes(*step) is not None for step in steps]

    assert ask() == [True, True, False, False]
    assert ask() == [True, True, True, True]
