"""What an index knows of a rollout depends on its bytes alone, whatever portions they come in."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.cache.requests import requests_of
from forkpoint.index import TranscriptIndex
from forkpoint.index_state import dump, load
from forkpoint.joins import NONE
from forkpoint.prices import Prices
from forkpoint.records.codex import decode_item
from forkpoint.records.content import content_of
from forkpoint.records.pictures import picture_in
from forkpoint.records.record import Flag
from forkpoint.records.said import said_on
from forkpoint.search_rows import SearchFold
from forkpoint.session import Conversation
from forkpoint.transcript import TranscriptReader
from tests.builders import windows_of
from tests.properties.test_folding import state
from tests.rollout_strategies import rollout_objects, rollouts
from tests.rollouts import THREAD, Json, Rollout, rollout
from tests.strategies import chunks, lines

PRICES = Prices()


def told(index: TranscriptIndex) -> dict[str, Any]:
    return {**state(index), "rollout": msgspec.to_builtins(index.rollout)}


def answers(conversation: Conversation) -> dict[str, Any]:
    path, segments = conversation.path(), conversation.segments()
    return {
        "path": (path.leaf, path.end, list(path.entries), path.tip, path.repairs),
        "segments": [(list(s.rows), s.parent, s.prompts, s.reason, s.active) for s in segments],
        "tips": conversation.other_tips(),
        "facts": conversation.segment_facts(),
        "spent": conversation.spending((), PRICES),
        "requests": list(requests_of(conversation, ())),
        "context": conversation.context(),
        "counts": (conversation.prompt_count(), conversation.response_count()),
    }


@given(rollouts, st.data())
def test_any_portions_give_the_same_index(data: bytes, draw: st.DataObject) -> None:
    reader, index = TranscriptReader(), TranscriptIndex(THREAD, agent="codex")
    for chunk in draw.draw(chunks(data)):
        index.apply(reader.feed(chunk))
        index.apply_tail(reader.offset, reader.tail)
    assert told(index) == told(Rollout(data).index)


@given(rollouts)
def test_one_that_grows_is_answered_like_one_read_anew(data: bytes) -> None:
    index = TranscriptIndex(THREAD, agent="codex")
    conversation, reader, seen = Conversation(index), TranscriptReader(), b""
    for line in data.splitlines(keepends=True):
        seen += line
        index.apply(reader.feed(line))
        index.apply_tail(reader.offset, reader.tail)
        assert answers(conversation) == answers(Rollout(seen).conversation)


@given(rollouts, st.data())
def test_one_that_was_kept_goes_on_as_if_read_at_once(data: bytes, draw: st.DataObject) -> None:
    cut = draw.draw(st.integers(0, len(data)))
    reader, index = TranscriptReader(), TranscriptIndex(THREAD, agent="codex")
    index.apply(reader.feed(data[:cut]))
    loaded, mark = load(dump(index, reader.bookmark()))
    assert told(loaded) == told(index)
    going_on = TranscriptReader.resume(mark, windows_of(data, mark.offset))
    assert going_on is not None
    loaded.apply(going_on.feed(data[mark.offset :]))
    loaded.apply_tail(going_on.offset, going_on.tail)
    assert told(loaded) == told(Rollout(data).index)


@given(rollouts)
def test_the_graph_is_a_tree_and_nothing_is_lost(data: bytes) -> None:
    read = Rollout(data)
    nodes, joins = read.index.nodes, read.index.joins
    assert all(nodes.parent[row] < row for row in range(len(nodes)))
    assert not nodes.missing
    assert not nodes.first_of
    path = [row for row, _ in read.conversation.path().entries]
    assert len(path) == len(set(path))
    for row in read.rows():
        if nodes.has(row, Flag.CALL):
            own = [joins.call_ids[n] for n in joins.tools(row) if joins.call_row[n] == row]
            blocks = content_of(read.line(row)).blocks
            shown = [getattr(block, "call_id", None) for block in blocks if block.kind == "toolUse"]
            assert set(own) <= set(shown)
    for number in range(len(joins.message_ids)):
        assert joins.first_row[number] != NONE


@given(rollouts, st.data())
def test_search_rows_do_not_depend_on_portions(data: bytes, draw: st.DataObject) -> None:
    whole = SearchFold().fold(TranscriptReader().feed(data))
    reader, fold, found = TranscriptReader(), SearchFold(), []
    for chunk in draw.draw(chunks(data)):
        found += fold.fold(reader.feed(chunk))
        fold = SearchFold.load(fold.state)
    assert found == whole
    index = Rollout(data).index
    end = len(index.nodes) - index.has_tail
    rows = [row for row in range(end) if index.nodes.is_node(row)]
    assert [record.ordinal for record in whole] == rows


@given(st.lists(rollout_objects, max_size=6))
def test_no_value_in_any_field_stops_anything(objects: list[Json]) -> None:
    data = rollout(*objects)
    read = Rollout(data)
    assert len(read.index.nodes) == len(objects)
    answers(read.conversation)
    for line in data.splitlines():
        content_of(line)
        said_on(line)
        picture_in(line, 0)
    assert len(SearchFold().fold(TranscriptReader().feed(data))) == len(read.rows())


@given(lines)
def test_no_bytes_stop_anything(line: bytes) -> None:
    pieces = decode_item(line)
    assert all(piece.length > 0 for piece in pieces)
    assert [piece.start for piece in pieces] == sorted({piece.start for piece in pieces})
