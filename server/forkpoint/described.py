"""A record in words: what it is, when, what becomes of it, what it cost and what it did."""

from __future__ import annotations

import msgspec

from forkpoint.index import TranscriptIndex
from forkpoint.inert import visible
from forkpoint.records.content import content_of
from forkpoint.records.decode import timestamp_of
from forkpoint.records.record import Flag, Role, Usage
from forkpoint.records.words import one_line
from forkpoint.row_names import STATES, answers_in, calls_in, kind_name
from forkpoint.session import Fate
from forkpoint.tool_calls import ToolCall

_MOST_CALLS = 8
"""Calls of one record that are named; a parallel batch of the real client has fewer."""


class Described(msgspec.Struct, frozen=True):
    """A record in words.

    Attributes:
        title: what it is, in our own words.
        facts: names in our own words, and values that may come from the transcript: one line each.
        words: the beginning of its content in one line; may be empty.
    """

    title: str
    facts: list[tuple[str, str]]
    words: str


def described(index: TranscriptIndex, row: int, line: bytes, fate: Fate | None) -> Described:
    """Describe a row.

    Args:
        index: the transcript's index.
        row: its ordinal.
        line: its bytes.
        fate: what becomes of it; None for one that is no part of the active path.
    """
    nodes = index.nodes
    node = nodes.first_of.get(row, row)
    facts: list[tuple[str, str]] = []
    if time := timestamp_of(line):
        facts.append(("Time", time))
    if nodes.is_node(node):
        facts.append(("Fate", _FATES[fate]))
    if row != node:
        facts.append(("Repeats", f"record {node}, whose place it takes"))
    facts += _of_response(index, node)
    facts += [("Calls", _call(call)) for call in calls_in(index, node)[:_MOST_CALLS]]
    facts += [("Answers", _call(call)) for call in answers_in(index, node)[:_MOST_CALLS]]
    if nodes.has(node, Flag.SIDECHAIN):
        facts.append(("Sidechain", "a subagent's"))
    facts.append(("Record", f"{row}"))
    if uuid := nodes.uuid(row):
        facts.append(("uuid", uuid))
    if reason := index.malformed.get(row):
        facts.append(("Why", reason))
    shown = [(name, visible(one_line(value))) for name, value in facts]
    return Described(kind_name(index, row), shown, visible(content_of(line).preview))


_FATES: dict[Fate | None, str] = {
    "sent": "sent with the next request",
    "summarized": "readable, not sent again: a compaction replaced it",
    "notSent": "on the active path, never sent",
    None: "not on the active path",
}


def _of_response(index: TranscriptIndex, node: int) -> list[tuple[str, str]]:
    response = index.joins.response[node]
    if Role(index.nodes.role[node]) is not Role.RESPONSE or response < 0:
        return []
    facts: list[tuple[str, str]] = []
    if model := index.usage.model_of(response):
        facts.append(("Model", model))
    usage = index.usage.of(response)
    if usage is not None:
        facts.append(("Tokens", _tokens(usage)))
    return facts


def _tokens(usage: Usage) -> str:
    """The counts of the whole response, of which a record may be a part."""
    written = usage.cache_write_5m + usage.cache_write_1h
    parts = [
        f"{usage.input:,} in",
        f"{usage.cache_read:,} from the cache",
        f"{written:,} into the cache",
        f"{usage.output:,} out",
    ]
    return ", ".join(parts)


def _call(call: ToolCall) -> str:
    file = f" {call.file}" if call.file is not None else ""
    return f"{call.name}{file}: {STATES[call.state]}"
