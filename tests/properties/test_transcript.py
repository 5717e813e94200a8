"""What holds for any bytes, however they are cut into chunks."""

from __future__ import annotations

import hashlib
import re

from hypothesis import given
from hypothesis import strategies as st

from forkpoint.transcript import Bookmark, Line, TranscriptReader
from tests.builders import windows_of

BOM = b"\xef\xbb\xbf"
MARKS = [b"\n", b"\r\n", b"\r", b" ", b"\t", b"\x00", b"\xef", b"\xef\xbb", BOM]
TEXTS = ['{"text":"\u2028🙂"}'.encode(), b"{}", b"null", b"\xff", b"\xed\xa0\x80"]
LONG = [b"x" * 1000, b"y" * 4093, b"z" * 4096, b"\n" * 4097]
BLANK_LINES = rb"(?:[ \t\r]*\n)*"
pieces = st.sampled_from([*MARKS, *TEXTS, *LONG]) | st.binary(max_size=8)
files = st.tuples(st.sampled_from([b"", BOM]), st.lists(pieces, max_size=24).map(b"".join)).map(
    b"".join
)


@st.composite
def chunked_files(draw: st.DrawFn) -> list[bytes]:
    """A file in chunks; some may be empty."""
    data = draw(files)
    near, far = st.integers(0, min(len(data), 4)), st.integers(0, len(data))
    cuts = sorted(draw(st.lists(near | far)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def read(reader: TranscriptReader, chunks: list[bytes]) -> list[Line]:
    return [line for chunk in chunks for line in reader.feed(chunk)]


def digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


@given(chunked_files())
def test_any_split_gives_the_same_lines_offsets_and_tail(chunks: list[bytes]) -> None:
    split, whole = TranscriptReader(), TranscriptReader()
    data = b"".join(chunks)
    assert read(split, chunks) == whole.feed(data)
    assert (split.offset, split.tail, split.position) == (whole.offset, whole.tail, len(data))
    assert split.bookmark() == whole.bookmark()


@given(files)
def test_lines_line_ends_blank_lines_and_tail_are_the_file(data: bytes) -> None:
    reader = TranscriptReader()
    picture = b"(?:" + BOM + b")?" + BLANK_LINES
    position = 0
    for line in reader.feed(data):
        assert line.offset >= position
        position = line.offset + len(line.data)
        assert data[line.offset : position] == line.data
        assert b"\n" not in line.data
        assert line.data.strip(b" \t\r") != b""
        assert data[position - 1 : position + 1] != b"\r\n"
        assert line.offset > 0 or not line.data.startswith(BOM)
        picture += re.escape(line.data) + b"\r?\n" + BLANK_LINES
    assert re.fullmatch(picture, data[: reader.offset])
    assert data[reader.offset :] == reader.tail
    assert b"\n" not in reader.tail


@given(files)
def test_a_bookmark_describes_what_was_read(data: bytes) -> None:
    reader = TranscriptReader()
    reader.feed(data)
    seen = data[: reader.offset]
    assert reader.bookmark() == Bookmark(len(seen), digest(seen[:4096]), digest(seen[-4096:]))


@given(chunked_files(), st.data())
def test_a_resumed_reader_sees_the_rest(chunks: list[bytes], draw: st.DataObject) -> None:
    stop = draw.draw(st.integers(0, len(chunks)), label="chunks read before the stop")
    data = b"".join(chunks)
    unbroken, stopped = TranscriptReader(), TranscriptReader()
    expected = unbroken.feed(data)

    lines = read(stopped, chunks[:stop])
    bookmark = stopped.bookmark()
    resumed = TranscriptReader.resume(bookmark, windows_of(data, bookmark.offset))
    assert resumed is not None
    assert [*lines, *resumed.feed(data[resumed.position :])] == expected
    assert resumed.bookmark() == unbroken.bookmark()
    assert resumed.tail == unbroken.tail
