"""Rows of responses: near each other or far apart, one by one or many at once."""

from __future__ import annotations

from bisect import insort
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from forkpoint.joins import NONE, Joins

steps = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from((1, 1, 1, 2, 100, 255, 256))))
"""Message ids, and how many rows after the one before each stands."""


def rows_of(joins: Joins) -> dict[str, list[int]]:
    ids = list(joins.message_ids)
    for number in range(len(ids)):
        rows = joins.rows_of(number)
        assert (joins.first_row[number], joins.last_row(number)) == (rows[0], rows[-1])
    return {message_id: joins.rows_of(number) for number, message_id in enumerate(ids)}


@given(steps, st.integers(0, 20))
def test_rows_of_a_response_are_those_that_were_joined(
    steps: list[tuple[str, int]], first: int
) -> None:
    ids, nodes = [each for each, _ in steps], [*accumulate(gap for _, gap in steps)]
    truth: dict[str, list[int]] = {}
    for message_id, node in zip(ids, nodes, strict=True):
        truth.setdefault(message_id, []).append(node)
    single, many = Joins(), Joins()
    for joins in (single, many):
        joins.grow(max(nodes, default=0) + 1)
    numbers = [single.respond(*step) for step in zip(ids, nodes, strict=True)]
    for some in (slice(first), slice(first, None)):
        if ids[some]:
            last = many.respond_all(ids[some], nodes[some])
            assert last == dict(zip(numbers[some], range(len(nodes[some])), strict=True))
    assert rows_of(single) == rows_of(many) == truth
    assert vars(single) | {"message_ids": 0, "call_ids": 0} == vars(many) | {
        "message_ids": 0,
        "call_ids": 0,
    }


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from((0, 1, 2, 3, 299, 300)))))
def test_a_row_that_is_joined_again_stays_where_it_was_too(joined: list[tuple[str, int]]) -> None:
    joins, truth, response = Joins(), dict[str, list[int]](), dict[int, str]()
    joins.grow(301)
    for message_id, node in joined:
        joins.respond(message_id, node)
        response[node] = message_id
        rows = truth.setdefault(message_id, [])
        if node not in rows:
            insort(rows, node)
    assert rows_of(joins) == truth
    ids = [None if number == NONE else joins.message_ids[number] for number in joins.response]
    assert {row: each for row, each in enumerate(ids) if each is not None} == response
