"""As much of orjson's interface as is used here, by the standard library's json."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from json import JSONDecodeError
from secrets import token_hex
from typing import Any, cast

from forkpoint.stand_ins.msgspec.errors import DecodeError
from forkpoint.stand_ins.msgspec.json import decode

__all__ = ["Fragment", "JSONDecodeError", "dumps", "loads"]


class Fragment:
    """JSON that is written as it is."""

    def __init__(self, contents: bytes | str) -> None:
        self.contents = contents.encode() if isinstance(contents, str) else contents


def loads(data: bytes | bytearray | memoryview | str) -> Any:
    """Decode a JSON text strictly: UTF-8, no lone surrogates, no infinite numbers."""
    try:
        return decode(data)
    except (DecodeError, RecursionError) as failure:
        raise JSONDecodeError(str(failure), "", 0) from failure


def dumps(value: object, default: Callable[[Any], Any] | None = None) -> bytes:
    """Write compact JSON as UTF-8.

    Raises:
        TypeError: for what has no form in it, also lone surrogates.
    """
    mark, fragments = token_hex(16), list[bytes]()

    def convert(other: Any) -> Any:
        if isinstance(other, Fragment):
            fragments.append(other.contents)
            return mark
        if default is None:
            raise TypeError(f"{type(other).__name__} has no form in JSON")
        return default(other)

    try:
        text = _text(value, convert)
    except ValueError:
        text = _text(_finite(value), convert)
    try:
        pieces = text.encode().split(f'"{mark}"'.encode())
    except UnicodeEncodeError as failure:
        raise TypeError(str(failure)) from failure
    written = [pieces[0]]
    for fragment, piece in zip(fragments, pieces[1:], strict=True):
        written += (fragment, piece)
    return b"".join(written)


def _text(value: object, default: Callable[[Any], Any]) -> str:
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=default
    )


def _finite(value: Any) -> Any:
    """The same without numbers that are not finite: null takes their place."""
    match value:
        case float():
            return value if math.isfinite(value) else None
        case dict():
            return {key: _finite(each) for key, each in cast("dict[Any, Any]", value).items()}
        case list() | tuple():
            return [_finite(each) for each in cast("list[Any]", value)]
        case _:
            return value
