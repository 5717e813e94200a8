"""The full content of one record, for a reader.

Every record yields something: what has no shape of its own comes as JSON, what is no JSON as it
is. Field names as clients 1.0.128 to 2.1.332 write them (format.md sections 4 and 14).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import cast

import msgspec
import orjson

from forkpoint.records.blocks import (
    TEXT_LIMIT,
    BlockNote,
    ContentBlock,
    Image,
    Other,
    Text,
    Thinking,
    ToolResult,
    note_of,
)
from forkpoint.records.calls import tool_use
from forkpoint.records.codex import is_rollout
from forkpoint.records.compact_json import compact_json, decoded_size, without_data_urls
from forkpoint.records.decode import decode_object
from forkpoint.records.mend import clean_text
from forkpoint.records.preview import preview_of
from forkpoint.records.rollout_content import rollout_blocks
from forkpoint.records.spill import spill_of
from forkpoint.records.words import one_line


class Body(msgspec.Struct, frozen=True):
    """A record's content in its order."""

    blocks: tuple[ContentBlock, ...]

    @property
    def preview(self) -> str:
        """The content in one line of at most 200 characters; may be empty."""
        return preview_of(self.blocks)

    @property
    def notes(self) -> list[BlockNote]:
        """Each block in one word."""
        return [note_of(block) for block in self.blocks]


def content_of(line: bytes, limit: int = TEXT_LIMIT) -> Body:
    """Read a record's bytes; they may be anything.

    Args:
        line: the bytes.
        limit: characters of a text that are kept.
    """
    record = fields_of(line)
    if record is None:
        # A character takes at most four bytes; the rest of a long line need not be decoded.
        head = line[: 4 * limit + 4].decode("utf-8", "replace")
        return Body((_other("", head, limit),))
    return body_of(record, limit)


def body_of(record: dict[str, object], limit: int = TEXT_LIMIT) -> Body:
    """Read a record that is decoded already."""
    kind = _word(record.get("type"))
    read = _READERS.get(kind)
    if read is None and (is_rollout(kind) or not kind):
        blocks = rollout_blocks(_bytes(record), limit)
    else:
        blocks = read(record, limit) if read else None
    if blocks is None:
        blocks = [_other(kind, compact_json(record), limit)]
    return Body(tuple(blocks))


_Fields = dict[str, object]


def _bytes(record: _Fields) -> bytes:
    try:
        return orjson.dumps(record)
    except TypeError:
        # An integer of more than 64 bits.
        return json.dumps(record).encode()


def fields_of(line: bytes) -> dict[str, object] | None:
    """Decode a record's bytes, damaged text mended; None for what is no JSON object."""
    try:
        value: object = orjson.loads(line)
    except ValueError:
        found = decode_object(line)
        if found is None:
            return None
        value = json.loads(clean_text(json.dumps(found, ensure_ascii=False)))
    return _fields(value)


def _fields(value: object) -> _Fields | None:
    return cast("_Fields", value) if isinstance(value, dict) else None


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


# --- by record type ----------------------------------------------------------------------------


def _message(record: _Fields, limit: int) -> list[ContentBlock] | None:
    message = _fields(record.get("message")) or {}
    content = message.get("content")
    items = _items(content)
    if not items and content != []:
        return None
    results = [item for item in items if (_fields(item) or {}).get("type") == "tool_result"]
    # The client's own account of a result belongs to the row: it tells nothing if there are two.
    account = _fields(record.get("toolUseResult")) if len(results) == 1 else None
    return [block for item in items for block in _block(item, account or {}, limit)]


def _attachment(record: _Fields, limit: int) -> list[ContentBlock] | None:
    attachment = _fields(record.get("attachment"))
    if attachment is None:
        return None
    name = _word(attachment.get("type"))
    if name == "queued_command":
        words = [b for item in _items(attachment.get("prompt")) for b in _block(item, {}, limit)]
        if words:
            return words
    sent = [part for item in _list(record.get("rendered")) for part in _items(_content(item))]
    text = "\n".join(filter(None, map(_text_in, sent)))
    images = [_image(item) for item in map(_fields, sent) if item and item.get("type") == "image"]
    about = _other(name, text or compact_json(attachment), limit, _subject(attachment))
    return [about, *images]


_SUBJECT_FIELDS = ("displayPath", "filename", "hookName", "planFilePath", "description", "date")


def _subject(attachment: _Fields) -> str | None:
    found = (one_line(_word(attachment.get(field))) for field in _SUBJECT_FIELDS)
    return next(filter(None, found), None)


_ENVELOPE = """
type subtype uuid parentUuid logicalParentUuid sessionId session_id timestamp isSidechain agentId
cwd gitBranch version entrypoint userType slug level isMeta forkedFrom
"""
_ENVELOPE_FIELDS = frozenset(_ENVELOPE.split())
"""Fields of a system row that say nothing about its subject."""


def _system(record: _Fields, limit: int) -> list[ContentBlock]:
    content = record.get("content")
    if isinstance(content, str) and content.strip():
        return [_text(content, limit)]
    own = {name: value for name, value in record.items() if name not in _ENVELOPE_FIELDS}
    return [_other(_word(record.get("subtype")) or "system", compact_json(own), limit)]


_READERS: dict[str, Callable[[_Fields, int], list[ContentBlock] | None]] = {
    "user": _message,
    "assistant": _message,
    "attachment": _attachment,
    "system": _system,
}


# --- by block type -----------------------------------------------------------------------------


def _items(content: object) -> list[object]:
    """Content is a string, blocks, or (seen in damaged files) one bare block."""
    return [content] if isinstance(content, str | dict) else _list(content)


def _content(item: object) -> object:
    return (_fields(item) or {}).get("content")


def _text_in(item: object) -> str | None:
    """The text of a text block or bare string; None for anything else."""
    if isinstance(item, str):
        return item
    block = _fields(item) or {}
    text = block.get("text")
    return text if block.get("type") == "text" and isinstance(text, str) else None


def _block(item: object, account: _Fields, limit: int) -> Iterator[ContentBlock]:
    block = _fields(item) or {}
    match block.get("type"):
        case "tool_result":
            yield from _tool_result(block, account, limit)
        case "tool_use":
            call_id, name = _word(block.get("id")), _word(block.get("name"))
            yield tool_use(call_id, name, block.get("input"), limit)
        case "thinking":
            yield Thinking(*_cut(_word(block.get("thinking")), limit))
        case "redacted_thinking":
            yield Thinking("")
        case _:
            yield _plain(item, limit)


def _plain(item: object, limit: int) -> ContentBlock:
    """A block that may also stand inside a tool's result."""
    text = _text_in(item)
    if text is not None:
        return _text(text, limit)
    block = _fields(item)
    if block is None:
        return _other("", compact_json(item), limit)
    source = _fields(block.get("source")) or {}
    name = _word(block.get("type"))
    if name == "image":
        return _image(block)
    if name == "document" and source.get("type") == "text":
        return _text(_word(source.get("data")), limit)
    return _other(name, compact_json(block), limit)


def _image(block: _Fields) -> Image:
    source = _fields(block.get("source")) or {}
    media_type = source.get("media_type")
    data = source.get("data") if source.get("type") == "base64" else None
    return Image(
        media_type=one_line(media_type) if isinstance(media_type, str) else None,
        size_bytes=decoded_size(_word(data)),
    )


def _tool_result(block: _Fields, account: _Fields, limit: int) -> Iterator[ContentBlock]:
    items = _items(block.get("content"))
    text = "\n".join(text for text in map(_text_in, items) if text is not None)
    rest = [_plain(item, limit) for item in items if _text_in(item) is None]
    spill = spill_of(text, account)
    images = sum(part.size_bytes for part in rest if isinstance(part, Image))
    whole = len(text.encode()) + images
    shown, cut_at = _cut(text, limit)
    yield ToolResult(
        call_id=_word(block.get("tool_use_id")),
        is_error=block.get("is_error") is True,
        text=shown,
        cut_at=cut_at,
        size_bytes=whole if spill is None or spill.size is None else spill.size,
        spilled=spill.name if spill else None,
    )
    yield from rest


# --- texts -------------------------------------------------------------------------------------


def _cut(text: str, limit: int) -> tuple[str, int | None]:
    text = without_data_urls(text)
    return text[:limit], limit if len(text) > limit else None


def _text(text: str, limit: int) -> Text:
    return Text(*_cut(text, limit))


def _other(name: str, text: str, limit: int, subject: str | None = None) -> Other:
    return Other(name, *_cut(text, limit), subject)
