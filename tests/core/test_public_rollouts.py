"""Rollouts that other projects have published: totals, and nothing twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forkpoint.records.record import Role
from tests.fixture_paths import PUBLIC
from tests.rollouts import Rollout, read_rollout

PATHS = sorted(PUBLIC.glob("**/rollout-*.jsonl"))
pytestmark = pytest.mark.skipif(
    not PATHS, reason="Other projects' session files are not in this repository."
)
each_rollout = pytest.mark.parametrize("path", PATHS or [Path("absent")], ids=lambda p: p.stem[-8:])


def payloads(path: Path, line_type: str, kind: str) -> list[Any]:
    lines = map(json.loads, path.read_bytes().splitlines())
    found = [line["payload"] for line in lines if line["type"] == line_type]
    return [payload for payload in found if payload["type"] == kind]


@each_rollout
def test_the_sum_is_the_final_total(path: Path) -> None:
    infos = [each["info"] for each in payloads(path, "event_msg", "token_count")]
    final = [info["total_token_usage"] for info in infos if info is not None][-1]
    assert read_rollout(path).tokens() == {
        "input": final["input_tokens"],
        "cached_input": final["cached_input_tokens"],
        "output": final["output_tokens"],
        "reasoning_output": final["reasoning_output_tokens"],
        "total": final["total_tokens"],
    }


@each_rollout
def test_words_stand_there_once(path: Path) -> None:
    """The texts are redacted, and otherwise on each channel: only their order tells them apart."""
    read = read_rollout(path)
    said = {
        "user": [each["message"] for each in payloads(path, "event_msg", "user_message")],
        "assistant": [each["message"] for each in payloads(path, "event_msg", "agent_message")],
    }
    found = read.messages() + read.abandoned()
    for role, texts in said.items():
        assert sorted(text for who, text in found if who == role) == sorted(texts)


@each_rollout
def test_every_item_that_is_no_text_is_a_row(path: Path) -> None:
    read = read_rollout(path)
    kinds = ("function_call", "custom_tool_call", "web_search_call")
    made = [each for kind in kinds for each in payloads(path, "response_item", kind)]
    assert len(read.index.tools.all(read.index.joins)) == len(made)
    outputs = [
        each
        for kind in ("function_call_output", "custom_tool_call_output")
        for each in payloads(path, "response_item", kind)
    ]
    assert read.roles().count("TOOL_RESULT") == len(outputs)


@each_rollout
def test_every_line_keeps_its_place(path: Path) -> None:
    read = read_rollout(path)
    data = path.read_bytes()
    nodes = read.index.nodes
    assert len(nodes) == len(data.splitlines())
    assert not read.index.unknown_types
    assert not read.index.malformed
    assert not any(nodes.role[row] == Role.INTERRUPT for row in range(len(nodes)))


def test_a_file_without_events_has_its_prompt_once_the_model_answers() -> None:
    [path] = PUBLIC.glob("kenn-io-agentsview/codex/blockquotes_session.jsonl")
    read = Rollout(path.read_bytes(), "quote-123")
    assert [role for role, _ in read.messages()] == ["user", "assistant"]
