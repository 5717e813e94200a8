"""What can be saved of a value whose shape or text is not as expected.

A field of another type counts as absent and costs nothing else; broken text is replaced by U+FFFD.
"""

from __future__ import annotations

import json
from typing import TypeVar, cast

import msgspec

_Shape = TypeVar("_Shape", bound=msgspec.Struct)

_string = msgspec.json.Decoder(str)


def mend_shape(shape: type[_Shape], value: dict[str, object]) -> _Shape:
    """Fill a shape field by field from a parsed object."""
    found: dict[str, object] = {}
    for field in msgspec.structs.fields(shape):
        if field.encode_name not in value:
            continue
        item = value[field.encode_name]
        try:
            one = msgspec.json.decode(_plain_json({field.encode_name: item}), type=shape)
            found[field.name] = getattr(one, field.name)
        except (msgspec.DecodeError, RecursionError):
            nested = _struct_in(field.type)
            if nested and isinstance(item, dict):
                found[field.name] = mend_shape(nested, cast("dict[str, object]", item))
    return shape(**found)


def mend_object(shape: type[_Shape], data: bytes) -> _Shape:
    """Fill a shape from the bytes of a JSON value; one that is no object fills nothing."""
    try:
        value: object = json.loads(data.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return shape()
    return (
        mend_shape(shape, cast("dict[str, object]", value)) if isinstance(value, dict) else shape()
    )


def mend_blocks(shape: type[_Shape], data: bytes) -> list[_Shape]:
    """Fill one shape per object of a JSON array; a bare string counts as a text block."""
    items = cast("list[object]", json.loads(data.decode("utf-8", "replace")))
    rows: list[_Shape] = []
    for item in items:
        if isinstance(item, str):
            rows.append(mend_shape(shape, {"type": "text", "text": item}))
        elif isinstance(item, dict):
            rows.append(mend_shape(shape, cast("dict[str, object]", item)))
    return rows


def mend_string(data: bytes) -> str:
    """Decode a JSON string, whatever its bytes and escapes are."""
    try:
        return _string.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return clean_text(cast("str", json.loads(data.decode("utf-8", "replace"), strict=False)))


def clean_text(text: str) -> str:
    """Replace lone surrogates, which no encoder and no client takes."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _plain_json(value: object) -> bytes:
    return clean_text(json.dumps(value, ensure_ascii=False)).encode()


def _struct_in(annotation: object) -> type[msgspec.Struct] | None:
    options = getattr(annotation, "__args__", (annotation,))
    structs = [o for o in options if isinstance(o, type) and issubclass(o, msgspec.Struct)]
    return structs[0] if structs else None
