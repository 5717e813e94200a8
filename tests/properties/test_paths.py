"""What holds for the leaf and the request of any transcript, for every client of the table."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from forkpoint.client_rules import TABLE
from forkpoint.nodes import MISSING
from forkpoint.tip import Tip
from tests.builders import Resume, index_of, resume
from tests.strategies import files, transcripts

VERSIONS = [".".join(map(str, rules.since)) for rules in TABLE]
TIPS = set(Tip.__args__)


def resumed_by_all(data: bytes) -> Iterator[Resume]:
    index = index_of(data)
    for version in VERSIONS:
        yield resume(index, version)


@given(files)
def test_the_leaf_is_a_talk_row_of_the_file(data: bytes) -> None:
    for resumed in resumed_by_all(data):
        row = resumed.leaf.row
        if row is None:
            assert (resumed.request.rows, resumed.request.tip) == ([], "empty")
        else:
            assert resumed.chain.has(row)
            assert resumed.chain.is_talk(row)


@given(files)
def test_a_path_repeats_nothing_and_sends_only_itself(data: bytes) -> None:
    for resumed in resumed_by_all(data):
        chain, request = resumed.chain, resumed.request
        assert len(request.rows) == len(set(request.rows))
        assert request.sent <= set(request.rows)
        assert all(chain.has(row) for row in request.rows)
        assert request.tip in TIPS
        assert request.hangs_on is None or chain.has(request.hangs_on)
        assert all(chain.has(repair.row) for repair in request.repairs)


@given(transcripts("uuuaaashmbcpqixk"))
def test_without_calls_each_row_of_a_path_hangs_on_the_one_before(data: bytes) -> None:
    for resumed in resumed_by_all(data):
        chain, request = resumed.chain, resumed.request
        bridges = {r.row: r.other for r in request.repairs if r.kind == "bridgedGap"}
        leaf = resumed.leaf.row
        leaf = chain.kept[-1] if chain.kept and leaf == chain.anchor else leaf
        end = request.rows.index(leaf) if leaf in request.rows else -1
        for above, row in zip(request.rows[:end], request.rows[1 : end + 1], strict=True):
            assert above in (chain.parent(row), bridges.get(row))
        for row in request.rows[end + 1 :]:
            assert chain.parent(row) in request.rows


@given(files)
def test_a_path_begins_at_a_root_or_at_a_gap(data: bytes) -> None:
    for resumed in resumed_by_all(data):
        cut = [r.row for r in resumed.request.repairs if r.kind == "cutAtGap"]
        for row in cut:
            above = resumed.chain.parent(row)
            assert above == MISSING or above in resumed.request.rows


@given(files)
def test_children_and_parents_agree(data: bytes) -> None:
    nodes = index_of(data).nodes
    rows = range(len(nodes))
    for row in rows:
        assert list(nodes.children(row)) == [r for r in rows if nodes.parent[r] == row]
    for resumed in resumed_by_all(data):
        chain = resumed.chain
        known = [row for row in rows if chain.has(row)]
        below = {row: [r for r in known if chain.parent(r) == row] for row in known}
        # One by one while few are asked for, then all at once.
        for few in (len(nodes) * len(nodes), 0):
            with patch("forkpoint.chain._FEW", few):
                assert {row: chain.children(row) for row in known} == below


@given(files, st.sampled_from(VERSIONS))
def test_the_answer_is_the_same_twice(data: bytes, version: str) -> None:
    one, other = (resume(index_of(data), version) for _ in range(2))
    assert (one.leaf, one.request) == (other.leaf, other.request)
