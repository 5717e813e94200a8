"""Where real clients went on, and what they sent, when they resumed the recorded sessions.

Forks are left out: their first row hangs on nothing that the recording names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from forkpoint.index import TranscriptIndex
from forkpoint.nodes import TALK_KINDS
from forkpoint.records.record import Kind
from tests.builders import Resume, index_of, resume
from tests.fixture_paths import REAL

TALK = (Kind.USER, Kind.ASSISTANT)
assert set(TALK) == set(TALK_KINDS)


def probes() -> Iterator[Any]:
    for expected in sorted(REAL.glob("*/expected.json")):
        situation = expected.parent
        for probe in json.loads(expected.read_bytes())["resumes"]:
            if not probe["new_file"]:
                name = f"{situation.name}-{probe['tag']}-{probe['client_version']}"
                yield pytest.param(situation / probe["file"], probe, id=name)


@cache
def index(transcript: Path) -> TranscriptIndex:
    return index_of(transcript.read_bytes(), transcript.stem)


def talk_among(resumed: Resume, uuids: list[str]) -> list[str]:
    """Those of the uuids that are user and assistant rows of the file."""
    nodes = resumed.index.nodes
    found = {uuid: nodes.find(uuid) for uuid in uuids}
    return [u for u, row in found.items() if row is not None and nodes.kind[row] in TALK]


def has_placeholder(resumed: Resume) -> bool:
    return any(repair.kind == "noResponsePlaceholder" for repair in resumed.request.repairs)


def begins_with_placeholder(added: list[str]) -> bool:
    """Whether an answer comes first, or right behind what answers open calls."""
    return added[:1] == ["assistant"] or added[:3] == ["user", "assistant", "user"]


def test_there_are_as_many_as_were_recorded() -> None:
    assert len(list(probes())) == 164


@pytest.mark.parametrize(("transcript", "probe"), list(probes()))
def test_it_goes_on_where_the_client_did_and_sends_the_same(
    transcript: Path, probe: dict[str, Any]
) -> None:
    resumed = resume(index(transcript), probe["client_version"])
    assert {
        "leaf": resumed.first_new_hangs_on(),
        "sent": resumed.uuids(resumed.sent(*TALK)),
        "placeholder": has_placeholder(resumed),
    } == {
        "leaf": probe["leaf_uuid"],
        "sent": talk_among(resumed, probe["sent_uuids"]),
        "placeholder": begins_with_placeholder(probe["added"]),
    }
