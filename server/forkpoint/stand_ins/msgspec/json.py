"""Decodes JSON into a type; what nobody asks for is skipped, and a `Raw` keeps its very bytes.

Text is read by the scanner of the standard library's json, value by value. Bytes that are no UTF-8
become lone surrogates, so that they matter only in a text that somebody asks for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from json import JSONDecoder, decoder
from typing import Any, NoReturn, cast

from forkpoint.stand_ins.msgspec.errors import DecodeError, Raw, ValidationError
from forkpoint.stand_ins.msgspec.kinds import Kind, fields_by_name, fit, kind_of, made

_ESCAPED_HALF = re.compile(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F])|.)", re.DOTALL)
"""An escape; the group has one half of a surrogate pair without the other."""
_SPACES = frozenset(" \t\n\r")


def decode(data: bytes | bytearray | memoryview | str, *, type: Any = Any) -> Any:
    """Decode a whole JSON text into a type.

    Raises:
        DecodeError: it is no JSON, or of another type.
        RecursionError: it is nested too deep.
    """
    return Decoder(type).decode(data)


class Decoder:
    """Decodes into one type."""

    def __init__(self, type: Any = Any) -> None:
        self._kind = kind_of(type)

    def decode(self, data: bytes | bytearray | memoryview | str) -> Any:
        """Like the function `decode`."""
        text = data if isinstance(data, str) else bytes(data).decode("utf-8", "surrogateescape")
        try:
            value, end = _read(text, _after_space(text, 0), self._kind)
        except DecodeError:
            raise
        except (ValueError, StopIteration) as failure:
            # The scanner's own errors; one is about numbers of more than 4,300 digits.
            raise DecodeError(str(failure)) from failure
        if _after_space(text, end) != len(text):
            raise DecodeError("more stands behind the value")
        if "\\u" in text and any(each[1] for each in _ESCAPED_HALF.finditer(text)):
            raise DecodeError("half of a surrogate pair")
        return value


def _no_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


_scan: Callable[[str, int], tuple[Any, int]]
_scan = cast("Any", JSONDecoder(parse_constant=_no_json)).scan_once
_scan_text: Callable[[str, int], tuple[str, int]] = cast("Any", decoder).scanstring


def _read(text: str, at: int, kind: Kind) -> tuple[Any, int]:
    """Decode the value that begins at a place; returns it and where it ends."""
    first = text[at : at + 1]
    if first == "{" and (kind.struct or kind.values):
        return _read_object(text, at + 1, kind)
    if first == "[" and kind.items:
        return _read_array(text, at + 1, kind, kind.items)
    value, end = _scan(text, at)
    if kind.raw:
        return Raw(text[at:end].encode("utf-8", "surrogateescape")), end
    _check(value)
    return fit(value, kind), end


def _read_array(text: str, at: int, kind: Kind, items: Kind) -> tuple[Any, int]:
    found: list[Any] = []
    at = _after_space(text, at)
    if text[at : at + 1] == "]":
        return kind.array(found), at + 1
    while True:
        value, at = _read(text, at, items)
        found.append(value)
        at = _after_space(text, at)
        if text[at : at + 1] == "]":
            return kind.array(found), at + 1
        at = _after(",", text, at)


def _read_object(text: str, at: int, kind: Kind) -> tuple[Any, int]:
    found: dict[Any, Any] = {}
    at = _after_space(text, at)
    is_empty = text[at : at + 1] == "}"
    while not is_empty:
        key, at = _scan_text(text, _after('"', text, at))
        at = _after(":", text, _after_space(text, at))
        at = _read_member(text, at, kind, key, found)
        at = _after_space(text, at)
        if text[at : at + 1] == "}":
            break
        at = _after(",", text, at)
    return made(kind.struct, found) if kind.struct else found, at + 1


def _read_member(text: str, at: int, kind: Kind, key: str, found: dict[Any, Any]) -> int:
    if kind.struct:
        known = fields_by_name(kind.struct).get(key)
        if known is None:
            return _scan(text, at)[1]
        found[known.name], at = _read(text, at, known.kind)
        return at
    keys, values = kind.values or (kind, kind)
    _check_text(key)
    found[fit(key, keys)], at = _read(text, at, values)
    return at


def _after_space(text: str, at: int) -> int:
    while text[at : at + 1] in _SPACES:
        at += 1
    return at


def _after(mark: str, text: str, at: int) -> int:
    """Where goes on what stands behind a mark."""
    if text[at : at + 1] != mark:
        raise DecodeError(f"no {mark} at {at}")
    return at + 1 if mark == '"' else _after_space(text, at + 1)


def _check(value: Any) -> None:
    """Refuse what JSON may hold, but no value that somebody asks for."""
    match value:
        case str():
            _check_text(value)
        case float():
            if not math.isfinite(value):
                raise ValidationError("a number is out of range")
        case list():
            for each in cast("list[Any]", value):
                _check(each)
        case dict():
            for key, each in cast("dict[str, Any]", value).items():
                _check_text(key)
                _check(each)
        case _:
            pass


def _check_text(text: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as failure:
            raise DecodeError("a text is no UTF-8") from failure
