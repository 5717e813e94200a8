"""A record in words: what it is, when, what becomes of it, what it cost and what it did."""

from __future__ import annotations

import msgspec

from forkpoint.index import TranscriptIndex
from forkpoint.inert import visible
from forkpoint.records.content import content_of
from forkpoint.records.decode import timestamp_of
from forkpoint.records.record import Flag, Role, Usage
from forkpoint.records.words import one_line
from forkpoint.row_names import STATES, answers_in, calls_in, kind_name, reason_in_words
from forkpoint.session import Fate
from forkpoint.tool_calls import ToolCall
from forkpoint.worded import say

_MOST_CALLS = 8
"""Calls of one record that are named; a parallel batch of the real client has fewer."""


class Described(msgspec.Struct, frozen=True):
    """A record in words.

    Attributes:
        title: what it is, in our own words.
        facts: names in our own words, and values that may come from the transcript: one line each,
            in which nothing is invisible.
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
        facts.append((say("Time"), _shown(time)))
    if nodes.is_node(node):
        facts.append((say("Fate"), _FATES[fate]))
    if row != node:
        facts.append((say("Repeats"), say("record {number}, whose place it takes", number=node)))
    facts += _of_response(index, node)
    facts += [(say("Calls"), _call(call)) for call in calls_in(index, node)[:_MOST_CALLS]]
    facts += [(say("Answers"), _call(call)) for call in answers_in(index, node)[:_MOST_CALLS]]
    if nodes.has(node, Flag.SIDECHAIN):
        facts.append((say("Sidechain"), say("a subagent's")))
    facts.append((say("Record"), f"{row}"))
    if uuid := nodes.uuid(row):
        facts.append(("uuid", _shown(uuid)))
    if reason := index.malformed.get(row):
        facts.append((say("Why"), reason_in_words(reason)))
    return Described(kind_name(index, row), facts, visible(content_of(line).preview))


def _shown(text: str) -> str:
    """What a transcript says, in one line."""
    return visible(one_line(text))


_FATES: dict[Fate | None, str] = {
    "sent": say("sent with the next request"),
    "summarized": say("readable, not sent again: a compaction replaced it"),
    "notSent": say("on the active path, never sent"),
    None: say("not on the active path"),
}


def _of_response(index: TranscriptIndex, node: int) -> list[tuple[str, str]]:
    response = index.joins.response[node]
    if Role(index.nodes.role[node]) is not Role.RESPONSE or response < 0:
        return []
    facts: list[tuple[str, str]] = []
    if model := index.usage.model_of(response):
        facts.append((say("Model"), _shown(model)))
    usage = index.usage.of(response)
    if usage is not None:
        facts.append((say("Tokens"), _tokens(usage)))
    return facts


def _tokens(usage: Usage) -> str:
    """The counts of the whole response, of which a record may be a part."""
    written = usage.cache_write_5m + usage.cache_write_1h
    return say(
        "{sent:,} in, {read:,} from the cache, {written:,} into the cache, {generated:,} out",
        sent=usage.input,
        read=usage.cache_read,
        written=written,
        generated=usage.output,
    )


def _call(call: ToolCall) -> str:
    file = f" {call.file}" if call.file is not None else ""
    return say("{call}: {state}", call=_shown(f"{call.name}{file}"), state=STATES[call.state])
