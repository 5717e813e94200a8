"""What calls did to files, as the records with the call and with the result say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from forkpoint.records.edits import (
    Edit,
    Replacement,
    apply_edit,
    edit_in,
    original_in,
    shell_command_in,
)
from tests.builders import assistant, call_block, line
from tests.fixture_paths import REAL


def call(**call_input: Any) -> bytes:
    return line(**assistant("t1", call_block("1", "Edit", **call_input)))


def replacing(*replacements: tuple[str, str] | tuple[str, str, bool]) -> Edit:
    return Edit("a", None, tuple(Replacement(*each[:2], len(each) > 2) for each in replacements))


@pytest.mark.parametrize(
    ("call_input", "edit"),
    [
        ({"file_path": "/a", "content": "x"}, Edit("/a", "x", ())),
        ({"file_path": "/a", "content": ""}, Edit("/a", "", ())),
        (
            {"file_path": "a", "old_string": "x", "new_string": "y"},
            replacing(("x", "y")),
        ),
        (
            {"file_path": "a", "old_string": "x", "new_string": "", "replace_all": True},
            replacing(("x", "", True)),
        ),
        (
            {"file_path": "a", "old_string": "x", "new_string": "y", "replace_all": "yes"},
            replacing(("x", "y")),
        ),
        (
            {
                "file_path": "a",
                "edits": [
                    {"old_string": "x", "new_string": "y"},
                    {"old_string": "y", "new_string": "z", "replace_all": True},
                ],
            },
            replacing(("x", "y"), ("y", "z", True)),
        ),
        # What is not known to say all of an edit says nothing.
        ({"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}, {}]}, None),
        ({"file_path": "a", "edits": [5]}, None),
        ({"file_path": "a", "edits": []}, None),
        ({"file_path": "a", "old_string": "x"}, None),
        ({"file_path": "a", "old_string": 1, "new_string": "y"}, None),
        ({"file_path": "a", "content": ["x"]}, None),
        ({"file_path": 5, "content": "x"}, None),
        ({"notebook_path": "a.ipynb", "new_source": "x"}, None),
        ({}, None),
    ],
)
def test_an_edit(call_input: dict[str, Any], edit: Edit | None) -> None:
    assert edit_in(call(**call_input), "call_1") == edit


def test_the_call_is_found_by_its_id() -> None:
    blocks = [call_block(n, "Write", file_path="a", content=n) for n in ("1", "2")]
    data = line(**assistant("t1", {"type": "text", "text": "x"}, *blocks))
    assert edit_in(data, "call_2") == Edit("a", "2", ())
    assert edit_in(data, "call_3") is None


@pytest.mark.parametrize(
    ("call_input", "command"),
    [({"command": "ls"}, "ls"), ({"command": ["ls"]}, None), ({}, None)],
)
def test_a_shell_command(call_input: dict[str, Any], command: str | None) -> None:
    assert shell_command_in(call(**call_input), "call_1") == command


@pytest.mark.parametrize(
    ("result", "original"),
    [
        ({"originalFile": "x\n"}, "x\n"),
        ({"originalFile": ""}, ""),
        ({"originalFile": None, "type": "create"}, None),
        # MultiEdit of the clients that have it (seen in 1.0.98 and 1.0.108).
        ({"originalFileContents": "x\n"}, "x\n"),
        ({"originalFile": 5}, None),
        ({}, None),
        ("Error: no such file", None),
        ([{"originalFile": "x"}], None),
        (None, None),
    ],
)
def test_the_text_before_an_edit(result: Any, original: str | None) -> None:
    assert original_in(line(type="user", toolUseResult=result)) == original


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"message":5}'])
def test_lines_that_are_no_records(data: bytes) -> None:
    assert edit_in(data, "call_1") is None
    assert shell_command_in(data, "call_1") is None
    assert original_in(data) is None


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    [
        # What the real client made of these (2.1.332): deleted text takes its line's end along.
        (replacing(("two", "")), "one\ntwo\nthree\n", "one\nthree\n"),
        (replacing((" two", "")), "one two three\nfour\n", "one three\nfour\n"),
        (replacing(("x", "", True)), "x\ny\nx\ny\n", "y\ny\n"),
        (replacing(("last", "")), "last", ""),
        (Edit("a", "new\n", ()), "old\n", "new\n"),
        (Edit("a", "new\n", ()), None, "new\n"),
        (replacing(("x", "y")), "axbx", "aybx"),
        (replacing(("x", "y", True)), "axbx", "ayby"),
        (replacing(("x", "")), "axb", "ab"),
        (replacing(("x", "y"), ("yb", "z")), "axb", "az"),
        (replacing(("x", "y"), ("x", "z")), "axb", None),
        (replacing(("x", "y")), "ab", None),
        (replacing(("x", "y")), None, None),
        # An edit of nothing is one of a file that is empty or not there.
        (replacing(("", "y")), "", "y"),
        (replacing(("", "y")), None, "y"),
        (replacing(("", "y")), "a", None),
        (replacing(("", "xy"), ("x", "z")), None, "zy"),
        # A replacement is no pattern.
        (replacing((".", "\\1")), "a.b", "a\\1b"),
    ],
)
def test_the_text_after_an_edit(edit: Edit, before: str | None, after: str | None) -> None:
    assert apply_edit(edit, before) == after


# --- recorded truth ----------------------------------------------------------------------------


class Recorded(NamedTuple):
    """An edit that the client made, with its own account of it."""

    call_id: str
    call: bytes
    result: bytes
    patch: list[Any]


def recorded() -> Iterator[Any]:
    for path in sorted(REAL.glob("*/projects/*/*.jsonl")):
        calls: dict[str, bytes] = {}
        for data in path.read_bytes().splitlines():
            row = json.loads(data) if b'"tool_' in data and data.endswith(b"}") else {}
            for block in row.get("message", {}).get("content") or ():
                if block.get("type") == "tool_use":
                    calls[block["id"]] = data
                if block.get("type") == "tool_result" and "structuredPatch" in data.decode():
                    call_id, patch = block["tool_use_id"], row["toolUseResult"]["structuredPatch"]
                    one = Recorded(call_id, calls[call_id], data, patch)
                    yield pytest.param(one, id=f"{path.parts[-4]}-{path.stem[:4]}-{call_id}")


def patched(before: str, patch: list[Any]) -> list[str]:
    """The lines that the client's account gives."""
    lines, at, after = before.splitlines(), 0, list[str]()
    for hunk in patch:
        after += lines[at : hunk["oldStart"] - 1]
        after += [text[1:] for text in hunk["lines"] if text[0] in " +"]
        at = hunk["oldStart"] - 1 + hunk["oldLines"]
    return after + lines[at:]


def test_there_are_as_many_as_were_recorded() -> None:
    assert len(list(recorded())) == 121


@pytest.mark.parametrize("one", list(recorded()))
def test_the_client_made_the_same(one: Recorded) -> None:
    edit, before = edit_in(one.call, one.call_id), original_in(one.result)
    assert edit is not None
    after = apply_edit(edit, before)
    assert after is not None
    if before is None:
        assert (edit.content, one.patch) == (after, [])
    else:
        assert after.splitlines() == patched(before, one.patch)
