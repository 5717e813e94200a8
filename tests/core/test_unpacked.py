"""What was packed comes out as it was, and never more than is asked for."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.unpacked import LEAST, MOST, TIMES, CannotUnpack, Unpacked, bound

WORDS = [b"turn", b"patch", b"rollout", b"\n", b'{"type":', b"\x00\xff"]
TEXT = b"".join(random.Random(7).choices(WORDS, k=60_000))
"""What zstd does not make ten bytes of."""


def packed(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def chunks(data: bytes, size: int = 512 * 1024) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def read_all(stream: Unpacked, size: int) -> bytes:
    pieces: list[bytes] = []
    while piece := stream.read(size):
        assert len(piece) <= size
        pieces.append(piece)
    return b"".join(pieces)


@given(
    st.lists(st.binary(max_size=3000), max_size=3),
    st.integers(1, 700),
    st.integers(1, 700),
)
def test_frames_in_any_chunks_come_out_in_any_pieces(
    frames: list[bytes], chunk: int, piece: int
) -> None:
    stream = Unpacked(chunks(b"".join(map(packed, frames)), chunk))
    assert read_all(stream, piece) == b"".join(frames)
    assert (stream.at_end, stream.is_cut) == (True, False)
    assert stream.position == sum(map(len, frames))


@given(st.integers(1, len(packed(TEXT)) - 1))
def test_a_file_that_was_cut_off_gives_what_stands_before(length: int) -> None:
    stream = Unpacked(chunks(packed(TEXT)[:length]))
    found = b""
    with pytest.raises(CannotUnpack) as damage:
        while piece := stream.read(4096):
            found += piece
    assert damage.value.problem == "damaged"
    assert TEXT.startswith(found)
    assert not stream.at_end


NEEDS_A_GIGABYTE = b"\x28\xb5\x2f\xfd\x00" + bytes([20 << 3]) + b"\x09\x00\x00x"
"""A frame of one byte that wants 2^30 bytes to look back on (RFC 8878, window descriptor)."""


@pytest.mark.parametrize(
    "data",
    [b"x", b"plain lines\n" * 100, packed(b"some") + b"and more", NEEDS_A_GIGABYTE],
)
def test_what_is_no_zstd_is_damaged(data: bytes) -> None:
    stream = Unpacked(chunks(data))
    with pytest.raises(CannotUnpack, match="damaged"):
        read_all(stream, 100)


def test_a_byte_that_was_changed_is_damage_or_other_text_but_no_other_failure() -> None:
    whole = packed(TEXT)
    for place in range(0, len(whole), 97):
        wrong = whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :]
        try:
            found = read_all(Unpacked(chunks(wrong), 2 * len(TEXT)), 4096)
        except CannotUnpack as damage:
            assert damage.problem == "damaged"
        else:
            assert len(found) <= 2 * len(TEXT)


def test_a_bomb_is_cut() -> None:
    bomb = packed(bytes(10_000_000))
    assert len(bomb) < 1000
    stream = Unpacked(chunks(bomb), 1_000_000)
    assert read_all(stream, 65536) == bytes(1_000_000)
    assert (stream.at_end, stream.is_cut) == (True, True)


@pytest.mark.parametrize(
    ("size", "most"), [(0, LEAST), (1, LEAST + TIMES), (10**12, MOST), (10**6, LEAST + 2 * 10**8)]
)
def test_the_bound(size: int, most: int) -> None:
    assert bound(size) == most


def test_without_a_library_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compression", "compression.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(CannotUnpack, match="notUnpackable"):
        Unpacked(chunks(b""))
