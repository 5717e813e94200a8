"""What a request says of gaps in its path, and of nothing to send: format.md, section 5."""

from __future__ import annotations

import pytest

from forkpoint.request import Request
from tests.builders import index_of, resume, transcript


@pytest.mark.parametrize(
    ("text", "times", "rows", "repairs"),
    [
        ("u1 a1 u2", {}, "u1 a1 u2", []),
        # Bridged to the nearest row before, if that is not more than five seconds older.
        ("u1 a1 | gone u2 a2", {"u2": 12}, "u1 a1 u2 a2", [("bridgedGap", "u2", "a1")]),
        ("u1 a1 | gone u2 a2", {"u2": 16}, "u2 a2", [("cutAtGap", "u2", "")]),
        # Parents that go round are a gap where they come back, at the first row of a file, too.
        ("| a1 u1 a1 >>u1", {}, "a1 u1", [("cutAtGap", "a1", "")]),
        ("| a1 u1 a1 >>a1", {}, "u1 a1", [("cutAtGap", "u1", "")]),
    ],
)
def test_gaps(
    text: str, times: dict[str, float], rows: str, repairs: list[tuple[str, str, str]]
) -> None:
    resumed = resume(index_of(transcript(text, times=times)))
    found = [
        (
            each.kind,
            resumed.names([each.row]),
            resumed.names([] if each.other is None else [each.other]),
        )
        for each in resumed.request.repairs
        if each.kind in ("bridgedGap", "cutAtGap")
    ]
    assert (resumed.names(resumed.request.rows), found) == (rows, repairs)


@pytest.mark.parametrize("text", ["", "u1 a1 >>null"])
def test_nothing_is_sent_of_nothing(text: str) -> None:
    assert resume(index_of(transcript(text))).request == Request([], set(), None, "empty", [])
