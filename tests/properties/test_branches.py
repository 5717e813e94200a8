"""What holds for the branch tree of any transcript, for every client of the table."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given

from forkpoint.client_rules import TABLE
from forkpoint.records.record import Flag
from forkpoint.segments import Segment, abandoned
from tests.builders import index_of, resume, segments
from tests.strategies import files

VERSIONS = [".".join(map(str, rules.since)) for rules in TABLE]


def up(found: list[Segment], number: int | None) -> Iterator[int]:
    """A segment and those it goes on from; fails on a loop."""
    for _ in range(len(found) + 1):
        if number is None:
            return
        yield number
        number = found[number].parent
    raise AssertionError("a loop of segments")


@given(files)
def test_every_main_node_is_in_exactly_one_segment(data: bytes) -> None:
    index = index_of(data)
    nodes = index.nodes
    rows = range(len(nodes))
    main = [row for row in rows if nodes.is_node(row) and not nodes.has(row, Flag.SIDECHAIN)]
    for version in VERSIONS:
        found = segments(index, version)
        assert sorted(row for segment in found for row in segment.rows) == main
        for segment in found:
            assert list(segment.rows) == sorted(segment.rows)
            assert set(segment.prompts) <= set(segment.rows)


@given(files)
def test_segments_are_trees_with_one_active_line(data: bytes) -> None:
    index = index_of(data)
    for version in VERSIONS:
        found = segments(index, version)
        leaf = resume(index, version).leaf.row
        ends = [number for number, s in enumerate(found) if leaf in s.rows]
        active = {number for end in ends for number in up(found, end)}
        assert {number for number, s in enumerate(found) if s.active} == active
        for number, segment in enumerate(found):
            line = list(up(found, number))
            assert len(line) == len(set(line))
            older = segment.resend_of
            assert older is None or (older < number and found[older].parent == segment.parent)


@given(files)
def test_abandoned_lines_end_off_the_active_one(data: bytes) -> None:
    index = index_of(data)
    for version in VERSIONS:
        found = segments(index, version)
        parents = {segment.parent for segment in found}
        for number in abandoned(found):
            assert number not in parents
            assert not found[number].active
