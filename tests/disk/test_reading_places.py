"""Where a record is read: on the path, on another branch, above a compaction, in a subagent."""

from __future__ import annotations

from pathlib import Path

import pytest

from forkpoint.catalog import Catalog
from forkpoint.elsewhere import elsewhere
from forkpoint.lsp.features.transcript import transcript as readable
from forkpoint.lsp.features.transcript_place import transcript_place
from forkpoint.protocol import types
from tests.builders import SESSION, transcript, uuid

AGENT = "a1179cc1ea4db2add"
DATA = transcript("u1 h1 h2 h3 a1 u2 a2 | a1 u3 a3 b1 c1 k1 u4 a4 >a4 p1")
PLACES = [
    ("a summarized prompt", "u1", None, None, "## 1. u1"),
    ("one of attachments in a row", "h2", None, None, "· Attachment: hook_success"),
    ("an abandoned answer", "a2", None, "a2", "    a2"),
    ("an answer", "a4", None, None, "    a4"),
    ("a sidechain's answer", "k1.a", None, "k1.a", "    k1.a"),
    ("a subagent's answer", "a9", AGENT, None, "    a9"),
]


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    folder = tmp_path / "projects" / "-home-dev-shop"
    agents = folder / SESSION / "subagents"
    agents.mkdir(parents=True)
    (folder / f"{SESSION}.jsonl").write_bytes(DATA)
    (agents / f"agent-{AGENT}.jsonl").write_bytes(transcript("u9 a9"))
    return Catalog([tmp_path])


def lines_at(catalog: Catalog, place: types.TranscriptPlaceResult) -> list[str]:
    asked = types.TranscriptParams(
        session_id=SESSION, agent_id=place.agent_id, leaf=place.leaf, before=place.before
    )
    return readable(catalog, asked).text.split("\n")[place.line :]


@pytest.mark.parametrize(
    ("name", "agent_id", "leaf", "shown"), [row[1:] for row in PLACES], ids=[r[0] for r in PLACES]
)
def test_place(
    catalog: Catalog, name: str, agent_id: str | None, leaf: str | None, shown: str
) -> None:
    asked = types.TranscriptPlaceParams(session_id=SESSION, uuid=uuid(name))
    place = transcript_place(catalog, asked)
    assert (place.agent_id, place.leaf, place.before) == (agent_id, uuid(leaf), None)
    assert place.shown
    first, second, third, *_ = [*lines_at(catalog, place), "", ""]
    assert shown in (first, third) or shown == second


def test_a_state_line_has_the_row_that_names_it(catalog: Catalog) -> None:
    nodes = catalog.conversation(SESSION).index.nodes
    [ordinal] = [row for row in range(len(nodes)) if not nodes.is_node(row)]
    place = transcript_place(
        catalog, types.TranscriptPlaceParams(session_id=SESSION, ordinal=ordinal)
    )
    assert not place.shown
    assert lines_at(catalog, place)[0] == "· State line (1 record)"


def test_what_is_elsewhere_is_grouped(catalog: Catalog) -> None:
    conversation = catalog.conversation(SESSION)
    path = conversation.path(None).entries.rows
    groups = elsewhere(conversation, None, path, None)
    name = conversation.index.nodes.uuid
    assert [
        (group.name, [row if name(row) is None else name(row) for row in group.rows], group.kind)
        for group in groups
    ] == [
        ("Branch: u2", [uuid("u2"), uuid("a2")], "branch"),
        ("Subagent in this file", [uuid("k1"), uuid("k1.a")], "branch"),
        ("State line", [15], None),
        ("Progress record", [uuid("p1")], None),
    ]


def test_many_branches_share_a_row(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    branches = " ".join(f"| a1 u{n} a{n}" for n in range(2, 32))
    (folder / f"{SESSION}.jsonl").write_bytes(transcript(f"u1 a1 {branches}"))
    read = readable(Catalog([tmp_path]), types.TranscriptParams(session_id=SESSION))
    assert [row.label for row in read.elsewhere] == [
        *(f"Branch: u{n}" for n in range(2, 22)),
        "9 more branches and subagents",
    ]
    assert [row.records for row in read.elsewhere] == [*[2] * 20, 18]
