"""Codex's rollout lines, each by itself: which kind it is, and what it says (format.md section 19).

Lines of 2025-06 to 2026, as the open source of the client writes them. What a line means among
others (whether it says what another said already, what it hangs on) is `rollout`'s to tell.
"""

from __future__ import annotations

import re
from typing import Literal, cast

import msgspec
from msgspec import Raw

from forkpoint.records.decode import pieces_of
from forkpoint.records.mend import mend_blocks, mend_shape, mend_string
from forkpoint.records.record import Malformed
from forkpoint.records.rollout_shapes import (
    MessageShape,
    PartShape,
    PayloadShape,
    RolloutShape,
)

HEADER, CONTEXT, ITEM, EVENT = "session_meta", "turn_context", "response_item", "event_msg"
COMPACTED = "compacted"
STATE = "state"
"""A line of mid-2025 that says nothing (`{"record_type": "state"}`)."""

USAGE = "token_usage_record"
_SILENT = """
world_state inter_agent_communication inter_agent_communication_metadata security_risk_score
retained_context realtime_item ghost_snapshot
"""
_ITEMS = """
message agent_message reasoning function_call function_call_output custom_tool_call
custom_tool_call_output local_shell_call web_search_call tool_search_call tool_search_output
image_generation_call additional_tools compaction context_compaction compaction_summary
compaction_trigger ghost_snapshot other
"""
_EVENTS = """
user_message agent_message agent_reasoning agent_reasoning_raw_content token_count task_started
turn_started task_complete turn_complete turn_aborted thread_rolled_back context_compacted
patch_apply_end mcp_tool_call_end web_search_end image_generation_end exec_command_end
entered_review_mode exited_review_mode thread_name_updated thread_goal_updated item_completed
sub_agent_activity error warning stream_error view_image_tool_call dynamic_tool_call_request
dynamic_tool_call_response guardian_assessment guardian_warning collab_agent_spawn_end
collab_agent_interaction_end collab_waiting_end collab_close_end collab_resume_end
background_event undo_completed turn_diff plan_update thread_settings_applied
agent_reasoning_section_break session_configured deprecation_notice model_reroute
"""
ITEMS, EVENTS = frozenset(_ITEMS.split()), frozenset(_EVENTS.split())
KNOWN_LINES = frozenset({HEADER, CONTEXT, ITEM, EVENT, COMPACTED, USAGE, STATE, *_SILENT.split()})
"""Types of lines that the client writes, as `Record.type` has them. Of an item or event that no
known client writes the type is told behind a slash, and it is counted as unknown."""


def is_rollout(kind: str) -> bool:
    """Say whether a line with this type is one of a rollout; no other agent writes such."""
    return kind in KNOWN_LINES or kind in ITEMS


class _TypedShape(msgspec.Struct, gc=False):
    type: str | None = None
    id: str | None = None
    role: str | None = None
    record_type: str | None = None
    payload: Raw = Raw()


_typed = msgspec.json.Decoder(_TypedShape)


def agent_of(line: bytes) -> Literal["", "claude-code", "codex"]:
    """Say whose line this is; empty where it does not tell."""
    try:
        told = _typed.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    if is_rollout(told.type or "") or told.payload:
        return "codex"
    if told.type is not None:
        return "claude-code"
    return "codex" if told.id or told.role or told.record_type else ""


class Item(msgspec.Struct, gc=False):
    """A line, by itself.

    Attributes:
        type: one of `KNOWN_LINES`, or that with the unknown type of what it holds, or any other.
        subtype: of an item or event.
        says: its payload.
        ordinal: its number, where the client wrote one.
    """

    type: str
    subtype: str | None
    timestamp: str | None
    says: PayloadShape
    ordinal: int | None = None


class ItemPiece(msgspec.Struct, frozen=True, gc=False):
    """An item or a malformed part, cut out of its line by `start` and `length` (bytes)."""

    start: int
    length: int
    value: Item | Malformed
    flags: int = 0


_line = msgspec.json.Decoder(RolloutShape)
_messages = msgspec.json.Decoder(list[MessageShape])
_parts = msgspec.json.Decoder(list[PartShape])
_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def decode_item(line: bytes) -> list[ItemPiece]:
    """Decode a non-blank line; never raises, never returns an empty list."""
    try:
        return [ItemPiece(0, len(line), _item(_line.decode(line)))]
    except _ERRORS:
        return [
            ItemPiece(start, length, value if isinstance(value, Malformed) else mend(value), flags)
            for start, length, value, flags in pieces_of(line)
        ]


def mend(value: dict[str, object]) -> Item:
    """Build a parsed object's item; a field of another shape counts as absent."""
    return _item(mend_shape(RolloutShape, value))


def _item(line: RolloutShape) -> Item:
    says = line.payload
    if says is None:
        return _bare(line)
    kind = line.type or ""
    subtype = says.type
    if kind == ITEM and subtype is None and says.role is not None:
        subtype = "message"
    known = ITEMS if kind == ITEM else EVENTS if kind == EVENT else None
    if known is not None and subtype not in known:
        kind = f"{kind}/{subtype or ''}"
    subtype = subtype if known is not None else None
    return Item(kind, subtype, line.timestamp, says, line.ordinal)


def _bare(line: RolloutShape) -> Item:
    """A line without an envelope."""
    if line.type in ITEMS or (line.type is None and line.role is not None):
        return Item(ITEM, line.type or "message", None, line)
    if line.type is None and line.record_type is not None:
        return Item(STATE, None, line.timestamp, line)
    if line.type is None and line.id is not None:
        return Item(HEADER, None, line.timestamp, line)
    return Item(line.type or "", None, line.timestamp, line)


# --- texts -------------------------------------------------------------------------------------

_WORDS = frozenset({"input_text", "output_text", "text", "summary_text", "reasoning_text"})


def parts_in(content: Raw) -> list[PartShape]:
    """Return the pieces of a content, which is a string or a list."""
    data = bytes(content)
    if data[:1] == b'"':
        return [PartShape("text", mend_string(data))]
    if data[:1] != b"[":
        return []
    try:
        return _parts.decode(data)
    except _ERRORS:
        try:
            return mend_blocks(PartShape, data)
        except (ValueError, RecursionError):
            return []


def texts_in(content: Raw) -> list[str]:
    """Return the texts of a content."""
    return [part.text for part in parts_in(content) if part.type in _WORDS and part.text]


def text_of(raw: Raw) -> str:
    """Return a JSON string's text; empty for anything else."""
    data = bytes(raw)
    return mend_string(data) if data[:1] == b'"' else ""


def source_of(raw: Raw) -> tuple[str | None, str | None]:
    """Return how a thread was started in one word, and the thread that started it.

    `source` is a word (`cli`, `vscode`, `exec` ...) or `{"subagent": ...}`.
    """
    data = bytes(raw)
    if data[:1] == b'"':
        return mend_string(data), None
    if data[:1] != b"{":
        return None, None
    try:
        found: object = msgspec.json.decode(data)
    except _ERRORS:
        return None, None
    fields = cast("dict[str, object]", found)
    agent = fields.get("subagent")
    if agent is None:
        return next(iter(fields), None), None
    spawned = cast("dict[str, object]", agent).get("thread_spawn") if _is_object(agent) else None
    parent = (
        cast("dict[str, object]", spawned).get("parent_thread_id") if _is_object(spawned) else None
    )
    return "subagent", parent if isinstance(parent, str) else None


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def summary_in(says: PayloadShape) -> str:
    """Return what a `compacted` line says of what came before: its own words, or the last ones.

    The model's summary is the last message of the history that replaces all; without words where
    the API made it, encrypted.
    """
    if says.message:
        return says.message
    data = bytes(says.replacement_history)
    try:
        items = _messages.decode(data) if data[:1] == b"[" else []
    except _ERRORS:
        items = mend_blocks(MessageShape, data)
    messages = [item for item in items if item.type in (None, "message")]
    return "\n".join(texts_in(messages[-1].content)) if messages else ""


def without_mark(text: str) -> str:
    """Take the client's mark off what it says of a turn that was stopped."""
    if not text.lstrip().startswith(ABORTED_MARK):
        return text
    return text.replace(ABORTED_MARK, "").replace(ABORTED_MARK.replace("<", "</"), "").strip()


# --- what a user's item is ---------------------------------------------------------------------

SHELL_MARK = "<user_shell_command>"
ABORTED_MARK = "<turn_aborted>"
_CONTEXT_MARKS = (
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<skill>",
    "<skills_instructions>",
    "<subagent_notification>",
    "<hook_prompt",
    "<goal_context>",
    "<extension_context>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<apps_instructions>",
    "<plugins_instructions>",
    "<user_action>",
    "<recommended_plugins>",
    "<codex_internal_context",
    "<codex_delegation>",
)
"""How texts begin that the client sends in the user's name (open source, 2025 to 2026)."""


_INJECTED = tuple(mark.lower() for mark in (*_CONTEXT_MARKS, SHELL_MARK, ABORTED_MARK))


def is_injected(text: str) -> bool:
    """Say whether the client put this text into the user's name."""
    head = text.lstrip()[:40].lower()
    return head.startswith(_INJECTED)


def folder_in(text: str) -> str | None:
    """Return the working directory that the client tells the model of (mid-2025, and later)."""
    found = _FOLDER.search(text[:4000]) if "<environment_context>" in text[:4000] else None
    return None if found is None else found[1].strip()


_FOLDER = re.compile(r"(?:<cwd>|^Current working directory:)([^<\n]+)", re.MULTILINE)


def words_of_shell(text: str) -> str:
    """Return the command that a person ran beside the conversation."""
    start, end = text.find("<command>"), text.find("</command>")
    return text[start + len("<command>") : end].strip() if 0 <= start < end else text
