"""The rows of a path in columns behave as the list of pairs that they stand for."""

from __future__ import annotations

from array import array

import pytest

from forkpoint.active_line import NOT_SENT, SENT, SUMMARIZED, Entries, Fate
from forkpoint.chain import find_near
from forkpoint.session import Conversation
from tests.builders import index_of, kept, transcript, uuid

ENTRIES = Entries(array("i", [2, 0, 3]), bytes([SUMMARIZED, SENT, NOT_SENT]))
PAIRS: list[tuple[int, Fate]] = [(2, "summarized"), (0, "sent"), (3, "notSent")]


def test_entries_read_as_pairs() -> None:
    assert list(ENTRIES) == PAIRS
    assert list(reversed(ENTRIES)) == PAIRS[::-1]
    assert [ENTRIES[at] for at in (0, 1, -1)] == PAIRS
    assert len(ENTRIES) == 3
    assert dict(ENTRIES) == dict(PAIRS)
    assert (0, "sent") in ENTRIES
    assert (0, "summarized") not in ENTRIES


@pytest.mark.parametrize("part", [slice(1, None), slice(None, None, -1), slice(0, 2), slice(5, 9)])
def test_a_part_of_entries(part: slice) -> None:
    assert list(ENTRIES[part]) == PAIRS[part]


def test_entries_behind_a_list() -> None:
    before: list[tuple[int, Fate]] = [(9, "notSent")]
    assert before + ENTRIES == [*before, *PAIRS]


def test_entries_are_equal_by_rows_and_fates() -> None:
    assert Entries(ENTRIES.rows[:], bytes(ENTRIES.fates)) == ENTRIES
    assert Entries(ENTRIES.rows, bytes([SENT] * 3)) != ENTRIES
    assert Entries(ENTRIES.rows[::-1], ENTRIES.fates) != ENTRIES
    assert ENTRIES != PAIRS


@pytest.mark.parametrize("place", [0, 5, 29])
@pytest.mark.parametrize("name", ["u0", "u7", "u29", "gone"])
def test_a_row_is_found_near_a_place_and_elsewhere(name: str, place: int) -> None:
    nodes = index_of(transcript(" ".join(f"u{n}" for n in range(30)))).nodes
    expected = None if name == "gone" else int(name[1:])
    assert find_near(nodes, uuid(name), place) == expected


def test_a_repeated_row_is_found_at_its_first_line() -> None:
    nodes = index_of(transcript("u1 a1 u2 a2 | a2 u1")).nodes
    assert find_near(nodes, uuid("u1"), 4) == 0


def test_what_was_kept_by_a_compaction_may_be_cut_off() -> None:
    """The row before the boundary has no parent, and stands behind garbage on its line."""
    boundary = {**kept("c1", "u2", "a2"), "logicalParentUuid": uuid("a2")}
    rows = transcript("u1 a1 u2 a2 b1 c1 u3 a3", fields={"b1": boundary})
    lines = rows.splitlines(keepends=True)
    lines[2:4] = [b"{" + lines[3]]
    path = Conversation(index_of(b"".join(lines))).path()
    assert [row for row, fate in path.entries if fate == "sent"] == [5, 6, 7]
