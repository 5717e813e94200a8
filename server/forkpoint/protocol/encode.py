"""From wire types to JSON.

One function per class is made, once: 10,000 segments take about a quarter of the time of
`attrs.asdict`. cattrs makes equal ones, and takes longer to import than the first list may take.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, cast

import attrs
import orjson

from forkpoint.protocol.names import camel_case


class Ready:
    """Stands for a value whose JSON-ready form was made before; nobody changes that."""

    __slots__ = ("form",)

    def __init__(self, form: object) -> None:
        self.form = form


def encode(value: object) -> Any:
    """Turn wire types, and lists of them, into dicts with camelCase keys; null fields stay."""
    kind = type(value)
    if kind in _READY:
        return value
    if kind is list or kind is tuple:
        return [encode(each) for each in cast("list[object]", value)]
    if kind is dict:
        return {key: encode(each) for key, each in cast("dict[str, object]", value).items()}
    return _writer_of(kind)(value)


def json_bytes(value: object, default: Callable[[Any], Any] | None = None) -> bytes:
    """Write a JSON-ready value as UTF-8.

    Text from a transcript may hold lone surrogates and numbers may be of any size: neither is
    valid for a fast encoder, and neither may cost an answer. Lone surrogates become U+FFFD.

    Args:
        value: Dicts, lists, strings, numbers, booleans and None.
        default: Turns any other object into one of these.

    Raises:
        TypeError: When `value` holds something else, and `default` is not given or refuses it.
    """
    try:
        return orjson.dumps(value, default=default)
    except TypeError:
        return json.dumps(_mended(value, default), ensure_ascii=False).encode()


def whole_text(text: str) -> str:
    """Return a text that can be written as UTF-8: lone surrogates become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _mended(value: Any, default: Callable[[Any], Any] | None) -> Any:
    match value:
        case str():
            return whole_text(value)
        case float():
            return value if math.isfinite(value) else None
        case dict():
            entries = cast("dict[str, Any]", value).items()
            return {_mended(key, default): _mended(each, default) for key, each in entries}
        case list() | tuple():
            return [_mended(each, default) for each in cast("list[Any]", value)]
        case None | bool() | int():
            return value
        case _ if default is not None:
            return _mended(default(value), default)
        case _:
            raise TypeError(f"{type(value).__name__} has no form in JSON")


_READY = frozenset({str, int, float, bool, type(None)})
"""Values that are JSON as they are."""

_READY_NAMES = frozenset({"str", "int", "float", "bool", "None"})


@cache
def _writer_of(cls: type[Any]) -> Callable[[Any], Any]:
    """Make what writes an object of a class; anything else is written as it is.

    Written out as an expression it takes a third of the time of a loop over the fields.
    """
    if cls is Ready:
        return attrgetter("form")
    if not attrs.has(cls):
        return lambda value: value
    entries = [
        f"{camel_case(each.name)!r}: {_expression(each.name, each.type)}"
        for each in attrs.fields(cls)
    ]
    return eval(f"lambda value: {{{', '.join(entries)}}}", {"ready": _READY, "encode": encode})


def _expression(name: str, annotation: object) -> str:
    if _is_ready(annotation):
        return f"value.{name}"
    return f"x if type(x := value.{name}) in ready else encode(x)"


def _is_ready(annotation: object) -> bool:
    """Say whether all values of a field are JSON as they are, by the words of its annotation."""
    return isinstance(annotation, str) and {*annotation.split(" | ")} <= _READY_NAMES
