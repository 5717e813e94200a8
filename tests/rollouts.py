"""Rollouts of Codex, made and read in one line each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from forkpoint.index import TranscriptIndex
from forkpoint.records.blocks import Text
from forkpoint.records.content import content_of
from forkpoint.records.record import Flag, Role
from forkpoint.session import Conversation
from forkpoint.summary import title_of
from forkpoint.transcript import TranscriptReader

THREAD = "0199b702-655c-739e-9baf-a228c9d0f77c"
START = datetime(2026, 9, 1, 9, tzinfo=UTC)
Json = dict[str, Any]
SPOKEN = (Role.PROMPT, Role.RESPONSE)


# --- lines -------------------------------------------------------------------------------------


def header(thread: str = THREAD, **more: Any) -> Json:
    return {
        "type": "session_meta",
        "payload": {
            "id": thread,
            "cwd": "/home/dev/shop",
            "originator": "codex_cli_rs",
            "cli_version": "0.146.0",
            "source": "cli",
            "git": {"branch": "main"},
            **more,
        },
    }


def context(model: str = "gpt-5.2-codex", **more: Any) -> Json:
    return {"type": "turn_context", "payload": {"cwd": "/home/dev/shop", "model": model, **more}}


def event(kind: str, **fields: Any) -> Json:
    return {"type": "event_msg", "payload": {"type": kind, **fields}}


def item(kind: str, **fields: Any) -> Json:
    return {"type": "response_item", "payload": {"type": kind, **fields}}


def message(role: str, *texts: str) -> Json:
    part = "output_text" if role == "assistant" else "input_text"
    return item("message", role=role, content=[{"type": part, "text": text} for text in texts])


def user(text: str) -> list[Json]:
    """A person's words on both channels."""
    return [message("user", text), event("user_message", message=text, images=[])]


def says(text: str) -> list[Json]:
    """The model's words on both channels."""
    return [event("agent_message", message=text), message("assistant", text)]


def thoughts(*texts: str, secret: str | None = None) -> Json:
    parts = [{"type": "summary_text", "text": text} for text in texts]
    return item("reasoning", summary=parts, encrypted_content=secret)


def calls(name: str, call_id: str, **arguments: Any) -> Json:
    return item("function_call", name=name, call_id=call_id, arguments=json.dumps(arguments))


def patches(call_id: str, text: str) -> Json:
    return item("custom_tool_call", name="apply_patch", call_id=call_id, input=text)


def output(call_id: str, text: str, kind: str = "function_call_output") -> Json:
    return item(kind, call_id=call_id, output=text)


def counts(given: int, cached: int = 0, out: int = 0, reasoning: int = 0) -> Json:
    return {
        "input_tokens": given,
        "cached_input_tokens": cached,
        "output_tokens": out,
        "reasoning_output_tokens": reasoning,
        "total_tokens": given + out,
    }


def tokens(total: Json | None, last: Json | None = None) -> Json:
    info = None if total is None else {"total_token_usage": total, "last_token_usage": last}
    return event("token_count", info=info)


def turn(text: str, answer: str, total: int, last: int) -> list[Json]:
    """A whole turn: what was typed, what was said, and what it used of input."""
    started, ended = event("task_started"), event("task_complete")
    used = tokens(counts(total), counts(last))
    return [started, context(), *user(text), *says(answer), used, used, ended]


ONE, TWO = turn("one", "1", 100, 100), turn("two", "2", 250, 150)
SAID, SAID_TWO = [["user", "one"], ["assistant", "1"]], [["user", "two"], ["assistant", "2"]]
"""Two turns, and what is said in them."""


def back(count: Any) -> Json:
    """Take so many turns back."""
    return event("thread_rolled_back", num_turns=count)


def compacted(text: str = "") -> list[Json]:
    history = [message("user", "one")["payload"], message("user", "A summary")["payload"]]
    payload = {"message": text, "replacement_history": history}
    return [{"type": "compacted", "payload": payload}, event("context_compacted")]


def rollout(*lines: Json | Sequence[Json]) -> bytes:
    """Write lines two seconds apart."""
    flat = [one for each in lines for one in ([each] if isinstance(each, dict) else each)]
    return b"".join(
        json.dumps({"timestamp": _at(n), **one}).encode() + b"\n" for n, one in enumerate(flat)
    )


def _at(number: int) -> str:
    return f"{START + timedelta(seconds=2 * number):%Y-%m-%dT%H:%M:%S.000Z}"


# --- reading -----------------------------------------------------------------------------------


class Rollout:
    """A rollout, read."""

    def __init__(self, data: bytes, thread: str | None = THREAD) -> None:
        self.data, self.reader = data, TranscriptReader()
        self.index = TranscriptIndex(thread, agent="codex")
        self.index.apply(self.reader.feed(data))
        self.index.apply_tail(self.reader.offset, self.reader.tail)
        self.conversation = Conversation(self.index)

    def line(self, row: int) -> bytes:
        """The line that holds a row's body."""
        nodes = self.index.nodes
        row = nodes.body_of.get(row, row)
        return self.data[nodes.offset[row] : nodes.offset[row] + nodes.length[row]]

    def text(self, row: int) -> str:
        blocks = content_of(self.line(row)).blocks
        return "\n".join(block.text for block in blocks if isinstance(block, Text))

    def rows(self) -> list[int]:
        nodes = self.index.nodes
        return [row for row in range(len(nodes)) if nodes.is_node(row)]

    def roles(self) -> list[str]:
        return [Role(self.index.nodes.role[row]).name for row in self.rows()]

    def messages(self) -> list[list[str]]:
        """What person and model said on the active path, across compactions."""
        return self._messages([row for row, _ in self.conversation.path().entries])

    def abandoned(self) -> list[list[str]]:
        path = {row for row, _ in self.conversation.path().entries}
        return self._messages([row for row in self.rows() if row not in path])

    def _messages(self, rows: Sequence[int]) -> list[list[str]]:
        nodes = self.index.nodes
        spoken = [row for row in rows if nodes.has(row, Flag.TYPED | Flag.PROSE)]
        names = {Role.PROMPT: "user", Role.RESPONSE: "assistant"}
        return [[names[Role(nodes.role[row])], self.text(row)] for row in spoken]

    def tokens(self) -> dict[str, int]:
        """What all responses used, in the words of the client."""
        used = self.index.usage.total(range(len(self.index.joins.message_ids)))
        given = used.input + used.cache_read
        assert self.index.rollout is not None
        return {
            "input": given,
            "cached_input": used.cache_read,
            "output": used.output,
            "reasoning_output": self.index.rollout.reasoning,
            "total": given + used.output,
        }

    def title(self) -> str:
        return title_of(self.index.summary, None).text

    def call_ids(self) -> list[str]:
        joins = self.index.joins
        return [joins.call_ids[call.number] for call in self.index.tools.all(joins)]

    def bad_lines(self) -> list[int]:
        """The lines, from 1, that are no records."""
        offsets = [self.index.nodes.offset[row] for row in self.index.malformed]
        return [self.data[:offset].count(b"\n") + 1 for offset in offsets]


def read_rollout(path: Path) -> Rollout:
    return Rollout(path.read_bytes(), path.stem[-36:])


def read(*lines: Json | list[Json], thread: str | None = THREAD) -> Rollout:
    return Rollout(rollout(*lines), thread)
