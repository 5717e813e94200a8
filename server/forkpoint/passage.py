"""How one record reads: a few lines of Markdown.

A turn gets a heading, words are indented, calls and the client's own records take one line, and
what a tool answered stands in a fence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from forkpoint.inert import fenced, inline, literal, visible
from forkpoint.records.blocks import ContentBlock, Image, Other, Text, Thinking, ToolResult, ToolUse
from forkpoint.records.calls import call_label
from forkpoint.records.content import Body
from forkpoint.records.preview import own_words
from forkpoint.records.record import Role
from forkpoint.records.words import (
    first_line,
    is_command,
    is_context,
    is_output,
    one_line,
    plain_words,
)
from forkpoint.session import Fate

RESULT_LINES = 40
"""Lines shown of what a tool, a command or a shell line put out."""
_HEADING = 100
"""Characters of a prompt in its heading."""

Speaker = Literal["person", "claude"]


class Row(msgspec.Struct, frozen=True):
    """A record of the active path with what decides how it is shown.

    Attributes:
        behind_gap: its parent is missing, so what stands before it is not sent.
    """

    ordinal: int
    uuid: str
    role: Role
    fate: Fate
    timestamp: str | None
    body: Body
    model: str | None = None
    behind_gap: bool = False


class Passage(msgspec.Struct, frozen=True):
    """A row in words.

    Attributes:
        label: one line for an outline, never empty.
        speaker: whose words follow; None for a note that interrupts nobody.
        opens_turn: whether it begins with a `##` heading.
        tight: whether it stands directly below the passage before, without a blank line.
    """

    row: Row
    lines: list[str]
    label: str
    speaker: Speaker | None = None
    opens_turn: bool = False
    tight: bool = False


class Passages:
    """Puts rows into words, in the order of the path: prompts are counted, results find calls.

    Attributes:
        prompts: how many were put into words so far.
    """

    def __init__(self, label_of: Callable[[str], str | None] = lambda _: None) -> None:
        """Begin before a row; `label_of` names a call that an earlier row made, by its id."""
        self.prompts = 0
        self._label_of = label_of
        self._calls: dict[str, str | None] = {}
        self._last_call: str | None = None
        self._last_mark = ""

    def of(self, row: Row) -> Passage:
        """Return the next row's passage."""
        passage = self._turn(row) or self._note(row) or self._talk(row)
        self._last_mark = _mark(passage)
        calls = [block.call_id for block in row.body.blocks if isinstance(block, ToolUse)]
        self._last_call = calls[-1] if calls else None
        return passage

    def _turn(self, row: Row) -> Passage | None:
        blocks = row.body.blocks
        if row.role is Role.COMPACT_BOUNDARY:
            return _opening(row, "Compaction", "Compaction", [])
        words = own_words(blocks)
        if not _is_typed(row.role, words):
            return None
        self.prompts += 1
        first = visible(first_line(plain_words(words)) or row.body.preview)
        title = first if len(first) <= _HEADING else f"{first[:_HEADING]}…"
        said = len(blocks) == 1 and inline(title) == plain_words(words)
        label = f"{self.prompts}. {title}".rstrip()
        parts = [] if said else [part for block in blocks if (part := _prompt_lines(block))]
        return _opening(row, inline(label), label, parts)

    def _note(self, row: Row) -> Passage | None:
        title = _NOTES.get(row.role)
        if title is None:
            return None
        preview = row.body.preview
        if row.role is Role.SYSTEM and preview:
            preview = _system_words(row.body.blocks[0])
        label = one_line(f"{title}: {preview}" if preview else title)
        line = f"· {inline(label)}{_NOT_SENT if row.fate == 'notSent' else ''}"
        return Passage(row, [line], visible(label), tight=self._last_mark == "·")

    def _talk(self, row: Row) -> Passage:
        results = [block for block in row.body.blocks if isinstance(block, ToolResult)]
        follows = len(results) == 1 and results[0].call_id == self._last_call is not None
        parts = [part for block in row.body.blocks if (part := self._lines(block, row, follows))]
        if row.role is Role.COMPACT_SUMMARY:
            parts.insert(0, ["### Summary of what came before"])
        elif row.role is Role.STATE:
            parts.insert(0, ["▸ A record of no known kind, kept raw"])
        lines = _joined(parts) or [f"· {_ROLES[row.role]} without content"]
        if row.fate == "notSent":
            # A quotation stays as it is; a line of ours takes the mark at its end.
            ours = len(lines) == 1 and not lines[0].startswith(" ")
            lines = [lines[0] + _NOT_SENT] if ours else [_NOT_SENT.strip(), "", *lines]
        passage = Passage(row, lines, self._label(row, results), _SPEAKERS.get(row.role, "person"))
        tight = follows or _mark(passage) == self._last_mark != ""
        return msgspec.structs.replace(passage, tight=tight)

    def _label(self, row: Row, results: Sequence[ToolResult]) -> str:
        if row.role is Role.COMPACT_SUMMARY:
            return "Summary of what came before"
        if row.role in _TYPED:
            return "Output"
        if results:
            call = self._call(results[0].call_id)
            return f"Result of {call}" if call else "Result"
        if row.body.blocks and all(isinstance(block, Thinking) for block in row.body.blocks):
            return "Thinking"
        return visible(row.body.preview) or _ROLES[row.role]

    def _lines(self, block: ContentBlock, row: Row, follows: bool) -> list[str]:
        if isinstance(block, ToolUse):
            label = self._calls[block.call_id] = _call_line(block)
            return [f"▸ {inline(label)}"]
        if isinstance(block, Text) and row.role in _TYPED:
            return _output_lines(plain_words(block.text), block.cut_at)
        if not isinstance(block, ToolResult):
            return _block_lines(block)
        call = self._call(block.call_id)
        title = "" if follows else f"◂ {inline(call) if call else 'Result'}"
        if block.is_error:
            title = f"{title} failed" if title else "◂ failed"
        lines = _result_lines(block)
        return [title, *lines] if title else lines

    def _call(self, call_id: str) -> str | None:
        if call_id not in self._calls:
            self._calls[call_id] = self._label_of(call_id)
        return self._calls[call_id]


def call_in(body: Body, call_id: str) -> str | None:
    """Return how a call of a row is named; None where the row does not make it."""
    calls = [block for block in body.blocks if isinstance(block, ToolUse)]
    return next((_call_line(call) for call in calls if call.call_id == call_id), None)


def _call_line(call: ToolUse) -> str:
    return visible(call_label(call))


_TYPED = (Role.PROMPT, Role.COMMAND, Role.SHELL)
_SPEAKERS: dict[Role, Speaker] = {Role.RESPONSE: "claude", Role.TOOL_RESULT: "claude"}
_NOTES = {
    Role.INJECTED: "Context",
    Role.ATTACHMENT: "Attachment",
    Role.SYSTEM: "System",
    Role.INTERRUPT: "Interrupted",
    Role.API_ERROR: "API error",
}
_ROLES = {role: role.name.replace("_", " ").capitalize() for role in Role}
_NOT_SENT = " (not sent)"


def _is_typed(role: Role, words: str) -> bool:
    """A command's and a shell line's output has the role of what caused it."""
    if role is Role.COMMAND:
        return is_command(words)
    return role in _TYPED and not is_output(words)


def _mark(passage: Passage) -> str:
    """The sign that a passage of one line begins with: such lines stand close together."""
    first = passage.lines[0][:1]
    return first if len(passage.lines) == 1 and first in "·▸" else ""


def _opening(row: Row, heading: str, label: str, parts: list[list[str]]) -> Passage:
    time = [_time(row.timestamp)] if row.timestamp else []
    not_sent = [_NOT_SENT.strip()] if row.fate == "notSent" else []
    lines = _joined([[f"## {heading}", *time, *not_sent], *parts])
    return Passage(row, lines, label, "person", opens_turn=True)


_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z")


def _time(timestamp: str) -> str:
    match = _TIME.fullmatch(timestamp)
    return f"{match[1]} {match[2]} UTC" if match else f"Time: {inline(one_line(timestamp))}"


# --- blocks ------------------------------------------------------------------------------------


def _prompt_lines(block: ContentBlock) -> list[str]:
    if not isinstance(block, Text):
        return _block_lines(block)
    if is_context(block.text):
        return [f"· Context: {inline(one_line(block.text))}"]
    return _words_lines(plain_words(block.text), block.cut_at)


def _block_lines(block: ContentBlock) -> list[str]:
    match block:
        case Text(text=text):
            return _words_lines(text, block.cut_at)
        case Thinking(text=text):
            return _thinking_lines(block)
        case Image(media_type=media_type, size_bytes=size):
            return [f"▸ Image: {inline(media_type or 'unknown type')}, {size:,} bytes"]
        case Other(name=name, text=text):
            return [f"▸ {inline(name or 'No JSON')}", *_output_lines(text, block.cut_at)]
        case _:
            return []


def _words_lines(text: str, cut_at: int | None) -> list[str]:
    if not text.strip():
        return []
    return [*literal(text), *([] if cut_at is None else ["", f"… cut at {cut_at:,} characters"])]


def _thinking_lines(block: Thinking) -> list[str]:
    words = _words_lines(block.text, block.cut_at)
    if not words:
        return ["▸ Thinking, not stored in words"]
    return ["<details><summary>Thinking</summary>", "", *words, "", "</details>"]


def _output_lines(text: str, cut_at: int | None) -> list[str]:
    if not text.strip():
        return ["(no output)"]
    lines, more = fenced(text, RESULT_LINES)
    return [*lines, *_rest(more, cut_at is not None)]


def _result_lines(block: ToolResult) -> list[str]:
    if not block.text.strip():
        return [] if block.size_bytes else ["(no output)"]
    lines, more = fenced(block.text, RESULT_LINES)
    if block.cut_at is None and block.spilled is None:
        return [*lines, *_rest(more, False)]
    whole = [f"{block.size_bytes:,} bytes in all"]
    if block.spilled:
        whole.append(f"kept in {inline(block.spilled)}")
    return [*lines, *_rest(more, True, *whole)]


def _rest(more: int, partial: bool, *facts: str) -> list[str]:
    """Say what a fence leaves out; a partial text has more lines than were counted."""
    parts = [*facts] if facts or not partial or more else ["cut here"]
    if more:
        lines = "line" if more == 1 else "lines"
        parts.insert(0, f"{'at least ' if partial else ''}{more:,} more {lines}")
    return [f"… {', '.join(parts)}"] if parts else []


def _system_words(block: ContentBlock) -> str:
    """A system record's details: its JSON is short and says more than its name."""
    if isinstance(block, Other):
        return one_line(f"{block.name} {block.text}")
    return one_line(plain_words(block.text)) if isinstance(block, Text) else ""


def _joined(parts: Sequence[list[str]]) -> list[str]:
    lines: list[str] = []
    for part in parts:
        lines += ["", *part] if lines else part
    return lines
