"""`forkpoint/subagents` over the wire: who was sent out, by which call, and what became of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forkpoint.protocol.uri import path_of
from tests.builders import line, row, uuid
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.recordings import rows, transcripts
from tests.fixture_paths import CASES, REAL

KEYS = ("parentAgentId", "toolUseId", "type", "description", "model", "state")

LOOKED_FOR_TESTS = ("general-purpose", "Look for tests")

AGENTS: dict[str, dict[str, tuple[str | None, ...]]] = {
    "g1_agent_foreground": {
        "a1179cc1ea4db2add": (
            None,
            "toolu_01c873206f061d49ec88c895",
            *LOOKED_FOR_TESTS,
            "claude-opus-5-5",
            "completed",
        )
    },
    # meta.json of 2.1.100 has no id of the call; its result names the agent.
    "v_2_1_100": {
        "a1c88a474aea17c26": (
            None,
            "toolu_01506254b3f0db4577807a0b",
            *LOOKED_FOR_TESTS,
            "claude-sonnet-4-6",
            "completed",
        )
    },
    # Beside the session, without meta.json; two of them only warm the cache up.
    "v_2_0_76": {
        "a333d39": (None, None, None, None, "claude-haiku-4-5-20251001", "unknown"),
        "a8e41a2": (None, None, None, None, "claude-sonnet-4-5-20250929", "unknown"),
        "af6a309": (
            None,
            "toolu_0183792b6bb54e44d3b54f7e",
            *LOOKED_FOR_TESTS,
            "claude-sonnet-4-5-20250929",
            "completed",
        ),
    },
}


def agents_of(server: ForkpointServer, home: Path) -> tuple[str, dict[str, Json]]:
    """The home's one session with subagents, and those by id in the order of the answer."""
    server.open(home)
    [session_id] = {t.session_id for t in transcripts(home) if t.agent_id is not None}
    agents = server.result("subagents", sessionId=session_id)["agents"]
    return session_id, {agent["agentId"]: agent for agent in agents}


@pytest.mark.parametrize("situation", AGENTS)
def test_recorded_subagents(server: ForkpointServer, situation: str) -> None:
    _, agents = agents_of(server, REAL / situation)
    assert {
        agent_id: tuple(agent[key] for key in KEYS) for agent_id, agent in agents.items()
    } == AGENTS[situation]


@pytest.mark.parametrize("situation", AGENTS)
def test_first_started_first_with_file_and_tokens(server: ForkpointServer, situation: str) -> None:
    _, agents = agents_of(server, REAL / situation)
    files = {t.agent_id: t.path for t in transcripts(REAL / situation) if t.agent_id}
    started = {agent_id: rows(path)[0]["timestamp"] for agent_id, path in files.items()}
    assert list(agents) == sorted(started, key=lambda agent_id: started[agent_id])
    for agent_id, agent in agents.items():
        last = {
            r["message"]["id"]: r["message"]["usage"]
            for r in rows(files[agent_id])
            if r["type"] == "assistant"
        }
        assert path_of(agent["transcript"]) == str(files[agent_id])
        assert agent["tokens"]["output"] == sum(usage["output_tokens"] for usage in last.values())
        assert agent["tokens"]["input"] == sum(usage["input_tokens"] for usage in last.values())


def test_small_case_with_all_layouts(server: ForkpointServer) -> None:
    home = CASES / "20-subagent-files"
    session_id, agents = agents_of(server, home)
    expected = json.loads((home / "expect.json").read_bytes())
    wanted = expected["sessions"][session_id]["subagents"]
    assert agents.keys() == wanted.keys()
    for agent_id, facts in wanted.items():
        found = {"type": agents[agent_id]["type"], "from_tool_use": agents[agent_id]["toolUseId"]}
        assert {key: found[key] for key in facts} == facts
    labels = expected["labels"]
    seen: set[str] = set()
    for agent_id in agents:
        records = server.result("records", sessionId=session_id, agentId=agent_id)["records"]
        seen.update(labels[record["uuid"]] for record in records)
    assert seen == {"s1", "s2", "k1", "k2", "w1", "w2", "o1", "o2"}
    assert server.listed().keys() == set(expected["listed"])


def test_rows_of_a_subagent_in_the_session_s_own_file(server: ForkpointServer) -> None:
    """Clients of 1.x kept them there; the first sidechain row names the subagent."""
    home = CASES / "19-sidechain-in-main-file"
    [transcript] = transcripts(home)
    expected = json.loads((home / "expect.json").read_bytes())["sessions"][transcript.session_id]
    server.open(home)
    [agent] = server.result("subagents", sessionId=transcript.session_id)["agents"]
    assert agent["agentId"] == expected["sidechain_records"][0]
    assert agent["transcript"] is None
    assert agent["tokens"]["output"] == expected["tokens_subagents"]["output"]
    [session] = server.listed().values()
    assert (session["subagentCount"], session["tokens"]["output"]) == (
        1,
        expected["tokens_main"]["output"],
    )


# --- how a background agent ends -----------------------------------------------------------------

SESSION = "5e551010-0000-4000-8000-000000000000"
LAUNCHED = {"isAsync": True, "status": "async_launched", "agentId": "a1"}


def call(**result: Any) -> bytes:
    """A prompt, a call that starts agent a1, and the call's result."""
    spawn = {"type": "tool_use", "id": "call_1", "name": "Agent", "input": {"prompt": "go"}}
    content: list[Json] = [{"type": "tool_result", "tool_use_id": "call_1", "content": "ok"}]
    rows_of_call = [
        row("u1", None, 0),
        row("t1", "u1", 10, {"message": {"content": [spawn]}}),
        row("r1", "t1", 20, {"message": {"content": content}, **result}),
    ]
    return b"".join(line(**fields) for fields in rows_of_call)


def notification(status: str) -> bytes:
    text = f"<task-notification>\n<task-id>a1</task-id>\n<status>{status}</status>"
    note = {"message": {"content": f"{text}\n</task-notification>"}}
    return line(**row("u2", "r1", 30, {**note, "origin": {"kind": "task-notification"}}))


@pytest.mark.parametrize(
    ("data", "state"),
    [
        pytest.param(call(toolUseResult=LAUNCHED), "runningOrLost", id="launched"),
        pytest.param(
            call(toolUseResult=LAUNCHED) + notification("completed"), "completed", id="done"
        ),
        pytest.param(call(toolUseResult=LAUNCHED) + notification("failed"), "failed", id="failed"),
        pytest.param(call(toolUseResult=LAUNCHED) + notification("killed"), "stopped", id="killed"),
        pytest.param(
            call(toolUseResult={"status": "completed", "agentId": "a1"}), "completed", id="waited"
        ),
        pytest.param(b"", "unknown", id="nobody started it"),
    ],
)
def test_the_state_of_a_subagent(
    server: ForkpointServer, home: Path, data: bytes, state: str
) -> None:
    folder = home / "projects" / "-home-dev-shop"
    agents = folder / SESSION / "subagents"
    agents.mkdir(parents=True)
    (folder / f"{SESSION}.jsonl").write_bytes(data)
    own = row("k1", None, 12, {"agentId": "a1", "isSidechain": True})
    (agents / "agent-a1.jsonl").write_bytes(line(**own))
    server.open(home)
    [agent] = server.result("subagents", sessionId=SESSION)["agents"]
    assert (agent["agentId"], agent["state"]) == ("a1", state)
    records = server.result("records", sessionId=SESSION, agentId="a1")["records"]
    assert [record["uuid"] for record in records] == [uuid("k1")]


def test_a_subagent_whose_file_is_gone(server: ForkpointServer, home: Path) -> None:
    folder = home / "projects" / "-home-dev-shop"
    agents = folder / SESSION / "subagents"
    agents.mkdir(parents=True)
    (folder / f"{SESSION}.jsonl").write_bytes(call())
    for name in ("a1", "a2"):
        own = row("k1", None, 12, {"agentId": name, "isSidechain": True})
        (agents / f"agent-{name}.jsonl").write_bytes(line(**own))
    # Nobody says that it is gone, so that it is noticed by whoever wants to read it.
    server.open(home, watch="off")
    assert server.listed()[SESSION]["subagentCount"] == 2
    (agents / "agent-a1.jsonl").unlink()
    known = server.result("subagents", sessionId=SESSION)["agents"]
    assert {agent["agentId"] for agent in known} == {"a1", "a2"}
    assert server.listed()[SESSION]["subagentCount"] == 1
    left = server.result("subagents", sessionId=SESSION)["agents"]
    assert [agent["agentId"] for agent in left] == ["a2"]
