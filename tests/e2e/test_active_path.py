"""`forkpoint/activePath` over the wire, against what real clients did with the same files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fixtures.demo.prepare import Demo
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.recordings import types_by_uuid
from tests.fixture_paths import REAL

TALK = ("user", "assistant")
REWOUND = "3ee8f041-aad2-49f1-a9be-9676af30b1e7"


def probes() -> Iterator[Any]:
    """Every recorded resume but forks, whose first row hangs on nothing that the file names."""
    for expected in sorted(REAL.glob("*/expected.json")):
        for probe in json.loads(expected.read_bytes())["resumes"]:
            if not probe["new_file"]:
                name = f"{expected.parent.name}-{probe['tag']}-{probe['client_version']}"
                yield pytest.param(expected.parent, probe, id=name)


def first_new_hangs_on(path: Json) -> str | None:
    """Where the client's first new record goes: below an open call that it answers itself."""
    answered = [r["uuid"] for r in path["repairs"] if r["kind"] == "syntheticToolResult"]
    return answered[0] if answered else path["leaf"]["uuid"]


@pytest.mark.parametrize(("home", "probe"), list(probes()))
def test_it_ends_where_the_client_went_on_and_sends_the_same(
    server: ForkpointServer, home: Path, probe: Json
) -> None:
    transcript = home / probe["file"]
    types = types_by_uuid(transcript)
    server.open(home)
    path = server.result(
        "activePath", sessionId=transcript.stem, forVersion=probe["client_version"]
    )
    sent = [entry["uuid"] for entry in path["entries"] if entry["fate"] == "sent"]
    assert {
        "leaf": first_new_hangs_on(path),
        "sent": [uuid for uuid in sent if types[uuid] in TALK],
    } == {
        "leaf": probe["leaf_uuid"],
        "sent": [u for u in dict.fromkeys(probe["sent_uuids"]) if types.get(u) in TALK],
    }


@pytest.mark.parametrize("home", sorted(REAL.iterdir()), ids=lambda home: home.name)
def test_each_record_stands_once_and_summarized_ones_first(
    server: ForkpointServer, home: Path
) -> None:
    server.open(home)
    for session_id in server.listed():
        path = server.result("activePath", sessionId=session_id)
        uuids = [entry["uuid"] for entry in path["entries"]]
        fates = [entry["fate"] == "summarized" for entry in path["entries"]]
        assert (len(set(uuids)), path["total"]) == (len(uuids), len(uuids))
        assert fates == sorted(fates, reverse=True)


def test_the_path_of_a_rewound_session(server: ForkpointServer, demo: Demo) -> None:
    """The demo's newest session went back two prompts (fixtures/demo/README.md)."""
    server.open(demo.config_dir)
    path = server.result("activePath", sessionId=REWOUND)
    talk = ("prompt", "response", "toolResult")
    spoken = [
        f"{entry['role']}: {entry['preview'].partition('(file state')[0].strip()}"
        for entry in path["entries"]
        if entry["role"] in talk
    ]
    edited = "has been updated successfully."
    assert spoken == [
        "prompt: Round the total",
        "response: Read cart.py",
        "toolResult: 1 def total(items):",
        "response: I will round it.",
        "response: Edit cart.py",
        f"toolResult: The file {demo.workspace}/cart.py {edited}",
        "response: The total is rounded now.",
        "prompt: Tidy the readme",
        "response: Read README.md",
        "toolResult: 1 # Shop",
        "response: Edit README.md",
        f"toolResult: The file {demo.workspace}/README.md {edited}",
        "response: Readme tidied.",
    ]
    assert (path["tip"], path["broken"], path["repairs"]) == ("complete", False, [])


def test_a_page_is_a_part_of_the_whole_in_both_orders(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    whole = server.result("activePath", sessionId=REWOUND)["entries"]
    for order, expected in (("forward", whole), ("backward", whole[::-1])):
        paged = server.pages("activePath", "entries", 7, sessionId=REWOUND, order=order)
        assert list(paged) == expected
    beyond = server.result("activePath", sessionId=REWOUND, offset=10_000)
    assert (beyond["entries"], beyond["total"]) == ([], len(whole))


def test_the_path_to_a_record_on_another_branch(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    active = server.result("activePath", sessionId=REWOUND)
    [tip] = active["leaf"]["otherTips"]
    other = server.result("activePath", sessionId=REWOUND, leaf=tip)
    prompts = [e["preview"] for e in other["entries"] if e["role"] == "prompt"]
    assert prompts == ["Round the total", "Lower the tax rate", "Add a discount module"]
    assert (other["leaf"]["uuid"], other["leaf"]["rule"]) == (tip, "requested")
    assert other["entries"][-1]["uuid"] == tip


def test_the_path_of_a_subagent(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    session_id = "9fdc6163-1dc6-4c5a-84c4-a01d297a94e3"
    [agent] = server.result("subagents", sessionId=session_id)["agents"]
    path = server.result("activePath", sessionId=session_id, agentId=agent["agentId"])
    [file] = demo.config_dir.glob(f"projects/*/{session_id}/subagents/*.jsonl")
    own = set(types_by_uuid(file))
    assert path["total"] > 0
    assert {entry["uuid"] for entry in path["entries"]} <= own
    assert path["entries"][0]["role"] == "prompt"


def test_what_a_person_gave_is_counted_alone(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    whole = server.result("activePath", sessionId=REWOUND)["entries"]
    prompts = [entry for entry in whole if entry["fromPerson"]]
    asked = {"sessionId": REWOUND, "fromPerson": True}
    answer = server.result("activePath", **asked)
    assert (answer["entries"], answer["total"]) == (prompts, len(prompts))
    newest = server.result("activePath", **asked, order="backward", limit=1)
    assert newest["entries"] == prompts[-1:]
    assert [entry["preview"] for entry in prompts] == ["Round the total", "Tidy the readme"]


def test_a_part_of_the_path_by_ordinals(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    whole = server.result("activePath", sessionId=REWOUND)["entries"]
    first, last = whole[2]["ordinal"], whole[5]["ordinal"]
    asked = {"sessionId": REWOUND, "firstOrdinal": first, "lastOrdinal": last}
    answer = server.result("activePath", **asked)
    assert (answer["entries"], answer["total"]) == (whole[2:6], 4)
    assert server.result("activePath", **asked, offset=3)["entries"] == whole[5:6]
    rest = server.result("activePath", sessionId=REWOUND, firstOrdinal=first)
    assert rest["entries"] == whole[2:]


def test_the_path_to_a_record_before_a_compaction_is_its_own_past(server: ForkpointServer) -> None:
    home = REAL / "e1_compact_manual"
    [transcript] = home.glob("projects/*/*.jsonl")
    server.open(home)
    active = server.result("activePath", sessionId=transcript.stem)["entries"]
    past = [entry for entry in active if entry["fate"] == "summarized"]
    prompt = next(entry for entry in past if entry["preview"] == "Lower the tax rate")
    path = server.result("activePath", sessionId=transcript.stem, leaf=prompt["uuid"])
    assert [entry["uuid"] for entry in path["entries"]] == [
        entry["uuid"] for entry in past[: past.index(prompt) + 1]
    ]
    assert (path["leaf"]["uuid"], path["leaf"]["rule"]) == (prompt["uuid"], "requested")
