"""Rows of a readable transcript, one call each, and the text that they give."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from forkpoint.passage import Row
from forkpoint.readable import Header, Readable, readable
from forkpoint.records.content import content_of
from forkpoint.records.record import Role
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


def write(*rows: Row, header: Header = NO_HEADER, **options: Any) -> Readable:
    numbered = (
        msgspec.structs.replace(row, ordinal=at, uuid=f"u{at}") for at, row in enumerate(rows)
    )
    return readable(header, numbered, **options)


def below_top(*rows: Row) -> str:
    text = write(*rows).text
    assert text.startswith(TOP)
    return text[len(TOP) :]
