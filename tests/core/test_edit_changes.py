"""How many lines an edit changed: by the result's patch, else by the texts of the call."""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.edit_changes import changes_of
from forkpoint.line_changes import Changes
from tests.builders import call_block, line

PATCH = [
    {"lines": [" a", "-b", "+c", "+d"]},
    {"lines": ["-e", " f", "\\ No newline at end of file"]},
]


def call(tool: str, **fields: Any) -> bytes:
    return line(type="assistant", message={"content": [call_block("1", tool, **fields)]})


def result(account: Any = None) -> bytes:
    return line(type="user", toolUseResult=account)


def told(kind: str, *hunks: Any) -> bytes:
    return result({"type": kind, "structuredPatch": [*hunks]})


EDIT = call("Edit", file_path="a.py", old_string="a\nb\n", new_string="a\nc\nd\n")
WRITE = call("Write", file_path="a.py", content="a\nb\n")
CHANGES = [
    ("a patch", EDIT, told("", *PATCH), Changes(2, 2)),
    ("a patch of a file written anew", WRITE, told("", *PATCH), Changes(2, 2)),
    (
        "a file that was made",
        WRITE,
        result({"type": "create", "structuredPatch": []}),
        Changes(2, 0),
    ),
    ("a file that stayed", WRITE, result({"type": "update", "structuredPatch": []}), Changes(0, 0)),
    ("no account of an edit", EDIT, result(), Changes(2, 1)),
    ("no account of a file written", WRITE, result(), None),
    ("an account in words", EDIT, result("Updated."), Changes(2, 1)),
    (
        "no account of many places",
        call("Edit", file_path="a.py", old_string="a", new_string="b", replace_all=True),
        result(),
        None,
    ),
    (
        "no account of several edits",
        call(
            "MultiEdit",
            file_path="a.py",
            edits=[
                {"old_string": "a", "new_string": "b\nc"},
                {"old_string": "d\n", "new_string": ""},
            ],
        ),
        result(),
        Changes(2, 2),
    ),
    ("another tool", call("NotebookEdit", notebook_path="a.ipynb"), result(), None),
    (
        "a patch that is none",
        EDIT,
        result({"structuredPatch": [5, {"lines": [7, "+a"]}]}),
        Changes(1, 0),
    ),
    ("no record", b"{", b"{", None),
]


@pytest.mark.parametrize(
    ("made", "answered", "changes"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES]
)
def test_changes(made: bytes, answered: bytes, changes: Changes | None) -> None:
    assert changes_of(made, "call_1", answered) == changes
