"""One transcript's state: unfinished lines, repeats, late parents, odd uuids, strangers."""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.index import Delta, TranscriptIndex, UnknownType
from forkpoint.nodes import MISSING, NO_PARENT, NO_TIME, ROOT, milliseconds
from forkpoint.records.record import Flag, Kind, Role
from forkpoint.transcript import Line
from tests.builders import SESSION, START, index_of, line, resume, row, transcript, user, uuid

U, A = transcript("u1"), transcript("| u1 a1")
OTHER = "0f0e1610-0000-4000-8000-000000000000"


def parents(index: TranscriptIndex) -> list[int]:
    return list(index.nodes.parent)


def at(index: TranscriptIndex, name: str) -> int:
    row = index.nodes.find(uuid(name))
    assert row is not None
    return row


# --- batches and unfinished lines --------------------------------------------------------------


def test_a_batch_gives_the_ordinals_it_added() -> None:
    index = TranscriptIndex()
    assert index.apply([Line(0, U[:-1]), Line(len(U), A[:-1])]) == Delta(0, 2)
    assert index.apply([]) == Delta(2, 2)
    assert index.apply([Line(2000, U[:-1] + A[:-1])]) == Delta(2, 4)


def test_an_unfinished_line_counts_once_it_is_a_record() -> None:
    index = TranscriptIndex()
    assert index.apply_tail(0, U[:-2]) == Delta(0, 0)
    assert index.apply_tail(0, U[:-1]) == Delta(0, 1)
    assert index.apply_tail(0, U[:-1]) == Delta(1, 1)
    assert index.apply([Line(0, U[:-1])]) == Delta(1, 1)
    assert index.apply_tail(len(U), b"") == Delta(1, 1)
    assert index.apply([Line(len(U), A[:-1])]) == Delta(1, 2)
    assert parents(index) == [ROOT, 0]


@pytest.mark.parametrize("tail", [b"", b"  ", b"nul", b"null", b"[]", b"5", b"\0\0", U[1:-1]])
def test_an_unfinished_line_that_is_no_record_changes_nothing(tail: bytes) -> None:
    index = TranscriptIndex()
    assert index.apply_tail(0, tail) == Delta(0, 0)
    assert not index.has_tail


@pytest.mark.parametrize(
    ("tail", "rest"),
    [
        (U[:-1], b""),
        (U[:-1], A[:-1]),
        (U[:-1], A[:-1] + A[:-1]),
        (U[:-1], b"\0\0"),
        (U[:-1], b"text"),
        (U[:-1], A[:40]),
        (U[:-1] + b"\r", b""),
        (b"\0" + U[:-1], A[:-1]),
    ],
)
def test_what_comes_behind_an_early_record_is_as_if_read_at_once(tail: bytes, rest: bytes) -> None:
    early = TranscriptIndex()
    early.apply_tail(0, tail)
    assert early.has_tail
    data = (tail + rest).removesuffix(b"\r")
    early.apply([Line(0, data)])
    assert not early.has_tail
    whole = index_of(data + b"\n")
    for column in ("offset", "length", "kind", "flags", "parent"):
        assert list(getattr(early.nodes, column)) == list(getattr(whole.nodes, column)), column
    assert early.malformed == whole.malformed


def test_offsets_and_lengths_cut_the_records_out() -> None:
    data = b"\xef\xbb\xbf" + U[:-1] + b"\r\n\n  \n[]\n" + U[:-1] + A
    nodes = index_of(data).nodes
    cuts = [data[o : o + n] for o, n in zip(nodes.offset, nodes.length, strict=True)]
    assert cuts == [U[:-1], b"[]", U[:-1], A[:-1]]


def test_bad_lines_keep_their_place() -> None:
    index = index_of(U + b"null\n" + b"{\n" + A)
    assert index.malformed == {1: "null, not an object", 2: "not JSON"}
    assert list(index.nodes.kind) == [Kind.USER, Kind.MALFORMED, Kind.MALFORMED, Kind.ASSISTANT]
    assert parents(index) == [ROOT, NO_PARENT, NO_PARENT, 0]
    assert index.nodes.null_lines == [1]


# --- repeated uuids ----------------------------------------------------------------------------


def test_of_a_repeated_uuid_the_later_content_and_parent_count_at_the_first_place() -> None:
    again = line(**row("u2", "u1", 90, user("better", isMeta=True)))
    index = index_of(transcript("u1 a1 u2 a2") + again)
    nodes = index.nodes
    assert parents(index) == [ROOT, 0, 0, 2, NO_PARENT]
    assert (nodes.first_of, nodes.body_of) == ({4: 2}, {2: 4})
    assert (nodes.role[2], nodes.has(2, Flag.META)) == (Role.INJECTED, True)
    assert nodes.time[2] == milliseconds(START.isoformat()) + 90_000
    assert (nodes.uuid(4), nodes.find(uuid("u2"))) == (uuid("u2"), 2)
    assert nodes.has(4, Flag.REPEAT)
    assert list(nodes.children(0)) == [1, 2]


def test_a_repeat_may_lose_its_parent_and_find_it_later() -> None:
    lost = line(**row("a1", "u9", 10))
    index = index_of(transcript("u1 a1") + lost)
    assert (parents(index), index.nodes.missing) == ([ROOT, MISSING, NO_PARENT], {1: uuid("u9")})
    index = index_of(transcript("u1 a1") + lost + transcript("| u1 u9"))
    assert (parents(index), index.nodes.missing) == ([ROOT, 3, NO_PARENT, 0], {})
    index = index_of(transcript("u1 a1") + lost + A + transcript("| u1 u9"))
    assert (parents(index), index.nodes.missing) == ([ROOT, 0, NO_PARENT, NO_PARENT, 0], {})


def test_a_line_written_twice_counts_its_call_and_tokens_once() -> None:
    data = transcript("u1 t1+t2+t3 r1 r2 r3 a1")
    once, twice = index_of(data), index_of(data + data)
    assert twice.tools.all(twice.joins) == once.tools.all(once.joins)
    assert twice.usage.total(range(9)) == once.usage.total(range(9))
    for joins in (twice.joins, once.joins):
        assert [joins.rows_of(number) for number in range(2)] == [[1, 2, 3], [7]]
        assert len(joins.message_ids) == 2


# --- parents -----------------------------------------------------------------------------------


def test_parents_may_come_late() -> None:
    index = index_of(transcript("| a1 u2 a2") + transcript("u1 a1"))
    assert parents(index) == [3, 0, ROOT, 2]
    assert index.nodes.missing == {}
    assert list(index.nodes.children(3)) == [0]


@pytest.mark.parametrize("text", ["| gone u1", "| gone u1 | gone a1"])
def test_parents_may_be_missing(text: str) -> None:
    nodes = index_of(transcript(text)).nodes
    assert set(nodes.parent) == {MISSING}
    assert set(nodes.missing.values()) == {uuid("gone")}


def test_a_row_without_uuid_is_no_node() -> None:
    index = index_of(line(**{**row("u1", None, 0), "uuid": None}) + A)
    assert (parents(index), index.nodes.missing) == ([NO_PARENT, MISSING], {1: uuid("u1")})


def test_thousands_of_rows_find_their_parents() -> None:
    text = " ".join(f"u{n}" for n in range(3000))
    index = index_of(transcript(text) + transcript("| u7 a1 | u2999 a2 | u0 a3"))
    assert parents(index) == [ROOT, *range(2999), 7, 2999, 0]


# --- odd uuids ---------------------------------------------------------------------------------

ODD = [
    "u1",
    "",
    "0" * 36,
    "00000000-0000-0000-0000-000000000000",
    "ABCDEF00-0000-4000-8000-000000000000",
    "abcdef000000-4000-8000-0000-00000000",
    "abcdef00-0000-4000-8000-00000000000g",
    "abcdef00-0000-4000-8000-0000000000001",
    "läden 🙂",
    "x" * 10_000,
]


@pytest.mark.parametrize("odd", ODD)
def test_any_text_may_be_a_uuid(odd: str) -> None:
    first = line(**{**row("u1", None, 0), "uuid": odd})
    child = line(**{**row("a1", None, 10), "parentUuid": odd})
    for data, above in ((first + child, [ROOT, 0]), (child + first, [1, ROOT])):
        nodes = index_of(data).nodes
        assert list(nodes.parent) == above
        assert nodes.uuid(above.index(ROOT)) == odd
        assert nodes.find(odd) == above.index(ROOT)


def test_uuids_that_differ_in_case_are_two() -> None:
    lower, upper = "abcdef00-0000-4000-8000-000000000000", "ABCDEF00-0000-4000-8000-000000000000"
    rows = [line(**{**row("u1", None, 0), "uuid": text}) for text in (lower, upper)]
    nodes = index_of(b"".join(rows)).nodes
    assert (nodes.find(lower), nodes.find(upper), nodes.first_of) == (0, 1, {})


# --- strangers ---------------------------------------------------------------------------------


def test_unknown_types_are_counted_with_the_versions_they_came_from() -> None:
    data = (
        transcript("u1 x1", version="2.9.1")
        + transcript("| x1 x2", version="2.9.2")
        + line(type="hologram", uuid=uuid("x3"))
        + line(type="new-state")
        + line(notype=1)
    )
    assert index_of(data).unknown_types == {
        "hologram": UnknownType(3, {"2.9.1", "2.9.2"}),
        "new-state": UnknownType(1, {"2.9.2"}),
        "": UnknownType(1, {"2.9.2"}),
    }


def test_unknown_types_are_links_but_a_gap_for_the_client() -> None:
    index = index_of(transcript("u1 x1 a1"))
    assert parents(index) == [ROOT, 0, 1]
    resumed = resume(index)
    assert resumed.names(resumed.sent()) == "a1"
    assert [(r.kind, r.row) for r in resumed.request.repairs] == [("cutAtGap", 2)]


def test_rows_of_other_sessions_are_marked() -> None:
    foreign = {"sessionId": OTHER}
    data = transcript("u1 a1 u2", fields={"a1": foreign}) + line(type="mode", sessionId=OTHER)
    index = index_of(data)
    assert [index.nodes.has(row, Flag.FOREIGN) for row in range(4)] == [False, True, False, False]
    assert index.summary.foreign_sessions == {OTHER}
    assert index_of(data, None).summary.foreign_sessions == set()
    assert index_of(data, OTHER).summary.foreign_sessions == {SESSION}


# --- times -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("1970-01-01T00:00:00.000Z", 0),
        ("1970-01-01T00:00:01.234Z", 1234),
        ("1970-01-01T00:00:01.234567Z", 1235),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1970-01-01T00:00:02", 2000),
        ("1969-12-31T23:59:59.999Z", -1),
        ("not a time", NO_TIME),
        ("1788253200000", NO_TIME),
        ("9999-99-99T00:00:00Z", NO_TIME),
        ("", NO_TIME),
        (None, NO_TIME),
    ],
)
def test_times(text: Any, time: int) -> None:
    assert milliseconds(text) == time
