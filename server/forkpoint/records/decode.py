"""One line of bytes to the records in it.

Nearly every line is one record. After a crash a line may hold a record with something behind it,
NULs before it, or a cut record and then a whole one; every whole record is recovered, what is left
over becomes `Malformed`. The real clients lose some of these (observed: 2.1.100 and 2.1.332), so a
piece says how it lay on its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, cast

import msgspec

from forkpoint.records import claude_code
from forkpoint.records.record import Flag, Malformed, Record

type_error = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Piece(NamedTuple):
    """A record or a malformed part, cut out of its line by `start` and `length` (bytes)."""

    start: int
    length: int
    value: Record | Malformed


def decode(line: bytes) -> list[Piece]:
    """Decode a non-blank line; never raises, never returns an empty list."""
    try:
        return [Piece(0, len(line), claude_code.decode(line))]
    except type_error:
        return [_made(*part) for part in pieces_of(line)]


def _made(start: int, length: int, value: dict[str, object] | Malformed, flags: int) -> Piece:
    if isinstance(value, Malformed):
        return Piece(start, length, value)
    record = claude_code.mend(value)
    record.flags |= flags
    return Piece(start, length, record)


def decode_object(line: bytes) -> dict[str, object] | None:
    """Return the JSON object that a record's bytes hold, with all its fields; None if none.

    Broken UTF-8 and lone surrogates become U+FFFD; what lies deeper than
    `MAX_DEPTH` becomes null.
    """
    value = _parse(line.strip(_BLANK))
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def timestamp_of(line: bytes) -> str | None:
    """Return a record's time as the agent wrote it; None where it has none."""
    value = decode(line)[0].value
    return value.timestamp if isinstance(value, Record) else None


def type_at_head(head: bytes) -> str | None:
    """Return the type of a record by the beginning of its line; None where other fields are first.

    State lines begin with it (all clients seen so far), those of Codex with their time; of an event
    the type is that of its payload.
    """
    found = _TYPE_FIRST.match(head) or _TYPE_SECOND.match(head)
    return (found[found.lastindex or 1]).decode() if found else None


_TYPE_FIRST = re.compile(rb'\s*\{"type":"([A-Za-z][\w-]{0,60})"')
_TYPE_SECOND = re.compile(
    rb'\s*\{"timestamp": ?"[^"]{0,40}", ?"type": ?"([A-Za-z][\w-]{0,60})"'
    rb'(?:, ?"payload": ?\{"type": ?"([A-Za-z][\w-]{0,60})")?'
)

MAX_DEPTH = 400
"""The standard library's parser gives up near 1,000 levels, orjson at 1,024 (measured)."""

_BLANK = b" \t\r\n\0"
_MAX_CANDIDATES = 200
"""A line of a million braces must not cost a million parses."""

_parser = json.JSONDecoder(parse_constant=lambda name: _refuse(name))


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


class Part(NamedTuple):
    """An object or a malformed part of a line, with the `Flag` that says how it lay there."""

    start: int
    length: int
    value: dict[str, object] | Malformed
    flags: int = 0


def pieces_of(line: bytes) -> list[Part]:
    """Find the objects on a line of any shape; never raises, never returns an empty list."""
    stripped = line.strip(_BLANK)
    if not stripped:
        return [Part(0, len(line), Malformed("only NUL bytes"))]
    whole = _parse(stripped)
    if isinstance(whole, dict) and len(stripped) == len(line.strip(b" \t\r")):
        return [Part(0, len(line), cast("dict[str, object]", whole))]
    if whole is not None and not isinstance(whole, dict):
        return [Part(0, len(line), Malformed(f"{_json_name(whole)}, not an object"))]
    return list(_pieces(line))


def _json_name(value: object) -> str:
    if value is _NULL:
        return "null"
    if isinstance(value, list):
        return "an array"
    return "a string" if isinstance(value, str) else "a number or truth value"


def _parse(data: bytes) -> object:
    """Parse a whole value; None if it is none (a JSON `null` has its own way: see `_NULL`)."""
    text = data.decode("utf-8", "replace")
    try:
        value = _parser.decode(text)
    except RecursionError:
        return _parse_deep(text)
    except ValueError:
        return None
    return _NULL if value is None else value


_NULL = ()
"""Stands for a JSON `null`, which is no record but no garbage either."""


def _parse_deep(text: str) -> object:
    try:
        return _parser.decode(_flatten(text))
    except (ValueError, RecursionError):
        return None


_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)


def _flatten(text: str) -> str:
    """Replace what lies deeper than `MAX_DEPTH` by null, without recursion."""
    out: list[str] = []
    depth = kept = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth == MAX_DEPTH:
                out.append(text[kept : token.start()] + "null")
        elif token[0] in "]}":
            if depth == MAX_DEPTH:
                kept = token.end()
            depth -= 1
    out.append(text[kept:])
    return "".join(out)


def _pieces(line: bytes) -> Iterator[Part]:
    """Cut a line into whole records and malformed rests, in order, covering all of it."""
    text = line.decode("utf-8", "surrogateescape")
    head = _solid(text, 0)
    done = 0
    for start, end, value in _whole_records(text, head):
        if text[done:start].strip(" \t\r\0"):
            yield _rest(text, done, start)
        glued = Flag.GLUED_HEAD if start == head else Flag.GLUED_REST
        yield Part(_bytes(text[:start]), _bytes(text[start:end]), value, glued)
        done = end
    if text[done:].strip(" \t\r\0"):
        yield _rest(text, done, len(text))


def _rest(text: str, start: int, end: int) -> Part:
    return Part(_bytes(text[:start]), _bytes(text[start:end]), Malformed("not JSON"))


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def _whole_records(text: str, head: int) -> Iterator[tuple[int, int, dict[str, object]]]:
    """Yield the whole records of a line that is none by itself.

    The object with which the line begins counts, whatever follows (2.1.120 and later read it). An
    object further on may be part of a cut record, so it must say its type and end where the line
    ends, where NULs begin, or where another object begins.

    Args:
        text: the line.
        head: where it begins, blanks aside.
    """
    start = head if text.startswith("{", head) else text.find('{"', head)
    for _ in range(_MAX_CANDIDATES):
        if start < 0:
            return
        end = _object_end(text, start, anywhere=start == head)
        if end is None:
            end = start + 1
        else:
            value = _parse(text[start:end].encode("utf-8", "surrogateescape"))
            yield start, end, cast("dict[str, object]", value)
        start = text.find('{"', end)


def _object_end(text: str, start: int, anywhere: bool) -> int | None:
    """Where the object that begins at `start` ends; None if there is none, or a part of one."""
    try:
        value, end = _parser.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    behind = _solid(text, end)
    closed = text[behind : behind + 1] in ("", "\0", "{")
    if not isinstance(value, dict) or not (anywhere or (closed and "type" in value)):
        return None
    return end


_blanks = re.compile(r"[ \t\r]*+")


def _solid(text: str, position: int) -> int:
    """The position of the next character that is no blank."""
    blanks = _blanks.match(text, position)
    return blanks.end() if blanks else position
