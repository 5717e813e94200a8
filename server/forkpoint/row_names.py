"""What is a row called in an outline, as far as that is known without its body?"""

from __future__ import annotations

from forkpoint.index import TranscriptIndex
from forkpoint.inert import visible
from forkpoint.records.calls import base_name
from forkpoint.records.record import Flag, Kind, Role
from forkpoint.records.words import one_line
from forkpoint.tool_calls import CallState, ToolCall

KINDS = {
    Role.STATE: "State",
    Role.PROMPT: "Prompt",
    Role.RESPONSE: "Answer",
    Role.TOOL_RESULT: "Result",
    Role.COMPACT_SUMMARY: "Summary of what came before",
    Role.COMPACT_BOUNDARY: "Compaction",
    Role.COMMAND: "Command",
    Role.SHELL: "Shell line",
    Role.INJECTED: "Context",
    Role.ATTACHMENT: "Attachment",
    Role.SYSTEM: "System",
    Role.INTERRUPT: "Interrupted",
    Role.API_ERROR: "API error",
}
"""What a record is to a reader, in our own words."""

STATES: dict[CallState, str] = {
    "ok": "ok",
    "error": "failed",
    "denied": "denied",
    "pending": "no result yet",
    "interrupted": "interrupted",
}


def kind_name(index: TranscriptIndex, row: int) -> str:
    """Say in our own words what a row is."""
    nodes = index.nodes
    if nodes.kind[row] == Kind.MALFORMED:
        return "Not a record"
    if nodes.kind[row] == Kind.UNKNOWN:
        return "A record of no known kind"
    role = Role(nodes.role[row])
    if role is Role.RESPONSE and not nodes.has(row, Flag.PROSE):
        return "Call" if nodes.has(row, Flag.CALL) else "Thinking"
    return KINDS[role]


def row_name(index: TranscriptIndex, row: int) -> str:
    """Return one line, never empty: a prompt's words, the calls that are made or answered."""
    words = index.summary.prompts.get(row)
    if words:
        return visible(words)
    if calls := calls_in(index, row):
        return ", ".join(map(call_name, calls))
    if answered := answers_in(index, row):
        return ", ".join(map(_result_name, answered))
    reason = index.malformed.get(row)
    return kind_name(index, row) + (f": {reason}" if reason else "")


def calls_in(index: TranscriptIndex, row: int) -> list[ToolCall]:
    """Return the calls that a row makes."""
    joins, tools = index.joins, index.tools
    numbers = [number for number in joins.tools(row) if joins.call_row[number] == row]
    return [tools.of(number, joins) for number in numbers]


def answers_in(index: TranscriptIndex, row: int) -> list[ToolCall]:
    """Return the calls that a row answers."""
    joins, tools = index.joins, index.tools
    numbers = [number for number in joins.tools(row) if row in joins.results(number)]
    return [tools.of(number, joins) for number in numbers]


def call_name(call: ToolCall) -> str:
    """Name a call by its tool and its file: "Edit cart.py"; by the tool alone without one."""
    file = "" if call.file is None else f" {base_name(call.file)}"
    return visible(one_line(f"{call.name}{file}")) or "Call"


def _result_name(call: ToolCall) -> str:
    failed = "" if call.state in ("ok", "pending") else f" {STATES[call.state]}"
    return f"Result of {call_name(call)}{failed}" if call.name else f"Result{failed}"
