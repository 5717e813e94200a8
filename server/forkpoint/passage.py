"""How one record reads: a few lines of Markdown.

A turn gets a heading, words are indented, calls and the client's own records take one line, and
what a tool answered stands in a fence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from forkpoint.blocks_read import (
    block_piece,
    context_piece,
    output_piece,
    prompt_piece,
    result_piece,
)
from forkpoint.inert import inline, visible
from forkpoint.piece import Fold, Link, Piece, linked, stacked
from forkpoint.records.blocks import (
    ContentBlock,
    Image,
    Other,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
)
from forkpoint.records.calls import call_label
from forkpoint.records.content import Body
from forkpoint.records.preview import own_words
from forkpoint.records.record import Role
from forkpoint.records.words import first_line, is_command, is_output, one_line, plain_words
from forkpoint.row import CallFacts, Kind, Row, TurnFacts
from forkpoint.times_read import time_of
from forkpoint.tool_calls import CallState

_HEADING = 100
"""Characters of a prompt in its heading."""
MANY = 3
"""Attachments in a row from which on they get a row that names them all."""

Speaker = Literal["person", "claude"]


class Passage(msgspec.Struct, frozen=True):
    """A row in words.

    Attributes:
        label: one line for an outline, never empty.
        speaker: whose words follow; None for a note that interrupts nobody.
        tight: whether it stands directly below the passage before, without a blank line.
        folds, links: lines count from the passage's first.
        agent_id: the subagent that a call of it started.
    """

    row: Row
    lines: list[str]
    label: str
    kind: Kind
    speaker: Speaker | None = None
    tight: bool = False
    folds: Sequence[Fold] = ()
    links: Sequence[Link] = ()
    agent_id: str | None = None

    @property
    def opens_turn(self) -> bool:
        """Say whether it begins with a `##` heading."""
        return self.kind in ("turn", "compaction")


class Passages:
    """Puts rows into words, in the order of the path: prompts are counted, results find calls.

    Attributes:
        prompts: how many were put into words so far.
    """

    def __init__(
        self, label_of: Callable[[str], str | None] = lambda _: None, person: str = "You"
    ) -> None:
        """Begin before a row.

        Args:
            label_of: names a call that an earlier row made, by its id.
            person: whose words the prompts are.
        """
        self.prompts = 0
        self._person = person
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
            # Claude's has a note of the client's, Codex's what it goes on from.
            parts = [block_piece(block) for block in blocks] if row.agent == "Codex" else []
            return _opening(row, "compaction", "Compaction", "Compaction", _compaction(row), parts)
        words = own_words(blocks)
        if not _is_typed(row.role, words):
            return None
        self.prompts += 1
        first = visible(first_line(plain_words(words)) or row.body.preview)
        title = first if len(first) <= _HEADING else f"{first[:_HEADING]}…"
        said = len(blocks) == 1 and inline(title) == plain_words(words)
        label = f"{self.prompts}. {title}".rstrip()
        parts = [] if said else [prompt_piece(*each) for each in _with_images(row)]
        return _opening(row, "turn", inline(label), label, self._facts(row), parts)

    def _facts(self, row: Row) -> list[str]:
        facts = [time_of(row.timestamp), _tokens(row.turn)]
        found = [fact for fact in facts if fact]
        return [self._person, *found] if found else []

    def _note(self, row: Row) -> Passage | None:
        title = _NOTES.get(row.role)
        if title is None:
            return None
        preview = row.body.preview
        if row.role is Role.SYSTEM and preview:
            preview = _system_words(row.body.blocks[0])
        label = one_line(f"{title}: {preview}" if preview else title)
        line = f"· {inline(label)}{_NOT_SENT if row.fate == 'notSent' else ''}"
        parts = [context_piece(line, *row.body.blocks) if row.role in _WHOLE else Piece([line])]
        if count := run_named(row):
            parts.insert(0, Piece([f"· {count:,} attachments of the client"]))
        parts += [block_piece(*each) for each in _with_images(row) if each[1]]
        piece = stacked(parts)
        tight = self._last_mark == "·"
        kind = _NOTE_KINDS.get(row.role, "note")
        return _passage(row, piece, visible(label), kind, tight=tight)

    def _talk(self, row: Row) -> Passage:
        results = [block for block in row.body.blocks if isinstance(block, ToolResult)]
        follows = len(results) == 1 and results[0].call_id == self._last_call is not None
        parts = [self._piece(*each, row, follows) for each in _with_images(row)]
        if row.role is Role.COMPACT_SUMMARY:
            parts.insert(0, Piece(["### Summary of what came before"]))
        elif row.role is Role.STATE:
            parts.insert(0, Piece([_raw_line(row)]))
        piece = stacked(parts, spaced=True)
        if not piece.lines:
            piece = Piece([f"· {_ROLES[row.role]} without content"])
        if row.fate == "notSent" and row.role is not Role.STATE:
            piece = _marked_not_sent(piece)
        label, speaker = self._label(row, results), _SPEAKERS.get(row.role, "person")
        passage = _passage(row, piece, label, _kind(row), speaker=speaker)
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

    def _piece(self, block: ContentBlock, image: str, row: Row, follows: bool) -> Piece:
        if isinstance(block, ToolUse):
            self._calls[block.call_id] = call_name(block)
            return _call_piece(block, row.calls.get(block.call_id))
        if isinstance(block, Text) and row.role in _TYPED:
            return output_piece(plain_words(block.text), block.cut_at)
        if not isinstance(block, ToolResult):
            return block_piece(block, image)
        call = self._call(block.call_id)
        title = "" if follows else f"◂ {inline(call) if call else 'Result'}"
        if block.is_error:
            title = f"{title} failed" if title else "◂ failed"
        result = result_piece(block)
        return stacked([Piece([title]), result]) if title else result

    def _call(self, call_id: str) -> str | None:
        if call_id not in self._calls:
            self._calls[call_id] = self._label_of(call_id)
        return self._calls[call_id]


def run_named(row: Row) -> int:
    """Return how many attachments a line above a row names: 0 unless it is the first of many."""
    place, count = row.run or (0, 0)
    return count if place == 0 and count >= MANY else 0


def call_in(body: Body, call_id: str) -> str | None:
    """Return how a call of a row is named; None where the row does not make it."""
    calls = [block for block in body.blocks if isinstance(block, ToolUse)]
    return next((call_name(call) for call in calls if call.call_id == call_id), None)


def call_name(call: ToolUse) -> str:
    """Name a call in one line that does not act."""
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
_WHOLE = (Role.INJECTED, Role.API_ERROR)
"""Notes whose words stand below them if they are more than the line shows."""
_NOTE_KINDS: dict[Role, Kind] = {Role.INJECTED: "context", Role.ATTACHMENT: "attachment"}
_ROLE_KINDS: dict[Role, Kind] = {
    Role.COMPACT_SUMMARY: "summary",
    Role.STATE: "raw",
    Role.TOOL_RESULT: "result",
    Role.PROMPT: "output",
    Role.COMMAND: "output",
    Role.SHELL: "output",
}
_ROLES = {role: role.name.replace("_", " ").capitalize() for role in Role}
_NOT_SENT = " (not sent)"
_STATES: dict[CallState, str] = {
    "ok": "ok",
    "error": "failed",
    "denied": "denied",
    "pending": "no result",
    "interrupted": "interrupted",
}


def _is_typed(role: Role, words: str) -> bool:
    """A command's and a shell line's output has the role of what caused it."""
    if role is Role.COMMAND:
        return is_command(words)
    return role in _TYPED and not is_output(words)


def _kind(row: Row) -> Kind:
    known = _ROLE_KINDS.get(row.role)
    if known is not None:
        return known
    blocks = row.body.blocks
    if any(isinstance(block, Text) and block.text.strip() for block in blocks):
        return "answer"
    if any(isinstance(block, ToolUse) for block in blocks):
        return "call"
    return "thinking" if any(isinstance(block, Thinking) for block in blocks) else "answer"


def _mark(passage: Passage) -> str:
    """The sign that each line of a passage begins with: such passages stand close together."""
    marks = {line[:1] for line in passage.lines}
    return mark if len(marks) == 1 and (mark := marks.pop()) in ("·", "▸") else ""


def _passage(
    row: Row,
    piece: Piece,
    label: str,
    kind: Kind,
    *,
    speaker: Speaker | None = None,
    tight: bool = False,
) -> Passage:
    agents = [call.agent_id for call in row.calls.values() if call.agent_id is not None]
    return Passage(
        row,
        piece.lines,
        label,
        kind,
        speaker,
        tight,
        piece.folds,
        piece.links,
        agents[0] if agents else None,
    )


def _opening(
    row: Row, kind: Kind, heading: str, label: str, facts: list[str], parts: list[Piece]
) -> Passage:
    said = [" · ".join(facts)] if facts else []
    not_sent = [_NOT_SENT.strip()] if row.fate == "notSent" else []
    piece = stacked([Piece([f"## {heading}", *said, *not_sent]), *parts], spaced=True)
    return _passage(row, piece, label, kind, speaker="person")


def _compaction(row: Row) -> list[str]:
    facts, found = [time_of(row.timestamp)], row.compaction
    if found is not None:
        facts.append("by itself" if found.trigger == "auto" else "")
        before, after = found.tokens_before, found.tokens_after
        facts.append("" if before is None else f"{before:,} tokens before")
        facts.append("" if after is None else f"{after:,} after")
    return [fact for fact in facts if fact]


def _tokens(turn: TurnFacts | None) -> str:
    if turn is None or not turn.answers:
        return ""
    answers = "1 answer" if turn.answers == 1 else f"{turn.answers:,} answers"
    return f"{answers}, {turn.context:,} tokens of context, {turn.output:,} generated"


def _call_piece(call: ToolUse, facts: CallFacts | None) -> Piece:
    """A call's line: its name, the file, what it changed there and how it ended."""
    name, told = inline(call_name(call)), ""
    if facts is not None:
        if facts.changes is not None:
            told += f" · +{facts.changes.added:,} \u2212{facts.changes.removed:,}"
        told += f" · {_STATES[facts.state]}"
    line = Piece([f"▸ {name}{told}"])
    if call.file is not None:
        line = linked("▸ ", name, "file", call.file, told)
    agent_id = None if facts is None else facts.agent_id
    if agent_id is None:
        return line
    agent = f"Subagent {inline(one_line(agent_id))}: its transcript"
    return stacked([line, linked("▸ ", agent, "subagent", agent_id)])


def _raw_line(row: Row) -> str:
    not_sent = _NOT_SENT if row.fate == "notSent" else ""
    if row.problem is None:
        return f"▸ A record of no known kind, kept raw{not_sent}"
    return f"▸ A line that is no record, kept raw{not_sent}: {inline(one_line(row.problem))}"


def _marked_not_sent(piece: Piece) -> Piece:
    """A quotation stays as it is; a line of ours takes the mark at its end."""
    if len(piece.lines) == 1 and not piece.lines[0].startswith(" "):
        return msgspec.structs.replace(piece, lines=[piece.lines[0] + _NOT_SENT])
    return stacked([Piece([_NOT_SENT.strip()]), piece], spaced=True)


def _with_images(row: Row) -> list[tuple[ContentBlock, str]]:
    """The blocks of a row, each picture with the place where it is found."""
    number = -1
    found: list[tuple[ContentBlock, str]] = []
    for block in row.body.blocks:
        number += isinstance(block, Image)
        found.append((block, f"{row.ordinal}.{number}" if isinstance(block, Image) else ""))
    return found


def _system_words(block: ContentBlock) -> str:
    """A system record's details: its JSON is short and says more than its name."""
    if isinstance(block, Other):
        return one_line(f"{block.name} {block.text}")
    return one_line(plain_words(block.text)) if isinstance(block, Text) else ""
