"""What holds for any line, whatever its bytes are."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.records.decode import Piece, decode, decode_object
from forkpoint.records.record import Flag, Malformed, Record
from forkpoint.records.words import one_line
from tests.builders import index_of
from tests.strategies import files, lines, objects

BLANK = b" \t\r\0"


def without_place(record: Record) -> Record:
    """A record that does not say how it lay on its line."""
    flags = record.flags & ~(Flag.GLUED_HEAD | Flag.GLUED_REST)
    return msgspec.structs.replace(record, flags=int(flags))


@given(lines)
def test_the_pieces_of_a_line_are_in_order_and_all_of_it(line: bytes) -> None:
    pieces = decode(line)
    assert pieces
    done = 0
    for start, length, value in pieces:
        assert length > 0
        assert line[done:start].strip(BLANK) == b""
        assert start >= done
        assert isinstance(value, Record | Malformed)
        done = start + length
    assert line[done:].strip(BLANK) == b""
    assert done <= len(line)


@given(lines)
def test_the_cut_out_bytes_of_a_record_are_the_record(line: bytes) -> None:
    for start, length, value in decode(line):
        if isinstance(value, Record):
            cut = line[start : start + length]
            [piece] = decode(cut)
            assert isinstance(piece.value, Record)
            assert piece == Piece(0, length, piece.value)
            assert without_place(piece.value) == without_place(value)
            assert decode_object(cut) is not None


@given(objects)
def test_any_object_is_a_record(value: dict[str, Any]) -> None:
    line = json.dumps(value).encode()
    [piece] = decode(line)
    if "NaN" in line.decode() or "Infinity" in line.decode():
        return
    assert isinstance(piece.value, Record)
    uuid = value.get("uuid")
    assert piece.value.uuid == (uuid if isinstance(uuid, str) else None)


@given(files)
def test_offset_and_length_cut_the_record_out_of_the_file(data: bytes) -> None:
    nodes = index_of(data).nodes
    for row in range(len(nodes)):
        start = nodes.offset[row]
        cut = data[start : start + nodes.length[row]]
        assert b"\n" not in cut
        [piece] = decode(cut)
        if isinstance(piece.value, Record) and nodes.is_node(row):
            assert piece.value.uuid == nodes.uuid(row)


@given(files)
def test_every_line_of_a_file_has_an_ordinal(data: bytes) -> None:
    offsets = list(index_of(data).nodes.offset)
    assert offsets == sorted(offsets)
    start = 0
    for line in data.split(b"\n")[:-1]:
        has_one = any(start <= offset < start + len(line) for offset in offsets)
        assert has_one == bool(line.strip(b" \t\r").removeprefix(b"\xef\xbb\xbf"))
        start += len(line) + 1


@given(st.text(alphabet="ab \n\t\x1f", max_size=2000))
def test_one_line_of_a_text_is_its_first_words(text: str) -> None:
    assert one_line(text) == " ".join(text.lstrip()[:1600].split())[:200].rstrip()
