"""What lines say of how the client was set: modes, agent, worktree, folders, tools, files known.

State lines as clients 2.1.100 to 2.1.332 write them, attachments as 2.1.300 and later do (format.md
sections 4.5 and 4.7). The fields of a worktree's line are known from published files only.
"""

from __future__ import annotations

from typing import cast

from forkpoint.records.as_told import fields_of, list_of, text_of
from forkpoint.records.decode import decode_object
from forkpoint.records.words import one_line

AGENT, MODE, PERMISSION_MODE = "agent-setting", "mode", "permission-mode"
WORKTREE = "worktree-state"
_FIELDS = {AGENT: "agentSetting", MODE: "mode", PERMISSION_MODE: "permissionMode"}

SETTINGS = frozenset({*_FIELDS, WORKTREE})
"""Types of state lines; the last of its type counts."""

ENVIRONMENT, PROMPT, TOOL_CHANGES = "environment", "prompt_snapshot", "deferred_tools_delta"
TOLD_FILE = "edited_text_file"
REBUILT = "prompt_render_point"
"""From here on the recorded prompt no longer counts: the client built it anew (2.1.332)."""
ATTACHMENTS = frozenset({ENVIRONMENT, PROMPT, TOOL_CHANGES, TOLD_FILE, REBUILT})
"""Types of attachments; those on the active path count."""


def setting_in(line: bytes) -> str | None:
    """Return the one word of a line of `AGENT`, `MODE` or `PERMISSION_MODE`; None where empty."""
    record = decode_object(line) or {}
    value = text_of(record.get(_FIELDS.get(text_of(record.get("type")) or "", "")))
    return one_line(value or "") or None


def worktree_in(line: bytes) -> str | None:
    """Return the folder of the worktree that the session is in; None after it was left."""
    return text_of(
        fields_of((decode_object(line) or {}).get("worktreeSession")).get("worktreePath")
    )


def added_folders_in(line: bytes) -> list[str]:
    """Return the folders beside the working one, from an `ENVIRONMENT` attachment."""
    return _texts(fields_of(_attachment(line).get("snapshot")).get("additionalWorkingDirectories"))


def tool_changes_in(line: bytes) -> tuple[list[str], list[str]]:
    """Return the tools that came and those that went, from a `TOOL_CHANGES` attachment."""
    attachment = _attachment(line)
    return _texts(attachment.get("addedNames")), _texts(attachment.get("removedNames"))


def offered_tools_in(line: bytes) -> list[str] | None:
    """Return the tools of a `PROMPT` attachment; None of one that leaves them as they were."""
    tools = _attachment(line).get("tools")
    if not isinstance(tools, list):
        return None
    return [name for tool in cast("list[object]", tools) if (name := _name_of(tool))]


def client_in(line: bytes) -> tuple[str | None, str | None]:
    """Return the version and the entrypoint of the client that wrote a line."""
    record = decode_object(line) or {}
    return text_of(record.get("version")), text_of(record.get("entrypoint"))


def told_file_in(line: bytes) -> str | None:
    """Return the file of which Claude was told that it changed, from a `TOLD_FILE` attachment."""
    return text_of(_attachment(line).get("filename"))


def whole_text_in(line: bytes) -> str | None:
    """Return what a file held, from the result of a call that read all of it; None otherwise."""
    file = fields_of(_result(line).get("file"))
    if file.get("startLine") != 1 or file.get("numLines") != file.get("totalLines"):
        return None
    return text_of(file.get("content"))


def was_changed_before_it_ran(line: bytes) -> bool:
    """Say whether a person changed an edit before it was made, as its result tells."""
    return _result(line).get("userModified") is True


def stopped_task_in(line: bytes) -> str | None:
    """Return the task that the result of a call ends; older clients name it a shell."""
    result = _result(line)
    return text_of(result.get("task_id", result.get("shell_id")))


def server_of(tool: str) -> str | None:
    """Return the MCP server of a tool: `stock` of `mcp__stock__lookup`; None for other tools."""
    parts = tool.split("__", 2)
    return parts[1] or None if len(parts) == 3 and parts[0] == "mcp" else None


def _name_of(tool: object) -> str | None:
    return text_of(tool) or text_of(fields_of(tool).get("name"))


def _attachment(line: bytes) -> dict[str, object]:
    return fields_of((decode_object(line) or {}).get("attachment"))


def _result(line: bytes) -> dict[str, object]:
    return fields_of((decode_object(line) or {}).get("toolUseResult"))


def _texts(value: object) -> list[str]:
    return [text for text in list_of(value) if isinstance(text, str) and text]
