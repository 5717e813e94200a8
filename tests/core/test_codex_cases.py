"""Every field of the small cases about Codex that is no question to the disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.fixture_paths import CASES
from tests.rollouts import Rollout, read_rollout

EXPECTED: dict[str, Any] = {
    path.parent.name: expected
    for path in sorted(CASES.glob("*/expect.json"))
    if (expected := json.loads(path.read_bytes()))["group"] == "codex"
}
ANSWERS: dict[str, Callable[[Rollout], Any]] = {
    "title": Rollout.title,
    "messages": Rollout.messages,
    "abandoned": Rollout.abandoned,
    "tokens": Rollout.tokens,
    "tool_calls": Rollout.call_ids,
    "compactions": lambda it: len(it.index.compactions),
    "bad_lines": Rollout.bad_lines,
    "cwd": lambda it: it.index.summary.first_cwd,
    "cwd_from_text": lambda it: it.index.summary.first_cwd,
}
OF_THE_DISK = {"archived", "unreadable", "count_files"}
"""Where files lie, and what is compressed, is asked elsewhere."""


def questions() -> list[tuple[str, str, str]]:
    return [
        (case, thread, field)
        for case, expected in EXPECTED.items()
        for thread, fields in expected["codex_sessions"].items()
        if any((CASES / case).glob(f"codex/**/*{thread}.jsonl"))
        for field in fields
        if field not in OF_THE_DISK
    ]


@pytest.mark.parametrize(("case", "thread", "field"), questions())
def test_a_field_of_a_case(case: str, thread: str, field: str) -> None:
    [path] = (CASES / case).glob(f"codex/**/*{thread}.jsonl")
    expected = EXPECTED[case]["codex_sessions"][thread][field]
    assert ANSWERS[field](read_rollout(path)) == expected


def test_wrong_ways_to_count_tokens_give_other_numbers() -> None:
    [path] = (CASES / "80-codex-token-counts").glob("codex/**/*.jsonl")
    wrong = EXPECTED["80-codex-token-counts"]["wrong_values"]
    counted = read_rollout(path).tokens()
    assert all(counted["input"] != each["input"] for each in wrong.values())
