"""The fold over lines that gives what can be searched."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forkpoint.index import TranscriptIndex
from forkpoint.search_rows import MOST_ANSWERED, SearchFold, SearchRecord, record_key
from forkpoint.transcript import TranscriptReader
from tests.builders import line, result_block, row, transcript
from tests.strategies import chunks, files


def told(data: bytes, pieces: list[bytes] | None = None) -> list[SearchRecord]:
    """What a transcript tells, fed in pieces, and its unfinished end."""
    reader, fold = TranscriptReader(), SearchFold()
    records: list[SearchRecord] = []
    for piece in pieces or [data]:
        records += fold.fold(reader.feed(piece))
        fold = SearchFold.load(fold.state)
    return records + fold.tail(reader.offset, reader.tail)


@given(files, st.data())
def test_portions_do_not_matter(data: bytes, draws: st.DataObject) -> None:
    assert told(data, draws.draw(chunks(data))) == told(data)


@given(files)
def test_ordinals_places_and_uuids_are_those_of_the_index(data: bytes) -> None:
    reader, index = TranscriptReader(), TranscriptIndex()
    index.apply(reader.feed(data))
    index.apply_tail(reader.offset, reader.tail)
    nodes = index.nodes
    with_uuid = [number for number in range(len(nodes)) if nodes.uuid(number) is not None]
    records = told(data)
    assert [record.ordinal for record in records] == with_uuid
    for record in records:
        assert record.key == record_key(nodes.uuid(record.ordinal) or "")
        for each in record.rows:
            place = nodes.offset[record.ordinal], nodes.length[record.ordinal]
            assert (each.ordinal, each.offset, each.length) == (record.ordinal, *place)


def tools(data: bytes) -> list[str | None]:
    return [each.tool for record in told(data) for each in record.rows if each.tool is not None]


def test_a_result_is_told_with_its_call() -> None:
    assert tools(transcript("u1 t1 t2 r2 r1 a1")) == ["Read"] * 4


def test_a_result_that_is_written_again_still_knows_its_call() -> None:
    assert tools(transcript("u1 t1 r1 r1")) == ["Read"] * 3


def test_calls_behind_many_others_are_forgotten() -> None:
    many = " ".join(f"t{number} r{number}" for number in range(2, MOST_ANSWERED + 2))
    again = line(**row("r1", "t1", 0, {"message": {"content": [result_block("1")]}}))
    data = transcript(f"u1 t1 r1 {many}")
    assert tools(data + again) == tools(data)


def test_a_tail_counts_when_it_is_whole_and_is_not_taken_in() -> None:
    data = transcript("u1 a1").rstrip(b"\n")
    assert len(told(data)) == 2
    assert len(told(data[:-1])) == 1
    fold = SearchFold()
    before = fold.state
    assert len(fold.tail(0, data.splitlines()[0])) == 1
    assert fold.state == before


def test_without_outputs_their_rows_have_no_text() -> None:
    reader, fold = TranscriptReader(), SearchFold(with_outputs=False)
    records = fold.fold(reader.feed(transcript("u1 t1 r1")))
    assert [each.text for record in records for each in record.rows] == ["u1", "", ""]
    assert records[-1].rows[0].tool == "Read"
