"""On which lines rows stand: worked out of the index, equal to what counting gives."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.index import TranscriptIndex
from forkpoint.row_lines import RowLines
from forkpoint.transcript import TranscriptReader
from tests.builders import index_of, transcript
from tests.strategies import chunks, files

ONE = b'{"type":"mode"}'

TEXTS: dict[str, tuple[bytes, list[int]]] = {
    "nothing": (b"", []),
    "one line": (ONE + b"\n", [0]),
    "without an end": (ONE, [0]),
    "one behind the other": (ONE + b"\n" + ONE + b"\n" + ONE, [0, 1, 2]),
    "CRLF": (ONE + b"\r\n" + ONE + b"\r\n" + ONE + b"\r\n", [0, 1, 2]),
    "blank lines": (b"\n \n" + ONE + b"\n\n\r\n\t\n" + ONE + b"\n", [2, 6]),
    "a byte order mark": (b"\xef\xbb\xbf" + ONE + b"\n" + ONE + b"\n", [0, 1]),
    "glued": (ONE + ONE + b"\n" + ONE, [0, 0, 1]),
    "glued with a blank between": (ONE + b" " + ONE + b"\n" + ONE, [0, 0, 1]),
    "glued behind a cut one": (b'{"cut":' + ONE + b"\n" + ONE, [0, 0, 1]),
    "more behind a record": (ONE + b" and\n" + ONE, [0, 0, 1]),
    "NULs": (b"\0\0\n" + b"\0" + ONE + b"\n", [0, 1]),
}


@pytest.mark.parametrize(("data", "expected"), TEXTS.values(), ids=TEXTS)
def test_lines(data: bytes, expected: list[int]) -> None:
    lines, index = lines_of(data)
    assert [lines[row] for row in range(len(index.nodes))] == expected


def test_a_row_that_does_not_begin_its_line() -> None:
    lines, _ = lines_of(ONE + b"\n" + ONE + b" " + ONE + b"\n\0\0" + ONE)
    begins = len(ONE) + 1
    assert lines.inside == {2: begins, 3: begins + 2 * len(ONE) + 2}
    assert [*map(len, map(lines.rows_on, range(4)))] == [1, 2, 1, 0]
    assert [*lines.rows_on(1)] == [1, 2]


def test_nothing_is_read_of_a_usual_file() -> None:
    index = index_of(transcript("u1 a1 t1 r1 u2 a2"))

    def read(spans: Sequence[tuple[int, int]]) -> list[bytes]:
        raise AssertionError(spans)

    lines = RowLines()
    lines.grow(index.nodes, read)
    assert [*map(lines.__getitem__, range(6))] == [*range(6)]


def test_the_line_of_an_unfinished_one() -> None:
    data = ONE + b'\n\n{"cut'
    lines, index = lines_of(data)
    assert lines.line_at(len(ONE) + 2, index.nodes, reader_of(data)) == 2
    lines, index = lines_of(b'\n{"cut')
    assert lines.line_at(1, index.nodes, reader_of(b'\n{"cut')) == 1


@given(files, st.data())
def test_the_same_as_counting_however_it_grows(data: bytes, draw: st.DataObject) -> None:
    reader, index, lines = TranscriptReader(), TranscriptIndex(), RowLines()
    so_far = b""
    for chunk in draw.draw(chunks(data)):
        so_far += chunk
        index.apply(reader.feed(chunk))
        index.apply_tail(reader.offset, reader.tail)
        lines.grow(index.nodes, reader_of(so_far))
    nodes = index.nodes
    assert len(lines) == len(nodes)
    for row in range(len(nodes)):
        assert lines[row] == data[: nodes.offset[row]].count(b"\n")
        assert row in lines.rows_on(lines[row])
        begins = data.rfind(b"\n", 0, nodes.offset[row]) + 1
        if begins == 0 and data.startswith(b"\xef\xbb\xbf"):
            begins = 3
        assert lines.inside.get(row, nodes.offset[row]) == begins


def lines_of(data: bytes) -> tuple[RowLines, TranscriptIndex]:
    index, lines = index_of(data), RowLines()
    lines.grow(index.nodes, reader_of(data))
    return lines, index


def reader_of(data: bytes):
    return lambda spans: [data[offset : offset + length] for offset, length in spans]
