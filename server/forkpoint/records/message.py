"""A message's content as far as the index keeps it: joins of calls and results, and first words."""

from __future__ import annotations

import re

import msgspec
from msgspec import Raw

from forkpoint.records.mend import mend_blocks, mend_string
from forkpoint.records.record import PREVIEW_SOURCE, Block
from forkpoint.records.shapes import BlockShape, InputShape
from forkpoint.records.words import is_context

_blocks = msgspec.json.Decoder(list[BlockShape])
_input = msgspec.json.Decoder(InputShape)


def reduced(content: Raw) -> tuple[tuple[Block, ...], str]:
    """Reduce a message's content (a string, or blocks) to joins and its own first words."""
    data = bytes(content)
    if data[:1] == b'"':
        return (), mend_string(data)[:PREVIEW_SOURCE]
    if data[:1] != b"[":
        return (), ""
    rows = _block_shapes(data)
    return tuple([_block(row) for row in rows]), _own_words(rows)


def _block_shapes(data: bytes) -> list[BlockShape]:
    try:
        return _blocks.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return mend_blocks(BlockShape, data)


def _block(row: BlockShape) -> Block:
    if row.type == "tool_use":
        return Block("tool_use", row.id, row.name, file=_file(row.input))
    if row.type == "tool_result":
        return Block("tool_result", row.tool_use_id, is_error=bool(row.is_error))
    return Block(row.type)


def _file(call_input: Raw) -> str | None:
    data = bytes(call_input)
    if not _FILE_FIELD.search(data):
        return None
    try:
        found = _input.decode(data)
    except msgspec.DecodeError:
        return None
    return found.file_path or found.notebook_path


_FILE_FIELD = re.compile(rb'"(?:file_path|notebook_path)"')


def _own_words(rows: list[BlockShape]) -> str:
    """The first text that is not an editor's note about open files or a reminder."""
    texts = [first_text(row.text) for row in rows if row.type == "text"]
    own = [text for text in texts if text and not is_context(text)]
    return (own or texts or [""])[0]


def first_text(content: Raw) -> str:
    """Return the first own words of a string or of blocks, at most `PREVIEW_SOURCE` characters."""
    data = bytes(content)
    if data[:1] == b'"':
        return mend_string(data)[:PREVIEW_SOURCE]
    if data[:1] == b"[":
        return _own_words(_block_shapes(data))
    return ""
