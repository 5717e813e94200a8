"""What changes at each border between releases (format.md sections 5 to 8 say which were run)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from forkpoint.client_rules import TABLE, parse_version, rules_for
from forkpoint.records.record import Kind
from tests.builders import index_of, kept, line, resume, row, transcript


class Border(NamedTuple):
    """Two releases, a file, and the user, assistant and system rows that each sends of it."""

    older: str
    newer: str
    data: bytes
    sent_by_older: str
    sent_by_newer: str


def again(name: str, parent: str, seconds: float) -> bytes:
    """A row's line once more, with the time that it had."""
    return line(**row(name, parent, seconds))


REWIND = "u1 a1 u2 a2 | a1 u3 a3"
LOCAL_COMMAND = {"type": "system", "subtype": "local_command", "content": "<command-name>/cost"}
LISTED_ONLY = {
    "compactMetadata": {
        "preservedMessages": kept("c1", "a1")["compactMetadata"]["preservedMessages"]
    }
}

BORDERS = {
    "gaps are bridged": Border(
        "2.0.76",
        "2.1.100",
        transcript("u1 a1 | gone u2 a2", times={"a1": 15}),
        "u2 a2",
        "u1 a1 u2 a2",
    ),
    "parallel calls are recovered": Border(
        "2.0.76",
        "2.1.100",
        transcript("u1 t1+t2 r1 r2 | r1 a1"),
        "u1 t1 r1 a1",
        "u1 t1 t2 r2 r1 a1",
    ),
    "progress links": Border("2.0.76", "2.1.100", transcript("u1 p1 a1"), "a1", "u1 a1"),
    "local commands are sent": Border(
        "2.0.76",
        "2.1.100",
        transcript("u1 a1 s1", fields={"s1": LOCAL_COMMAND}),
        "u1 a1",
        "u1 a1 s1",
    ),
    "file order instead of time": Border(
        "2.1.100",
        "2.1.101",
        transcript(REWIND, times={"u3": 21, "a3": 22}),
        "u1 a1 u2 a2",
        "u1 a1 u3 a3",
    ),
    "a boundary alone falls back": Border(
        "2.1.100", "2.1.112", transcript("u1 a1 b1"), "", "u1 a1"
    ),
    "a null line ends the file no more": Border(
        "2.1.100",
        "2.1.120",
        transcript("u1 a1") + b"null\n" + transcript("| a1 u2"),
        "u1 a1",
        "u1 a1 u2",
    ),
    "a repeated uuid is the last row": Border(
        "2.1.114",
        "2.1.116",
        transcript("u1 a1 u2 a2") + again("a1", "u1", 10),
        "u1 a1 u2 a2",
        "u1 a1",
    ),
    "pointers are obeyed": Border(
        "2.1.119", "2.1.120", transcript("u1 a1 u2 a2 >a2 | a1 u3 a3"), "u1 a1 u3 a3", "u1 a1 u2 a2"
    ),
    "kept rows are read from the list": Border(
        "2.1.140",
        "2.1.141",
        transcript("u1 a1 b1 c1 | a1 u2 a2", fields={"b1": LISTED_ONLY}),
        "u1 a1 u2 a2",
        "c1 a1 u2 a2",
    ),
    "what hangs on a pruned row hangs on the kept ones": Border(
        "2.1.148",
        "2.1.150",
        transcript("u1 a1 u2 a2 b1 c1 u3 a3 | a1 u4 a4", fields={"b1": kept("c1", "a2")}),
        "u4 a4",
        "c1 a2 u4 a4",
    ),
    "an explicit null empties": Border(
        "2.1.190", "2.1.191", transcript("u1 a1 >>null"), "u1 a1", ""
    ),
    "without a pointer line newer rows below the last win": Border(
        "2.1.257",
        "2.1.258",
        transcript(REWIND) + again("u2", "a1", 20),
        "u1 a1 u2",
        "u1 a1 u2 a2",
    ),
    "results in file order": Border(
        "2.1.258",
        "2.1.263",
        transcript("u1 t1+t2 r1 r2 | r1 a1"),
        "u1 t1 t2 r2 r1 a1",
        "u1 t1 t2 r1 r2 a1",
    ),
    "commands for display are not sent": Border(
        "2.1.263",
        "2.1.332",
        transcript("u1 a1 s1", fields={"s1": {**LOCAL_COMMAND, "isDisplayOnly": True}}),
        "u1 a1 s1",
        "u1 a1",
    ),
    "open calls are answered instead of dropped": Border(
        "2.1.280", "2.1.281", transcript("u1 a1 u2 t1"), "u1 a1 u2", "u1 a1 u2 t1"
    ),
    "a pointer into a batch gives way": Border(
        "2.1.285",
        "2.1.286",
        transcript("u1 t1+t2 r1 r2 a1 >r1"),
        "u1 t1 t2 r1 r2",
        "u1 t1 t2 r1 r2 a1",
    ),
    "a pointer to a split answer gives way": Border(
        "2.1.300",
        "2.1.326",
        transcript("u1 a1 s1 | a1 a2 | s1 u2 >a2", fields={"a2": {"message": {"id": "msg_a1"}}}),
        "u1 a1 a2",
        "u1 a1 a2 u2",
    ),
}


@pytest.mark.parametrize("border", BORDERS.values(), ids=BORDERS)
def test_border(border: Border) -> None:
    sent = {}
    for version in (border.older, border.newer):
        resumed = resume(index_of(border.data), version)
        sent[version] = resumed.names(resumed.sent(Kind.USER, Kind.ASSISTANT, Kind.SYSTEM))
    assert sent == {border.older: border.sent_by_older, border.newer: border.sent_by_newer}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("2.1.119", "2.1.120"),
        ("2.1.140", "2.1.141"),
        ("2.1.149", "2.1.150"),
        ("2.1.190", "2.1.191"),
        ("2.1.257", "2.1.258"),
        ("2.1.280", "2.1.281"),
        ("2.1.285", "2.1.286"),
    ],
)
def test_neighbours_on_both_sides_of_a_border_differ(older: str, newer: str) -> None:
    assert rules_for(older).since < rules_for(newer).since == parse_version(newer)


def test_the_table_goes_from_the_newest_to_the_oldest() -> None:
    since = [rules.since for rules in TABLE]
    assert since == sorted(set(since), reverse=True)
    assert since[-1] == (0, 0, 0)


@pytest.mark.parametrize("version", [None, "", "nightly", "2.1", "99.0.0", "2.1.332", "2.1.326"])
def test_an_unknown_version_counts_as_the_newest(version: str | None) -> None:
    assert rules_for(version) is TABLE[0]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("2.1.332", (2, 1, 332)),
        ("1.0.128 (Claude Code)", (1, 0, 128)),
        ("2.1.332-beta.1", (2, 1, 332)),
        ("v2.1.332", None),
        ("2.1", None),
        ("2.1." + "9" * 5000, (2, 1, 999_999_999)),
        (None, None),
    ],
)
def test_parse_version(text: str | None, version: Any) -> None:
    assert parse_version(text) == version
