"""A compressed transcript reads as the plain one does, wherever one begins."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from forkpoint import disk, transcript_bytes
from forkpoint.disk import CHUNK, Unreadable
from forkpoint.transcript import TranscriptReader, Windows

LENGTH = 3 * CHUNK + 12_345
DATA = random.Random(3).randbytes(LENGTH // 16).hex().encode() * 8
TEXT = DATA[:LENGTH]
NAME = "rollout-2026-08-01T09-00-00-0199c755-4df4-7aab-bc99-b0e66ce27052.jsonl"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """The same text plain and compressed."""
    folder = tmp_path_factory.mktemp("both")
    plain, packed = folder / NAME, folder / f"{NAME}.zst"
    plain.write_bytes(TEXT)
    packed.write_bytes(zstandard.ZstdCompressor().compress(TEXT))
    return str(plain), str(packed)


@given(st.lists(st.tuples(st.integers(0, LENGTH + 9), st.integers(0, 2 * CHUNK)), max_size=6))
def test_spans(both: tuple[str, str], spans: list[tuple[int, int]]) -> None:
    plain, packed = both
    assert transcript_bytes.read_spans(packed, spans) == disk.read_spans(plain, spans)


@given(st.integers(0, LENGTH + 9), st.integers(0, LENGTH))
def test_from_any_place_on_also_after_a_stop(both: tuple[str, str], one: int, other: int) -> None:
    _, packed = both
    next(transcript_bytes.read(packed, one), None)
    assert b"".join(transcript_bytes.read(packed, other)) == TEXT[other:]
    assert transcript_bytes.flaw_of(packed) is None


def test_many_pieces_of_which_few_are_kept(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.zst"
    size = (transcript_bytes.MOST_PIECES + 3) * CHUNK
    text = bytes(range(256)) * (size // 256)
    path.write_bytes(zstandard.ZstdCompressor().compress(text))
    for offset in (size - 10, 0, size // 2, 5):
        assert transcript_bytes.read_span(str(path), offset, 300) == text[offset : offset + 300]


def test_ends(both: tuple[str, str]) -> None:
    plain, packed = both
    assert transcript_bytes.read_ends(plain, 100, 10) == (TEXT[:100], TEXT[-10:])
    assert transcript_bytes.read_ends(packed, 100, 10) == (TEXT[:100], b"")


@pytest.mark.parametrize("packs", [False, True])
def test_an_open_file_tells_what_became_of_it(tmp_path: Path, packs: bool) -> None:
    path = tmp_path / (NAME + ".zst" * packs)

    def write(text: bytes) -> None:
        path.write_bytes(zstandard.ZstdCompressor().compress(text) if packs else text)

    reader = TranscriptReader()
    reader.feed(b"one\ntwo\n")
    told: list[tuple[bool, bytes]] = []
    for text in (b"one\ntwo\n", b"one\ntwo\nthree", b"one\n", b"other\none\n"):
        write(text)
        with transcript_bytes.opened(str(path)) as file:
            is_known = reader.has_read(Windows.at(reader.offset, file.span))
            told.append((is_known, b"".join(file.through(reader.offset))))
            assert file.may_hold(len(text))
            assert file.may_hold(len(text) + 100) is packs
    assert told == [(True, b""), (True, b"three"), (False, b""), (False, b"e\n")]
    path.unlink()
    with pytest.raises(Unreadable, match="gone"), transcript_bytes.opened(str(path)):
        pass


def test_another_file_under_the_same_name_is_another_file(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.zst"
    for text in (b"first\n", b"a second one\n"):
        path.write_bytes(zstandard.ZstdCompressor().compress(text))
        assert transcript_bytes.read_span(str(path), 0, 100) == text


READERS: list[Callable[[str], object]] = [
    lambda path: list(transcript_bytes.read(path)),
    lambda path: transcript_bytes.read_span(path, 0, 1),
    lambda path: transcript_bytes.read_ends(path, 9, 9),
]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(("content", "reason"), [(None, "gone"), (b"no zstd", "damaged")])
def test_what_gives_nothing_is_unreadable(
    tmp_path: Path, read: Callable[[str], object], content: bytes | None, reason: str
) -> None:
    path = tmp_path / f"{NAME}.zst"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Unreadable) as failure:
        read(str(path))
    assert failure.value.reason == reason


def test_what_was_cut_off_gives_what_stands_before_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress(TEXT)[:-9])
    found = b"".join(transcript_bytes.read(str(path)))
    assert found
    assert TEXT.startswith(found)
    assert transcript_bytes.flaw_of(str(path)) == "damaged"
    # And again, now that the end is known.
    assert b"".join(transcript_bytes.read(str(path))) == found


def test_a_bomb_is_cut_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcript_bytes, "bound", lambda size: 2 * CHUNK + 5)
    path = tmp_path / f"{NAME}.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress(bytes(8 * CHUNK)))
    assert b"".join(transcript_bytes.read(str(path))) == bytes(2 * CHUNK + 5)
    assert transcript_bytes.flaw_of(str(path)) == "cut"
