"""What a file held before and after an edit, as call and result tell."""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.records.edits import Edit, Replacement
from forkpoint.records.outcomes import (
    Hunk,
    Outcome,
    PartRead,
    new_cell_in,
    outcome_in,
    part_read_in,
    wanted_lines_in,
)
from tests.builders import Fields, assistant, call_block, line, result_block, user
from tests.e2e.recordings import rows, transcripts
from tests.fixture_paths import REAL

PATCH = [
    {"oldStart": 3, "oldLines": 2, "newStart": 3, "newLines": 2, "lines": [" a", "-b", "+B"]},
    {"oldStart": 9, "newStart": 9, "lines": ["+x", "\\ No newline at end of file"]},
]
HUNKS = (Hunk(2, ("a", "b"), ("a", "B")), Hunk(8, (), ("x",)))


def call(tool: str = "Edit", **call_input: Any) -> bytes:
    return line(**assistant("t1", call_block("1", tool, **call_input)))


def result(told: object) -> bytes:
    message = user("")["message"] | {"content": [result_block("1")]}
    return line(type="user", message=message, toolUseResult=told)


def replaced(old: str, new: str, *, everywhere: bool = False) -> Edit:
    return Edit("/f", None, (Replacement(old, new, everywhere),))


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (
            {"filePath": "/f", "oldString": "b", "newString": "B", "originalFile": "a\nb\n",
             "structuredPatch": PATCH, "replaceAll": False},
            Outcome("a\nb\n", "a\nB\n", replaced("b", "B"), HUNKS),
        ),
        (
            {"filePath": "/f", "oldString": "b", "newString": "B", "originalFile": "b b",
             "replaceAll": True},
            Outcome("b b", "B B", replaced("b", "B", everywhere=True), ()),
        ),
        (
            {"filePath": "/f", "oldString": "b", "newString": "B", "originalFile": None},
            Outcome(None, None, replaced("b", "B"), ()),
        ),
        (
            {"filePath": "/f", "originalFileContents": "a b", "edits": [
                {"old_string": "a", "new_string": "x", "replace_all": False},
                {"old_string": "x b", "new_string": "y"}]},
            Outcome("a b", "y", Edit("/f", None, (Replacement("a", "x", everywhere=False),
                                                  Replacement("x b", "y", everywhere=False))), ()),
        ),
        (
            {"type": "create", "filePath": "/f", "content": "a\n", "structuredPatch": []},
            Outcome("", "a\n", Edit("/f", "a\n", ()), ()),
        ),
        (
            {"type": "update", "filePath": "/f", "content": "a\n", "originalFile": "b\n"},
            Outcome("b\n", "a\n", Edit("/f", "a\n", ()), ()),
        ),
        (
            {"type": "update", "filePath": "/f", "content": "a\n"},
            Outcome(None, "a\n", Edit("/f", "a\n", ()), ()),
        ),
        (
            {"notebook_path": "/f", "original_file": "{}", "updated_file": "{ }"},
            Outcome("{}", "{ }", None, ()),
        ),
    ],
    ids=["Edit", "everywhere", "large", "MultiEdit", "created", "updated", "unknown", "notebook"],
)  # fmt: skip
def test_what_a_result_tells(told: Fields, expected: Outcome) -> None:
    assert outcome_in(call(), result(told), "call_1") == expected


@pytest.mark.parametrize("told", [None, "ok", [], {}, {"filePath": 5, "structuredPatch": [None]}])
def test_the_call_tells_what_the_result_does_not(told: object) -> None:
    made = call(file_path="/f", old_string="b", new_string="B")
    assert outcome_in(made, result(told), "call_1") == Outcome(None, None, replaced("b", "B"), ())
    assert outcome_in(b"", b"", "call_1") == Outcome(None, None, None, ())


def test_what_was_really_replaced_counts() -> None:
    """The client mends quotes of the call."""
    made = call(file_path="/f", old_string='"b"', new_string="B")
    told = {"filePath": "/f", "oldString": "“b”", "newString": "B", "originalFile": "“b”"}
    assert outcome_in(made, result(told), "call_1").after == "B"


def test_what_was_read() -> None:
    file = {"content": "b\nc", "startLine": 2, "numLines": 2, "totalLines": 9}
    assert part_read_in(result({"type": "text", "file": file})) == PartRead(1, "b\nc")
    assert part_read_in(result({"type": "image", "file": {"base64": ""}})) is None
    assert part_read_in(result("Error")) is None


@pytest.mark.parametrize(
    ("call_input", "wanted"),
    [
        ({}, None),
        ({"offset": 5}, (4, None)),
        ({"offset": 5, "limit": 2}, (4, 2)),
        ({"limit": 2}, (0, 2)),
        ({"offset": 0, "limit": 0}, (0, 1)),
        ({"offset": "5"}, None),
    ],
)
def test_what_was_wanted(call_input: Fields, wanted: tuple[int, int | None] | None) -> None:
    made = call("Read", file_path="/f", **call_input)
    assert wanted_lines_in(made, "call_1") == wanted


def test_a_cell() -> None:
    made = call("NotebookEdit", notebook_path="/f", new_source="x = 1")
    assert new_cell_in(made, "call_1") == "x = 1"
    assert new_cell_in(made, "call_2") is None


EDITED = [
    (transcript.path, row)
    for home in sorted(REAL.iterdir())
    for transcript in transcripts(home)
    for row in rows(transcript.path)
    if isinstance(row.get("toolUseResult"), dict) and row["toolUseResult"].get("structuredPatch")
]


def test_what_recorded_edits_made_is_what_their_patches_say() -> None:
    """The patch is the client's own: its old lines stand in the text before, its new ones after."""
    assert len(EDITED) > 50
    for _, row in EDITED:
        made = outcome_in(b"", line(**row), "")
        before, after = (made.before or "").split("\n"), (made.after or "").split("\n")
        for hunk in made.hunks:
            assert tuple(after[hunk.start :][: len(hunk.new)]) == hunk.new
        for told, hunk in zip(row["toolUseResult"]["structuredPatch"], made.hunks, strict=True):
            assert tuple(before[told["oldStart"] - 1 :][: len(hunk.old)]) == hunk.old
