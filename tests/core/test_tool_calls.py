"""Calls with their outcome: who was called, on which file, and how it ended."""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.tool_calls import ToolCall, is_edit
from tests.builders import (
    Fields,
    assistant,
    call_block,
    index_of,
    result_block,
    transcript,
    user,
    uuid,
)


def calls(data: bytes) -> list[ToolCall]:
    index = index_of(data)
    return index.tools.all(index.joins)


def states(data: bytes) -> dict[str, str]:
    """The state of each call by its id."""
    index = index_of(data)
    ids = index.joins.call_ids
    return {ids[call.number]: call.state for call in index.tools.all(index.joins)}


def results(*blocks: Fields, **fields: Any) -> Fields:
    return {"message": {"content": [*blocks]}, **fields}


@pytest.mark.parametrize(
    ("text", "fields", "expected"),
    [
        ("u1 a1", {}, {}),
        ("u1 t1", {}, {"call_1": "pending"}),
        ("u1 t1 r1", {}, {"call_1": "ok"}),
        ("u1 t1+t2 r2", {}, {"call_1": "pending", "call_2": "ok"}),
        # The result may stand before its call, far behind it, or on another branch.
        ("r1 | - u1 t1", {}, {"call_1": "ok"}),
        ("u1 t1 u2 a2 u3 a3 r1", {}, {"call_1": "ok"}),
        # A result without its call is no call.
        ("u1 r1 a1", {}, {}),
        ("u1 t1 r1", {"r1": results(result_block("1", is_error=True))}, {"call_1": "error"}),
        ("u1 t1 r1", {"r1": results(result_block("1", is_error=None))}, {"call_1": "ok"}),
        (
            "u1 t1 r1",
            {"r1": results(result_block("1", is_error=True), toolDenialKind="user")},
            {"call_1": "denied"},
        ),
        ("u1 t1 i1", {}, {"call_1": "interrupted"}),
        ("u1 t1 r1 i1", {}, {"call_1": "ok"}),
        ("u1 i1 u2 t1", {}, {"call_1": "pending"}),
        (
            "u1 t1 t2 i1 t3",
            {},
            {"call_1": "interrupted", "call_2": "interrupted", "call_3": "pending"},
        ),
        # Several calls in one row, several results in one row.
        (
            "u1 t1 r1",
            {
                "t1": assistant("t1", call_block("1"), call_block("2")),
                "r1": results(result_block("1"), result_block("2", is_error=True)),
            },
            {"call_1": "ok", "call_2": "error"},
        ),
    ],
)
def test_states(text: str, fields: dict[str, Fields], expected: dict[str, str]) -> None:
    assert states(transcript(text, fields=fields)) == expected


@pytest.mark.parametrize(
    ("call_input", "file"),
    [
        ({"file_path": "/home/dev/shop/cart.py", "old_string": "a"}, "/home/dev/shop/cart.py"),
        ({"notebook_path": "C:\\shop\\a.ipynb"}, "C:\\shop\\a.ipynb"),
        ({"file_path": 5}, None),
        ({"command": 'echo "file_path"'}, None),
        ({"edits": [{"file_path": "inner.py"}]}, None),
        ({}, None),
    ],
)
def test_the_file_is_that_of_the_call(call_input: dict[str, Any], file: str | None) -> None:
    row = assistant("t1", call_block("1", "Edit", **call_input))
    [call] = calls(transcript("u1 t1", fields={"t1": row}))
    assert (call.name, call.file) == ("Edit", file)


def test_a_call_knows_its_rows() -> None:
    index = index_of(transcript("u1 t1+t2 r2 r1 a1"))
    first, second = index.tools.all(index.joins)
    assert (first.row, first.result) == (1, 4)
    assert (second.row, second.result) == (2, 3)
    assert index.nodes.uuid(first.row) == uuid("t1")
    assert index.tools.of(second.number, index.joins) == second


def test_calls_come_in_the_order_of_their_rows() -> None:
    index = index_of(transcript("r2 | - u1 t1 t2"))
    assert [*index.joins.call_ids] == ["call_2", "call_1"]
    assert [index.joins.call_ids[call.number] for call in index.tools.all(index.joins)] == [
        "call_1",
        "call_2",
    ]


@pytest.mark.parametrize(
    ("result", "agent", "in_background"),
    [
        ({"status": "completed", "agentId": "a1b2c3d"}, "a1b2c3d", False),
        ({"isAsync": True, "status": "async_launched", "agentId": "a1b2c3d"}, "a1b2c3d", True),
        ({"agentId": 5}, None, False),
        ('the text "agentId"', None, False),
        ([{"agentId": "a1b2c3d"}], None, False),
        (None, None, False),
    ],
)
def test_the_subagent_is_that_of_the_result(
    result: Any, agent: str | None, in_background: bool
) -> None:
    fields = {"r1": {"toolUseResult": result}}
    [call] = calls(transcript("u1 t1 r1", fields=fields))
    assert (call.agent_id, call.in_background) == (agent, in_background)


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("<task-id>a1b2</task-id><status>completed</status>", {"a1b2": "completed"}),
        ("<task-id>a1b2</task-id>", {"a1b2": ""}),
        ("<status>completed</status>", {}),
    ],
)
def test_a_notification_ends_a_subagent(text: str, ended: dict[str, str]) -> None:
    words = f"<task-notification>{text}</task-notification>"
    prompt = {"u2": user(words)}
    absorbed = {"q1": {"attachment": {"prompt": words}}}
    assert index_of(transcript("u1 u2", fields=prompt)).tools.ended_agents == ended
    assert index_of(transcript("u1 q1", fields=absorbed)).tools.ended_agents == ended


@pytest.mark.parametrize(
    ("tool", "text", "is_one"),
    [
        ("Edit", "u1 t1 r1", True),
        ("Write", "u1 t1 r1", True),
        ("MultiEdit", "u1 t1 r1", True),
        ("NotebookEdit", "u1 t1 r1", True),
        ("Read", "u1 t1 r1", False),
        ("Bash", "u1 t1 r1", False),
        ("Edit", "u1 t1", False),
    ],
)
def test_an_edit_has_a_good_result(tool: str, text: str, is_one: bool) -> None:
    fields = {"t1": assistant("t1", call_block("1", tool))}
    [call] = calls(transcript(text, fields=fields))
    assert is_edit(call) is is_one


def test_a_failed_edit_is_none() -> None:
    fields = {
        "t1": assistant("t1", call_block("1", "Edit")),
        "r1": results(result_block("1", is_error=True)),
    }
    [call] = calls(transcript("u1 t1 r1", fields=fields))
    assert not is_edit(call)


def test_calls_by_the_files_they_name() -> None:
    def on(tool: str, file: str, number: str) -> Fields:
        return {"message": {"content": [call_block(number, tool, file_path=file)]}}

    data = transcript(
        "u1 t1 t2 t3 t4",
        fields={
            "t1": on("Edit", "/b", "1"),
            "t2": on("Read", "/a", "2"),
            "t3": {"message": {"content": [call_block("3", "Bash", command="ls /a")]}},
            "t4": on("Write", "/a", "4"),
        },
    )
    index = index_of(data)
    assert index.tools.files() == {"/a", "/b"}
    assert [call.name for call in index.tools.on({"/a", "/c"}, index.joins)] == ["Read", "Write"]
    assert [call.row for call in index.tools.on({"/b", "/a"}, index.joins)] == [1, 2, 4]
    assert index.tools.on({"Bash"}, index.joins) == []
