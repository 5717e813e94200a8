"""What a search must find, by reading everything: no table, no offsets, no fast ways."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from forkpoint.index import TranscriptIndex
from forkpoint.nodes import NO_TIME
from forkpoint.records.record import Flag, Kind, Role
from forkpoint.records.searchable import Part
from forkpoint.records.words import plain_words
from forkpoint.search_query import Phrase, Query
from forkpoint.tokens import tokens
from forkpoint.transcript import TranscriptReader

Json = dict[str, Any]


class Piece(NamedTuple):
    """A text of a record with what operators ask for."""

    path: str
    ordinal: int
    part: Part
    text: str
    tool: str | None = None
    file: str | None = None
    is_error: bool = False
    branch: str | None = None
    model: str | None = None
    at: int | None = None


def pieces_of(path: Path) -> list[Piece]:
    """All texts of a transcript whose lines are JSON; of a repeated uuid those of its last line."""
    data = path.read_bytes()
    reader, index = TranscriptReader(), TranscriptIndex()
    index.apply(reader.feed(data))
    index.apply_tail(reader.offset, reader.tail)
    nodes = index.nodes
    last = {nodes.uuid(row): row for row in range(len(nodes)) if nodes.uuid(row) is not None}
    calls: dict[str, Json] = {}
    pieces: list[Piece] = []
    for row in range(len(nodes)):
        start = nodes.offset[row]
        record = _json(data[start : start + nodes.length[row]])
        if record is None:
            continue
        for block in _blocks(record):
            if block.get("type") == "tool_use":
                calls[block["id"]] = block
        if last.get(nodes.uuid(row)) == row:
            time = nodes.time[row]
            at = None if time == NO_TIME else time
            about = {"branch": record.get("gitBranch"), "model": _model(record), "at": at}
            for piece in _pieces(record, index, row, calls):
                pieces.append(piece._replace(path=str(path), ordinal=row, **about))
    return pieces


def matches(query: Query, piece: Piece) -> bool:
    """Whether a text fits a query, but for `is:abandoned` and `in:subagents`."""
    if query.parts and piece.part not in query.parts:
        return False
    if query.is_error and not piece.is_error:
        return False
    if query.after is not None and (piece.at is None or piece.at < query.after):
        return False
    if query.before is not None and (piece.at is None or piece.at >= query.before):
        return False
    named = (
        (query.tools, piece.tool),
        (query.files, piece.file),
        (query.branches, piece.branch),
        (query.models, piece.model),
    )
    if not all(not wanted or any(_in(phrase, name) for phrase in wanted) for wanted, name in named):
        return False
    return all(_in(phrase, piece.text) for phrase in query.phrases)


def _in(phrase: Phrase, text: str | None) -> bool:
    words = tokens(text or "")
    wanted, count = list(phrase.words), len(phrase.words)
    for start in range(len(words) - count + 1):
        run = words[start : start + count]
        if run == wanted:
            return True
        if phrase.is_prefix and run[:-1] == wanted[:-1] and run[-1].startswith(wanted[-1]):
            return True
    return False


# --- texts -------------------------------------------------------------------------------------


def _json(data: bytes) -> Json | None:
    try:
        value = json.loads(data.strip(b"\0").decode("utf-8", "replace"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _message(record: Json) -> Json:
    message = record.get("message")
    return message if isinstance(message, dict) else {}


def _model(record: Json) -> str | None:
    return _message(record).get("model") if record.get("type") == "assistant" else None


def _blocks(record: Json) -> list[Json]:
    content = _message(record).get("content")
    return [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []


def _pieces(
    record: Json, index: TranscriptIndex, row: int, calls: dict[str, Json]
) -> Iterator[Piece]:
    role, flags = Role(index.nodes.role[row]), index.nodes.flags[row]
    if role in (Role.PROMPT, Role.COMMAND, Role.SHELL):
        own = Part.PROMPT if flags & Flag.TYPED else Part.TOOL_OUTPUT
    else:
        own = Part.ANSWER if role in (Role.RESPONSE, Role.API_ERROR) else Part.CONTEXT
    said = _said(record, index, row)
    if role in (Role.COMMAND, Role.SHELL):
        said = plain_words(said)
    said = _clean(own, said)
    failed = role is Role.API_ERROR
    if said.strip():
        yield Piece("", row, own, said, is_error=failed)
    if index.nodes.kind[row] not in (Kind.USER, Kind.ASSISTANT):
        return
    thoughts = "\n".join(b["thinking"] for b in _blocks(record) if b.get("type") == "thinking")
    thoughts = _clean(Part.THINKING, thoughts)
    if thoughts.strip():
        yield Piece("", row, Part.THINKING, thoughts, is_error=failed)
    for block in _blocks(record):
        if block.get("type") == "tool_use":
            text = "\n".join(_strings(block.get("input")))
            call = block
            yield Piece("", row, Part.TOOL_INPUT, _clean(Part.TOOL_INPUT, text), **_named(call))
        elif block.get("type") == "tool_result":
            text = _text(block.get("content"))
            call = calls.get(block["tool_use_id"])
            failed = block.get("is_error") is True
            text = _clean(Part.TOOL_OUTPUT, text)
            yield Piece("", row, Part.TOOL_OUTPUT, text, is_error=failed, **_named(call))


def _said(record: Json, index: TranscriptIndex, row: int) -> str:
    match index.nodes.kind[row]:
        case Kind.USER | Kind.ASSISTANT:
            return _text(_message(record).get("content"))
        case Kind.SYSTEM:
            return _text(record.get("content"))
        case Kind.ATTACHMENT if record["attachment"].get("type") == "queued_command":
            return _text(record["attachment"].get("prompt"))
        case _:
            return ""


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks: list[Json] = content if isinstance(content, list) else []
    return "\n".join(block["text"] for block in blocks if block.get("type") == "text")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _named(call: Json | None) -> Json:
    fields = (call or {}).get("input")
    file = (fields.get("file_path") or fields.get("notebook_path")) if fields else None
    return {"tool": call["name"] if call else None, "file": file}


def _clean(part: Part, text: str) -> str:
    """Outputs are cut, terminal colours dropped."""
    text = text[:4000] if part is Part.TOOL_OUTPUT else text
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def words_in(pieces: Sequence[Piece]) -> list[list[str]]:
    """The words of each text that has some."""
    return [words for piece in pieces if (words := tokens(piece.text))]
