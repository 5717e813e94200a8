"""What is a row called in an outline, as far as that is known without its body?"""

from __future__ import annotations

from forkpoint.index import TranscriptIndex
from forkpoint.inert import visible
from forkpoint.records.calls import base_name
from forkpoint.records.record import Flag, Kind, Role
from forkpoint.records.words import one_line
from forkpoint.tool_calls import CallState, ToolCall
from forkpoint.worded import PARTS, joined, say

KINDS = {
    Role.STATE: say("State"),
    Role.PROMPT: say("Prompt"),
    Role.RESPONSE: say("Answer"),
    Role.TOOL_RESULT: say("Result"),
    Role.COMPACT_SUMMARY: say("Summary of what came before"),
    Role.COMPACT_BOUNDARY: say("Compaction"),
    Role.COMMAND: say("Command"),
    Role.SHELL: say("Shell line"),
    Role.INJECTED: say("Context"),
    Role.ATTACHMENT: say("Attachment"),
    Role.SYSTEM: say("System"),
    Role.INTERRUPT: say("Interrupted"),
    Role.API_ERROR: say("API error"),
}
"""What a record is to a reader, in our own words."""

STATES: dict[CallState, str] = {
    "ok": say("ok"),
    "error": say("failed"),
    "denied": say("denied"),
    "pending": say("no result yet"),
    "interrupted": say("interrupted"),
}

_REASONS = {
    reason: reason
    for reason in (
        say("not JSON"),
        say("only NUL bytes"),
        say("null, not an object"),
        say("an array, not an object"),
        say("a string, not an object"),
        say("a number or truth value, not an object"),
    )
}


def reason_in_words(reason: str) -> str:
    """Word why a line is no record, as `records` says it."""
    return _REASONS.get(reason, reason)


def kind_name(index: TranscriptIndex, row: int) -> str:
    """Say in our own words what a row is."""
    nodes = index.nodes
    if nodes.kind[row] == Kind.MALFORMED:
        return say("Not a record")
    if nodes.kind[row] == Kind.UNKNOWN:
        return say("A record of no known kind")
    role = Role(nodes.role[row])
    if role is Role.RESPONSE and not nodes.has(row, Flag.PROSE):
        return say("Call") if nodes.has(row, Flag.CALL) else say("Thinking")
    return KINDS[role]


def row_name(index: TranscriptIndex, row: int) -> str:
    """Return one line, never empty: a prompt's words, the calls that are made or answered."""
    words = index.summary.prompts.get(row)
    if words:
        return visible(words)
    if calls := calls_in(index, row):
        return joined(map(call_name, calls), PARTS)
    if answered := answers_in(index, row):
        return joined(map(_result_name, answered), PARTS)
    kind = kind_name(index, row)
    if reason := index.malformed.get(row):
        return say("{kind}: {reason}", kind=kind, reason=reason_in_words(reason))
    return kind


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
    return visible(one_line(f"{call.name}{file}")) or say("Call")


def _result_name(call: ToolCall) -> str:
    result = say("Result of {call}", call=call_name(call)) if call.name else KINDS[Role.TOOL_RESULT]
    if call.state in ("ok", "pending"):
        return result
    return say("{result} {state}", result=result, state=STATES[call.state])
