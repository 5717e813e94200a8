"""Folders that no client would leave: each is answered clearly, and the server goes on."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from forkpoint.protocol.uri import file_uri, path_of
from tests.builders import transcript
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import ForkpointServer

A = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
B = "b69a0ae4-3726-47d4-ad61-f08d81ff360f"
C = "29d23aa3-b5e1-4d8e-aebb-73bcb322c78a"

pytestmark = needs_posix


@pytest.fixture
def project(home: Path) -> Path:
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    (folder / f"{A}.jsonl").write_bytes(transcript("u1 a1"))
    return folder


@pytest.fixture
def asked(server: ForkpointServer, home: Path, project: Path) -> ForkpointServer:
    """The server; the folder is opened by the first question of a test."""
    server.open(home.parent / "nowhere")
    server.open(home)
    return server


def answers(server: ForkpointServer, session_id: str = A) -> None:
    """The untouched session still has all its answers."""
    assert server.result("activePath", sessionId=session_id)["total"] == 2
    assert server.result("records", sessionId=session_id)["total"] == 2
    assert server.result("branchTree", sessionId=session_id)["total"] == 2


@pytest.mark.parametrize(
    "name",
    ["-line\nbreak", "-escape\x1b[31m", "-\u202eright-to-left", "-$(touch x)", "-" + "x" * 240],
    ids=repr,
)
def test_names_of_project_folders(asked: ForkpointServer, home: Path, name: str) -> None:
    folder = home / "projects" / name
    folder.mkdir()
    (folder / f"{B}.jsonl").write_bytes(transcript("u1 a1"))
    row = asked.listed()[B]
    assert row["project"]["key"] == name
    assert path_of(row["transcript"]) == str(folder / f"{B}.jsonl")
    answers(asked, B)


@pytest.mark.skipif(sys.platform == "darwin", reason="its file system has no such names")
def test_a_folder_whose_name_is_no_text(asked: ForkpointServer, home: Path) -> None:
    folder = home / "projects" / os.fsdecode(b"-caf\xe9")
    folder.mkdir()
    (folder / f"{B}.jsonl").write_bytes(transcript("u1 a1"))
    row = asked.listed()[B]
    assert row["project"]["key"] == "-caf\ufffd"
    answers(asked, B)
    answers(asked)


def test_a_session_id_in_upper_case(asked: ForkpointServer, project: Path) -> None:
    (project / f"{B.upper()}.jsonl").write_bytes(transcript("u1 a1"))
    assert set(asked.listed()) == {A, B.upper()}
    answers(asked, B.upper())
    answers(asked, B)


def test_a_directory_nested_three_hundred_times(asked: ForkpointServer, project: Path) -> None:
    deep = "/home/dev" + "/d" * 300
    deepest = Path(*project.parts, *["d"] * 300)
    deepest.mkdir(parents=True)
    fields = {name: {"cwd": deep} for name in ("u1", "a1")}
    (project / f"{B}.jsonl").write_bytes(transcript("u1 a1", fields=fields))
    assert asked.listed()[B]["project"]["cwd"] == deep
    for scope in ("folder", "repository"):
        assert list(asked.listed(scope=scope, folder=file_uri(deep))) == [B]
    answers(asked)


def test_things_named_like_transcripts(asked: ForkpointServer, project: Path) -> None:
    (project / f"{B}.jsonl").mkdir()
    os.mkfifo(project / f"{C}.jsonl")
    agents = project / A / "subagents"
    agents.mkdir(parents=True)
    os.mkfifo(agents / "agent-a1.jsonl")
    os.mkfifo(agents / "agent-a2.meta.json")
    (agents / "agent-a2.jsonl").write_bytes(b"")
    os.mkfifo(project / A / "custom-title.json")
    assert list(asked.listed()) == [A]
    assert kinds(asked) == {"notRegular"}
    for session_id in (B, C):
        error = asked.refusal("activePath", {"sessionId": session_id})
        assert error["data"] == {"kind": "unknownSession"}
    [agent] = asked.result("subagents", sessionId=A)["agents"]
    assert (agent["agentId"], agent["type"]) == ("a2", None)
    answers(asked)


def kinds(server: ForkpointServer) -> set[str]:
    """What could not be listed."""
    return {problem["code"] for problem in server.result("health")["problems"]}


def test_links_out_of_the_folder_are_not_followed(
    asked: ForkpointServer, project: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / f"{B}.jsonl").write_bytes(transcript("u1 a1"))
    (project.parent / "-out").symlink_to(outside)
    (project / f"{C}.jsonl").symlink_to(outside / f"{B}.jsonl")
    (project / A).symlink_to(outside)
    assert list(asked.listed()) == [A]
    assert kinds(asked) == {"outside"}


def test_a_transcript_that_becomes_a_link_is_not_followed(
    asked: ForkpointServer, project: Path, tmp_path: Path
) -> None:
    asked.listed()
    secret = tmp_path / "secret"
    secret.write_bytes(transcript("u7 a7"))
    (project / f"{A}.jsonl").unlink()
    (project / f"{A}.jsonl").symlink_to(secret)
    error = asked.refusal("records", {"sessionId": A})
    assert error == {
        "code": -32001,
        "message": "The transcript could not be read: it is no regular file.",
        "data": {"kind": "unreadable"},
    }


def test_a_path_in_a_record_leads_nowhere(asked: ForkpointServer, project: Path) -> None:
    """A spilled result is looked for in the session's own folder, whatever its path says."""
    text = "<persisted-output>\nOutput too large (1MB). Full output saved to: /etc/passwd\n"
    content = [{"type": "tool_result", "tool_use_id": "call_1", "content": text}]
    extra = {
        "message": {"content": content},
        "toolUseResult": {"persistedOutputPath": "../../../etc/passwd", "persistedOutputSize": 9},
    }
    (project / f"{B}.jsonl").write_bytes(transcript("u1 t1 r1", fields={"r1": extra}))
    records = asked.result("records", sessionId=B)["records"]
    [block] = records[2]["blocks"]
    assert block["spilled"] in (None, file_uri(str(project / B / "tool-results" / "passwd")))


def test_odd_values_beside_a_transcript(asked: ForkpointServer, home: Path, project: Path) -> None:
    beside = project / A
    beside.mkdir()
    (beside / "custom-title.json").write_text(json.dumps({"customTitle": 5, "by": []}))
    (beside / "archived.json").write_text("[" * 10_000)
    (home / "settings.json").write_text('{"cleanupPeriodDays": 1e400}')
    (home / "sessions").mkdir()
    (home / "sessions" / "1.json").write_text('{"pid": -1, "sessionId": null}')
    row = asked.listed()[A]
    assert (row["title"]["text"], row["archived"], row["live"]) == ("u1", False, None)
