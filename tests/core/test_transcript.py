from __future__ import annotations

import hashlib
import time

import pytest

from forkpoint.transcript import Bookmark, Line, TranscriptReader, Windows
from tests.builders import windows_of

BOM = b"\xef\xbb\xbf"


def digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


@pytest.mark.parametrize(
    ("data", "lines", "tail"),
    [
        (b"", [], b""),
        (b"{}\n", [(0, b"{}")], b""),
        (b"{}\n[]\n", [(0, b"{}"), (3, b"[]")], b""),
        (b'{}\n{"half', [(0, b"{}")], b'{"half'),
        (b"{}", [], b"{}"),
        (b"{}\r\n[]\r\n", [(0, b"{}"), (4, b"[]")], b""),
        (b"{}\r\r\n", [(0, b"{}\r")], b""),
        (b"{}\r[]\n", [(0, b"{}\r[]")], b""),
        (b"{}\r", [], b"{}\r"),
        (b"\n \t\r\n\r\n{}\n\n", [(7, b"{}")], b""),
        (b"  {} \n", [(0, b"  {} ")], b""),
        (b"\x00\x00{}\x00\n", [(0, b"\x00\x00{}\x00")], b""),
        (b"\x00\n", [(0, b"\x00")], b""),
        ("\u2028\u2029\x85\v\f\n".encode(), [(0, "\u2028\u2029\x85\v\f".encode())], b""),
        (b"\xff\xfe\n", [(0, b"\xff\xfe")], b""),
        (BOM + b"{}\n", [(3, b"{}")], b""),
        (BOM + b"\n{}\n", [(4, b"{}")], b""),
        (BOM + BOM + b"\n", [(3, BOM)], b""),
        (b"\n" + BOM + b"{}\n", [(1, BOM + b"{}")], b""),
        (b"\xef\xbb\n", [(0, b"\xef\xbb")], b""),
        (b"\xef\xbb", [], b"\xef\xbb"),
    ],
)
def test_lines_and_tail(data: bytes, lines: list[tuple[int, bytes]], tail: bytes) -> None:
    reader = TranscriptReader()
    assert reader.feed(data) == [Line(*line) for line in lines]
    assert (reader.offset, reader.tail) == (len(data) - len(tail), tail)
    assert reader.position == len(data)


def test_a_byte_order_mark_alone_is_consumed() -> None:
    reader = TranscriptReader()
    assert reader.feed(BOM) == []
    assert (reader.offset, reader.tail) == (3, b"")
    assert reader.bookmark() == Bookmark(3, digest(BOM), digest(BOM))


def test_a_byte_order_mark_may_come_in_pieces() -> None:
    reader = TranscriptReader()
    assert [reader.feed(bytes([byte])) for byte in BOM + b"{}"] == [[]] * 5
    assert reader.feed(b"\n") == [Line(3, b"{}")]


def test_a_torn_line_is_given_once_its_rest_arrives() -> None:
    reader = TranscriptReader()
    assert reader.feed(b'{"a":1}\n{"te') == [Line(0, b'{"a":1}')]
    assert (reader.offset, reader.position, reader.tail) == (8, 12, b'{"te')
    assert reader.feed('xt":"🙂"}'.encode()) == []
    assert reader.feed(b"\n") == [Line(8, '{"text":"🙂"}'.encode())]
    assert (reader.offset, reader.position, reader.tail) == (24, 24, b"")


def test_the_buffer_of_a_chunk_may_be_reused() -> None:
    buffer = bytearray(b"{}\n[")
    reader = TranscriptReader()
    lines = reader.feed(memoryview(buffer))
    buffer[:] = b"xxxx"
    assert (lines, reader.tail) == ([Line(0, b"{}")], b"[")


def test_a_reader_may_begin_in_mid_file() -> None:
    reader = TranscriptReader(100)
    assert reader.feed(BOM + b"\n{}\n") == [Line(100, BOM), Line(104, b"{}")]
    with pytest.raises(ValueError, match="mid-file"):
        reader.bookmark()


def test_a_long_line_in_small_chunks_costs_linear_time() -> None:
    chunk, count = b"x" * 1024, 32 * 1024
    reader = TranscriptReader()
    start = time.process_time()
    for _ in range(count):
        assert reader.feed(chunk) == []
    [line] = reader.feed(b"\n")
    # About 0.05 s; joining at every chunk would copy half a terabyte.
    assert time.process_time() - start < 5
    assert (line.offset, len(line.data)) == (0, 32 * 1024 * 1024)


FIRST = b'{"first":"' + b"a" * 3000 + b'"}\n'
SECOND = b'{"second":"' + b"b" * 3000 + b'"}\n'
THIRD = b'{"third":"' + b"c" * 9000 + b'"}\n'


@pytest.mark.parametrize(
    ("read", "head", "last"),
    [
        (b"", b"", b""),
        (FIRST, FIRST, FIRST),
        (FIRST + SECOND, (FIRST + SECOND)[:4096], (FIRST + SECOND)[-4096:]),
        (FIRST + THIRD, (FIRST + THIRD)[:4096], THIRD[-4096:]),
        (THIRD + FIRST, THIRD[:4096], (THIRD + FIRST)[-4096:]),
    ],
    ids=["nothing", "less than a window", "overlapping", "long last line", "short last line"],
)
def test_a_bookmark_is_made_of_both_ends_of_what_was_read(
    read: bytes, head: bytes, last: bytes
) -> None:
    reader = TranscriptReader()
    reader.feed(read + b"torn tail")
    bookmark = reader.bookmark()
    assert bookmark == Bookmark(len(read), digest(head), digest(last))
    assert windows_of(read + b"torn tail", len(read)) == (head, last)
    assert reader.has_read(Windows(head, last))


@pytest.mark.parametrize(
    ("head", "last", "fits"),
    [
        (FIRST[:-1] + b" ", FIRST, False),
        (FIRST, FIRST[:-1] + b" ", False),
        (FIRST, FIRST[:-1], False),
        (b"", b"", False),
        (FIRST, FIRST, True),
    ],
)
def test_a_reader_and_its_bookmark_fit_no_other_bytes(head: bytes, last: bytes, fits: bool) -> None:
    reader, windows = TranscriptReader(), Windows(head, last)
    reader.feed(FIRST)
    assert reader.has_read(windows) is fits
    assert (TranscriptReader.resume(reader.bookmark(), windows) is not None) is fits


def test_a_resumed_reader_goes_on_like_one_that_never_stopped() -> None:
    reader = TranscriptReader()
    reader.feed(FIRST + b"torn tail")
    resumed = TranscriptReader.resume(reader.bookmark(), Windows(FIRST, FIRST))
    assert resumed is not None
    assert (resumed.offset, resumed.position, resumed.tail) == (len(FIRST), len(FIRST), b"")
    assert resumed.has_read(Windows(FIRST, FIRST))
    assert resumed.feed(SECOND) == [Line(len(FIRST), SECOND[:-1])]

    unbroken = TranscriptReader()
    unbroken.feed(FIRST + SECOND)
    assert resumed.bookmark() == unbroken.bookmark()


def test_a_replaced_file_is_not_resumed() -> None:
    reader = TranscriptReader()
    reader.feed(FIRST)
    windows = windows_of(SECOND, reader.offset)
    assert TranscriptReader.resume(reader.bookmark(), windows) is None
