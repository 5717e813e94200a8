"""Answers on their way to JSON: names, nulls, and text that is no Unicode."""

from __future__ import annotations

import json

import pytest

from forkpoint.protocol import types
from forkpoint.protocol.encode import encode, json_bytes

VIEW = types.RecordView(
    ordinal=3,
    uuid=None,
    parent_uuid=None,
    type="assistant",
    subtype=None,
    known=True,
    role="response",
    timestamp=None,
    raw=types.RawLine(uri="file:///t.jsonl", offset=10, length=20),
    blocks=(
        types.TextBlock(text="hello", cut_at=None),
        types.ToolResultBlock(
            tool_use_id="t1", is_error=False, spilled=None, size_bytes=4, text="done", cut_at=None
        ),
    ),
    problem=None,
)

ON_THE_WIRE = {
    "ordinal": 3,
    "uuid": None,
    "parentUuid": None,
    "type": "assistant",
    "subtype": None,
    "known": True,
    "role": "response",
    "timestamp": None,
    "raw": {"uri": "file:///t.jsonl", "offset": 10, "length": 20},
    "blocks": [
        {"kind": "text", "text": "hello", "cutAt": None},
        {
            "kind": "toolResult",
            "toolUseId": "t1",
            "isError": False,
            "spilled": None,
            "sizeBytes": 4,
            "text": "done",
            "cutAt": None,
        },
    ],
    "problem": None,
}


def test_every_field_is_written_under_its_wire_name():
    answer = types.RecordsResult(records=[VIEW], total=9)
    sent = json.loads(json_bytes(encode(answer)))
    assert sent == {"records": [ON_THE_WIRE], "total": 9}


def test_names_with_digits():
    tokens = types.TokenCounts(input=1, output=2, cache_read=3, cache_write_5m=4, cache_write_1h=5)
    keys = ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"]
    assert list(encode(tokens)) == keys


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        ("läden 店 🙂", "läden 店 🙂"),
        ("\ud83d", "\ufffd"),
        ("a\udc00b\ud83dc", "a\ufffdb\ufffdc"),
        ("\ud83d\ude42", "🙂"),
        ({"\ud800": ["\ud800"]}, {"\ufffd": ["\ufffd"]}),
        (2**70, 2**70),
        (["\ud800", float("nan"), float("inf"), 1.5], ["\ufffd", None, None, 1.5]),
        (("\ud800", True, None), ["\ufffd", True, None]),
    ],
)
def test_any_text_and_number_is_valid_json(value: object, sent: object):
    assert json.loads(json_bytes(value).decode("utf-8", "strict")) == sent


@pytest.mark.parametrize("value", [object(), {"x": {1, 2}}, ["\ud800", b"x"]])
def test_what_has_no_form_in_json_is_an_error(value: object):
    with pytest.raises(TypeError):
        json_bytes(value)
