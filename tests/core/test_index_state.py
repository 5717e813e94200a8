"""An index kept as bytes and loaded again: nothing is lost, and nothing else is taken for one."""

from __future__ import annotations

import hashlib
import zlib
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint import index_state
from forkpoint.index import TranscriptIndex
from forkpoint.index_state import NotKept, NotOurs, dump, load
from forkpoint.kept_attributes import DERIVED, KEPT
from forkpoint.transcript import Bookmark, TranscriptReader
from tests.builders import SESSION, line, transcript, windows_of
from tests.fixture_paths import CASES, FIXTURES, ORACLE, REAL
from tests.strategies import files

RECORDINGS = [
    path
    for folder in (REAL, CASES, ORACLE)
    for path in sorted(folder.rglob("*.jsonl"))
    if "codex" not in path.relative_to(FIXTURES).parts
]


def read(data: bytes, *, of_agent: bool = False) -> tuple[TranscriptIndex, TranscriptReader]:
    reader, index = TranscriptReader(), TranscriptIndex(SESSION, of_agent=of_agent)
    index.apply(reader.feed(data))
    return index, reader


def gone_on(index: TranscriptIndex, bookmark: Bookmark, data: bytes) -> TranscriptIndex:
    """The index with the rest of a file that begins with what it has read."""
    end = bookmark.offset
    reader = TranscriptReader.resume(bookmark, windows_of(data, end))
    assert reader is not None
    index.apply(reader.feed(data[end:]))
    index.apply_tail(reader.offset, reader.tail)
    return index


def attributes(fold: object) -> set[str]:
    slots = {name for kind in type(fold).__mro__ for name in getattr(kind, "__slots__", ())}
    return {*getattr(fold, "__dict__", {}), *slots} - {"__dict__", "__weakref__"}


def everything(fold: object) -> dict[str, Any]:
    """All attributes of a fold and of those in it, as plain values; dictionaries in their order."""
    if isinstance(fold, TranscriptIndex):
        fold.settle()
    known = {name: getattr(fold, name) for name in sorted(attributes(fold))}
    # They make reading on faster, no more.
    for name in ("_map", "_searches", "_known", "_paths", "_written", "_last_written"):
        known.pop(name, None)
    if "_waiting" in known:
        # Asked by key alone. A key whose rows came stays where it was, and is not kept.
        waiting = sorted(known["_waiting"].items(), key=repr)
        known["_waiting"] = {key: rows for key, rows in waiting if rows}
    return {name: plain(value) for name, value in known.items()}


def plain(value: Any) -> Any:
    if type(value) in KEPT:
        return everything(value)
    if isinstance(value, dict):
        return [(key, plain(item)) for key, item in value.items()]
    if isinstance(value, set):
        return sorted(value)
    if isinstance(value, (array, bytearray, list, tuple)):
        return [type(value).__name__, *(plain(item) for item in value)]
    if isinstance(value, msgspec.Struct):
        names = value.__struct_fields__
        return [(name, plain(getattr(value, name))) for name in names]
    return value


def whole(data: bytes, *, of_agent: bool = False) -> dict[str, Any]:
    index, reader = read(data, of_agent=of_agent)
    index.apply_tail(reader.offset, reader.tail)
    return everything(index)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem[:40])
def test_a_recording_that_was_kept_half_way_goes_on_as_if_read_at_once(path: Path) -> None:
    data = path.read_bytes()
    of_agent = path.name.startswith("agent-")
    for cut in (0, len(data) // 3, len(data) // 2, len(data)):
        index, reader = read(data[:cut], of_agent=of_agent)
        loaded, bookmark = load(dump(index, reader.bookmark()))
        assert bookmark == reader.bookmark()
        assert everything(loaded) == everything(index)
        assert everything(gone_on(loaded, bookmark, data)) == whole(data, of_agent=of_agent)


@given(files, st.data())
def test_any_transcript_goes_on_from_any_point(data: bytes, draw: st.DataObject) -> None:
    cut = draw.draw(st.integers(0, len(data)))
    index, reader = read(data[:cut])
    loaded, bookmark = load(dump(index, reader.bookmark()))
    assert everything(gone_on(loaded, bookmark, data)) == whole(data)


def test_uuids_that_were_kept_are_found_however_many_are_looked_for() -> None:
    data = transcript(" ".join(f"u{n}" for n in range(100)))
    index, reader = read(data)
    loaded, _ = load(dump(index, reader.bookmark()))
    uuids = [index.nodes.uuid(row) for row in range(100)]
    assert [loaded.nodes.find(uuid) for uuid in uuids] == list(range(100))
    assert loaded.nodes.find("nobody") is None


# --- what is not kept ----------------------------------------------------------------------------


def test_an_index_with_an_unfinished_last_line_is_not_kept() -> None:
    data = transcript("u1 a1")[:-1]
    index, reader = read(data)
    dump(index, reader.bookmark())
    index.apply_tail(reader.offset, reader.tail)
    assert index.has_tail
    with pytest.raises(NotKept):
        dump(index, reader.bookmark())


def test_a_number_that_64_bits_do_not_hold_is_told_not_kept() -> None:
    link = {"type": "pr-link", "prUrl": "https://example.org/1", "prRepository": "a/b"}
    for number in (2**64 - 1, -(2**63)):
        index, reader = read(line(prNumber=number, **link))
        assert [pull.number for pull in index.summary.pull_requests] == [number]
        loaded, _ = load(dump(index, reader.bookmark()))
        assert everything(loaded) == everything(index)
    index, reader = read(line(prNumber=2**64, **link))
    with pytest.raises(NotKept):
        dump(index, reader.bookmark())


def test_a_text_that_is_no_unicode_is_told_not_kept() -> None:
    index, reader = TranscriptIndex("\ud800"), TranscriptReader()
    with pytest.raises(NotKept):
        dump(index, reader.bookmark())


# --- what is no index ----------------------------------------------------------------------------


def kept() -> bytes:
    index, reader = read(transcript("u1 a1 t1 r1 s1 b1 q1"))
    return dump(index, reader.bookmark())


def oddities() -> Iterator[bytes]:
    data = kept()
    yield from (b"", b"\0" * 100, data + b"\0", data[:-1], data[:20], data[:3])
    yield b"SQLite format 3\0" + data
    for layout in (index_state.LAYOUT - 1, index_state.LAYOUT + 1):
        yield data[:4] + layout.to_bytes(2, "big") + data[6:]
    for at in range(0, len(data), 7):
        yield data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def test_anything_else_is_not_ours() -> None:
    for odd in oddities():
        with pytest.raises(NotOurs):
            load(odd)


@given(st.binary(max_size=60))
def test_a_right_checksum_is_not_enough(body: bytes) -> None:
    head = index_state._HEAD + zlib.crc32(body).to_bytes(4, "big")
    with pytest.raises(NotOurs):
        load(head + body)


# --- and whoever adds to a fold hears of it ------------------------------------------------------


def folds(fold: object) -> Iterator[object]:
    yield fold
    for name in sorted(attributes(fold) - set(DERIVED.get(type(fold), ()))):
        value = getattr(fold, name)
        if type(value).__module__.startswith("forkpoint."):
            yield from folds(value)


@pytest.mark.parametrize(
    "fold", list(folds(TranscriptIndex())), ids=lambda fold: type(fold).__name__
)
def test_each_attribute_of_a_fold_is_kept_or_derived(fold: object) -> None:
    kept, derived = set(KEPT[type(fold)].__struct_fields__), set(DERIVED.get(type(fold), ()))
    assert kept | derived == attributes(fold)
    assert kept & derived == set()


MEANING = (7, "2f7ff74a9b0c90b0")
"""`LAYOUT`, and a digest of what is kept of all recordings. When the second changes, something
kept has another meaning than in the files that users have: raise the first, and renew the second.
"""


def test_the_layout_number_goes_with_what_is_kept() -> None:
    digest = hashlib.sha256()
    for path in RECORDINGS:
        digest.update(repr(whole(path.read_bytes())).encode())
    assert (index_state.LAYOUT, digest.hexdigest()[:16]) == MEANING
