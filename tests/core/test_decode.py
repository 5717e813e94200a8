"""What one line of bytes becomes, whatever the bytes are."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from forkpoint.records.claude_code import KNOWN_TYPES
from forkpoint.records.decode import MAX_DEPTH, decode, decode_object
from forkpoint.records.record import Flag, Kind, Malformed, Record, Role, Usage
from forkpoint.records.shapes import LineShape
from tests.builders import (
    assistant,
    call_block,
    line,
    result_block,
    row,
    text_block,
    transcript,
    user,
    uuid,
)

U = transcript("u1").rstrip()
A = transcript("| u1 a1").rstrip()
HEAD, REST = Flag.GLUED_HEAD, Flag.GLUED_REST


def the(data: bytes) -> Record:
    """The one record of a line."""
    [piece] = decode(data)
    assert isinstance(piece.value, Record)
    assert (piece.start, piece.length) == (0, len(data))
    return piece.value


# --- whole lines, cut lines, glued lines -------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"null", "null, not an object"),
        (b"[]", "an array, not an object"),
        (b'["type"]', "an array, not an object"),
        (b'"text"', "a string, not an object"),
        (b"5", "a number or truth value, not an object"),
        (b"false", "a number or truth value, not an object"),
        (b"\0\0\0", "only NUL bytes"),
        (b" \0\t\0 ", "only NUL bytes"),
        (b"text", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"{", "not JSON"),
        (b"}", "not JSON"),
        (U[:-1], "not JSON"),
        (U[1:], "not JSON"),
        (b'{"type":"user" "uuid":"x"}', "not JSON"),
        (b'{"total":NaN}', "not JSON"),
        (b'{"rate":-Infinity}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[" * 100_000 + b"]" * 100_000, "an array, not an object"),
        (b'{"a":' * 100_000, "not JSON"),
    ],
)
def test_a_line_that_is_no_record(data: bytes, reason: str) -> None:
    [piece] = decode(data)
    assert piece == (0, len(data), Malformed(reason))


BAD = Malformed("not JSON")


@pytest.mark.parametrize(
    ("parts", "values"),
    [
        ([U], [("u1", 0)]),
        ([b" \t" + U + b" \r"], [("u1", 0)]),
        # A whole record in front: 2.1.120 and later read it and lose the rest.
        ([U, A], [("u1", HEAD), ("a1", REST)]),
        ([U, b" ", A], [("u1", HEAD), None, ("a1", REST)]),
        ([U, A, b"  ", U], [("u1", HEAD), ("a1", REST), None, ("u1", REST)]),
        ([U, b"\0\0"], [("u1", HEAD), None]),
        ([U, b"\0\0", A], [("u1", HEAD), None, ("a1", REST)]),
        ([U, b"text"], [("u1", HEAD), BAD]),
        ([U, A[:-1]], [("u1", HEAD), BAD]),
        ([U, U[:40], A, b"\0"], [("u1", HEAD), BAD, ("a1", REST), None]),
        ([b"  ", U, A], [None, ("u1", HEAD), ("a1", REST)]),
        # Something else in front: no client reads the record behind it.
        ([b"\0\0", U], [None, ("u1", REST)]),
        ([b"\0", U, A], [None, ("u1", REST), ("a1", REST)]),
        ([U[:-1], A], [BAD, ("a1", REST)]),
        ([U[:60], A, U], [BAD, ("a1", REST), ("u1", REST)]),
        ([b"text", U], [BAD, ("u1", REST)]),
        ([b"\xff\xfe", U], [BAD, ("u1", REST)]),
        ([b"text" + U + b"text"], [BAD]),
    ],
)
def test_every_whole_record_of_a_line_is_recovered(parts: list[bytes], values: list[Any]) -> None:
    """The parts of a line, and what each gives: nothing, or a value at the part's own place."""
    wanted: list[Any] = []
    start = 0
    for part, value in zip(parts, values, strict=True):
        if value is not None:
            wanted.append((start, len(part), value))
        start += len(part)
    found = [
        (p.start, p.length, _short(p.value) if isinstance(p.value, Record) else p.value)
        for p in decode(b"".join(parts))
    ]
    assert found == wanted


def _short(record: Record) -> tuple[str, int]:
    names = {uuid("u1"): "u1", uuid("a1"): "a1"}
    return names[record.uuid], record.flags & (HEAD | REST)


def test_an_object_inside_a_cut_record_is_no_record() -> None:
    cut = line(message={"content": [{"type": "text", "text": "hello"}]}, type="assistant")[:-10]
    assert decode(cut) == [(0, len(cut), BAD)]


def test_a_line_of_a_million_braces_is_given_up() -> None:
    data = b'{"' * 1_000_000
    assert decode(data) == [(0, len(data), BAD)]


# --- odd values in a whole record --------------------------------------------------------------


@pytest.mark.parametrize("depth", [10, MAX_DEPTH, 1_000, 100_000])
@pytest.mark.parametrize("where", ["toolUseResult", "message", "unknown"])
def test_deep_nesting_costs_nothing_else(where: str, depth: int) -> None:
    deep = '{"a":[' * depth + "]}" * depth
    text = json.dumps({where: 0, **row("u1", None, 0)})
    if where == "message":
        text = json.dumps({**row("u1", None, 0), where: 0})
    record = the(text.replace(f'"{where}": 0', f'"{where}": {deep}').encode())
    assert (record.kind, record.uuid) == (Kind.USER, uuid("u1"))


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (b"half \\ud83d pair", "half \ufffd pair"),
        (b"low \\udc00", "low \ufffd"),
        (b"\\ud800\\udc00", "\U00010000"),
        (b"\\udc00\\ud800", "\ufffd\ufffd"),
        (b"\\ud83d\\ude00 and \xf0\x9f\x98\x80", "😀 and 😀"),
        (b"raw \xff\xfe bytes", "raw \ufffd\ufffd bytes"),
        (b"surrogate \xed\xa0\x80", "surrogate \ufffd\ufffd\ufffd"),
        (b"cut \xf0\x9f\x98", "cut \ufffd"),
        (
            "\u2028\u2029\x85\v\f".encode().replace(b"\v", b"\\u000b").replace(b"\f", b"\\f"),
            "\u2028\u2029\x85\v\f",
        ),
    ],
)
def test_broken_text_is_replaced(written: bytes, text: str) -> None:
    template = line(**row("u1", None, 0, user("HERE"))).rstrip()
    record = the(template.replace(b"HERE", written))
    assert (record.uuid, record.text) == (uuid("u1"), text)


TEXT_FIELDS = [f.name for f in msgspec.structs.fields(LineShape) if f.type == (str | None)]
FLAG_FIELDS = [f.name for f in msgspec.structs.fields(LineShape) if f.type == (bool | None)]
OBJECT_FIELDS = ["message", "origin", "forkedFrom", "compactMetadata", "attachment", "snapshot"]
STRANGE = [5, -0.0, True, "text", [], ["text"], {}, {"type": 5}]


def _without(value: Any, *types: type) -> list[Any]:
    return [strange for strange in value if type(strange) not in types]


@pytest.mark.parametrize(
    ("field", "strange"),
    [
        *[(field, strange) for field in TEXT_FIELDS for strange in _without(STRANGE, str)],
        *[(field, strange) for field in FLAG_FIELDS for strange in _without(STRANGE, bool)],
        *[(field, strange) for field in OBJECT_FIELDS for strange in _without(STRANGE, dict)],
    ],
)
@pytest.mark.parametrize("name", ["u1", "a1", "b1", "q1"])
def test_a_field_of_another_type_counts_as_absent(name: str, field: str, strange: Any) -> None:
    fields = row(name, "u0", 0)
    fields.pop(field, None)
    absent = the(line(**fields).rstrip())
    assert the(line(**{**fields, field: strange}).rstrip()) == absent


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"usage": "none"}, {"usage": None}),
        (
            {"usage": {"output_tokens": "x", "input_tokens": 3}},
            {"usage": Usage(input=3, context=3)},
        ),
        (
            {"usage": {"cache_creation": [], "output_tokens": 2}},
            {"usage": Usage(output=2, context=2)},
        ),
        ({"id": 5}, {"message_id": None}),
        ({"model": ["m"]}, {"model": None}),
        ({"content": None}, {"blocks": (), "text": ""}),
        ({"content": {"type": "text", "text": "an object"}}, {"blocks": (), "text": ""}),
        ({"content": 5}, {"blocks": ()}),
        ({"content": [5, None, []]}, {"blocks": ()}),
        ({"content": ["words"]}, {"text": "words"}),
        ({"content": [{"type": 5}, text_block("words")]}, {"text": "words"}),
        ({"content": [{"type": "text", "text": 5}]}, {"text": ""}),
    ],
)
def test_a_strange_part_of_a_message_costs_nothing_else(message: Any, expected: Any) -> None:
    record = the(line(**row("a1", "u1", 0, {"message": message})).rstrip())
    assert (record.kind, record.uuid, record.role) == (Kind.ASSISTANT, uuid("a1"), Role.RESPONSE)
    assert {key: getattr(record, key) for key in expected} == expected


def test_numbers_beyond_all_bounds_cost_nothing_else() -> None:
    data = line(**row("a1", "u1", 0, {"message": {"usage": "HERE"}})).rstrip()
    usage = b'{"input_tokens":123456789012345678901234567890,"output_tokens":1e999}'
    assert the(data.replace(b'"HERE"', usage)).uuid == uuid("a1")


# --- types -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        (user("x"), Kind.USER),
        (assistant("a1"), Kind.ASSISTANT),
        ({"type": "system"}, Kind.SYSTEM),
        ({"type": "attachment"}, Kind.ATTACHMENT),
        ({"type": "progress"}, Kind.PROGRESS),
        ({"type": "hologram"}, Kind.UNKNOWN),
        ({}, Kind.UNKNOWN),
    ],
)
def test_kinds(fields: Any, kind: Kind) -> None:
    assert the(line(uuid=uuid("u1"), **fields).rstrip()).kind == kind
    assert the(line(**fields).rstrip()).kind == Kind.STATE


@pytest.mark.parametrize(
    ("fields", "flags"),
    [
        (user("x", isMeta=True, isSidechain=True), Flag.META | Flag.SIDECHAIN),
        (user("x", isMeta=True, forkedFrom={"sessionId": "s"}), Flag.META | Flag.COPIED),
        (user("x", isSidechain=None), Flag.TYPED),
        (user("x", isSidechain=True), Flag.TYPED | Flag.SIDECHAIN),
        (
            {"type": "user", "message": {"content": [result_block("1")]}, "isSidechain": True},
            Flag.RESULT | Flag.SIDECHAIN,
        ),
        (assistant("a1", text_block("x")), Flag.PROSE),
        (assistant("a1", {"type": "thinking"}), 0),
        (assistant("a1", text_block("x"), call_block("1")), Flag.PROSE | Flag.CALL),
        (
            {**assistant("a1"), "isApiErrorMessage": True, "message": {"model": "<synthetic>"}}
            | {"isSidechain": True},
            Flag.API_ERROR | Flag.SYNTHETIC | Flag.SIDECHAIN,
        ),
        (
            {"type": "system", "subtype": "compact_boundary", "isMeta": True},
            Flag.BOUNDARY | Flag.META,
        ),
        (
            {"type": "system", "subtype": "local_command", "isDisplayOnly": True, "content": "x"},
            Flag.LOCAL_COMMAND | Flag.DISPLAY_ONLY,
        ),
        (
            {"type": "attachment", "attachment": {"type": "hook_success"}, "rendered": [{}]},
            Flag.HOOK_NOTE | Flag.RENDERED,
        ),
        ({"type": "attachment", "attachment": {"type": "date"}, "rendered": []}, 0),
        ({"type": "attachment", "attachment": {"type": "date"}, "rendered": None}, 0),
    ],
)
def test_flags(fields: Any, flags: int) -> None:
    assert the(line(uuid=uuid("u1"), **fields).rstrip()).flags == flags


STATE_TYPES = """
last-prompt mode permission-mode custom-title ai-title tag agent-name agent-color agent-setting
summary file-history-snapshot file-history-delta queue-operation worktree-state relocated pr-link
cost-state api-request api-request-shape api-request-blob tools-used atis-latch
content-replacement fork-context-ref started result repl-mode isolation-latch session-owner
memory-mode derived-from bridge-session history-suppression attribution-snapshot
"""


def test_the_types_of_all_observed_lines_are_known() -> None:
    assert set(STATE_TYPES.split()) < KNOWN_TYPES


# --- the whole object --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'{"a":1}', {"a": 1}),
        (b' \t{"a":1}\r\0', {"a": 1}),
        (b'{"a":"\\ud800 \xff"}', {"a": "\ud800 \ufffd"}),
        (b"null", None),
        (b"[{}]", None),
        (b"{}{}", None),
        (b"", None),
    ],
)
def test_decode_object(data: bytes, value: Any) -> None:
    assert decode_object(data) == value


def test_what_lies_too_deep_is_null() -> None:
    value: Any = decode_object(b'{"a":' * 5_000 + b"1" + b"}" * 5_000)
    depth = 0
    while value is not None:
        value, depth = value["a"], depth + 1
    assert depth == MAX_DEPTH - 1
