"""The texts of a record by which it is found: what was said, asked of tools, answered by them.

Of each the whole text counts, but of outputs of tools the beginning. Not searched: what clients
keep beside a result for themselves (`toolUseResult`, a second copy), files and reminders that they
attach, pictures and other bytes in base64. Field names as clients 1.0.128 to 2.1.332 write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple, cast

import msgspec
import orjson
from msgspec import Raw

from forkpoint.records.compact_json import without_data_urls
from forkpoint.records.decode import decode_object
from forkpoint.records.mend import mend_blocks, mend_shape, mend_string
from forkpoint.records.record import Block, Flag, Kind, Record, Role
from forkpoint.records.words import plain_words

OUTPUT_LIMIT = 4_000
"""Characters of a tool's output that are searched."""
TEXT_LIMIT = 1_000_000
"""Characters of any other text that are."""


class Part(IntEnum):
    """What a text is of its record; smaller ones are told first."""

    PROMPT = 0
    """What a person typed, also commands and shell lines."""
    ANSWER = 1
    TOOL_INPUT = 2
    TOOL_OUTPUT = 3
    """Also what commands and shell lines put out."""
    THINKING = 4
    CONTEXT = 5
    """What the client added: notices, summaries, what an editor or a hook put in."""


class SearchText(NamedTuple):
    """A text of a record; that of a call or a result, which is the `block`, may be empty."""

    part: Part
    text: str
    block: Block | None = None


def texts_of(data: bytes, record: Record) -> list[SearchText]:
    """Return the texts of a record, in an order that depends on the record alone.

    Args:
        data: the bytes of the record.
        record: what `decode` made of them.
    """
    if record.uuid is None:
        return []
    match record.kind:
        case Kind.USER | Kind.ASSISTANT:
            return list(_message(_shape(data).message.content, record))
        case Kind.ATTACHMENT if record.role is not Role.ATTACHMENT:
            return _one(_own_part(record), _joined(_shape(data).attachment.prompt))
        case Kind.SYSTEM:
            return _one(_own_part(record), _words(_joined(_shape(data).content), record))
        case _:
            return []


# --- shapes ------------------------------------------------------------------------------------


class _Message(msgspec.Struct, frozen=True, gc=False):
    content: Raw = Raw()


class _Attachment(msgspec.Struct, frozen=True, gc=False):
    prompt: Raw = Raw()


class _Line(msgspec.Struct, gc=False):
    message: _Message = _Message()
    attachment: _Attachment = _Attachment()
    content: Raw = Raw()


class _Item(msgspec.Struct, gc=False):
    """A content block of a message, or of a tool's result."""

    type: str | None = None
    text: Raw = Raw()
    thinking: Raw = Raw()
    content: Raw = Raw()
    input: Raw = Raw()


_lines = msgspec.json.Decoder(_Line)
_items = msgspec.json.Decoder(list[_Item])
_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def _shape(data: bytes) -> _Line:
    try:
        return _lines.decode(data)
    except _ERRORS:
        return mend_shape(_Line, decode_object(data) or {})


def _items_in(data: bytes) -> list[_Item]:
    """The blocks of a content that is no string; one bare block was seen in damaged files."""
    if data[:1] == b"{":
        data = b"[" + data + b"]"
    if data[:1] != b"[":
        return []
    try:
        return _items.decode(data)
    except _ERRORS:
        try:
            return mend_blocks(_Item, data)
        except (ValueError, RecursionError):
            return []


# --- texts -------------------------------------------------------------------------------------


def _message(content: Raw, record: Record) -> Iterator[SearchText]:
    data = bytes(content)
    if data[:1] == b'"':
        yield from _one(_own_part(record), _words(mend_string(data), record))
        return
    items = _items_in(data)
    yield from _one(_own_part(record), _words("\n".join(_texts(items)), record))
    thoughts = [_string(item.thinking) for item in items if item.type == "thinking"]
    yield from _one(Part.THINKING, "\n".join(thoughts))
    tools = [item for item in items if item.type in _TOOLS]
    blocks = [block for block in record.blocks if block.kind in _TOOLS]
    for item, block in zip(tools, blocks, strict=False):
        if block.kind == "tool_use":
            text = _input_text(bytes(item.input))
            yield SearchText(Part.TOOL_INPUT, searched_of(Part.TOOL_INPUT, text), block)
        else:
            text = searched_of(Part.TOOL_OUTPUT, _joined(item.content))
            yield SearchText(Part.TOOL_OUTPUT, text, block)


_TOOLS = ("tool_use", "tool_result")


def _own_part(record: Record) -> Part:
    """What the plain text of a record is."""
    match record.role:
        case Role.RESPONSE | Role.API_ERROR:
            return Part.ANSWER
        case Role.PROMPT | Role.COMMAND | Role.SHELL:
            return Part.PROMPT if record.flags & Flag.TYPED else Part.TOOL_OUTPUT
        case _:
            return Part.CONTEXT


def _words(text: str, record: Record) -> str:
    """What was typed or put out, without the client's marks around it."""
    return plain_words(text) if record.role in (Role.COMMAND, Role.SHELL) else text


def _one(part: Part, text: str) -> list[SearchText]:
    if not text or text.isspace():
        return []
    return [SearchText(part, searched_of(part, text))]


def searched_of(part: Part, text: str) -> str:
    """Return what of a text is searched: so much of it, without colours and bytes in base64."""
    if part is Part.TOOL_OUTPUT:
        text = text[:OUTPUT_LIMIT]
    text = without_data_urls(text[:TEXT_LIMIT])
    return _STYLE.sub("", text) if "\x1b" in text else text


def _joined(content: Raw) -> str:
    """The texts of a content that is a string or blocks; none of anything else."""
    data = bytes(content)
    if data[:1] == b'"':
        return mend_string(data)
    return "\n".join(_texts(_items_in(data)))


def _texts(items: list[_Item]) -> list[str]:
    return [text for item in items if item.type == "text" and (text := _string(item.text))]


def _string(value: Raw) -> str:
    data = bytes(value)
    return mend_string(data) if data[:1] == b'"' else ""


# --- a tool's input ----------------------------------------------------------------------------


def _input_text(data: bytes) -> str:
    """All texts of an input, without the names of its fields."""
    if not data or data == b"{}":
        return ""
    try:
        value: object = orjson.loads(data)
    except ValueError:
        value = decode_object(data)
    return "\n".join(leaves(value))


def leaves(value: object) -> Iterator[str]:
    """Yield the strings of a parsed value in their order; without recursion, it may be deep."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if len(item) < _LONG or not _BASE64.fullmatch(item):
                yield item
        elif isinstance(item, dict):
            waiting += reversed(cast("dict[str, object]", item).values())
        elif isinstance(item, list):
            waiting += reversed(cast("list[object]", item))


_STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""A terminal's colours and moves: clients keep them in what commands put out."""
_LONG = 1000
"""A string of so many base64 characters and no others is no text."""
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]++={0,2}")
