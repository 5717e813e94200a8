"""The texts of records by which they are found."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from forkpoint.records.said import general, said_on
from forkpoint.records.searchable import Part
from tests.builders import Fields, call_block, line, result_block, row, text_block, user
from tests.strategies import lines

PROMPT, ANSWER, INPUT, OUTPUT, THINKING, CONTEXT = Part


def texts(data: bytes) -> list[tuple[Part, str]]:
    [said] = said_on(data.rstrip(b"\n"))
    return [(text.part, text.text) for text in said.texts]


def asked(content: Any, **fields: Any) -> Fields:
    return {"message": {"role": "user", "content": content}, **fields}


def answer(*blocks: Fields, **fields: Any) -> Fields:
    return {"message": {"content": [*blocks]}, **fields}


image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}

RECORDS: list[tuple[str, Fields, list[tuple[Part, str]]]] = [
    ("u1", asked("Fix it"), [(PROMPT, "Fix it")]),
    ("u1", asked([text_block("Fix"), image, text_block("it")]), [(PROMPT, "Fix\nit")]),
    ("u1", asked("  \n "), []),
    ("u1", asked("a\0b 😀"), [(PROMPT, "a\0b 😀")]),
    (
        "u1",
        asked("see data:image/png;base64," + "A" * 64),
        [(PROMPT, "see data:image/png;base64,[48 bytes]")],
    ),
    (
        "u1",
        asked("<command-name>/compact</command-name><command-args>soon</command-args>"),
        [(PROMPT, "/compact soon")],
    ),
    ("u1", asked("<bash-input>ls</bash-input>"), [(PROMPT, "! ls")]),
    ("u1", asked("<bash-stdout>a.py</bash-stdout><bash-stderr></bash-stderr>"), [(OUTPUT, "a.py")]),
    ("m1", asked("a reminder"), [(CONTEXT, "a reminder")]),
    ("c1", asked("so far"), [(CONTEXT, "so far")]),
    ("q1", {}, [(PROMPT, "q1")]),
    ("h1", {}, []),
    ("s1", {}, []),
    (
        "s1",
        {"subtype": "local_command", "content": "<command-name>/x</command-name>"},
        [(PROMPT, "/x")],
    ),
    ("s1", {"subtype": "api_error", "content": "Overloaded"}, [(ANSWER, "Overloaded")]),
    ("p1", {}, []),
    ("x1", {"message": {"content": "holo"}}, []),
    (
        "a1",
        answer({"type": "thinking", "thinking": "hm"}, text_block("Done"), text_block(".")),
        [(ANSWER, "Done\n."), (THINKING, "hm")],
    ),
    (
        "a1",
        answer(call_block("1", "Edit", file_path="/a.py", edits=[{"old": "x"}, {"old": "y"}], n=3)),
        [(INPUT, "/a.py\nx\ny")],
    ),
    ("a1", answer(call_block("1", data="QUJD" * 300, note="b")), [(INPUT, "b")]),
    ("a1", answer(call_block("1")), [(INPUT, "")]),
    (
        "r1",
        asked(
            [result_block("1", content="out\x1b[31mred\x1b[0m")], toolUseResult={"stdout": "out"}
        ),
        [(OUTPUT, "outred")],
    ),
    (
        "r1",
        asked([result_block("1", content=[text_block("one"), image, text_block("two")])]),
        [(OUTPUT, "one\ntwo")],
    ),
    (
        "r1",
        asked(
            [
                result_block("1"),
                result_block("2", content="no", is_error=True),
                text_block("by the way"),
            ]
        ),
        [(CONTEXT, "by the way"), (OUTPUT, "ok"), (OUTPUT, "no")],
    ),
    ("r1", asked([result_block("1", content="x" * 5000)]), [(OUTPUT, "x" * 4000)]),
]


@pytest.mark.parametrize(("name", "fields", "wanted"), RECORDS)
def test_texts_of_a_record(name: str, fields: Fields, wanted: list[tuple[Part, str]]) -> None:
    assert texts(line(**row(name, None, 0, fields))) == wanted


def test_a_lone_surrogate_is_replaced() -> None:
    data = line(**row("u1", None, 0, user("one two"))).replace(b"one", b"\\ud800 one")
    assert texts(data) == [(PROMPT, "\N{REPLACEMENT CHARACTER} one two")]


def test_a_line_without_uuid_has_no_texts() -> None:
    assert texts(line(type="summary", summary="words")) == []
    assert texts(b"no json") == []


def test_records_glued_on_a_line_have_their_texts_and_places() -> None:
    one, other = (line(**row(name, None, 0)).rstrip(b"\n") for name in ("u1", "u2"))
    said = said_on(one + other)
    assert [(each.start, each.length) for each in said] == [
        (0, len(one)),
        (len(one), len(other)),
    ]
    assert [text.text for each in said for text in each.texts] == ["u1", "u2"]


def test_what_an_error_and_a_call_say_of_themselves() -> None:
    [said] = said_on(line(**row("a1", None, 0, {"isApiErrorMessage": True})).rstrip(b"\n"))
    assert said.is_error
    call = call_block("1", "Write", file_path="/a.py", notebook_path="/b.ipynb")
    [said] = said_on(line(**row("a1", None, 0, answer(call))).rstrip(b"\n"))
    block = said.texts[0].block
    assert block is not None
    assert (block.call_id, block.name, block.file) == ("call_1", "Write", "/a.py")


@given(lines)
def test_the_usual_way_tells_what_the_general_one_does(data: bytes) -> None:
    assert said_on(data) == general(data)


@pytest.mark.parametrize("content", [5, None, {}, [], [5], [[]], "x", [None, "bare"]])
@pytest.mark.parametrize("kind", ["user", "assistant", "system", "attachment"])
def test_odd_contents_are_told_the_same_both_ways(kind: str, content: object) -> None:
    blocks = [
        {"type": "tool_use", "id": 5, "name": content, "input": content},
        {"type": "tool_result", "tool_use_id": None, "content": content},
        {"type": "text", "text": content},
        {"type": "thinking", "thinking": content},
    ]
    for each in (content, blocks, blocks[:1], blocks[1:2], blocks[2:]):
        data = json.dumps({"type": kind, "uuid": "u", "message": {"content": each}}).encode()
        assert said_on(data) == general(data)
