"""The server where no library with native parts loads: what it answers, and what it says of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders import SESSION, transcript
from tests.e2e.forkpoint_server import ForkpointServer, end
from tests.e2e.stdio_client import eventually
from tests.e2e.watching import append, place
from tests.fixture_paths import REAL
from tests.without_natives import FOLDER, are_blocked

pytestmark = pytest.mark.skipif(are_blocked(), reason="nothing is there to compare with")

OF_ALL = ("sessions", "usage", "abandoned", "checkpointFiles")
OF_ONE = ("branchTree", "records", "activePath", "toolCalls", "transcript", "workState", "health")
RECORDED = ("a_simple_tui", "b_edits")
SENTENCE = (
    "Forkpoint runs without native parts of msgspec, orjson, watchfiles: they were not made for "
    "this system or this Python. Answers are the same, but take longer, and changes are looked for "
    "once a second."
)


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkpointServer]:
    """A server without natives."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(FOLDER))
        with ForkpointServer(tmp_path_factory.mktemp("empty")) as slow:
            yield slow
            end(slow)


def answers(server: ForkpointServer) -> dict[str, Any]:
    """What is answered about some recordings; of their sessions, about each."""
    server.open(*(REAL / name for name in RECORDED))
    listed = server.listed()
    found = {method: server.result(method) for method in OF_ALL}
    for session_id in listed:
        for method in OF_ONE:
            found[f"{method} {session_id}"] = server.result(method, sessionId=session_id)
    return found


def test_answers_are_the_same(server: ForkpointServer, slow: ForkpointServer) -> None:
    usual, without = answers(server), answers(slow)
    said = [answer.pop("problems") for name, answer in without.items() if name.startswith("health")]
    assert all([each["code"] for each in problems] == ["withoutNatives"] for problems in said)
    for name, answer in usual.items():
        if name.startswith("health"):
            assert answer.pop("problems") == []
            assert SENTENCE not in answer.pop("report")
            assert SENTENCE in without[name].pop("report")
        assert without[name] == answer, name


def test_changes_are_noticed_and_it_says_why_late(slow: ForkpointServer, home: Path) -> None:
    path = place(home)
    path.write_bytes(transcript("u1 a1"))
    slow.open(home)
    assert slow.listed()[SESSION]["promptCount"] == 1
    append(path, transcript("| a1 u2", start=20))
    eventually(lambda: slow.listed()[SESSION]["promptCount"] == 2)
    assert [each["sentence"] for each in slow.result("health")["problems"]] == [SENTENCE]
    assert "Without native parts of msgspec, orjson, watchfiles: answers take longer" in slow.log
