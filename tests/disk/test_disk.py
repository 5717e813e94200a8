"""Reading real files, and what is refused."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from forkpoint import at_path, disk
from forkpoint.disk import Unreadable
from forkpoint.listing import scan
from tests.disk.trees import link, needs_posix, plant, stat_of

A = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
B = "b69a0ae4-3726-47d4-ad61-f08d81ff360f"
SHOP = "-home-dev-shop"


@pytest.fixture
def ten(tmp_path: Path) -> Path:
    """A file of ten bytes."""
    file = tmp_path / "ten"
    file.write_bytes(b"012345678\n")
    return file


@pytest.mark.parametrize(
    ("offset", "chunk", "chunks"),
    [
        (0, 100, [b"012345678\n"]),
        (0, 4, [b"0123", b"4567", b"8\n"]),
        (7, 2, [b"78", b"\n"]),
        (10, 4, []),
        (11, 4, []),
    ],
)
def test_read(ten: Path, offset: int, chunk: int, chunks: list[bytes]) -> None:
    assert list(disk.read(ten, offset, chunk)) == chunks


def test_read_keeps_line_ends_and_reads_past_a_growing_end(ten: Path) -> None:
    chunks = disk.read(ten, chunk=10)
    assert next(chunks) == b"012345678\n"
    with ten.open("ab") as file:
        file.write(b"\r\n\x1a")
    assert list(chunks) == [b"\r\n\x1a"]


@pytest.mark.parametrize(
    ("span", "data"),
    [
        ((0, 10), b"012345678\n"),
        ((3, 4), b"3456"),
        ((8, 10**15), b"8\n"),
        ((3, 0), b""),
        ((10, 1), b""),
        ((10**30, 1), b""),
    ],
)
def test_read_span(ten: Path, span: tuple[int, int], data: bytes) -> None:
    assert disk.read_span(ten, *span) == data


def test_read_spans_in_any_order(ten: Path) -> None:
    assert disk.read_spans(ten, [(5, 2), (0, 1), (5, 2)]) == [b"56", b"0", b"56"]
    assert disk.read_spans(ten, []) == []


@pytest.mark.parametrize(
    ("size", "head", "tail"),
    [
        (3, b"012", b"78\n"),
        (6, b"012345", b"45678\n"),
        (10, b"012345678\n", b"012345678\n"),
        (65536, b"012345678\n", b"012345678\n"),
    ],
)
def test_read_ends(ten: Path, size: int, head: bytes, tail: bytes) -> None:
    assert disk.read_ends(ten, size) == (head, tail)


def test_read_small(ten: Path) -> None:
    assert disk.read_small(ten) == b"012345678\n"
    assert disk.read_small(ten, limit=4) == b"0123"


def test_stat(ten: Path) -> None:
    assert disk.stat(ten) == stat_of(ten)
    assert disk.stat(ten).size == 10


READERS: list[Callable[[Path], object]] = [
    lambda path: list(disk.read(path)),
    lambda path: disk.read_span(path, 0, 1),
    lambda path: disk.read_spans(path, [(0, 1)]),
    lambda path: disk.Opened(path).__enter__().__exit__(None, None, None),
    disk.read_ends,
    disk.read_small,
]


@needs_posix
@pytest.mark.parametrize("read", [*READERS, disk.stat])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nothing", "gone"),
        ("ten/below", "gone"),
        ("a\0b", "gone"),
        ("\ud800", "gone"),
        ("x" * 300, "gone"),
        (".", "notRegular"),
        ("pipe", "notRegular"),
        ("link", "notRegular"),
        ("dangling", "notRegular"),
        ("loop/x", "notRegular"),
        ("/dev/null", "notRegular"),
    ],
)
def test_only_regular_files_are_read(
    ten: Path, read: Callable[[Path], object], name: str, reason: str
) -> None:
    os.mkfifo(ten.parent / "pipe")
    link(ten.parent, "link", "ten")
    link(ten.parent, "dangling", "nothing")
    link(ten.parent, "loop", "loop")
    path = ten.parent / name
    with pytest.raises(Unreadable) as caught:
        read(path)
    assert (caught.value.path, caught.value.reason) == (str(path), reason)


@needs_posix
@pytest.mark.parametrize("read", READERS)
def test_a_denied_file_is_unreadable(
    unprivileged_root: Path, read: Callable[[Path], object]
) -> None:
    plant(unprivileged_root, "closed")
    (unprivileged_root / "closed").chmod(0)
    with pytest.raises(Unreadable, match="denied"):
        read(unprivileged_root / "closed")


@needs_posix
def test_a_system_that_opens_links_is_asked_first(
    ten: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "O_NOFOLLOW")
    monkeypatch.setattr(disk, "_FLAGS", os.O_RDONLY)
    link(ten.parent, "link", "ten")
    assert disk.read_small(ten) == b"012345678\n"
    with pytest.raises(Unreadable, match="notRegular"):
        disk.read_small(ten.parent / "link")


@needs_posix
@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("ten", True),
        (".", True),
        ("link", True),
        ("dangling", False),
        ("nothing", False),
        ("ten/below", False),
        ("a\0b", False),
        ("\ud800", False),
    ],
)
def test_exists(ten: Path, path: str, there: bool) -> None:
    link(ten.parent, "link", "ten")
    link(ten.parent, "dangling", "nothing")
    assert at_path.exists(ten.parent / path) is there


@needs_posix
def test_what_may_not_be_looked_at_counts_as_there(unprivileged_root: Path) -> None:
    (unprivileged_root / "closed").mkdir(mode=0)
    assert at_path.exists(unprivileged_root / "closed" / "folder")


@needs_posix
@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("folder/file", True),
        ("folder/nothing", False),
        ("folder/../secret", False),
        ("folder/out", False),
        ("folder/in", True),
        ("folder2/file", False),
        ("secret", False),
        ("folder/a\0b", False),
    ],
)
def test_lies_within(tmp_path: Path, path: str, inside: bool) -> None:
    plant(tmp_path, "folder/file", "folder2/file", "secret")
    link(tmp_path, "folder/out", "../secret")
    link(tmp_path, "folder/in", "file")
    assert disk.lies_within(tmp_path / path, tmp_path / "folder") is inside


@needs_posix
def test_nothing_is_written(ten: Path) -> None:
    root = ten.parent
    plant(root, f"projects/{SHOP}/{A}.jsonl")
    link(root, f"projects/{SHOP}/{B}.jsonl", f"{A}.jsonl")

    def state() -> dict[Path, tuple[int, int]]:
        paths = [root, *root.rglob("*")]
        return {path: (path.lstat().st_mtime_ns, path.lstat().st_ctime_ns) for path in paths}

    before = state()
    scan(root)
    for read in [*READERS, disk.stat, at_path.exists]:
        read(ten)
        with contextlib.suppress(Unreadable):
            read(root / "nothing")
    assert state() == before
