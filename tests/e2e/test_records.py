"""`forkpoint/records` over the wire: every line of every file is reachable with its exact bytes."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from fixtures.demo.prepare import Demo
from forkpoint.protocol.uri import path_of
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.recordings import HOMES, Transcript, name_of, parsed, rows, transcripts
from tests.fixture_paths import CASES, REAL

BLANK = b"\0 \t\r\n"
BOM = b"\xef\xbb\xbf"


def whole_lines(data: bytes) -> dict[int, bytes]:
    """Offset -> bytes of each line that is one JSON object, line ends left out."""
    lines: dict[int, bytes] = {}
    offset = 0
    for line in data.split(b"\n"):
        start = len(BOM) if offset == 0 and line.startswith(BOM) else 0
        text = line[start:].removesuffix(b"\r")
        if isinstance(parsed(text.decode(errors="replace")), dict):
            lines[offset + start] = text
        offset += len(line) + 1
    return lines


def records_of(server: ForkpointServer, transcript: Transcript) -> list[Json]:
    return list(server.pages("records", "records", 50, **transcript.reference))


def torn_tail(server: ForkpointServer, transcript: Transcript) -> tuple[int, int] | None:
    found = server.result("health", sessionId=transcript.session_id)["sessions"]
    [torn] = [row["tornTail"] for row in found if row["agentId"] == transcript.agent_id]
    return torn and (torn["offset"], torn["length"])


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_every_line_is_reachable_with_its_exact_bytes(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    for transcript in transcripts(home):
        data = transcript.path.read_bytes()
        records = records_of(server, transcript)
        spans = [(r["raw"]["offset"], r["raw"]["length"]) for r in records]
        cut = {offset: data[offset : offset + length] for offset, length in spans}
        lines = whole_lines(data)

        assert [r["ordinal"] for r in records] == list(range(len(records)))
        assert {path_of(r["raw"]["uri"]) for r in records} <= {str(transcript.path)}
        assert {offset: cut.get(offset) for offset in lines} == lines
        assert not any(b"\n" in piece for piece in cut.values())
        assert all(before + length <= after for (before, length), (after, _) in pairwise(spans))

        torn = torn_tail(server, transcript)
        covered = bytearray(data.removeprefix(BOM).rjust(len(data), b" "))
        for offset, length in [*spans, *([torn] if torn else [])]:
            covered[offset : offset + length] = b" " * length
        assert covered.strip(BLANK) == b""


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_ids_are_those_of_the_line(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    for transcript in transcripts(home):
        data = transcript.path.read_bytes()
        seen = {r["raw"]["offset"]: r for r in records_of(server, transcript)}
        for offset, line in whole_lines(data).items():
            row = parsed(line.decode(errors="replace"))
            for key in ("uuid", "parentUuid"):
                written = row.get(key)
                assert seen[offset][key] == (written if isinstance(written, str) else None)


def test_records_by_uuid_come_in_file_order(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    transcript = next(transcripts(demo.config_dir))
    uuids = [row["uuid"] for row in rows(transcript.path) if "uuid" in row][:6]
    answer = server.result("records", **transcript.reference, uuids=uuids[::-1])
    assert [record["uuid"] for record in answer["records"]] == uuids
    whole = server.result("records", **transcript.reference, offset=0, limit=1000)
    assert [r for r in whole["records"] if r["uuid"] in uuids] == answer["records"]
    assert answer["total"] == whole["total"]


def test_a_repeated_uuid_gives_the_later_line(server: ForkpointServer) -> None:
    """The later line's content counts (format, section 5)."""
    home = CASES / "14-same-line-twice"
    [transcript] = transcripts(home)
    server.open(home)
    last = {
        parsed(line.decode()).get("uuid"): offset
        for offset, line in whole_lines(transcript.path.read_bytes()).items()
    }
    uuids = [row["uuid"] for row in rows(transcript.path) if "uuid" in row]
    repeated = {uuid for uuid in uuids if uuids.count(uuid) > 1}
    assert repeated
    for uuid in repeated:
        [record] = server.result("records", **transcript.reference, uuids=[uuid])["records"]
        assert record["raw"]["offset"] == last[uuid]


def blocks_at(server: ForkpointServer, home: Path, session_id: str, uuid: str) -> list[Any]:
    server.open(home)
    [record] = server.result("records", sessionId=session_id, uuids=[uuid])["records"]
    return record["blocks"]


def test_spilled_output_is_named_with_its_whole_size(server: ForkpointServer, demo: Demo) -> None:
    session_id = "bfb4ef7d-71da-4063-a1c3-a72ee4b596c0"
    [path] = demo.config_dir.glob(f"projects/*/{session_id}.jsonl")
    [spill] = demo.config_dir.glob(f"projects/*/{session_id}/tool-results/*")
    [row] = [r for r in rows(path) if "persistedOutputPath" in str(r.get("toolUseResult"))]
    [result] = blocks_at(server, demo.config_dir, session_id, row["uuid"])
    assert (result["kind"], result["isError"]) == ("toolResult", False)
    assert path_of(result["spilled"]) == str(spill)
    assert result["sizeBytes"] == row["toolUseResult"]["persistedOutputSize"]
    assert result["toolUseId"] == row["message"]["content"][0]["tool_use_id"]


def test_an_image_comes_without_its_bytes(server: ForkpointServer) -> None:
    home = REAL / "l2_image_input"
    [transcript] = transcripts(home)
    [row] = [
        r
        for r in rows(transcript.path)
        if r["type"] == "user" and '"type": "image"' in json.dumps(r["message"])
    ]
    [source] = [b["source"] for b in row["message"]["content"] if b["type"] == "image"]
    blocks = blocks_at(server, home, transcript.session_id, row["uuid"])
    padding = source["data"].count("=")
    size = len(source["data"]) * 3 // 4 - padding
    image = {"kind": "image", "mediaType": source["media_type"], "sizeBytes": size}
    assert image in blocks
    assert source["data"] not in json.dumps(blocks)


def test_unknown_types_are_kept_and_say_so(server: ForkpointServer) -> None:
    home = CASES / "41-unknown-and-wrong-shapes"
    [transcript] = transcripts(home)
    server.open(home)
    records = records_of(server, transcript)
    labels = json.loads((home / "expect.json").read_bytes())["labels"]
    assert set(labels) <= {record["uuid"] for record in records}
    unknown = {record["type"] or "" for record in records if not record["known"]}
    in_health = server.result("health", sessionId=transcript.session_id)["totals"]["unknownTypes"]
    assert unknown == {entry["type"] for entry in in_health} != set()
