"""The state of a transcript depends on its bytes only, not on the portions they come in."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from forkpoint.index import TranscriptIndex
from forkpoint.transcript import TranscriptReader
from tests.builders import SESSION, index_of
from tests.strategies import chunks, files


def state(index: TranscriptIndex) -> dict[str, Any]:
    """All that an index knows."""
    nodes, joins, usage, tools = index.nodes, index.joins, index.usage, index.tools
    rows, calls = range(len(nodes)), range(len(joins.call_ids))
    rows_of = [joins.rows_of(number) for number in range(len(joins.message_ids))]
    columns = ("offset", "length", "kind", "role", "flags", "time", "parent")
    return {
        **{name: list(getattr(nodes, name)) for name in columns},
        "uuids": [nodes.uuid(row) for row in rows],
        "repeats": (nodes.first_of, nodes.body_of),
        "missing": nodes.missing,
        "null": nodes.null_lines,
        "responses": (list(joins.response), [*joins.message_ids], rows_of),
        "calls": ([*joins.call_ids], list(joins.call_row), [joins.results(n) for n in calls]),
        "tools": [joins.tools(row) for row in rows],
        "usage": [(usage.of(n), usage.model_of(n)) for n in range(len(joins.message_ids))],
        "outcomes": (tools.all(joins), tools.ended_agents),
        "checkpoints": (index.checkpoints.backups, index.checkpoints.lines),
        "summary": vars(index.summary),
        "compactions": index.compactions,
        "pointers": index.pointers,
        "malformed": index.malformed,
        "unknown": index.unknown_types,
    }


@given(files, st.data())
def test_any_portions_give_the_same_state(data: bytes, draw: st.DataObject) -> None:
    reader, index = TranscriptReader(), TranscriptIndex(SESSION)
    end = 0
    for chunk in draw.draw(chunks(data)):
        delta = index.apply(reader.feed(chunk))
        assert (delta.first_new, delta.end) == (end, len(index.nodes))
        end = delta.end
    index.apply_tail(reader.offset, reader.tail)
    assert state(index) == state(index_of(data))


@given(files, st.data())
def test_looking_at_unfinished_lines_changes_nothing(data: bytes, draw: st.DataObject) -> None:
    reader, index = TranscriptReader(), TranscriptIndex(SESSION)
    for chunk in draw.draw(chunks(data)):
        index.apply(reader.feed(chunk))
        index.apply_tail(reader.offset, reader.tail)
    assert state(index) == state(index_of(data))


@given(files)
def test_one_line_at_a_time_is_as_all_at_once(data: bytes) -> None:
    reader, index = TranscriptReader(), TranscriptIndex(SESSION)
    for line in reader.feed(data):
        index.apply([line])
    index.apply_tail(reader.offset, reader.tail)
    assert state(index) == state(index_of(data))


@given(files, files)
def test_what_is_appended_takes_nothing_away(data: bytes, more: bytes) -> None:
    before, after = index_of(data + b"\n").nodes, index_of(data + b"\n" + more).nodes
    assert list(after.offset)[: len(before)] == list(before.offset)
    assert list(after.length)[: len(before)] == list(before.length)
    for row in range(len(before)):
        assert after.is_node(row) == before.is_node(row)
        assert after.uuid(row) == before.uuid(row)
