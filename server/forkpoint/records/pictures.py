"""The bytes of a record's pictures, which are read apart from its words.

Pictures stand in the order in which `content.content_of` gives them. Field names as clients 1.0.128
to 2.1.332 write them.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from itertools import islice
from typing import cast

import msgspec

from forkpoint.records.as_told import fields_of
from forkpoint.records.codex import is_rollout
from forkpoint.records.decode import decode_object
from forkpoint.records.rollout_content import picture_urls

SHOWN = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}
"""Media types that can be shown, none of which can act, and how a file's name ends."""


class Picture(msgspec.Struct, frozen=True):
    """A picture with its bytes."""

    media_type: str
    data: bytes


def picture_in(line: bytes, number: int) -> Picture | None:
    """Return one picture of a record; None where it has not so many, or this one has no bytes."""
    record = decode_object(line) or {}
    kind = record.get("type")
    if isinstance(kind, str) and is_rollout(kind):
        return _in_rollout(line, number)
    block = next(islice(_pictures(record), number, None), None)
    source = fields_of((block or {}).get("source"))
    media_type, data = source.get("media_type"), source.get("data")
    if source.get("type") != "base64" or not isinstance(data, str):
        return None
    return _shown(media_type, data)


def _in_rollout(line: bytes, number: int) -> Picture | None:
    """Rollouts have pictures as `data:` URLs."""
    url = next(islice(picture_urls(line), number, None), "")
    head, _, data = url.partition(";base64,")
    return _shown(head.removeprefix("data:"), data)


def _shown(media_type: object, data: str) -> Picture | None:
    if not isinstance(media_type, str) or media_type not in SHOWN or not data:
        return None
    try:
        return Picture(media_type, base64.b64decode(data))
    except (binascii.Error, ValueError):
        return None


_Fields = dict[str, object]


def _pictures(record: _Fields) -> Iterator[_Fields]:
    attachment = fields_of(record.get("attachment"))
    if record.get("type") != "attachment":
        yield from _of_content(fields_of(record.get("message")).get("content"))
    elif attachment.get("type") == "queued_command" and _items(attachment.get("prompt")):
        yield from _of_content(attachment.get("prompt"))
    else:
        for sent in map(fields_of, _items(record.get("rendered"))):
            yield from filter(_is_picture, map(fields_of, _items(sent.get("content"))))


def _of_content(content: object) -> Iterator[_Fields]:
    for block in map(fields_of, _items(content)):
        if _is_picture(block):
            yield block
        elif block.get("type") == "tool_result":
            yield from filter(_is_picture, map(fields_of, _items(block.get("content"))))


def _is_picture(block: _Fields) -> bool:
    return block.get("type") == "image"


def _items(content: object) -> list[object]:
    """Content is a string, blocks, or (seen in damaged files) one bare block."""
    if isinstance(content, dict):
        return [cast("_Fields", content)]
    return cast("list[object]", content) if isinstance(content, list) else []
