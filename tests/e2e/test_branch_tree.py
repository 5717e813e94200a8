"""`forkpoint/branchTree` over the wire: segments hold each node once; the demo's known trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.demo.prepare import Demo
from forkpoint.protocol.uri import path_of
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.recordings import HOMES, name_of, rows, transcripts

GLUED = ("34-nul-bytes", "35-glued-records")
"""Their records cannot be counted line by line; `tests/core/test_cases.py` does."""


def nodes(path: Path, *, of_agent: bool) -> set[str]:
    """uuids of the rows that take part in the graph of their own conversation."""
    with_uuid = [row for row in rows(path) if isinstance(row.get("uuid"), str)]
    return {row["uuid"] for row in with_uuid if of_agent or not row.get("isSidechain")}


@pytest.mark.parametrize(
    "home", [home for home in HOMES if name_of(home) not in GLUED], ids=name_of
)
def test_segments_partition_the_nodes(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    for transcript in transcripts(home):
        tree = server.result("branchTree", **transcript.reference)
        of_agent = transcript.agent_id is not None
        known = nodes(transcript.path, of_agent=of_agent)
        segments = tree["segments"]
        seen: set[str | None] = {None}
        for segment in segments:
            assert segment["parent"] in seen
            seen.add(segment["id"])
            assert {segment["id"], segment["lastUuid"]} <= known
        assert len(seen) == len(segments) + 1
        assert sum(segment["recordCount"] for segment in segments) == tree["total"] == len(known)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_the_tree_in_pages(server: ForkpointServer, demo: Demo, size: int) -> None:
    server.open(demo.config_dir)
    for session in server.listed():
        whole = server.result("branchTree", sessionId=session)
        count = whole["segmentCount"]
        assert count == len(whole["segments"])
        found: list[Json] = []
        for offset in range(0, count + size, size):
            page = server.result("branchTree", sessionId=session, offset=offset, limit=size)
            assert len(page["segments"]) <= size
            found += page["segments"]
            assert page | {"segments": []} == whole | {"segments": []}
        assert found == whole["segments"]


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_the_active_segments_are_one_line_to_the_leaf(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    for transcript in transcripts(home):
        tree = server.result("branchTree", **transcript.reference)
        path = server.result("activePath", **transcript.reference)
        active = [segment for segment in tree["segments"] if segment["active"]]
        assert tree["activeLeaf"] == path["leaf"]["uuid"]
        assert bool(active) == bool(path["entries"])
        assert len({segment["parent"] for segment in active}) == len(active)
        siblings: dict[str | None, list[bool]] = {}
        for segment in tree["segments"]:
            siblings.setdefault(segment["parent"], []).append(segment["active"])
        assert all(marks == sorted(marks, reverse=True) for marks in siblings.values())


def picture(tree: Json) -> str:
    """A line per segment, children below their parent; `*` for the active ones."""
    depth: dict[str | None, int] = {None: -1}
    labels = {segment["id"]: segment["label"] for segment in tree["segments"]}
    lines: list[str] = []
    for segment in tree["segments"]:
        depth[segment["id"]] = depth[segment["parent"]] + 1
        files = " ".join(Path(path_of(uri)).name for uri in segment["editedFiles"])
        again = f" of {labels[segment['resendOf']]}" if segment["resendOf"] else ""
        lines.append(
            "  " * depth[segment["id"]]
            + f"{'*' if segment['active'] else '-'} {segment['label']}: "
            + f"{segment['reason']}{again}, {segment['promptCount']} prompts"
            + (f", {files}" if files else "")
        )
    return "\n".join(lines)


TREES = {
    "3ee8f041-aad2-49f1-a9be-9676af30b1e7": """
        * Round the total: start, 1 prompts, cart.py
          * Tidy the readme: rewind, 1 prompts, README.md
          - Lower the tax rate: continuation, 2 prompts, tax.py discount.py
        """,
    "a125d126-2e36-496b-8157-450403a1fa06": """
        * What does cart.py do?: start, 1 prompts
          * Name a test: resend of Name a test, 1 prompts
          - Name a test: continuation, 1 prompts
          - Name a test: resend of Name a test, 1 prompts
        """,
    "7fd442d7-739e-4989-90a2-582eb737915c": """
        * Tidy the readme: rewind, 1 prompts, README.md
        - Round the total: start, 3 prompts, cart.py tax.py discount.py
        """,
    "cdfb398e-154b-454b-b41a-d53ee6da3d4c": """
        * Read all three: start, 3 prompts, cart.py tax.py
        """,
}
"""Went back two prompts; sent one prompt three times; went back to the very start; parallel calls
(fixtures/demo/README.md)."""


@pytest.mark.parametrize("session_id", TREES)
def test_the_tree_of_a_demo_session(server: ForkpointServer, demo: Demo, session_id: str) -> None:
    server.open(demo.config_dir)
    drawn = picture(server.result("branchTree", sessionId=session_id))
    expected = TREES[session_id].strip("\n ").splitlines()
    assert drawn.splitlines() == [line.removeprefix(" " * 8) for line in expected]


def test_tokens_of_the_segments_are_those_of_the_session(
    server: ForkpointServer, demo: Demo
) -> None:
    server.open(demo.config_dir)
    for session_id, row in server.listed().items():
        if row["inheritedTokens"] is None:
            segments = server.result("branchTree", sessionId=session_id)["segments"]
            for kind, tokens in row["tokens"].items():
                assert sum(segment["tokens"][kind] for segment in segments) == tokens
