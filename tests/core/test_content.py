"""What a reader gets of one record: its blocks, and never the bytes of a picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.records.blocks import (
    TEXT_LIMIT,
    ContentBlock,
    Image,
    Other,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
)
from forkpoint.records.content import Body, content_of
from tests.fixture_paths import CASES, REAL

# A 1x1 GIF: 42 bytes, 56 characters.
GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": GIF}}


def said(content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": content}, **fields}


def result(content: Any, **fields: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": "t1", "content": content, **fields}


def answer(text: str, size: int, **fields: Any) -> ToolResult:
    facts = {"is_error": False, "cut_at": None, "size_bytes": size, **fields}
    return ToolResult(call_id="t1", text=text, **facts)


def blocks_of(record: Any) -> tuple[ContentBlock, ...]:
    return content_of(json.dumps(record).encode()).blocks


MARK = (
    "<persisted-output>\nOutput too large ({}). Full output saved to: {}\n\nPreview (first 2KB):\n1"
)

CONTENT = [
    # messages
    (said("Hi"), Text("Hi")),
    (said("a\r\nb\u2028c"), Text("a\r\nb\u2028c")),
    (said([]),),
    (said(["Hi", {"type": "text", "text": "you"}]), Text("Hi"), Text("you")),
    (said({"type": "text", "text": "no list"}), Text("no list")),
    (said([{"type": "text", "text": 5}]), Other("text", '{"type":"text","text":5}')),
    (said([3, None]), Other("", "3"), Other("", "null")),
    (said([PICTURE]), Image("image/gif", 42)),
    (said([{"type": "image", "source": {"type": "url", "url": "http://x"}}]), Image(None, 0)),
    (said([{"type": "image"}]), Image(None, 0)),
    (
        said([{"type": "document", "source": {"type": "text", "data": "# A"}, "title": "a.md"}]),
        Text("# A"),
    ),
    (
        said([{"type": "document", "source": {"type": "base64", "data": "AAAA"}, "title": "a"}]),
        Other(
            "document",
            '{"type":"document","source":{"type":"base64","data":"[3 bytes]"},"title":"a"}',
        ),
    ),
    (said([{"type": "thinking", "thinking": "Hm", "signature": "c2ln"}]), Thinking("Hm")),
    (said([{"type": "thinking", "thinking": "", "signature": "c2ln"}]), Thinking("")),
    (said([{"type": "redacted_thinking", "data": "secret"}]), Thinking("")),
    (said([{"type": "brand_new", "x": [1]}]), Other("brand_new", '{"type":"brand_new","x":[1]}')),
    (said(None), Other("user", '{"type":"user","message":{"role":"user","content":null}}')),
    ({"type": "assistant"}, Other("assistant", '{"type":"assistant"}')),
    # results
    (said([result("one\ntwo")]), answer("one\ntwo", 7)),
    (said([result("ä", is_error=True)]), answer("ä", 2, is_error=True)),
    (said([result("x", is_error="yes")]), answer("x", 1)),
    (said([result(None)]), answer("", 0)),
    (
        said([result([{"type": "text", "text": "a"}, PICTURE, {"type": "text", "text": "b"}])]),
        answer("a\nb", 3 + 42),
        Image("image/gif", 42),
    ),
    (
        said([result(["a", {"type": "tool_reference", "tool_name": "WebFetch"}])]),
        answer("a", 1),
        Other("tool_reference", '{"type":"tool_reference","tool_name":"WebFetch"}'),
    ),
    (said([result("a"), {"type": "text", "text": "b"}]), answer("a", 1), Text("b")),
    # spilled results
    (
        said(
            [result(MARK.format("340.7KB", "/h/tool-results/b.txt"))],
            toolUseResult={
                "persistedOutputPath": "/other/b2.txt",
                "persistedOutputSize": 348894,
            },
        ),
        answer(MARK.format("340.7KB", "/h/tool-results/b.txt"), 348894, spilled="b2.txt"),
    ),
    (
        said([result([{"type": "text", "text": MARK.format("2KB", "C:\\h\\t\\mcp-x.json")}])]),
        answer(MARK.format("2KB", "C:\\h\\t\\mcp-x.json"), 2048, spilled="mcp-x.json"),
    ),
    (
        said([result("gone", is_error=False)], toolUseResult={"persistedOutputPath": "/a/.."}),
        answer("gone", 4),
    ),
    (
        said(
            [result("a"), result("b")],
            toolUseResult={"persistedOutputPath": "/a/b.txt", "persistedOutputSize": 9},
        ),
        answer("a", 1),
        answer("b", 1),
    ),
    (said([result("a " + MARK)]), answer("a " + MARK, len(MARK) + 2)),
    # attachments
    (
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "Also this"}},
        Text("Also this"),
    ),
    (
        {
            "type": "attachment",
            "attachment": {
                "type": "queued_command",
                "prompt": [{"type": "text", "text": "See"}, PICTURE],
            },
        },
        Text("See"),
        Image("image/gif", 42),
    ),
    (
        {
            "type": "attachment",
            "attachment": {"type": "file", "filename": "/a/b.py", "displayPath": "b.py"},
            "rendered": [{"content": "one"}, {"content": ["two", PICTURE]}],
        },
        Other("file", "one\ntwo", subject="b.py"),
        Image("image/gif", 42),
    ),
    (
        {"type": "attachment", "attachment": {"type": "task_reminder", "content": []}},
        Other("task_reminder", '{"type":"task_reminder","content":[]}'),
    ),
    ({"type": "attachment"}, Other("attachment", '{"type":"attachment"}')),
    # system rows, state lines, unknown types
    (
        {"type": "system", "subtype": "informational", "content": "Hello"},
        Text("Hello"),
    ),
    (
        {"type": "system", "subtype": "turn_duration", "durationMs": 5, "uuid": "u", "cwd": "/a"},
        Other("turn_duration", '{"durationMs":5}'),
    ),
    ({"type": "system"}, Other("system", "{}")),
    ({"type": "mode", "mode": "normal"}, Other("mode", '{"type":"mode","mode":"normal"}')),
    ({"type": "later", "uuid": "u"}, Other("later", '{"type":"later","uuid":"u"}')),
    ({"type": 5}, Other("", '{"type":5}')),
    ({}, Other("", "{}")),
]  # fmt: skip


@pytest.mark.parametrize("case", CONTENT, ids=lambda case: json.dumps(case[0])[:60])
def test_content(case: tuple[Any, ...]):
    record, *blocks = case
    assert blocks_of(record) == tuple(blocks)


BYTES = [
    (b"", Other("", "")),
    (b"not JSON", Other("", "not JSON")),
    (b"[1]", Other("", "[1]")),
    (b'{"type":"user"', Other("", '{"type":"user"')),
    (b"\x00\x00", Other("", "\x00\x00")),
    (b"\xff{", Other("", "\ufffd{")),
    (b'\x00{"type":"mode"}\x00', Other("mode", '{"type":"mode"}')),
    (b'{"type":"user","message":{"content":"a\xffb"}}', Text("a\ufffdb")),
    (b'{"type":"user","message":{"content":"a\\ud800b"}}', Text("a\ufffdb")),
    (b'{"type":"user","message":{"content":"\\ud83d\\ude42"}}', Text("🙂")),
    (b'{"type":"x","n":1e999,"s":"\\udfff"}', Other("x", '{"type":"x","n":null,"s":"\ufffd"}')),
    (b'\x00{"n":123456789012345678901}', Other("", '{"n":123456789012345678901}')),
    (b'{"\\ud800":1,"type":"x"}', Other("x", '{"\ufffd":1,"type":"x"}')),
]  # fmt: skip


@pytest.mark.parametrize(("line", "block"), BYTES)
def test_broken_bytes(line: bytes, block: ContentBlock):
    assert content_of(line).blocks == (block,)


@pytest.mark.parametrize("depth", [90, 300, 900, 100_000])
def test_deep_nesting_ends_in_dots(depth: int):
    line = b'{"type":"x","a":' + b"[" * depth + b"]" * depth + b"}"
    (block,) = content_of(line).blocks
    assert isinstance(block, Other)
    assert block.text.count("[") == min(depth, 99)
    assert block.text.count("…") == (depth > 99)


def test_long_texts_are_cut_and_say_so():
    long = "ä" * (TEXT_LIMIT + 1)
    assert blocks_of(said(long)) == (Text(long[:-1], TEXT_LIMIT),)
    assert blocks_of(said(long[:-1])) == (Text(long[:-1]),)
    assert blocks_of(said([result(long)])) == (
        answer(long[:-1], 2 * TEXT_LIMIT + 2, cut_at=TEXT_LIMIT),
    )
    assert blocks_of(said([{"type": "thinking", "thinking": long}])) == (
        Thinking(long[:-1], TEXT_LIMIT),
    )
    (other,) = content_of(b"x" * 5 * TEXT_LIMIT).blocks
    assert other == Other("", "x" * TEXT_LIMIT, TEXT_LIMIT)


WITHOUT_BYTES = [
    ({"type": "x", "file": {"base64": "AAAA"}}, '{"type":"x","file":{"base64":"[3 bytes]"}}'),
    (
        {"type": "x", "data": "AA==", "mimeType": "image/png"},
        '{"type":"x","data":"[1 bytes]","mimeType":"image/png"}',
    ),
    ({"type": "x", "data": "words"}, '{"type":"x","data":"words"}'),
    ({"type": "x", "y": "Q" * 1000}, '{"type":"x","y":"[750 bytes]"}'),
    ({"type": "x", "y": "Q" * 999}, '{"type":"x","y":"' + "Q" * 999 + '"}'),
    ({"type": "x", "y": "a word " * 200}, '{"type":"x","y":"' + "a word " * 200 + '"}'),
    (
        {"type": "x", "y": ["![](data:image/png;base64," + "Q" * 40 + ")"]},
        '{"type":"x","y":["![](data:image/png;base64,[30 bytes])"]}',
    ),
]


@pytest.mark.parametrize(("record", "text"), WITHOUT_BYTES)
def test_bytes_become_their_size(record: Any, text: str):
    assert blocks_of(record) == (Other("x", text),)


def test_a_picture_inside_a_text_becomes_its_size():
    (block,) = blocks_of(said("see data:image/gif;base64," + GIF + " there"))
    assert block == Text("see data:image/gif;base64,[42 bytes] there")


def test_a_line_of_12_megabytes():
    data = "iVBORw0K" * 1_500_000
    picture = {"type": "image", "source": {"type": "base64", "media_type": "a/b", "data": data}}
    assert blocks_of(said([picture])) == (Image("a/b", 9_000_000),)


# --- recordings --------------------------------------------------------------------------------


def recorded(situation: str, ordinal: int) -> Body:
    files = (REAL / situation / "projects" / "-home-dev-shop").glob("*-*-*.jsonl")
    (file,) = [file for file in files if not file.name.startswith("agent-")]
    return content_of(file.read_bytes().split(b"\n")[ordinal])


SECOND_CALL = "toolu_01440b61d1b25443198e99b0"
RECORDED = [
    ("n1_queue", 5, (Text("Run the slow check"),)),
    ("n1_queue", 31, (Text("Show the git log"),)),
    ("n1_queue", 32, (Text("Tidy the readme"),)),
    (
        "n1_queue",
        46,
        (
            ToolResult(
                call_id="toolu_0168d09440a10c44c29c58ed",
                is_error=False,
                text="The file /home/dev/shop/README.md has been updated successfully. (file state "
                "is current in your context — no need to Read it back)",
                cut_at=None,
                size_bytes=132,
            ),
        ),
    ),
    ("l2_image_input", 2, (Text("What is on the picture?"), Image("image/png", 88))),
    ("v_2_0_76", 37, (Thinking("Three files at once."),)),
    (
        "v_2_0_76",
        39,
        (
            ToolUse(
                call_id=SECOND_CALL,
                name="Read",
                file="/home/dev/shop/cart.py",
                summary="/home/dev/shop/cart.py",
                input_text='{"file_path":"/home/dev/shop/cart.py"}',
            ),
        ),
    ),
    (
        "v_2_0_76",
        33,
        (
            ToolResult(
                call_id="toolu_01b5fe72a9488b4a4b9ebae8",
                is_error=True,
                text="<tool_use_error>Error: No such tool available: MultiEdit</tool_use_error>",
                cut_at=None,
                size_bytes=73,
            ),
        ),
    ),
    ("d1_esc_mid_tool", 43, (Text("[Request interrupted by user for tool use]"),)),
]


@pytest.mark.parametrize(("situation", "ordinal", "blocks"), RECORDED)
def test_recorded(situation: str, ordinal: int, blocks: tuple[ContentBlock, ...]):
    assert recorded(situation, ordinal).blocks == blocks


def test_a_recorded_result_that_was_spilled():
    body = recorded("h1_large_output", 24)
    (block,) = body.blocks
    assert isinstance(block, ToolResult)
    assert (block.spilled, block.size_bytes, block.cut_at) == ("bqjo8h5jm.txt", 348894, None)
    assert block.text.startswith("<persisted-output>\nOutput too large (340.7KB).")
    assert body.preview.startswith("Output too large (340.7KB). Full output saved to: /home/dev/")


def test_a_recorded_picture_in_a_result():
    (file,) = (REAL / "l1_mentions_hooks_bash" / "projects" / "-home-dev-shop").glob("*.jsonl")
    lines = file.read_bytes().splitlines()
    (line,) = [line for line in lines if b'"tool_result"' in line and b'"image"' in line]
    result, image = content_of(line).blocks
    assert isinstance(result, ToolResult)
    assert (result.text, result.size_bytes, image) == ("", 88, Image("image/png", 88))


def all_lines() -> Iterator[bytes]:
    for folder in (REAL, CASES):
        for file in sorted(folder.rglob("*.jsonl")):
            yield from file.read_bytes().split(b"\n")


def texts_of(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for name in getattr(value, "__struct_fields__", ()):
        yield from texts_of(getattr(value, name))


def test_every_recorded_line_yields_something_fit_to_show():
    for line in all_lines():
        body = content_of(line)
        assert body.blocks, line[:200]
        check(body)
        assert not any("iVBORw0K" in text for block in body.blocks for text in texts_of(block))


def check(body: Body) -> None:
    preview = body.preview
    assert len(preview) <= 200
    assert preview == " ".join(preview.split())
    assert [note.kind for note in body.notes] == [block.kind for block in body.blocks]
    for block in body.blocks:
        for text in texts_of(block):
            assert len(text) <= TEXT_LIMIT
            text.encode()


FORMAT = """
type user assistant attachment system message content text tool_result tool_use thinking image
source data base64 input id name rendered prompt queued_command toolUseResult file_path
"""
NAMES = st.sampled_from(FORMAT.split())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | NAMES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=6),
    max_leaves=30,
)


@given(st.binary(max_size=200) | st.builds(lambda value: json.dumps(value).encode(), JSON))
def test_any_bytes_have_content(line: bytes):
    check(content_of(line))
