"""What is odd about a transcript, and on which row."""

from __future__ import annotations

import pytest
from hypothesis import given

from forkpoint.faults import MOST, Fault, faults_of
from tests.builders import index_of, line, transcript, uuid
from tests.strategies import files

CLEAN = "u1 a1 t1 r1 b1 c1 u2 a2 k1 p1 a3"
GONE = uuid("gone")

PLANTED: dict[str, tuple[bytes, list[Fault]]] = {
    "nothing": (transcript(CLEAN), []),
    "no JSON": (
        transcript("u1") + b"no\n" + transcript("a1"),
        [Fault(1, "malformed", "This is no record: not JSON.")],
    ),
    "no object": (b"[1]\n", [Fault(0, "malformed", "This is no record: an array, not an object.")]),
    "a parent that is missing": (
        transcript("u1 a1 | gone u2"),
        [
            Fault(
                2,
                "danglingParent",
                f"The parent of this record is missing: {GONE} is not in the file.",
            )
        ],
    ),
    "a ring of two": (
        transcript("| a1 u1 a1 u2"),
        [
            Fault(0, "cycle", "The parents of this record lead back to it.", 1),
            Fault(1, "cycle", "The parents of this record lead back to it.", 0),
        ],
    ),
    "its own parent": (
        transcript("u1 | a1 a1"),
        [Fault(1, "cycle", "The parents of this record lead back to it.", 1)],
    ),
    "a uuid again": (
        transcript("u1 a1 | - u1"),
        [
            Fault(
                2,
                "duplicateUuid",
                "This uuid stands on record 0, too: its place counts, and this content.",
                0,
            )
        ],
    ),
    "a uuid a third time": (
        transcript("u1 | - u1 | - u1"),
        [
            Fault(
                1,
                "duplicateUuid",
                "This uuid stands on record 0, too: this content does not count.",
                0,
            ),
            Fault(
                2,
                "duplicateUuid",
                "This uuid stands on record 0, too: its place counts, and this content.",
                0,
            ),
        ],
    ),
    "a type that nobody knows": (
        transcript("u1 x1 a1"),
        [Fault(1, "unknownType", "No known client writes records of this type: hologram.")],
    ),
    "a state line that nobody knows": (
        line(type="mode") + line(type="aura") + line(kind="none"),
        [
            Fault(1, "unknownType", "No known client writes records of this type: aura."),
            Fault(2, "unknownType", "No known client writes records of this type: none."),
        ],
    ),
    "a type with a trap in it": (
        line(type="a\u202eb\n\x1b[0m [x](command:y)"),
        [
            Fault(
                0,
                "unknownType",
                "No known client writes records of this type: a⟦U+202E⟧b [x](command:y).",
            )
        ],
    ),
}


@pytest.mark.parametrize(("data", "expected"), PLANTED.values(), ids=PLANTED)
def test_what_is_planted_is_found_and_nothing_else(data: bytes, expected: list[Fault]) -> None:
    assert faults(data) == expected


def test_what_is_broken_everywhere_is_not_told_line_by_line() -> None:
    found = faults(b"no\n" * (MOST + 1) + transcript("x1"))
    assert [fault.code for fault in found].count("malformed") == MOST
    assert found[-1].code == "unknownType"


def test_no_line_is_read_where_all_types_are_known() -> None:
    def read(rows: object) -> list[bytes]:
        raise AssertionError

    assert faults_of(index_of(transcript(CLEAN)), read) == []


@given(files)
def test_each_fault_is_about_a_row_of_its_kind(data: bytes) -> None:
    index = index_of(data)
    nodes = index.nodes
    found = faults(data)
    rows = {code: {fault.row for fault in found if fault.code == code} for code in CODES}
    assert rows["malformed"] == set(index.malformed)
    assert rows["danglingParent"] == set(nodes.missing)
    assert rows["duplicateUuid"] == set(nodes.first_of)
    assert rows["cycle"] == {row for row in range(len(nodes)) if leads_back(nodes.parent, row)}
    # A record's type counts once, however often its line is looked at.
    assert len(rows["unknownType"]) == sum(each.count for each in index.unknown_types.values())


CODES = ("malformed", "danglingParent", "cycle", "duplicateUuid", "unknownType")


def leads_back(parent: object, row: int) -> bool:
    above = parent[row]
    for _ in range(len(parent)):
        if above == row:
            return True
        if above < 0:
            return False
        above = parent[above]
    return False


def faults(data: bytes) -> list[Fault]:
    index = index_of(data)
    nodes = index.nodes

    def read(rows: list[int]) -> list[bytes]:
        return [data[nodes.offset[row] : nodes.offset[row] + nodes.length[row]] for row in rows]

    return faults_of(index, read)
