"""What is said on one line of a transcript, for searching: each record with its texts.

Usual lines, which are nearly all, are decoded once; whatever has another shape goes the general way
of `decode` and `searchable`. Both ways tell the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import msgspec

from forkpoint.records.codex import decode_item, is_rollout
from forkpoint.records.decode import decode, type_error
from forkpoint.records.record import Block, Malformed, Record
from forkpoint.records.rollout_said import texts_of_item
from forkpoint.records.searchable import Part, SearchText, leaves, searched_of, texts_of


class Said(NamedTuple):
    """A record of a line, cut out by `start` and `length` (bytes).

    `uuid` is None for state lines, and for what is no record: neither has texts.
    """

    start: int
    length: int
    uuid: str | None = None
    timestamp: str | None = None
    branch: str | None = None
    model: str | None = None
    is_error: bool = False
    """Whether it is an error of the API."""
    texts: list[SearchText] = []  # noqa: RUF012 -- never changed


def said_on(line: bytes) -> list[Said]:
    """Return the records of a non-blank line, as many as `decode` finds; never raises.

    Those of a rollout have no uuid here: it depends on the lines before.
    """
    try:
        row = _lines.decode(line)
        if row.uuid is None and is_rollout(row.type or ""):
            return of_rollout(line)
        said = _usual(line, row)
    except type_error:
        said = None
    return general(line) if said is None else [said]


def of_rollout(line: bytes) -> list[Said]:
    """Return the same for a line of a rollout."""
    said: list[Said] = []
    for piece in decode_item(line):
        item = piece.value
        if isinstance(item, Malformed):
            said.append(Said(piece.start, piece.length))
        else:
            texts = texts_of_item(item)
            said.append(Said(piece.start, piece.length, None, item.timestamp, texts=texts))
    return said


def general(line: bytes) -> list[Said]:
    """Return the same for a line of any shape."""
    said: list[Said] = []
    for start, length, value in decode(line):
        if not isinstance(value, Record):
            said.append(Said(start, length))
            continue
        data = line if length == len(line) else line[start : start + length]
        texts = texts_of(data, value)
        error = value.role.name == "API_ERROR"
        about = (value.uuid, value.timestamp, value.git_branch, value.model)
        said.append(Said(start, length, *about, error, texts))
    return said


# --- usual lines -------------------------------------------------------------------------------


class _Item(msgspec.Struct, gc=False):
    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None
    content: list[_Item] | str | None = None
    input: Any = None


class _Message(msgspec.Struct, gc=False):
    model: str | None = None
    content: list[_Item] | str | None = None


class _Attachment(msgspec.Struct, gc=False):
    type: str | None = None


class _Line(msgspec.Struct, gc=False):
    type: str | None = None
    uuid: str | None = None
    timestamp: str | None = None
    gitBranch: str | None = None
    isApiErrorMessage: bool | None = None
    message: _Message | None = None
    attachment: _Attachment | None = None


_lines = msgspec.json.Decoder(_Line)


def _usual(line: bytes, row: _Line) -> Said | None:
    """What a line says; None where that is not told by its shape alone."""
    about = (0, len(line), row.uuid, row.timestamp, row.gitBranch)
    if row.uuid is None:
        return Said(0, len(line), None, row.timestamp, row.gitBranch)
    match row.type:
        case "assistant" if not row.isApiErrorMessage:
            items = _blocks(row.message)
            if items is None:
                return None
            model = row.message.model if row.message else None
            return Said(*about, model, False, _texts(items, Part.ANSWER))
        case "user":
            items = _blocks(row.message)
            if items is None or not any(item.type == "tool_result" for item in items):
                return None
            return Said(*about, None, False, _texts(items, Part.CONTEXT))
        case "attachment" if row.attachment and row.attachment.type != "queued_command":
            return Said(*about)
        case "progress":
            return Said(*about)
        case _:
            return None


def _blocks(message: _Message | None) -> list[_Item] | None:
    content = message.content if message else None
    return content if isinstance(content, list) else None


def _texts(items: list[_Item], own: Part) -> list[SearchText]:
    texts: list[SearchText] = []
    _put(texts, own, [item.text for item in items if item.type == "text" and item.text])
    _put(texts, Part.THINKING, [item.thinking or "" for item in items if item.type == "thinking"])
    for item in items:
        if item.type == "tool_use":
            block = Block("tool_use", item.id, item.name, file=_file(item.input))
            text = searched_of(Part.TOOL_INPUT, "\n".join(leaves(item.input)))
            texts.append(SearchText(Part.TOOL_INPUT, text, block))
        elif item.type == "tool_result":
            block = Block("tool_result", item.tool_use_id, is_error=bool(item.is_error))
            text = searched_of(Part.TOOL_OUTPUT, _output_text(item.content))
            texts.append(SearchText(Part.TOOL_OUTPUT, text, block))
    return texts


def _put(texts: list[SearchText], part: Part, pieces: list[str]) -> None:
    text = pieces[0] if len(pieces) == 1 else "\n".join(pieces)
    if text and not text.isspace():
        texts.append(SearchText(part, searched_of(part, text)))


def _output_text(content: list[_Item] | str | None) -> str:
    if isinstance(content, str):
        return content
    return "\n".join([item.text for item in content or () if item.type == "text" and item.text])


def _file(given: object) -> str | None:
    """The file that an input names, as `message.reduced` finds it."""
    if not isinstance(given, dict):
        return None
    fields = cast("dict[str, object]", given)
    one, other = fields.get("file_path"), fields.get("notebook_path")
    if not isinstance(one, str | None) or not isinstance(other, str | None):
        return None
    return one or other
