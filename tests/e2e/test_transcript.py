"""`forkpoint/transcript` over the wire: the text, and where each record stands in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from fixtures.demo.prepare import Demo
from tests.e2e.forkpoint_server import ForkpointServer
from tests.e2e.recordings import HOMES, name_of, rows, transcripts
from tests.fixture_paths import REAL

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


IMAGES = REAL / "l2_image_input"


def test_a_picture_is_that_of_the_record(server: ForkpointServer) -> None:
    server.open(IMAGES)
    [transcript] = transcripts(IMAGES)
    answer = server.result("transcript", **transcript.reference)
    links = [link for link in answer["links"] if link["kind"] == "image"]
    sources = [
        block["source"]
        for row in rows(transcript.path)
        for block in blocks(row)
        if "uuid" in row and block.get("type") == "image"
    ]
    assert links
    pictures = [server.result("transcriptImage", document=link["target"]) for link in links]
    assert [picture["base64"] for picture in pictures] == [source["data"] for source in sources]
    for link, picture, source in zip(links, pictures, sources, strict=True):
        assert picture["mediaType"] == source["media_type"]
        shown = answer["text"].split("\n")[link["line"]][link["start"] : link["end"]]
        assert shown == f"Image: {picture['mediaType']}, {picture['sizeBytes']:,} bytes"


def test_a_picture_that_is_not_there_is_refused(server: ForkpointServer) -> None:
    server.open(IMAGES)
    [transcript] = transcripts(IMAGES)
    for image in ("0.9", "99999.0"):
        document = f"forkpoint-transcript:/a.png?session={transcript.session_id}&image={image}"
        error = server.refusal("transcriptImage", {"document": document})
        assert error["data"] == {"kind": "unknownRecord"}


def blocks(row: dict[str, Any]) -> list[dict[str, Any]]:
    content = row.get("message", {}).get("content", [])
    return content if isinstance(content, list) else []


def test_a_part_ends_before_the_record_that_is_named(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    whole = server.result("transcript", sessionId=PARALLEL)
    ordinals = [section["ordinal"] for section in whole["sections"]]
    middle = ordinals[len(ordinals) // 2]
    part = server.result("transcript", sessionId=PARALLEL, before=middle)
    assert [section["ordinal"] for section in part["sections"]] == ordinals[: len(ordinals) // 2]
    assert (part["earlier"], part["later"]) == (0, len(ordinals) - len(ordinals) // 2)
    assert part["elsewhere"] == []
    [link] = [link for link in part["links"] if link["kind"] == "transcript"]
    line = part["text"].split("\n")[link["line"]]
    count = part["later"]
    assert line == f"… {count} newer records follow: show later ones"
    assert line[link["start"] : link["end"]] == "show later ones"
    title = link["target"].partition("?")[0]
    assert link["target"] == f"{title}?session%3D{PARALLEL}"


def test_a_part_before_a_record_that_is_not_on_the_path_is_refused(
    server: ForkpointServer, demo: Demo
) -> None:
    server.open(demo.config_dir)
    for ordinal in (100_000, 2**62):
        error = server.refusal("transcript", {"sessionId": PARALLEL, "before": ordinal})
        assert error == {
            "code": -32001,
            "message": f"Record {ordinal} does not stand on this path.",
            "data": {"kind": "unknownRecord"},
        }


def test_the_document_of_a_link_is_the_text(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    rewound = "3ee8f041-aad2-49f1-a9be-9676af30b1e7"
    answer = server.result("transcript", sessionId=rewound)
    [link] = [link for link in answer["links"] if link["kind"] == "branch"]
    [abandoned] = [
        segment
        for segment in server.result("branchTree", sessionId=rewound)["segments"]
        if not segment["active"]
    ]
    branch = server.result("transcript", sessionId=rewound, leaf=abandoned["lastUuid"])
    content = server.request("workspace/textDocumentContent", {"uri": link["target"]})
    assert content["result"]["text"] == branch["text"]
