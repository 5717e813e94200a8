"""The leaf where pointers, kept rows and times disagree: format.md, section 6.1, line by line."""

from __future__ import annotations

import pytest

from tests.builders import Fields, Resume, index_of, kept, resume, transcript, uuid


def leaf_of(
    text: str, fields: dict[str, Fields] | None = None, times: dict[str, float] | None = None
) -> tuple[str | None, str, str | None]:
    """Its name, the rule, and the uuid that the pointer names."""
    resumed: Resume = resume(index_of(transcript(text, fields=fields, times=times)))
    row, rule, pointer = resumed.leaf.row, resumed.leaf.rule, resumed.leaf.pointer
    return (None if row is None else resumed.names([row])), rule, pointer


# --- kept rows are in force ----------------------------------------------------------------------

KEPT = {"b1": kept("c1", "a1")}
"""The compaction keeps a1: what is written behind the summary hangs on it."""
ONE_END = "u1 a1 b1 c1 u2 a2"
TWO_ENDS = f"{ONE_END} | a1 u3 a3"


@pytest.mark.parametrize(
    ("text", "leaf", "rule", "pointer"),
    [
        (ONE_END, "a2", "lastRecord", None),
        (f"{ONE_END} >a2", "a2", "pointer", "a2"),
        (f"{ONE_END} >u2", "a2", "pointerDescendant", "u2"),
        (f"{ONE_END} >gone", "a2", "lastRecord", "gone"),
        # It is the end, whatever comes late above it.
        (f"{ONE_END} | u2 s1", "a2", "lastRecord", None),
        # Of several, the last row's, unless a pointer names another.
        (TWO_ENDS, "a3", "lastRecord", None),
        (f"{TWO_ENDS} >a2", "a2", "pointer", "a2"),
        (f"{TWO_ENDS} >u2", "a3", "lastRecord", "u2"),
        (f"{ONE_END} s1 | a1 u3 a3 >s1", "a3", "lastRecord", "s1"),
        (f"{TWO_ENDS} >gone", "a3", "lastRecord", "gone"),
        # A late row counts as the last one.
        (f"{TWO_ENDS} | a2 s1", "a2", "lastRecord", None),
        # One on purpose is obeyed, where it is.
        (f"{TWO_ENDS} >>u2", "u2", "explicitPointer", "u2"),
    ],
)
def test_an_end_is_chosen(text: str, leaf: str, rule: str, pointer: str | None) -> None:
    assert leaf_of(text, KEPT) == (leaf, rule, uuid(pointer))


@pytest.mark.parametrize(("newest", "leaf"), [("a2", "a2"), ("a3", "a3")])
def test_the_newest_end_is_chosen_below_no_talk(newest: str, leaf: str) -> None:
    found = leaf_of(f"{TWO_ENDS} | - s1 >gone", KEPT, {newest: 1000})
    assert found == (leaf, "lastRecord", uuid("gone"))


def test_there_is_no_leaf_where_no_talk_was_kept() -> None:
    fields = {"b1": kept("b1", "s1")}
    assert leaf_of("u1 a1 s1 b1 >gone", fields) == (None, "lastRecord", uuid("gone"))


@pytest.mark.parametrize(
    ("text", "fields", "leaf", "rule"),
    [
        # A pointer into a parallel batch, or to the end of a split answer, gives way here, too ...
        ("u1 a1 b1 c1 u2 t1+t2 r1 r2 a3 >r1", {}, "a3", "lastRecord"),
        ("u1 a1 b1 c1 u2 a2 s1 | a2 a3 | s1 u3 >a3", {"msg_a2": ["a3"]}, "u3", "lastRecord"),
        # ... not if it was ever set on purpose, nor without a reason.
        ("u1 a1 b1 c1 u2 t1+t2 r1 >>r1 r2 a3 >r1", {}, "r1", "pointer"),
        ("u1 a1 b1 c1 u2 a2 s1 | a2 a3 | s1 u3 >a3", {}, "a3", "pointer"),
    ],
)
def test_a_pointer_to_an_end_gives_way(
    text: str, fields: dict[str, list[str]], leaf: str, rule: str
) -> None:
    found = leaf_of(text, {**KEPT, **_of_one_response(fields)})
    assert found[:2] == (leaf, rule)


# --- a pointer into one response -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "response", "leaf"),
    [
        # The call may be the first row of a file.
        ("t1+t2 r1 r2 a1 >r1", [], "a1"),
        # It is the answer's end that gives way, however many rows the answer has ...
        ("u1 a1 s1 | a1 a2 a3 | s1 u2 >a3", ["a2", "a3"], "u2"),
        ("u1 a1 a2 s1 | a2 a3 | s1 u2 >a3", ["a2", "a3"], "u2"),
        ("u1 a1 | u1 s1 | u1 a2 | s1 u2 >a2", ["a2"], "u2"),
        ("u1 a1 | u1 s1 | u1 a2 | s1 u2 >a1", ["a2"], "a1"),
        # ... to what hangs on a row between them that is no talk.
        ("u1 s9 a1 s1 | a1 a2 | s9 u2 >a2", ["a2"], "a2"),
        ("u1 a1 | u1 u9 | a1 a2 | u9 a9 >a2", ["a2"], "a2"),
    ],
)
def test_a_plain_pointer_gives_way(text: str, response: list[str], leaf: str) -> None:
    found = leaf_of(text, _of_one_response({"msg_a1": response}))
    assert found[0] == leaf


# --- no pointer line -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "times", "leaf"),
    [
        # The last row of the file, though others are newer, ...
        ("u1 a1 u2 a2 | a1 s1", {"s1": 5}, "a1"),
        # ... but the newest below it, if there is one, ...
        ("| a1 u2 a2 u3 a3 | - u1 a1", {"a2": 5000}, "a2"),
        ("| a1 u2 a2 u3 a3 | - u1 a1", {"a2": 5000, "a3": 5000}, "a3"),
        # ... unless it is the newest itself: a subagent's rows are no part of the conversation.
        ("| a1 u2 a2 | - u1 a1 k1", {}, "a1"),
    ],
)
def test_the_last_row_or_the_newest_below_it(text: str, times: dict[str, float], leaf: str) -> None:
    assert leaf_of(text, times=times) == (leaf, "lastRecord", None)


def _of_one_response(members: dict[str, list[str]]) -> dict[str, Fields]:
    return {name: {"message": {"id": key}} for key, names in members.items() for name in names}
