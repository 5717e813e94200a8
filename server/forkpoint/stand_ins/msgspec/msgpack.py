"""Writes and reads MessagePack (its specification of 2013, without extension types and times)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from forkpoint.stand_ins.msgspec.errors import DecodeError, Raw
from forkpoint.stand_ins.msgspec.kinds import fit, kind_of
from forkpoint.stand_ins.msgspec.structs import Struct, fields


class _Sized(NamedTuple):
    """How the size of a value is written: up to `most` within the code, else behind another one."""

    code: int
    most: int
    longer: dict[int, str]


_TEXT = _Sized(0xA0, 31, {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"})
_BYTES = _Sized(0, -1, {0xC4: ">B", 0xC5: ">H", 0xC6: ">I"})
_ARRAY = _Sized(0x90, 15, {0xDC: ">H", 0xDD: ">I"})
_MAP = _Sized(0x80, 15, {0xDE: ">H", 0xDF: ">I"})
_POSITIVE = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q"}
_NEGATIVE = {0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
_FLOATS = {0xCA: ">f", 0xCB: ">d"}
_WORDS: dict[int, Any] = {0xC0: None, 0xC2: False, 0xC3: True}
_NUMBERS = {**_POSITIVE, **_NEGATIVE, **_FLOATS}
_BYTES_OF = {form: struct.calcsize(form) for form in _NUMBERS.values()}


class Encoder:
    """Writes values."""

    def encode(self, value: object) -> bytes:
        """Like the function `encode`."""
        return encode(value)


class Decoder:
    """Reads values of one type."""

    def __init__(self, type: Any = Any) -> None:
        self._kind = kind_of(type)

    def decode(self, data: bytes | memoryview) -> Any:
        """Like the function `decode`."""
        reader = _Reader(data)
        try:
            value = reader.value()
            if reader.at != len(reader.data):
                raise DecodeError("more stands behind the value")
        except (struct.error, IndexError, UnicodeDecodeError, TypeError) as failure:
            raise DecodeError(str(failure)) from failure
        return fit(value, self._kind)


def encode(value: object) -> bytes:
    """Write a value: builtin types, named tuples and structs.

    Raises:
        OverflowError: a number has more than 64 bits.
        UnicodeEncodeError: a text holds half of a surrogate pair.
        TypeError: it is of no such type.
    """
    return b"".join(_pieces(value))


def decode(data: bytes | memoryview, *, type: Any = Any) -> Any:
    """Read a value of a type.

    Raises:
        DecodeError: there is something else, or not all of it, or more.
    """
    return Decoder(type).decode(data)


def _pieces(value: Any) -> Iterator[bytes]:
    match value:
        case None | bool():
            yield bytes([0xC0 if value is None else 0xC3 if value else 0xC2])
        case int():
            yield _integer(value)
        case float():
            yield b"\xcb" + struct.pack(">d", value)
        case Raw():
            yield value
        case str():
            data = value.encode()
            yield from (_size(_TEXT, len(data)), data)
        case bytes() | bytearray() | memoryview():
            data = bytes(cast("bytes", value))
            yield from (_size(_BYTES, len(data)), data)
        case Struct() if not value.__struct_options__["array_like"]:
            names = fields(type(value))
            yield from _map({one.encode_name: getattr(value, one.name) for one in names})
        case dict():
            yield from _map(cast("dict[Any, Any]", value))
        case _:
            yield from _array(value)


def _map(value: dict[Any, Any]) -> Iterator[bytes]:
    yield _size(_MAP, len(value))
    for key, each in value.items():
        yield from _pieces(key)
        yield from _pieces(each)


def _array(value: Any) -> Iterator[bytes]:
    if isinstance(value, Struct):
        value = [getattr(value, name) for name in value.__struct_fields__]
    elif not isinstance(value, (list, tuple, set, frozenset)):
        raise TypeError(f"{type(value).__name__} has no form in MessagePack")
    yield _size(_ARRAY, len(cast("list[Any]", value)))
    for each in cast("list[Any]", value):
        yield from _pieces(each)


def _size(sized: _Sized, size: int) -> bytes:
    if size <= sized.most:
        return bytes([sized.code | size])
    return _fitting(sized.longer, size)


def _integer(number: int) -> bytes:
    if -32 <= number <= 127:
        return struct.pack(">b", number)
    return _fitting(_POSITIVE if number > 0 else _NEGATIVE, number)


def _fitting(forms: dict[int, str], number: int) -> bytes:
    """Write a number in the first form that has room for it, behind the form's code."""
    for code, form in forms.items():
        try:
            return bytes([code]) + struct.pack(form, number)
        except struct.error:
            continue
    raise OverflowError("a number is too large")


class _Reader:
    def __init__(self, data: bytes | memoryview) -> None:
        self.data = memoryview(data)
        self.at = 0

    def value(self) -> Any:
        code = self.data[self.at]
        self.at += 1
        if code in _WORDS:
            return _WORDS[code]
        if code <= 0x7F or code >= 0xE0:
            return code if code <= 0x7F else code - 0x100
        if code in _NUMBERS:
            return self._number(_NUMBERS[code])
        for sized in (_TEXT, _ARRAY, _MAP, _BYTES):
            if sized.code <= code <= sized.code + sized.most:
                return self._sized(sized, code - sized.code)
            if code in sized.longer:
                return self._sized(sized, self._number(sized.longer[code]))
        raise DecodeError(f"{code:#x} is not used here")

    def _number(self, form: str) -> Any:
        return struct.unpack(form, self._bytes(_BYTES_OF[form]))[0]

    def _bytes(self, size: int) -> bytes:
        if size > len(self.data) - self.at:
            raise DecodeError("the end is missing")
        self.at += size
        return bytes(self.data[self.at - size : self.at])

    def _sized(self, sized: _Sized, size: int) -> Any:
        if sized is _TEXT:
            return self._bytes(size).decode()
        if sized is _BYTES:
            return self._bytes(size)
        if sized is _ARRAY:
            return [self.value() for _ in range(size)]
        return {self.value(): self.value() for _ in range(size)}
