"""The bytes of a record's pictures, which its content tells by type and size only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from forkpoint.records.blocks import Image
from forkpoint.records.codex import is_rollout
from forkpoint.records.content import Body
from forkpoint.records.rollout_content import picture_urls


def pictures_of(fields: dict[str, object] | None, body: Body) -> tuple[str, ...]:
    """Return the base64 of each `Image` block in order; empty texts where there is none.

    Nothing is returned if there are not as many in the record as in its content.
    """
    count = sum(isinstance(block, Image) for block in body.blocks)
    if fields is None or not count:
        return ()
    kind = fields.get("type")
    if isinstance(kind, str) and is_rollout(kind):
        return _in_rollout(fields, count)
    found = tuple(_found(fields.get("message"), 0)) or tuple(_found(fields, 0))
    return found if len(found) == count else ()


def _in_rollout(fields: dict[str, object], count: int) -> tuple[str, ...]:
    urls = picture_urls(json.dumps(fields).encode())
    found = tuple(url.partition(";base64,")[2] for url in urls)
    return found if len(found) == count else ()


_DEEPEST = 8
"""An attachment's rendered message has its blocks four levels down."""


def _found(value: object, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _found(item, depth + 1)
    elif isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        if fields.get("type") == "image":
            yield _data(fields.get("source"))
            return
        for name in ("content", "rendered", "attachment", "prompt"):
            yield from _found(fields.get(name), depth + 1)


def _data(source: object) -> str:
    fields = cast("dict[str, object]", source) if isinstance(source, dict) else {}
    data = fields.get("data")
    return data if fields.get("type") == "base64" and isinstance(data, str) else ""
