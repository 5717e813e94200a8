"""The pictures of a record are those that its content names, in the same order."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.records.blocks import Image
from forkpoint.records.content import content_of
from forkpoint.records.pictures import picture_in
from tests.builders import line

TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")


def image(size: int, media_type: str = "image/png") -> dict[str, Any]:
    data = base64.b64encode(b"a" * size).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


images = st.builds(image, st.integers(1, 9), st.sampled_from(TYPES))
texts = st.just({"type": "text", "text": "a"})
results = st.builds(
    lambda content: {"type": "tool_result", "tool_use_id": "t", "content": content},
    st.lists(images | texts, max_size=3) | images | st.just("a"),
)
contents = st.lists(images | texts | results, max_size=4) | images | st.just("a")
records = st.one_of(
    st.builds(lambda content: {"type": "user", "message": {"content": content}}, contents),
    st.builds(
        lambda prompt: {
            "type": "attachment",
            "attachment": {"type": "queued_command", "prompt": prompt},
        },
        st.lists(images | texts, min_size=1, max_size=3),
    ),
    st.builds(
        lambda content: {
            "type": "attachment",
            "attachment": {"type": "file"},
            "rendered": [{"content": "a"}, {"content": content}],
        },
        st.lists(images | texts, max_size=3),
    ),
)


@given(records)
def test_each_has_its_number(record: dict[str, Any]) -> None:
    data = line(**record)
    named = [block for block in content_of(data).blocks if isinstance(block, Image)]
    pictures = [picture_in(data, number) for number in range(len(named))]
    assert [picture and (picture.media_type, len(picture.data)) for picture in pictures] == [
        (block.media_type, block.size_bytes) for block in named
    ]
    assert picture_in(data, len(named)) is None


@pytest.mark.parametrize(
    "source",
    [
        None,
        {"type": "url", "url": "http://a/b.png"},
        {"type": "base64", "media_type": "image/svg+xml", "data": "AAAA"},
        {"type": "base64", "media_type": "image/png", "data": "A"},
        {"type": "base64", "media_type": "image/png", "data": 5},
        {"type": "base64", "media_type": 5, "data": "AAAA"},
    ],
)
def test_what_is_no_picture_that_can_be_shown(source: Any) -> None:
    content = [{"type": "image", "source": source}]
    assert picture_in(line(type="user", message={"content": content}), 0) is None


def test_no_record() -> None:
    assert picture_in(b"{", 0) is None
