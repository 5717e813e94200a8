"""Rows of a readable transcript, one call each, and the text that they give."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from forkpoint.passage import call_in
from forkpoint.readable import Header, Readable, readable
from forkpoint.records.blocks import ToolUse
from forkpoint.records.content import content_of
from forkpoint.records.record import Role
from forkpoint.row import Row
from forkpoint.session import Fate

NO_HEADER = Header(None, None, "s", None)
TOP = "# Untitled session\n\n- Session: s\n"


def row(
    role: Role, *content: Any, fate: Fate = "sent", at: str | None = None, model: str | None = None
) -> Row:
    """A message row; its ordinal is set when the rows are written down."""
    message = {"type": "user", "message": {"content": content}}
    return Row(0, "", role, fate, at, content_of(json.dumps(message).encode()), model)


def line(role: Role, record: dict[str, Any], fate: Fate = "sent") -> Row:
    return Row(0, "", role, fate, None, content_of(json.dumps(record).encode()))


def prompt(*content: Any, **facts: Any) -> Row:
    return row(Role.PROMPT, *content, **facts)


def response(*content: Any, **facts: Any) -> Row:
    return row(Role.RESPONSE, *content, **facts)


def use(call_id: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": fields}


def result(call_id: str, content: Any, **fields: Any) -> Row:
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content, **fields}
    return row(Role.TOOL_RESULT, block)


def thought(text: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": text}


def attachment(kind: str, fate: Fate = "sent", **fields: Any) -> Row:
    record = {"type": "attachment", "attachment": {"type": kind, **fields}}
    return line(Role.ATTACHMENT, record, fate)


def system(record: dict[str, Any], role: Role = Role.SYSTEM, fate: Fate = "notSent") -> Row:
    return line(role, {"type": "system", **record}, fate)


class ListedRows:
    """Rows as a path gives them; what it reads is counted."""

    def __init__(self, *rows: Row) -> None:
        self.rows = [
            msgspec.structs.replace(row, ordinal=at, uuid=f"u{at}") for at, row in enumerate(rows)
        ]
        self.read_rows = 0

    def __len__(self) -> int:
        return len(self.rows)

    def prompts(self, start: int, end: int) -> int:
        return sum(row.role is Role.PROMPT for row in self.rows[start:end])

    def state(self, start: int, end: int) -> list[Row]:
        return self.rows[start:end]

    def read(self, start: int, end: int) -> Sequence[Row]:
        self.read_rows += end - start
        return self.rows[start:end]

    def caller(self, call_id: str, before: int) -> tuple[int, int] | None:
        for at, row in enumerate(self.rows[:before]):
            calls = (block for block in row.body.blocks if isinstance(block, ToolUse))
            if any(call.call_id == call_id for call in calls):
                return at, hash(row.body)
        return None

    def label(self, call_id: str, row: int) -> str | None:
        return call_in(self.rows[row].body, call_id)


def write(*rows: Row, header: Header = NO_HEADER, **options: Any) -> Readable:
    return readable(header, ListedRows(*rows), **options)


def below_top(*rows: Row) -> str:
    text = write(*rows).text
    assert text.startswith(TOP)
    return text[len(TOP) :]
