"""Rollouts of the real client that go on from others without holding their rows.

What belongs together was decided when they were recorded (fixtures/README.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from forkpoint.protocol.transcript_uri import named_by
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.fixture_paths import FIXTURES

HOME = FIXTURES / "codex" / "paginated"
THREAD = "01a22d84-0c44-7352-a7fc-ff2fc865659a"
FORK = "01a22d84-1882-7a02-9841-2809148e1dd6"
OF_FORK = "01a22d84-26c4-7993-9be1-8d6740832908"
FURTHER_UP = "01a22d84-2ea7-72d3-b93b-ec2a4832ca85"
REVERTED = "01a22d84-363d-7200-9dec-ef27d7679636"
ALL = {THREAD, FORK, OF_FORK, FURTHER_UP, REVERTED}


@pytest.fixture(scope="module")
def rollouts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkpointServer]:
    nothing: Path = tmp_path_factory.mktemp("claude")
    with ForkpointServer(nothing, options={"codexHomes": [str(HOME)]}) as server:
        server.listed()
        yield server


def test_each_file_is_a_session_and_its_thread_is_what_is_resumed(
    rollouts: ForkpointServer,
) -> None:
    rows = rollouts.listed()
    assert rows.keys() == ALL
    assert {row["sessionId"]: row["resumeId"] for row in rows.values()} == {
        **{each: each for each in ALL - {REVERTED}},
        REVERTED: THREAD,
    }
    assert all(row["problems"] == [] for row in rows.values())


def member(each: Json) -> tuple[str | None, str, list[str], int, str | None, str | None]:
    parting, signs = each["parting"] or {}, each["signs"]
    prompts = [parting.get(name) or {} for name in ("prompt", "originPrompt")]
    return (
        each["parentId"],
        each["relation"],
        [sign["evidence"] for sign in signs],
        each["copiedRecords"],
        *(prompt.get("preview") for prompt in prompts),
    )


def test_the_family_and_where_each_parted(rollouts: ForkpointServer) -> None:
    both = ["forkedFrom", "historyBase"]
    for asked in sorted(ALL):
        members = rollouts.result("family", sessionId=asked)["members"]
        assert {each["sessionId"]: member(each) for each in members} == {
            THREAD: (None, "root", [], 0, None, None),
            FORK: (THREAD, "goesOn", both, 0, "Round the total up", "Give the cart a total"),
            OF_FORK: (FORK, "goesOn", both, 0, "Round it down instead", "Test the rounding"),
            # Its rows go on from the thread's file, at a turn that the fork has no rows of.
            FURTHER_UP: (FORK, "goesOn", ["forkedFrom"], 0, "Show the total in euros", None),
            REVERTED: (
                THREAD,
                "goesOn",
                ["historyBase"],
                0,
                "Give the cart a tax line",
                "Give the cart a total",
            ),
        }


def test_each_response_counts_once(rollouts: ForkpointServer) -> None:
    """The stand-in said that the n-th request took 1000 n tokens, and 10 n of output."""
    rows = rollouts.listed().values()
    assert all(row["inheritedTokens"] is None for row in rows)
    spent = [row["tokens"] for row in rows]
    assert sum(each["input"] + each["cacheRead"] for each in spent) == 1000 * sum(range(1, 8))
    assert sum(each["output"] for each in spent) == 10 * sum(range(1, 8))


def lead(server: ForkpointServer, session_id: str) -> list[tuple[str, str | None]]:
    """Lines that lead to other sessions, and to which."""
    result = server.result("transcript", sessionId=session_id)
    lines = result["text"].splitlines()
    named = [
        (lines[link["line"]], named_by(link["target"]))
        for link in result["links"]
        if link["kind"] == "session"
    ]
    return [(line, None if name is None else name.session_id) for line, name in named]


def test_texts_lead_to_each_other(rollouts: ForkpointServer) -> None:
    [(line, to)] = lead(rollouts, REVERTED)
    assert (line[:14], to) == ("… goes on from", THREAD)
    # What a fork of a fork goes on from is the thread's file.
    assert [to for _, to in lead(rollouts, FURTHER_UP)] == [THREAD]
    assert {to for _, to in lead(rollouts, THREAD)} == {FORK, FURTHER_UP, REVERTED}
    assert {to for _, to in lead(rollouts, FORK)} == {THREAD, OF_FORK}
