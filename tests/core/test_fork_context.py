"""The pointer on the first line of a forked subagent's file; whatever else is there is none."""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.records.fork_context import TYPE, ForkContext, fork_context_in
from tests.builders import line

WHOLE = {"type": TYPE, "parentSessionId": "s", "parentLastUuid": "u", "contextLength": 7}


@pytest.mark.parametrize(
    ("changes", "length"),
    [
        ({}, 7),
        ({"contextLength": 0}, 0),
        *(({"contextLength": odd}, None) for odd in (-1, True, "7", 7.5, None, [7])),
    ],
)
def test_what_it_points_to(changes: dict[str, Any], length: int | None) -> None:
    assert fork_context_in(line(**{**WHOLE, **changes})) == ForkContext("s", "u", length)


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "user", "message": TYPE},
        {"parentSessionId": None},
        {"parentLastUuid": 5},
    ],
)
def test_another_line(changes: dict[str, Any]) -> None:
    assert fork_context_in(line(**{**WHOLE, **changes})) is None


@pytest.mark.parametrize("data", [b"", b'"fork-context-ref"', b'{"type": "fork-context-ref"'])
def test_no_record(data: bytes) -> None:
    assert fork_context_in(data) is None
