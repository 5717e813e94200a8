"""Which fields does a line of a rollout have that no known client writes?

Only the names of fields are looked at, never what they hold. The table has the fields that were met
in published rollouts of 0.104, in recordings of 0.171, in files of mid-2025 and in cases, and those
that the open source of the client writes (codex-rs/protocol, 2025-06 to 2026-07). Of an item or
event that is not in it nothing is known, and nothing said.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Raw

from forkpoint.records.codex import COMPACTED, CONTEXT, EVENT, HEADER, ITEM, STATE, USAGE
from forkpoint.records.known_fields import OddRecord

ENVELOPE = frozenset({"timestamp", "type", "payload", "ordinal", "metadata"})
"""Fields of a line itself; `metadata` says how the client came by it (0.171)."""

_LINES = {
    HEADER: """
        id session_id timestamp cwd originator cli_version source thread_source model_provider git
        instructions base_instructions forked_from_id parent_thread_id history_mode history_base
        subagent_history_start_ordinal agent_nickname agent_role agent_path agent_type
        dynamic_tools memory_mode multi_agent_version context_window account_scoped
        forked_from_ordinal_exclusive runtime_workspace_roots
    """,
    CONTEXT: """
        turn_id root_turn_id trace_id cwd workspace_roots current_date disabled_plugin_ids
        timezone approval_policy sandbox_policy
        permission_profile file_system_sandbox_policy network model comp_hash personality effort
        summary collaboration_mode multi_agent_version realtime_active user_instructions
        developer_instructions final_output_json_schema truncation_policy approvals_reviewer
    """,
    COMPACTED: "message replacement_history window_id",
    USAGE: """
        response_id usage model turn_id root_turn_id session_id thread_id turn_token_usage
        thread_token_usage
    """,
    STATE: "record_type timestamp",
}
_EVERY_ITEM = "type id metadata internal_chat_message_metadata_passthrough"
_ITEMS = {
    "message": "role content phase end_turn status",
    "reasoning": "summary content encrypted_content",
    "function_call": "name namespace arguments call_id status",
    "function_call_output": "call_id output",
    "custom_tool_call": "name namespace input call_id status",
    "custom_tool_call_output": "call_id name output",
    "local_shell_call": "call_id status action",
    "web_search_call": "status action",
    "tool_search_call": "call_id status execution arguments",
    "tool_search_output": "call_id status execution tools",
    "image_generation_call": "status revised_prompt result",
    "compaction": "encrypted_content",
}
_EVENTS = {
    "user_message": "message images local_images text_elements kind client_id",
    "agent_message": "message phase memory_citation",
    "agent_reasoning": "text",
    "agent_reasoning_raw_content": "text",
    "token_count": "info rate_limits",
    "task_started": """
        turn_id root_turn_id trace_id started_at model_context_window collaboration_mode_kind
        turn_attribution
    """,
    "task_complete": """
        turn_id root_turn_id last_agent_message started_at completed_at duration_ms
        time_to_first_token_ms
    """,
    "turn_aborted": "turn_id reason started_at completed_at duration_ms",
    "thread_rolled_back": "num_turns",
    "context_compacted": "",
    "patch_apply_end": "call_id turn_id stdout stderr success changes status",
    "mcp_tool_call_end": "call_id invocation duration result mcp_app_resource_uri plugin_id",
    "web_search_end": "call_id query action",
    "sub_agent_activity": "event_id occurred_at_ms agent_thread_id agent_path kind",
    "thread_name_updated": "thread_id thread_name",
}
_EVENTS.update(turn_started=_EVENTS["task_started"], turn_complete=_EVENTS["task_complete"])


def _table() -> Mapping[str, frozenset[str]]:
    lines = {name: frozenset(own.split()) for name, own in _LINES.items()}
    items = {
        f"{ITEM}/{name}": frozenset(f"{_EVERY_ITEM} {own}".split()) for name, own in _ITEMS.items()
    }
    events = {f"{EVENT}/{name}": frozenset(f"type {own}".split()) for name, own in _EVENTS.items()}
    return {**lines, **items, **events}


KNOWN_FIELDS = _table()
"""Fields of what a line holds, by its type and, of items and events, by that of these."""

_fields = msgspec.json.Decoder(dict[str, Raw])
_text = msgspec.json.Decoder(str)
_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def odd_item(line: bytes) -> OddRecord | None:
    """Return the unknown fields of a line; None where it has none, or nothing can be said."""
    try:
        fields = _fields.decode(line)
        payload = _fields.decode(fields["payload"]) if "payload" in fields else None
    except _ERRORS:
        return None
    kind = _bare(fields) if payload is None else _kind(fields, payload)
    known = KNOWN_FIELDS.get(kind)
    if known is None:
        return None
    if payload is None:
        odd = fields.keys() - known - {"timestamp", "type"}
    else:
        odd = (payload.keys() - known) | (fields.keys() - ENVELOPE)
    return OddRecord(kind, None, sorted(odd)) if odd else None


def _kind(fields: Mapping[str, Raw], payload: Mapping[str, Raw]) -> str:
    line, inner = _word(fields.get("type")), _word(payload.get("type"))
    if line == ITEM and not inner and "role" in payload:
        inner = "message"
    return f"{line}/{inner}" if line in (ITEM, EVENT) else line


def _bare(fields: Mapping[str, Raw]) -> str:
    """A line without an envelope (mid-2025)."""
    kind = _word(fields.get("type")) or ("message" if "role" in fields else "")
    if kind:
        return f"{ITEM}/{kind}"
    return STATE if "record_type" in fields else HEADER if "id" in fields else ""


def _word(field: Raw | None) -> str:
    try:
        return "" if field is None else _text.decode(field)
    except _ERRORS:
        return ""
