"""Outputs of commands as releases of Codex write them: all that was printed, or nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from forkpoint.records.codex import Item, decode_item
from forkpoint.records.plain_output import plain_output

TEXT = "a\nb\n"


def plain(output: Any, **more: Any) -> str | None:
    payload = {"type": "function_call_output", "call_id": "call_1", "output": output, **more}
    item = decode_item(json.dumps({"type": "response_item", "payload": payload}).encode())[0].value
    assert isinstance(item, Item)
    return plain_output(item.says)


def told(text: str, code: Any = 0) -> str:
    return json.dumps({"output": text, "metadata": {"exit_code": code, "duration_seconds": 0.1}})


def ended(text: str, code: int = 0, more: str = "") -> str:
    return f"Exit code: {code}\nWall time: 0.1 seconds\n{more}Output:\n{text}"


def session(text: str, code: int = 0, tokens: int | None = None, chunk: bool = True) -> str:
    head = "Chunk ID: abc123\n" if chunk else ""
    count = "" if tokens is None else f"Original token count: {tokens}\n"
    return (
        f"{head}Wall time: 0.0512 seconds\nProcess exited with code {code}\n{count}Output:\n{text}"
    )


@pytest.mark.parametrize(
    "output",
    [
        told(TEXT),
        ended(TEXT),
        session(TEXT),
        session(TEXT, chunk=False),
        session(TEXT, tokens=1),
        {"content": told(TEXT), "success": True},
        [{"type": "input_text", "text": session(TEXT)}],
    ],
)
def test_all_that_was_printed(output: Any) -> None:
    assert plain(output) == TEXT


def test_nothing_was_printed() -> None:
    outputs = (told(""), ended(""), session("", tokens=0))
    assert [plain(output) for output in outputs] == ["", "", ""]


def test_a_carriage_return_is_the_files_own_where_no_terminal_was() -> None:
    assert plain(ended("a\r\n")) == "a\r\n"
    assert plain(session("a\r\n")) is None


@pytest.mark.parametrize(
    "output",
    [
        None,
        7,
        "",
        TEXT,
        "[REDACTED_OUTPUT len=5030 sha=28c2f7e1]",
        told(TEXT, 1),
        told(TEXT, None),
        json.dumps({"output": TEXT}),
        json.dumps({"output": None, "metadata": {"exit_code": 0}}),
        ended(TEXT, 1),
        ended(TEXT, more="Total output lines: 900\n"),
        session(TEXT, 1),
        session(TEXT, tokens=7),
        "Chunk ID: abc123\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\na\n",
        ended("a\n[... omitted 12 of 300 lines ...]\n\nb\n"),
        ended("a\n[... removed 12 bytes to fit 10240 byte limit ...]\n\nb\n"),
        ended("a\n[... output truncated to fit 10240 bytes ...]\n\nb\n"),
        told("Total output lines: 300\n\na\n"),
        told("a\n\n[Output truncated after 256 lines: too many lines or bytes.]"),
        ended("a…120 tokens truncated…b\n"),
        ended("a\n…120 chars truncated…b\n"),
        ended("a[…12 tokens truncated…]b"),
        ended("Warning: truncated output (original token count: 9)\nTotal output lines: 9\n\na\n"),
        ended("not UTF-8: \ufffd\n"),
        told("x\n" * 256),
        told("x" * 10_240),
        ended("x" * 1024 * 1024),
        {"content": told(TEXT), "success": False},
        {"content": 7},
        [{"type": "input_text", "text": ended("a")}, {"type": "input_text", "text": "b"}],
        [],
    ],
)
def test_what_is_not_certainly_all(output: Any) -> None:
    assert plain(output) is None


def test_a_result_that_the_client_calls_failed() -> None:
    assert plain(ended(TEXT), success=False) is None
