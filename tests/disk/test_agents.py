"""What stands beside a subagent's transcript, and whose it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forkpoint.agents import AgentNotes, notes_of, owner_of
from forkpoint.listing import AgentFile, scan
from tests.builders import SESSION, line, row
from tests.fixture_paths import REAL


def found(home: Path) -> dict[str, AgentFile]:
    return {agent.agent_id: agent for agent in scan(home).agents}


def flat(home: Path, data: bytes) -> AgentFile:
    """A subagent's file beside the sessions, as 2.0.x left them."""
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    (folder / "agent-a1b2c3d.jsonl").write_bytes(data)
    return found(home)["a1b2c3d"]


def test_notes_of_2_1_332() -> None:
    [agent] = found(REAL / "g1_agent_foreground").values()
    assert notes_of(agent) == AgentNotes(
        agentType="general-purpose",
        description="Look for tests",
        toolUseId="toolu_01c873206f061d49ec88c895",
        model="claude-opus-5-5",
        finished=True,
    )


def test_notes_of_2_1_100_are_shorter() -> None:
    [agent] = found(REAL / "v_2_1_100").values()
    assert notes_of(agent) == AgentNotes(agentType="general-purpose", description="Look for tests")


def test_2_0_76_wrote_none() -> None:
    agents = found(REAL / "v_2_0_76")
    assert len(agents) == 3
    assert {agent.meta_path for agent in agents.values()} == {None}
    assert [notes_of(agent) for agent in agents.values()] == [AgentNotes()] * 3


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"agentType": 5}', "[" * 100_000, '{"agentType": "\ud800"}']
)
def test_broken_notes_count_as_none(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "projects" / "-home-dev-shop" / SESSION / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").touch()
    (folder / "agent-a1.meta.json").write_bytes(text.encode(errors="surrogatepass"))
    [agent] = found(tmp_path).values()
    assert agent.meta_path is not None
    assert notes_of(agent) == AgentNotes()


def test_notes_keep_what_is_known_among_what_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-home-dev-shop" / SESSION / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").touch()
    notes = {"agentType": "Explore", "parentAgentId": "a0", "spawnDepth": 2, "future": {"x": []}}
    (folder / "agent-a1.meta.json").write_text(json.dumps(notes))
    [agent] = found(tmp_path).values()
    assert notes_of(agent) == AgentNotes(agentType="Explore", parentAgentId="a0")


def test_flat_files_belong_to_the_session_of_their_first_record() -> None:
    agents = found(REAL / "v_2_0_76")
    assert {owner_of(agent) for agent in agents.values()} == {
        "287b2769-1c9c-4f6e-947c-f0df43680f04"
    }


@pytest.mark.parametrize(
    ("data", "owner"),
    [
        pytest.param(b"", None, id="empty"),
        pytest.param(b'{"type":"us', None, id="torn"),
        pytest.param(line(**row("k1", None, 0)).removesuffix(b"\n"), None, id="no line end yet"),
        pytest.param(b"no JSON\n" + line(**row("k1", None, 0)), SESSION, id="a broken line first"),
        pytest.param(
            line(type="fork-context-ref", agentId="a1") + line(**row("k1", None, 0)),
            SESSION,
            id="a line without a session first",
        ),
    ],
)
def test_the_owner_of_a_flat_file(tmp_path: Path, data: bytes, owner: str | None) -> None:
    assert owner_of(flat(tmp_path, data)) == owner


def test_a_file_that_is_gone_has_no_owner(tmp_path: Path) -> None:
    agent = flat(tmp_path, line(**row("k1", None, 0)))
    Path(agent.path).unlink()
    assert owner_of(agent) is None
