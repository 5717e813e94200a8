"""What real clients of several versions made of constructed sessions: 78 samples, 138 probes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from forkpoint.index import TranscriptIndex
from forkpoint.records.record import Flag, Kind
from tests.builders import Resume, index_of, resume
from tests.fixture_paths import ORACLE

VERSIONS = ("2.1.332", "2.1.216", "2.1.100", "2.0.76")
HANGS = "no answer within 60 s (the client hangs)"
CASES: dict[str, Any] = json.loads((ORACLE / "cases.json").read_bytes())
PROBES: dict[str, Any] = json.loads((ORACLE / "recorded" / "probes.json").read_bytes())

MISSES = {
    ("bad_bytes", "2.0.76"): "2.0.76 lost an answer behind a bad byte; the rule is unknown",
    ("head_queued_prompt", "2.0.76"): "2.0.76 sent a prompt absorbed behind the last answer",
    ("R9_uuidless_user", "2.1.332"): "a row without uuid is no node (never seen in real files)",
}
"""(case, client) -> why our answer differs; a strict xfail, so that a fix shows."""


def parameters(name: str, version: str, *values: Any) -> Any:
    reason = MISSES.get((name, version))
    marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
    return pytest.param(*values, version, id=f"{name}-{version}", marks=marks)


@cache
def index(transcript: Path) -> TranscriptIndex:
    return index_of(transcript.read_bytes(), transcript.stem)


# --- the sample --------------------------------------------------------------------------------


def sample(name: str) -> TranscriptIndex:
    case = CASES[name]
    folder = ORACLE / "sample" / "projects" / case["project_key"]
    return index(folder / f"{case['session_id']}.jsonl")


def recorded(version: str) -> dict[str, Any]:
    """The client's answers by case; without those where it hung, so that there is no answer."""
    path = ORACLE / "recorded" / f"client-{version}.json"
    sessions = {s["session_id"]: s for s in json.loads(path.read_bytes())["sessions"]}
    answers = {name: sessions[case["session_id"]] for name, case in CASES.items()}
    return {name: answer for name, answer in answers.items() if answer.get("error") != HANGS}


def sample_answers() -> Iterator[Any]:
    for version in VERSIONS:
        for name, answer in recorded(version).items():
            yield parameters(name, version, name, answer)


def visible(resumed: Resume) -> list[int]:
    """The messages less meta and system rows."""
    nodes = resumed.index.nodes
    return [
        row
        for row in resumed.messages()
        if nodes.kind[row] != Kind.SYSTEM and not nodes.has(row, Flag.META)
    ]


def test_no_sample_is_left_out() -> None:
    counts = {version: len(recorded(version)) for version in VERSIONS}
    assert counts == {"2.1.332": 78, "2.1.216": 78, "2.1.100": 78, "2.0.76": 76}


@pytest.mark.parametrize("name", CASES)
def test_the_newest_client_would_send_what_the_sample_wants(name: str) -> None:
    resumed = resume(sample(name))
    assert resumed.uuids(visible(resumed)) == CASES[name]["want"]


REPAIRS = {
    "noResponsePlaceholder": "assistant: No response requested.",
    "syntheticToolResult": "user: tool_result is_error, the call was interrupted",
}


@pytest.mark.parametrize(("name", "answer", "version"), list(sample_answers()))
def test_it_answers_the_sample_as_the_client_did(
    name: str, answer: dict[str, Any], version: str
) -> None:
    resumed = resume(sample(name), version)
    mine: dict[str, Any] = {
        "messages": resumed.uuids(visible(resumed)),
        "sent": resumed.uuids(resumed.messages()),
        "hung_on": resumed.first_new_hangs_on(),
        "repairs": [REPAIRS[r.kind] for r in resumed.request.repairs if r.kind in REPAIRS],
    }
    # "sent" is recorded where it differs. Hidden user rows of the client are no repair of ours.
    theirs = {"sent": answer["messages"], "repairs": []} | answer
    theirs["repairs"] = [text for text in theirs["repairs"] if text in REPAIRS.values()]
    if "hung_on" not in theirs:
        # The client found no conversation; only once it just was not recorded.
        assert "error" in theirs or (name, version) == ("prompt_ide_context", "2.0.76")
        theirs["hung_on"] = None if "error" in theirs else mine["hung_on"]
    assert mine == {key: theirs[key] for key in mine}


# --- the probes --------------------------------------------------------------------------------


def probe_answers() -> Iterator[Any]:
    for name, answers in PROBES.items():
        for version, answer in answers.items():
            yield parameters(name, version, name, answer)


def node(uuid: str | None) -> str | None:
    """The name that a uuid of the oracle ends with."""
    return None if uuid is None else bytes.fromhex(uuid[28:]).rstrip(b"\0").decode()


PROBE_REPAIRS = {
    "noResponsePlaceholder": "no-response placeholder",
    "syntheticToolResult": "error result for an open call",
}


def test_no_probe_is_left_out() -> None:
    assert (len(PROBES), len(list(probe_answers()))) == (138, 437)


@pytest.mark.parametrize(("name", "answer", "version"), list(probe_answers()))
def test_it_answers_the_probe_as_the_client_did(
    name: str, answer: dict[str, Any], version: str
) -> None:
    resumed = resume(index(ORACLE / "probes" / f"{name}.jsonl"), version)
    mine = {
        "sent": [
            node(uuid)
            for uuid in resumed.uuids(resumed.sent(Kind.USER, Kind.ASSISTANT, Kind.SYSTEM))
        ],
        "hung_on": node(resumed.first_new_hangs_on()),
        "repairs": sorted(
            PROBE_REPAIRS[repair.kind]
            for repair in resumed.request.repairs
            if repair.kind in PROBE_REPAIRS
        ),
    }
    added = [text for text in answer.get("repairs", []) if text in PROBE_REPAIRS.values()]
    assert mine == {
        "sent": answer["sent"] or [],
        "hung_on": answer.get("hung_on"),
        "repairs": sorted(added),
    }
