"""Families of copies: each answer counts once, and two part where their texts do."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from forkpoint.copies import copies_of, parting_of
from forkpoint.lineage import Lineage
from forkpoint.prices import Prices
from forkpoint.spending import spending_of
from tests.builders import index_of, name_of, transcript
from tests.forked import WAYS, Way, copied


class Made(NamedTuple):
    """A family, by session.

    Attributes:
        data: transcripts.
        parents: of each copy.
        ways: how it was copied.
    """

    data: dict[str, bytes]
    parents: dict[str, str]
    ways: dict[str, Way]


def _end(data: bytes) -> str:
    rows = [json.loads(each) for each in data.splitlines()]
    return name_of(next(row["uuid"] for row in reversed(rows) if "uuid" in row))


def _answers(data: bytes) -> list[str]:
    rows = [json.loads(each) for each in data.splitlines()]
    return [name_of(row["uuid"]) for row in rows if row.get("type") == "assistant"]


@st.composite
def families(draw: st.DrawFn, ways: tuple[Way, ...] = WAYS) -> Made:
    """Sessions that go on and are copied in turn; state lines stand where a session goes on.

    Ids are no hint: which one comes first is drawn as well.
    """
    ids = iter(draw(st.permutations([f"s{number}" for number in range(6)])))
    turns = iter(range(1, 100))
    first = next(ids)
    made = Made({first: b""}, {}, {})

    def go_on(session: str) -> None:
        turn = next(turns)
        data = made.data[session]
        above = f"| {_end(data)} " if data else ""
        text = f"{above}u{turn} !u{turn}() a{turn} >a{turn}"
        made.data[session] = data + transcript(text, start=1000 * turn)

    go_on(first)
    for _ in range(draw(st.integers(1, 7))):
        session = draw(st.sampled_from(sorted(made.data)))
        if draw(st.booleans()) or len(made.data) == 6:
            go_on(session)
            continue
        copy, way = next(ids), draw(st.sampled_from(ways))
        up_to = (
            draw(st.sampled_from([None, *_answers(made.data[session])])) if way == "sdk" else None
        )
        now = 1000 * next(turns)
        made.data[copy] = copied(
            made.data[session], way, origin=session, session=copy, up_to=up_to, now=now
        )
        made.parents[copy], made.ways[copy] = session, way
        go_on(copy)
    return made


class Known:
    """Indexed sessions and their lineage."""

    def __init__(self, data: dict[str, bytes]) -> None:
        self.indexes = {name: index_of(each, name) for name, each in data.items()}
        self.lineage = Lineage(self.indexes.get)
        for name, index in self.indexes.items():
            self.lineage.add(name, index)

    def counted(self) -> dict[str, list[str]]:
        """By message id, the sessions in which it counts."""
        found: dict[str, list[str]] = {}
        for name, index in self.indexes.items():
            copied = self.lineage.copied(name, index)
            own = [each for each in index.joins.message_ids if each not in copied]
            spending = spending_of(index, copied, Prices())
            assert spending.own.responses == len(own)
            for each in own:
                found.setdefault(each, []).append(name)
        return found

    def origins(self) -> dict[str, Any]:
        return {name: self.lineage.origin(name, index) for name, index in self.indexes.items()}


@given(families(), st.randoms(use_true_random=False))
def test_every_answer_counts_in_one_session(made: Made, random: Any) -> None:
    known = Known(made.data)
    everything = {each for index in known.indexes.values() for each in index.joins.message_ids}
    counted = known.counted()
    assert {each: len(names) for each, names in counted.items()} == dict.fromkeys(everything, 1)
    shuffled = [*made.data.items()]
    random.shuffle(shuffled)
    again = Known(dict(shuffled))
    assert again.counted() == {each: counted[each] for each in counted}
    assert again.origins() == known.origins()


@given(families(("branch", "sdk")))
def test_copies_that_say_it_hang_on_what_they_were_copied_from(made: Made) -> None:
    origins = {name: each.session_id for name, each in Known(made.data).origins().items() if each}
    assert origins == made.parents


@given(families(("forkSession", "old")))
def test_copies_that_say_nothing_hang_on_what_they_were_copied_from(made: Made) -> None:
    """Lines that stand between the shared rows are in the original only."""
    origins = {name: each.session_id for name, each in Known(made.data).origins().items() if each}
    assert origins == made.parents


def _words(data: bytes) -> list[tuple[int, str]]:
    """The texts of the main rows with their ordinals: what a reader would compare."""
    rows = [json.loads(each) for each in data.splitlines()]
    return [
        (ordinal, json.dumps(row["message"]["content"]))
        for ordinal, row in enumerate(rows)
        if "message" in row
    ]


def _prefix(one: list[tuple[int, str]], other: list[tuple[int, str]]) -> int:
    length = 0
    while length < min(len(one), len(other)) and one[length][1] == other[length][1]:
        length += 1
    return length


@given(families())
def test_two_part_behind_their_longest_common_beginning(made: Made) -> None:
    known = Known(made.data)
    for name, origin in known.origins().items():
        if origin is None:
            continue
        index, there = known.indexes[name], known.indexes[origin.session_id]
        ours, theirs = _words(made.data[name]), _words(made.data[origin.session_id])
        length = _prefix(ours, theirs)
        parting = parting_of(index, there, copies_of(index, there))
        assert parting is not None
        assert (parting.row, parting.original) == (ours[length - 1][0], theirs[length - 1][0])
        assert parting.prompt == (ours[length][0] if length < len(ours) else None)
        assert parting.original_prompt == (theirs[length][0] if length < len(theirs) else None)
