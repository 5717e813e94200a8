"""What do sessions on this machine teach about a client: its tools, and the start they share?"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from forkpoint.cache.models import same_model
from forkpoint.cache.next_request import ToolSet
from forkpoint.cache.ruling import TOOL_SEARCH
from forkpoint.client_rules import cache_rules_for, sends_same_tools
from forkpoint.disk import Unreadable
from forkpoint.index import TranscriptIndex
from forkpoint.nodes import Nodes
from forkpoint.records.record import Flag
from forkpoint.records.work_lines import PROMPT, client_in, offered_tools_in
from forkpoint.session_entry import SessionEntry
from forkpoint.transcript_file import TranscriptFile
from forkpoint.worded import say

MOST_SESSIONS = 200
"""Newest sessions whose recorded prompts are looked into."""


class Client(NamedTuple):
    """What decides which tools are sent in full: see the rule book, measured by version."""

    version: str
    model: str
    entrypoint: str | None


def tool_set_of(
    entries: Iterable[SessionEntry], recorded: tuple[str, ...] | None, before: str, after: Client
) -> ToolSet:
    """Compare the recorded tools with those that another release sends.

    Args:
        entries: sessions, newest first; only what is indexed of them is looked at.
        recorded: names of the tools that the conversation sends; None where they are not recorded.
        before: the release that recorded them.
        after: the client that goes on.
    """
    seen = None if recorded is None else next(_recorded_by(entries, after), None)
    if recorded is not None and seen is not None and _are_alike(recorded, seen):
        # Tools that only the recorded list has are sent again by releases that replay it.
        replays = cache_rules_for(after.version).replays_tools
        differing = sorted({*seen} - {*recorded} if replays else {*seen} ^ {*recorded})
        evidence = say("another session of {version} on this machine", version=after.version)
        return ToolSet("changed" if differing else "same", tuple(differing), evidence)
    measured = sends_same_tools(before, after.version)
    if measured is None:
        return ToolSet("unknown")
    return ToolSet(
        "same" if measured else "changed", (), say("both releases were run and compared")
    )


def _are_alike(one: Container[str], other: Container[str]) -> bool:
    """A release that defers tools sends a conversation without deferred tools as it was."""
    return (TOOL_SEARCH in one) == (TOOL_SEARCH in other)


def _recorded_by(entries: Iterable[SessionEntry], client: Client) -> Iterator[tuple[str, ...]]:
    looked_at = 0
    for entry in entries:
        conversation = entry.main.conversation
        index = conversation.index if conversation else None
        if index is None or index.summary.version != client.version:
            continue
        looked_at += 1
        if looked_at > MOST_SESSIONS:
            return
        if any(same_model(model, client.model) for model in index.usage.models):
            with suppress(Unreadable):
                yield from _recorded_in(entry.main, index, client)


def _recorded_in(
    transcript: TranscriptFile, index: TranscriptIndex, client: Client
) -> Iterator[tuple[str, ...]]:
    for row in reversed(index.states.notes.get(PROMPT, [])):
        [body] = transcript.bodies([row])
        tools = offered_tools_in(body)
        wrote, entrypoint = client_in(body)
        if tools is not None and wrote == client.version:
            if client.entrypoint in (None, entrypoint):
                yield tuple(tools)
            return


def shared_start(entries: Iterable[SessionEntry], version: str | None, model: str | None) -> int:
    """Return how many tokens of tools and system prompt other sessions found in the cache.

    That is the least that a first request read, of sessions with this release and model; 0 where
    none read anything.
    """
    read: list[int] = []
    for entry in entries:
        conversation = entry.main.conversation
        index = conversation.index if conversation else None
        if index is not None and model is not None and index.summary.first_version == version:
            read += _first_read(index, model)
    return min(read, default=0)


def _first_read(index: TranscriptIndex, model: str) -> Iterator[int]:
    for response, row in enumerate(index.joins.first_row):
        usage = index.usage.of(response)
        if usage is None or not usage.context or _is_aside(index.nodes, row):
            continue
        named = index.usage.model_of(response)
        if usage.cache_read and named is not None and same_model(named, model):
            yield usage.cache_read
        return


def _is_aside(nodes: Nodes, row: int) -> bool:
    return nodes.has(row, Flag.SIDECHAIN | Flag.SYNTHETIC | Flag.API_ERROR | Flag.COPIED)
