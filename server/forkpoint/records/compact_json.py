"""A JSON value as text for a reader: compact, and without the bytes of pictures."""

from __future__ import annotations

import json
import re
from typing import cast

import orjson

_MAX_DEPTH = 100
"""orjson refuses to write more than 254 levels (measured with 3.11)."""

_LONG = 1000
"""A string of so many base64 characters and no others is no text."""
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]++={0,2}")
_DATA_URL = re.compile(r"(data:[\w.+-]+/[\w.+-]+;base64,)([A-Za-z0-9+/_-]{16,}+={0,2})")
_MEDIA_FIELDS = ("media_type", "mimeType", "mediaType")


def compact_json(value: object) -> str:
    """Write a parsed value; bytes in base64 become a note of their size."""
    clean = without_bytes(value)
    try:
        return orjson.dumps(clean).decode()
    except TypeError:
        # An integer of more than 64 bits.
        return json.dumps(clean, ensure_ascii=False, separators=(",", ":"))


def without_bytes(value: object, depth: int = 0) -> object:
    """Copy a parsed value with a note in the place of base64; deeper levels become "…"."""
    if isinstance(value, str):
        return _size_note(value) if is_bytes(value) else without_data_urls(value)
    if depth >= _MAX_DEPTH and isinstance(value, dict | list):
        return "…"
    if isinstance(value, list):
        return [without_bytes(item, depth + 1) for item in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    out: dict[str, object] = {}
    fields = cast("dict[str, object]", value)
    for name, item in fields.items():
        if isinstance(item, str) and _names_bytes(name, fields):
            out[name] = _size_note(item)
        else:
            out[name] = without_bytes(item, depth + 1)
    return out


def without_data_urls(text: str) -> str:
    """Put a note in the place of bytes that a text carries in `data:` addresses."""
    if ";base64," not in text:
        return text
    return _DATA_URL.sub(lambda match: match[1] + _size_note(match[2]), text)


def decoded_size(base64: str) -> int:
    """Return how many bytes a base64 text stands for."""
    padding = 2 if base64.endswith("==") else 1 if base64.endswith("=") else 0
    return (len(base64) - padding) * 3 // 4


def _names_bytes(name: str, owner: dict[str, object]) -> bool:
    if name == "base64":
        return True
    return name == "data" and (
        owner.get("type") == "base64" or any(field in owner for field in _MEDIA_FIELDS)
    )


def is_bytes(text: str) -> bool:
    """Say whether a text is a long run of base64 and nothing else."""
    return len(text) >= _LONG and _BASE64.fullmatch(text) is not None


def _size_note(base64: str) -> str:
    return f"[{decoded_size(base64)} bytes]"
