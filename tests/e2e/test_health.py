"""`forkpoint/health` over the wire: what could not be read as it should be, with its place."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fixtures.demo.prepare import Demo
from tests.builders import line, row, transcript, uuid
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.recordings import transcripts
from tests.fixture_paths import CASES, REAL

SESSION = "5e551010-0000-4000-8000-000000000000"


def health_of(server: ForkpointServer, home: Path, session_id: str) -> Json:
    server.open(home)
    answer = server.result("health", sessionId=session_id)
    [own] = [each for each in answer["sessions"] if each["agentId"] is None]
    return own


def bad_lines(path: Path) -> list[tuple[int, int]]:
    """Offset and length of the lines that are neither blank nor one JSON object."""
    found: list[tuple[int, int]] = []
    offset = 0
    for text in path.read_bytes().split(b"\n"):
        try:
            is_object = isinstance(json.loads(text), dict)
        except ValueError:
            is_object = False
        if text.strip() and not is_object:
            found.append((offset, len(text)))
        offset += len(text) + 1
    return found


def test_a_recorded_session_with_bad_lines(server: ForkpointServer) -> None:
    home = REAL / "y13_bad_lines"
    [recorded] = transcripts(home)
    own = health_of(server, home, recorded.session_id)
    found = [(bad["offset"], bad["length"]) for bad in own["malformed"]]
    assert found == bad_lines(recorded.path) != []
    assert all(bad["reason"] for bad in own["malformed"])


def test_lines_that_are_no_objects(server: ForkpointServer, home: Path) -> None:
    lines = [b"null", b"[]", b"5", b'"text"', b"plain text", b'{"type":"user","uu', b"\xff\xfe"]
    data = transcript("u1 a1")
    bad = b"".join(text + b"\n" for text in lines)
    place(home, data + bad + transcript("| a1 u2 a2", start=60))
    own = health_of(server, home, SESSION)
    offsets = [len(data) + bad.index(text) for text in lines]
    assert [(b["ordinal"], b["offset"], b["length"]) for b in own["malformed"]] == [
        (2 + number, offset, len(text))
        for number, (offset, text) in enumerate(zip(offsets, lines, strict=True))
    ]
    path = server.result("activePath", sessionId=SESSION)["entries"]
    assert [entry["uuid"] for entry in path] == [uuid(name) for name in ("u1", "a1", "u2", "a2")]
    records = server.result("records", sessionId=SESSION)["records"]
    problems = {record["ordinal"]: record["problem"] for record in records if record["problem"]}
    assert problems == {bad["ordinal"]: bad["reason"] for bad in own["malformed"]}
    assert [bad["sentence"] for bad in own["malformed"]] == [
        "This is no record: null, not an object.",
        "This is no record: an array, not an object.",
        "This is no record: a number or truth value, not an object.",
        "This is no record: a string, not an object.",
        *["This is no record: not JSON."] * 3,
    ]


def test_unknown_types_with_counts_and_versions(server: ForkpointServer, home: Path) -> None:
    place(
        home,
        transcript("u1 a1 x1 x2", version="2.1.400")
        + transcript("| x2 x3", version="2.2.0", start=60)
        + line(type="moon-phase", sessionId=SESSION),
    )
    own = health_of(server, home, SESSION)
    known_to = "which no known client writes"
    assert own["unknownTypes"] == [
        {
            "type": "hologram",
            "count": 3,
            "versions": ["2.1.400", "2.2.0"],
            "sentence": f"3 records of the type hologram, {known_to} "
            "(version 2.1.400 and 2.2.0). Kept, and shown raw.",
        },
        {
            "type": "moon-phase",
            "count": 1,
            "versions": ["2.2.0"],
            "sentence": f"1 record of the type moon-phase, {known_to} (version 2.2.0). "
            "Kept, and shown raw.",
        },
    ]


def test_wrong_shapes_are_no_malformed_lines(server: ForkpointServer) -> None:
    home = CASES / "41-unknown-and-wrong-shapes"
    [case] = transcripts(home)
    own = health_of(server, home, case.session_id)
    assert own["malformed"] == []
    assert [unknown["count"] for unknown in own["unknownTypes"]] == [1]


def test_a_torn_tail(server: ForkpointServer, demo: Demo) -> None:
    """d6_kill_mid_answer ends in a cut line (fixtures/demo/README.md)."""
    session_id = "02e48e86-6e97-49f1-8d4f-5e5492968187"
    [path] = demo.config_dir.glob(f"projects/*/{session_id}.jsonl")
    data = path.read_bytes()
    start = data.rindex(b"\n") + 1
    own = health_of(server, demo.config_dir, session_id)
    assert own["tornTail"] == {
        "offset": start,
        "length": len(data) - start,
        "line": data.count(b"\n"),
        "sentence": "The last line is not finished: the agent is writing it, or was cut off.",
    }
    assert own["malformed"] == []


@pytest.mark.parametrize(
    ("seconds", "bridged", "words"),
    [
        (5, "a1", "a resume hangs it on record 1, the nearest in time"),
        (5.001, None, "a resume begins with it, and does not see what is older"),
    ],
)
def test_a_missing_parent_and_what_a_resume_makes_of_it(
    server: ForkpointServer, home: Path, seconds: float, bridged: str | None, words: str
) -> None:
    """Exactly five seconds bridge, more do not (format, section 5)."""
    behind = row("u2", "gone", 10 + seconds)
    place(home, transcript("u1 a1") + line(**behind))
    own = health_of(server, home, SESSION)
    assert own["brokenChains"] == [
        {
            "uuid": uuid("u2"),
            "ordinal": 2,
            "line": 2,
            "missingParent": uuid("gone"),
            "bridgedTo": uuid(bridged),
            "goesOnFrom": None,
            "sentence": f"The parent of this record is not in the file: {words}.",
        }
    ]


def test_records_behind_others_on_their_line(server: ForkpointServer) -> None:
    home = CASES / "35-glued-records"
    [case] = transcripts(home)
    own = health_of(server, home, case.session_id)
    assert [problem["code"] for problem in own["problems"]] == ["gluedRecords"]


def test_without_a_session_only_what_is_odd_is_told(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    server.listed()
    answer = server.result("health")
    assert [each["sessionId"] for each in answer["sessions"]] == [
        "02e48e86-6e97-49f1-8d4f-5e5492968187"
    ]
    assert {key: value for key, value in answer["totals"].items() if value} == {"tornTails": 1}
    assert answer["problems"] == []
    count = sum(1 for _ in transcripts(demo.config_dir))
    assert answer["indexing"] == {"done": count, "total": count}


@needs_posix
def test_what_could_not_be_listed_is_told_without_a_path(
    server: ForkpointServer, home: Path
) -> None:
    path = place(home, transcript("u1 a1"))
    other = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
    third = "b69a0ae4-3726-47d4-ad61-f08d81ff360f"
    (path.parent / f"{other}.jsonl").symlink_to("nowhere")
    (path.parent / f"{third}.jsonl").symlink_to("/etc/hostname")
    os.mkfifo(path.parent / "29d23aa3-b5e1-4d8e-aebb-73bcb322c78a.jsonl")
    server.open(home)
    assert list(server.listed()) == [SESSION]
    problems = server.result("health")["problems"]
    assert {problem["code"] for problem in problems} == {"dangling", "outside", "notRegular"}
    assert not any("/" in problem["sentence"] for problem in problems)


def place(home: Path, data: bytes) -> Path:
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    path = folder / f"{SESSION}.jsonl"
    path.write_bytes(data)
    return path


def test_backups_that_are_gone(server: ForkpointServer) -> None:
    home = CASES / "61-checkpoint-copies-missing"
    expected = json.loads((home / "expect.json").read_bytes())["files"]
    for session_id, files in expected.items():
        versions = [version for file in files.values() for version in file["versions"]]
        gone = [str(v["version"]) for v in versions if not v["available"]]
        named = health_of(server, home, session_id)["missingBackups"]
        assert [name.partition("@v")[2] for name in named] == gone != []


def test_hostile_backup_names_are_never_looked_for(server: ForkpointServer) -> None:
    home = CASES / "64-checkpoint-hostile-names"
    [session_id] = json.loads((home / "expect.json").read_bytes())["files"]
    assert health_of(server, home, session_id)["missingBackups"] == []
