"""What 2.1.332 sent when it resumed session files that other projects have published."""

from __future__ import annotations

import json
from typing import Any

import pytest

from forkpoint.records.decode import decode_object
from forkpoint.records.record import Kind
from tests.builders import index_of, resume
from tests.fixture_paths import PUBLIC

OBSERVED = PUBLIC / "observed-active-path.json"
PATHS: dict[str, list[str]] = (
    json.loads(OBSERVED.read_bytes())["paths"] if OBSERVED.exists() else {}
)
pytestmark = pytest.mark.skipif(
    not PATHS, reason="Other projects' session files are not in this repository."
)


def is_thought(line: bytes) -> bool:
    """Whether a row holds thinking only: such a row was sent, but not recognised by its text."""
    record: dict[str, Any] = decode_object(line) or {}
    return {block["type"] for block in record["message"]["content"]} == {"thinking"}


@pytest.mark.parametrize("name", PATHS or ["absent"])
def test_it_sends_what_the_client_sent(name: str) -> None:
    data = (PUBLIC / name).read_bytes()
    resumed = resume(index_of(data), "2.1.332")
    nodes, want = resumed.index.nodes, set(PATHS[name])
    sent = [(row, nodes.uuid(row)) for row in resumed.sent()]
    assert [uuid for _, uuid in sent if uuid in want] == PATHS[name]
    for row, uuid in sent:
        if uuid not in want and nodes.kind[row] in (Kind.USER, Kind.ASSISTANT):
            assert is_thought(data[nodes.offset[row] : nodes.offset[row] + nodes.length[row]])
