"""Which rows let answers be gone on with, and which make them be worked out anew."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from forkpoint.active_line import ActiveLine
from forkpoint.chain import Chain
from forkpoint.client_rules import rules_for
from forkpoint.growing_tree import GrowingTree
from forkpoint.growth import MOST, is_calm, mark_of
from forkpoint.index import TranscriptIndex
from forkpoint.session import Conversation
from forkpoint.transcript import TranscriptReader
from tests.builders import Fields, index_of, kept, name_of, transcript

BEFORE = "u1 a1 t1 r1 a2 u2 t2+t3 a3 >a3"


def lines(text: str, fields: dict[str, Fields] | None = None) -> Iterable[TranscriptIndex]:
    """The state behind each line; always the same object."""
    reader, index = TranscriptReader(), TranscriptIndex()
    for line in transcript(text, fields=fields).splitlines(keepends=True):
        index.apply(reader.feed(line))
        yield index


@pytest.mark.parametrize(
    ("more", "calm"),
    [
        pytest.param("u3", True, id="a row on the last one"),
        pytest.param("| a1 u3", True, id="a row on an older one"),
        pytest.param("| - u3", True, id="a root"),
        pytest.param("!u2(a.py@1)", True, id="a line outside the graph"),
        pytest.param("u3 a4 u4", True, id="several rows"),
        pytest.param("", True, id="nothing"),
        pytest.param("b1", False, id="a boundary"),
        pytest.param("| u2 a3", False, id="a repeated uuid"),
        pytest.param("| gone u3", False, id="a row whose parent is not there"),
        pytest.param("| u4 u3 | a3 u4", False, id="a parent behind its row"),
        pytest.param("| a3 u8", False, id="the parent that an older row waited for"),
        pytest.param(" ".join(f"u{n}" for n in range(100, 101 + MOST)), False, id="too much"),
    ],
)
def test_calm(more: str, calm: bool) -> None:
    reader, index = TranscriptReader(), TranscriptIndex()
    index.apply(reader.feed(transcript(f"| u8 a9 | - {BEFORE}")))
    mark = mark_of(index)
    index.apply(reader.feed(transcript(f"| a3 {more}", start=1000) if more else b""))
    assert is_calm(index, mark) is calm


def test_rows_that_a_boundary_waits_for() -> None:
    reader, index = TranscriptReader(), TranscriptIndex()
    index.apply(reader.feed(transcript("u1 a1 b1", fields={"b1": kept("c1", "a1")})))
    mark = mark_of(index)
    index.apply(reader.feed(transcript("| b1 c9")))
    assert is_calm(index, mark)
    index.apply(reader.feed(transcript("| b1 c1")))
    assert not is_calm(index, mark)


def test_an_unfinished_line_that_turns_out_to_hold_more() -> None:
    first, second = transcript("u1"), transcript("| u1 a1").rstrip()
    reader, index = TranscriptReader(), TranscriptIndex()
    index.apply(reader.feed(first + second))
    index.apply_tail(reader.offset, reader.tail)
    mark = mark_of(index)
    index.apply(reader.feed(transcript("| a1 u2")))
    assert not is_calm(index, mark)


class Followed:
    """A path and a tree that go on with each line, begun anew where that is not calm."""

    def __init__(self, index: TranscriptIndex) -> None:
        self.mark = mark_of(index)
        self.chain = Chain(index.nodes, index.joins, index.compactions, rules_for(None))
        self.line = ActiveLine(self.chain, index.pointers)
        self.tree = GrowingTree(self.chain, self.ends(), index.summary.same_words)

    def ends(self) -> tuple[int, ...]:
        path = self.line.path
        return tuple(row for row in (path.leaf.row, path.end) if row is not None)

    def goes_on(self, index: TranscriptIndex) -> bool:
        if not is_calm(index, self.mark):
            return False
        self.mark, self.chain = mark_of(index, self.mark), self.chain.grown()
        self.line.grow(self.chain, index.pointers)
        self.tree.grow(self.chain, self.ends())
        return True


@pytest.mark.parametrize(
    ("text", "fields", "begun", "cuts"),
    [
        # The first row begins both.
        pytest.param("u1 a1 t1 r1 a2 s1 >a2 u2 a3 h1", {}, 1, 1, id="straight on"),
        pytest.param("u1 t1+t2+t3 | t2 r2 | t1 r1 | t3 r3 a1 >a1", {}, 1, 1, id="parallel calls"),
        pytest.param("u1 t1+t2 | t2 r2 a1 >a1 | t1 r1", {}, 1, 1, id="a result comes late"),
        pytest.param("u1 a1 u2 a2 | a1 u3 a3 u4", {}, 1, 2, id="a rewind is a fork"),
        pytest.param("u1 a1 | - u2 a2", {}, 2, 2, id="a rewind to the start"),
        # The boundary, the summary as another root, the first prompt of a segment.
        pytest.param("u1 a1 b1 | b1 c1 a2 u2 a3", {}, 3, 3, id="a compaction"),
        # The boundary, the row that it waits for, the first prompt of a segment.
        pytest.param(
            "u1 a1 b1 | b1 c1 u2 t2 r2 a2", {"b1": kept("c1", "a1")}, 3, 4, id="kept rows"
        ),
    ],
)
def test_what_is_worked_out_anew(
    text: str, fields: dict[str, Fields], begun: int, cuts: int
) -> None:
    ways: list[Followed] = []
    for index in lines(text, fields):
        if not ways or not ways[-1].goes_on(index):
            ways.append(Followed(index))
    assert sum(way.line.begun for way in ways) == begun
    assert sum(way.tree.cuts for way in ways) == cuts


def test_answers_that_were_given_out_stay_as_they_were() -> None:
    words = ["u1", "a1", "t1", "r1", "a2"]
    conversation: Conversation | None = None
    seen: list[str] = []
    held: list[tuple[object, ...]] = []
    for index in lines(" ".join(words)):
        conversation = conversation or Conversation(index)
        held.append((conversation.path(), conversation.segments(), conversation.segment_facts()))
        rows = [row for row, _ in conversation.path().entries]
        seen.append(" ".join(name_of(index.nodes.uuid(row) or "") for row in rows))
    starts = [" ".join(words[: end + 1]) for end in range(len(words))]
    assert seen == starts
    fresh = [
        (one.path(), one.segments(), one.segment_facts())
        for start in starts
        for one in [Conversation(index_of(transcript(start)))]
    ]
    assert held == fresh
