"""`forkpoint/transcript` over the wire: the text, and where each record stands in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fixtures.demo.prepare import Demo
from tests.e2e.forkpoint_server import ForkpointServer
from tests.e2e.recordings import HOMES, name_of, transcripts

PARALLEL = "cdfb398e-154b-454b-b41a-d53ee6da3d4c"


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_sections_lie_in_the_text_one_behind_the_other(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    for transcript in transcripts(home):
        answer = server.result("transcript", **transcript.reference)
        lines = answer["text"].split("\n")
        starts = [section["line"] for section in answer["sections"]]
        assert starts == sorted(starts)
        for section in answer["sections"]:
            assert 0 <= section["line"] <= section["endLine"] < len(lines)
            assert section["label"].strip() == section["label"] != ""
            assert lines[section["line"]].strip()


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_all_of_the_active_path_stands_in_it(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    for transcript in transcripts(home):
        path = server.result("activePath", **transcript.reference)["entries"]
        sections = server.result("transcript", **transcript.reference)["sections"]
        written = {section["uuid"]: section["fate"] for section in sections}
        assert {entry["uuid"]: entry["fate"] for entry in path}.items() <= written.items()


def test_prompts_are_headings_in_their_order(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    answer = server.result("transcript", sessionId=PARALLEL)
    headings = re.findall(r"^##? (.*)$", answer["text"], re.MULTILINE)
    assert headings == [
        "Read all three",
        "1. Read all three",
        "2. Run two commands",
        "3. Edit both files",
    ]
    turns = [section for section in answer["sections"] if section["level"] == 0]
    assert [turn["label"] for turn in turns] == headings[1:]
    lines = answer["text"].split("\n")
    assert [lines[turn["line"]] for turn in turns] == [f"## {label}" for label in headings[1:]]


def test_an_abandoned_branch_reads_up_to_its_own_end(server: ForkpointServer, demo: Demo) -> None:
    rewound = "3ee8f041-aad2-49f1-a9be-9676af30b1e7"
    server.open(demo.config_dir)
    tree = server.result("branchTree", sessionId=rewound)["segments"]
    [abandoned] = [segment for segment in tree if not segment["active"]]
    answer = server.result("transcript", sessionId=rewound, leaf=abandoned["lastUuid"])
    prompts = [section["label"] for section in answer["sections"] if section["level"] == 0]
    assert prompts == ["1. Round the total", "2. Lower the tax rate", "3. Add a discount module"]
