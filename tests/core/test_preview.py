"""A record in one line: what a call does, what an answer says, how a result begins."""

from __future__ import annotations

import json
from typing import Any

import pytest

from forkpoint.records.blocks import BlockNote, ToolUse
from forkpoint.records.content import Body, content_of

GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": GIF}}
THOUGHT = {"type": "thinking", "thinking": "Hm\nhm"}
MARK = "<persisted-output>\nOutput too large (9KB). Full output saved to: /a/b.txt\n\nPreview:\n1"


def said(*blocks: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": blocks}}


def result(content: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": "t1", "content": content}


def use(name: str, fields: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t2", "name": name, "input": fields}


def body_of(record: Any) -> Body:
    return content_of(json.dumps(record).encode())


PATH = "/home/dev/shop/cart.py"

CALLS = [
    ("Bash", {"description": "Test", "command": "npm test\n  --all"}, None, "npm test --all"),
    ("Bash", {"description": "no command"}, None, "no command"),
    ("Bash", {"command": "x" * 300}, None, "x" * 200),
    ("Bash", "no object", None, '"no object"'),
    ("Read", {"file_path": PATH, "offset": 3}, PATH, PATH),
    ("Read", {"file_path": 5, "limit": 3}, None, '{"file_path":5,"limit":3}'),
    ("Edit", {"old_string": "a", "file_path": PATH}, PATH, PATH),
    ("MultiEdit", {"file_path": PATH, "edits": []}, PATH, PATH),
    ("Write", {"content": "x", "file_path": "C:\\a\\b.py"}, "C:\\a\\b.py", "C:\\a\\b.py"),
    ("NotebookEdit", {"notebook_path": "/a/n.ipynb"}, "/a/n.ipynb", "/a/n.ipynb"),
    ("Grep", {"path": "/a", "pattern": "x.*y"}, None, "x.*y"),
    ("Glob", {"path": "/a", "pattern": "**/*.py"}, None, "**/*.py"),
    ("Agent", {"prompt": "long", "description": "Look for tests"}, None, "Look for tests"),
    ("Task", {"prompt": "long", "description": "Look for tests"}, None, "Look for tests"),
    ("WebFetch", {"prompt": "p", "url": "https://a.b"}, None, "https://a.b"),
    ("WebSearch", {"allowed": ["x"], "query": "q"}, None, "q"),
    ("TodoWrite", {"todos": [{}, {}]}, None, "2 todos"),
    ("TodoWrite", {"todos": [{}]}, None, "1 todo"),
    ("mcp__db__run", {"n": 1, "sql": "select 1", "db": "x"}, None, "select 1"),
    ("mcp__a__b", {"n": [1]}, None, '{"n":[1]}'),
    ("mcp__a__draw", {"base64": GIF}, None, "[42 bytes]"),
    ("ExitPlanMode", {}, None, ""),
]


@pytest.mark.parametrize(("name", "fields", "file", "summary"), CALLS)
def test_what_a_call_does(name: str, fields: Any, file: str | None, summary: str):
    shown = json.dumps(fields, separators=(",", ":")).replace(GIF, "[42 bytes]")
    assert body_of(said(use(name, fields))).blocks == (ToolUse("t2", name, file, summary, shown),)


PREVIEWS = [
    (said("  two\n\n lines "), "two lines"),
    (said("x" * 500), "x" * 200),
    (said("\n" * 5000 + "late"), "late"),
    (said("<ide_opened_file>a</ide_opened_file>", "Fix it"), "Fix it"),
    (said("<system-reminder>a</system-reminder>"), "<system-reminder>a</system-reminder>"),
    (said(PICTURE), "[image]"),
    (said(PICTURE, "What is it?"), "What is it?"),
    (said("<command-name>/model</command-name>\n<command-args>opus</command-args>"), "/model opus"),
    (said("<command-message>x</command-message><command-name>/x</command-name>"), "/x"),
    (said("<bash-input>ls -l</bash-input>"), "! ls -l"),
    (said("<bash-stdout>a\nb</bash-stdout><bash-stderr>c</bash-stderr>"), "a b c"),
    (said("<local-command-stdout>Set"), "Set"),
    (said(result("\n\nfirst\nsecond")), "first"),
    (said(result("<tool_use_error>Error: no such tool</tool_use_error>")), "Error: no such tool"),
    (said(result(MARK)), "Output too large (9KB). Full output saved to: /a/b.txt"),
    (said(result([PICTURE])), "[image]"),
    (said(result("")), ""),
    (said(THOUGHT, "Sure", use("Bash", {"command": "ls"})), "Sure"),
    (said(THOUGHT, use("Bash", {"command": "npm test"})), "Bash: npm test"),
    (said(use("Edit", {"file_path": PATH})), "Edit cart.py"),
    (said(use("Write", {"file_path": "C:\\a\\b.py"})), "Write b.py"),
    (said(use("ExitPlanMode", {})), "ExitPlanMode"),
    (
        said(use("Bash", {"command": "ls"}), use("Read", {"file_path": PATH})),
        "Bash: ls, Read cart.py",
    ),
    (said(THOUGHT), "Hm hm"),
    ({"type": "attachment", "attachment": {"type": "file", "filename": "/a b"}}, "file: /a b"),
    ({"type": "attachment", "attachment": {"type": "plan_mode"}}, "plan_mode"),
    ({"type": "system", "subtype": "turn_duration", "durationMs": 5}, "turn_duration"),
    ({"type": "mode"}, "mode"),
    ({}, "{}"),
]


@pytest.mark.parametrize(("record", "preview"), PREVIEWS)
def test_previews(record: Any, preview: str):
    assert body_of(record).preview == preview


def test_a_malformed_line_previews_as_it_is():
    assert content_of(b'{"cut\n here').preview == '{"cut here'


def test_notes_name_every_block():
    record = said("a", THOUGHT, use("Bash", {}), result("b"), PICTURE, {"type": "new"})
    assert body_of(record).notes == [
        BlockNote("text", None, None),
        BlockNote("thinking", None, None),
        BlockNote("toolUse", "Bash", "t2"),
        BlockNote("toolResult", None, "t1"),
        BlockNote("image", None, None),
        BlockNote("other", "new", None),
    ]
