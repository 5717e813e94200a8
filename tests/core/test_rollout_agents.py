"""Calls of a rollout that begin threads or deal with them, and what is told of those."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.rollouts import Json, Rollout, calls, event, header, message, output, read, user

ADA = "0199e000-0000-7000-8000-00000000ada0"
BOB = "0199e000-0000-7000-8000-00000000b0b0"


def asked(*lines: Json) -> Rollout:
    return read(header(), event("task_started"), *user("Look around"), *lines)


def agents(told: Rollout) -> list[tuple[str, str | None, bool]]:
    calls_made = told.index.tools.all(told.index.joins)
    return [(call.name, call.agent_id, call.in_background) for call in calls_made]


def ended(told: Rollout) -> dict[str, str]:
    return told.index.tools.ended_agents


def spawn(call_id: str = "c1", agent: str = ADA, tool: str = "spawn_agent") -> list[Json]:
    begun = json.dumps({"agent_id": agent, "nickname": "Ada"})
    return [calls(tool, call_id, message="Look"), output(call_id, begun)]


@pytest.mark.parametrize("tool", ["spawn_agent", "multi_agent_v1.spawn_agent"])
def test_a_call_leads_to_the_thread_that_it_began(tool: str) -> None:
    assert agents(asked(*spawn(tool=tool))) == [(tool, ADA, True)]


@pytest.mark.parametrize(
    "text",
    [
        "Agent depth limit reached. Solve the task yourself.",
        "{}",
        '{"agent_id": 7}',
        '{"agent_id": "/root/look"}',
        "[]",
        '{"agent_id"',
    ],
)
def test_an_output_that_names_no_thread(text: str) -> None:
    told = asked(calls("spawn_agent", "c1", message="Look"), output("c1", text))
    assert agents(told) == [("spawn_agent", None, True)]


def test_what_another_tool_puts_out_names_no_thread() -> None:
    begun = json.dumps({"agent_id": ADA})
    told = asked(calls("mcp__desk__hire", "c1"), output("c1", begun))
    assert agents(told) == [("mcp__desk__hire", None, False)]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("send_input", {"id": ADA, "message": "Go on"}),
        ("send_input", {"target": ADA, "message": "Go on"}),
        ("wait", {"ids": [ADA]}),
        ("wait_agent", {"targets": [ADA, ADA], "timeout_ms": 1000}),
        ("close_agent", {"target": ADA}),
        ("resume_agent", {"id": ADA}),
    ],
)
def test_a_call_leads_to_the_thread_that_it_names(tool: str, given: dict[str, Any]) -> None:
    assert agents(asked(*spawn(), calls(tool, "c2", **given)))[1:] == [(tool, ADA, False)]


@pytest.mark.parametrize(
    "given", [{"ids": [ADA, BOB]}, {"ids": []}, {"ids": "x"}, {"target": "/root/look"}, {"id": 7}]
)
def test_a_call_that_names_none_or_several_leads_to_none(given: dict[str, Any]) -> None:
    assert agents(asked(calls("wait", "c2", **given))) == [("wait", None, False)]


def test_an_event_tells_which_thread_a_path_means() -> None:
    """Threads of the second form have paths; of each call an event says which thread it is."""
    told = asked(
        calls("spawn_agent", "c1", task_name="look", message="Look"),
        event(
            "sub_agent_activity",
            event_id="c1",
            agent_thread_id=ADA,
            agent_path="/root/look",
        ),
        output("c1", json.dumps({"task_name": "/root/look", "nickname": None})),
        calls("send_message", "c2", target="/root/look", message="Go on"),
        event("sub_agent_activity", event_id="c2", agent_thread_id=ADA),
        event("sub_agent_activity", event_id="c9", agent_thread_id=BOB),
    )
    assert agents(told) == [("spawn_agent", ADA, True), ("send_message", ADA, False)]


def test_events_of_the_first_form() -> None:
    told = asked(
        calls("spawn_agent", "c1", message="Look"),
        event("collab_agent_spawn_end", call_id="c1", new_thread_id=ADA, status="running"),
        calls("send_input", "c2", message="Go on"),
        event("collab_agent_interaction_end", call_id="c2", receiver_thread_id=ADA),
    )
    assert agents(told) == [("spawn_agent", ADA, False), ("send_input", ADA, False)]


@pytest.mark.parametrize(
    ("tool", "given", "text", "expected"),
    [
        ("wait", {"ids": [ADA]}, {"status": {ADA: {"completed": "Done"}}}, {ADA: "completed"}),
        ("wait", {"ids": [ADA]}, {"status": {ADA: {"completed": None}}}, {ADA: "completed"}),
        (
            "wait_agent",
            {"targets": [ADA, BOB]},
            {"status": {ADA: {"errored": "x"}, BOB: "shutdown"}, "timed_out": False},
            {ADA: "failed", BOB: "stopped"},
        ),
        ("wait", {"ids": [ADA]}, {"status": {ADA: "running"}, "timed_out": True}, {}),
        ("wait", {"ids": [ADA]}, {"status": {}, "timed_out": True}, {}),
        ("wait", {"ids": [ADA]}, {"status": {"/root/look": "shutdown"}}, {}),
        ("close_agent", {"id": ADA}, {"status": "running"}, {ADA: "stopped"}),
        ("close_agent", {"id": ADA}, {"previous_status": {"completed": ""}}, {ADA: "completed"}),
        ("close_agent", {"id": ADA}, {}, {}),
        ("send_input", {"id": ADA}, {"submission_id": "1"}, {}),
    ],
)
def test_how_threads_ended(
    tool: str, given: dict[str, Any], text: dict[str, Any], expected: dict[str, str]
) -> None:
    told = asked(*spawn(), calls(tool, "c2", **given), output("c2", json.dumps(text)))
    assert ended(told) == expected


def test_a_call_that_failed_tells_of_no_end() -> None:
    failed = "Exit code: 1\n"
    assert ended(asked(*spawn(), calls("close_agent", "c2", id=ADA), output("c2", failed))) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (json.dumps({"agent_path": ADA, "status": {"completed": "Done"}}), {ADA: "completed"}),
        (json.dumps({"agent_id": ADA, "status": "shutdown"}), {ADA: "stopped"}),
        (json.dumps({"agent_path": "/root/look", "status": "shutdown"}), {}),
        ("no JSON", {}),
    ],
)
def test_the_model_is_told_that_a_thread_ended(text: str, expected: dict[str, str]) -> None:
    notice = f"<subagent_notification>\n{text}\n</subagent_notification>"
    assert ended(asked(*spawn(), message("user", notice))) == expected
