"""What a tool call does, in one line.

Input fields as the tools of clients 1.0.128 to 2.1.332 have them.
"""

from __future__ import annotations

from typing import cast

from forkpoint.records.as_told import fields_of, list_of
from forkpoint.records.blocks import TEXT_LIMIT, ToolUse
from forkpoint.records.compact_json import compact_json, without_bytes
from forkpoint.records.words import one_line

_TELLING = {
    "Bash": "command",
    "Read": "file_path",
    "Edit": "file_path",
    "MultiEdit": "file_path",
    "Write": "file_path",
    "NotebookEdit": "notebook_path",
    "Grep": "pattern",
    "Glob": "pattern",
    "Agent": "description",
    "Task": "description",
    "WebFetch": "url",
    "WebSearch": "query",
}
"""The input field that tells most about a call of this tool."""

_FILE_FIELDS = ("file_path", "notebook_path")


def tool_use(call_id: str, name: str, call_input: object, limit: int = TEXT_LIMIT) -> ToolUse:
    """Build the block of a call from its parsed input."""
    fields = fields_of(without_bytes(call_input))
    files = [fields.get(field) for field in _FILE_FIELDS]
    text = compact_json(call_input)
    return ToolUse(
        call_id=call_id,
        name=name,
        file=next((file for file in files if isinstance(file, str) and file), None),
        summary=one_line(_telling(name, fields) or (text if call_input else "")),
        input_text=text[:limit],
    )


def _telling(name: str, fields: dict[str, object]) -> str | None:
    todos = fields.get("todos")
    if name == "TodoWrite" and isinstance(todos, list):
        count = len(cast("list[object]", todos))
        return "1 todo" if count == 1 else f"{count} todos"
    told = fields.get(_TELLING.get(name, "")) or _first_question(fields)
    texts = [told, *fields.values()]
    return next((text for text in texts if isinstance(text, str) and text.strip()), None)


def _first_question(fields: dict[str, object]) -> object:
    """What `AskUserQuestion` asks first (2.1.332)."""
    asked = list_of(fields.get("questions"))
    return next((fields_of(each).get("question") for each in asked), None)


def call_label(call: ToolUse) -> str:
    """Name a call as people do: "Edit cart.py", "Bash: npm test"."""
    if call.file is not None:
        return one_line(f"{call.name} {base_name(call.file)}")
    return one_line(f"{call.name}: {call.summary}" if call.summary else call.name)


def base_name(path: str) -> str:
    """Return the last part of a path, whichever system wrote it."""
    return path.rstrip("/\\").replace("\\", "/").rpartition("/")[2] or path
