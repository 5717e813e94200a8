"""Which rollouts are sessions, whose subagents the others are, and what threads are called."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.rollout_head import NOTHING, RolloutHead, head_of
from forkpoint.thread_names import ThreadNames
from forkpoint.threads import Threads
from tests.disk.codex_home import A, B, C, name, packed, place, put, rollout

D = "0199d000-0000-7000-8000-000000000001"
IDS = (A, B, C, D)


def spawned(parent: object, **more: object) -> dict[str, Any]:
    return {"source": {"subagent": {"thread_spawn": {"parent_thread_id": parent, **more}}}}


HEADS: list[tuple[bytes, RolloutHead | None]] = [
    (rollout(), NOTHING),
    (rollout(parent_thread_id=B), RolloutHead(B)),
    (rollout(parent_thread_id=B, agent_role="worker"), RolloutHead(B, "worker")),
    (rollout(**spawned(B, agent_role="explorer", depth=1)), RolloutHead(B, "explorer")),
    (rollout(**spawned(B, agent_nickname="Ada\n\x1b[31m")), RolloutHead(B, None, "Ada")),
    (rollout(parent_thread_id=None, **spawned(None)), NOTHING),
    (rollout(parent_thread_id=7, source={"subagent": "review"}), NOTHING),
    (rollout(source={"subagent": {"thread_spawn": [B]}}), NOTHING),
    (rollout(instructions="x" * 200_000, parent_thread_id=B), RolloutHead(B)),
    (rollout(instructions="x" * 2_000_000, parent_thread_id=B), NOTHING),
    (b'{"id":"' + A.encode() + b'","timestamp":"2025-06-20T09:00:00Z"}\n', NOTHING),
    (b'{"type":"session_meta","payload":{"id":\n', NOTHING),
    (b'{"type":"session_meta","payload":"\xff\xfe"}\n', NOTHING),
    (b"[]\n", NOTHING),
    (b"", None),
    (rollout(parent_thread_id=B)[:-1], None),
]


@pytest.mark.parametrize("packs", [False, True])
@pytest.mark.parametrize(("data", "head"), HEADS)
def test_what_a_first_line_says(
    tmp_path: Path, data: bytes, head: RolloutHead | None, packs: bool
) -> None:
    path = put(tmp_path, place(packed=packs), data)
    assert head_of(str(path)) == head


def test_nobody_can_read_it(tmp_path: Path) -> None:
    assert head_of(str(tmp_path / place())) is None
    path = put(tmp_path, place(), b"")
    damaged = path.with_name(f"{path.name}.zst")
    damaged.write_bytes(packed(rollout())[:20])
    assert head_of(str(damaged)) is None


def apart(home: Path, threads: Threads | None = None) -> tuple[set[str], dict[str, str | None]]:
    """The sessions, and whose each subagent is."""
    _, found = (threads or Threads()).listed(home, once=False)
    return (
        {file.session_id for file in found.sessions},
        {agent.agent_id: agent.session_id for agent in found.agents},
    )


@pytest.mark.parametrize(
    ("parents", "sessions", "agents"),
    [
        ({A: None, B: A}, {A}, {B: A}),
        ({A: None, B: A.upper()}, {A}, {B: A.lower()}),
        # A subagent's subagent belongs to the session.
        ({A: None, B: A, C: B, D: C}, {A}, {B: A, C: A, D: A}),
        # The parent is gone.
        ({B: A, C: B}, {B}, {C: B}),
        # Nonsense hides nothing.
        ({A: A}, {A}, {}),
        ({A: B, B: A}, {A, B}, {}),
        ({A: None, B: "nobody"}, {A, B}, {}),
    ],
)
def test_whose_threads_they_are(
    tmp_path: Path,
    parents: dict[str, str | None],
    sessions: set[str],
    agents: dict[str, str],
) -> None:
    for thread_id, parent in parents.items():
        put(tmp_path, place(thread_id), rollout(thread_id=thread_id, parent_thread_id=parent))
    assert apart(tmp_path) == (sessions, agents)


@given(st.dictionaries(st.sampled_from(IDS), st.none() | st.sampled_from([*IDS, "gone"])))
def test_each_thread_is_a_session_or_the_subagent_of_one(parents: dict[str, str | None]) -> None:
    with TemporaryDirectory() as folder:
        for thread_id, parent in parents.items():
            data = rollout(thread_id=thread_id, parent_thread_id=parent)
            put(Path(folder), place(thread_id), data)
        sessions, agents = apart(Path(folder))
    assert sessions | agents.keys() == parents.keys()
    assert sessions & agents.keys() == set()
    assert set(agents.values()) <= sessions
    for thread_id, parent in parents.items():
        if parent is None or parent not in parents:
            assert thread_id in sessions, "nobody there started it"


def test_a_subagent_that_lies_in_two_places_is_the_newest(tmp_path: Path) -> None:
    put(tmp_path, place(A), rollout())
    for archived, at in ((True, 1_700_000_100), (False, 1_700_000_000)):
        path = put(tmp_path, place(B, archived=archived), rollout(parent_thread_id=A))
        os.utime(path, (at, at))
    _, found = Threads().listed(tmp_path, once=False)
    assert [agent.path for agent in found.agents] == [str(tmp_path / place(B, archived=True))]


def test_whose_it_is_may_be_written_later(tmp_path: Path) -> None:
    put(tmp_path, place(A), rollout())
    path, whole = put(tmp_path, place(B), b""), rollout(parent_thread_id=A)
    threads = Threads()
    assert apart(tmp_path, threads) == ({A, B}, {})
    path.write_bytes(whole[:50])
    assert apart(tmp_path, threads) == ({A, B}, {})
    assert not threads.is_certain
    path.write_bytes(whole)
    assert apart(tmp_path, threads) == ({A}, {B: A})
    assert threads.is_certain


# --- names -------------------------------------------------------------------------------------


def test_the_last_name_of_a_thread_holds(tmp_path: Path) -> None:
    names = ThreadNames(tmp_path)
    assert (names.look(), names.name(A), names.looks) == (set(), None, 0)
    name(tmp_path, (A, "First"), (B, "Other"), (A.upper(), "Second"))
    assert names.look() == {A, B}
    assert (names.name(A), names.name(A.upper()), names.name(B)) == ("Second", "Second", "Other")
    assert (names.look(), names.looks) == (set(), 1)
    name(tmp_path, (B, ""), (A, "Second"))
    assert names.look() == {B}
    assert (names.name(A), names.name(B)) == ("Second", None)
    (tmp_path / "session_index.jsonl").unlink()
    assert names.look() == {A}
    assert names.name(A) is None


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"no json",
        b"\xff\xfe",
        b"[]",
        b'{"id": 7, "thread_name": "x"}',
        b'{"id": "x"}',
        b'{"thread_name": "x"}',
        b'{"id": "x", "thread_name": null}',
        b'{"id": "x", "thread_name": "torn',
    ],
)
def test_an_odd_line_costs_the_others_nothing(tmp_path: Path, line: bytes) -> None:
    name(tmp_path, (A, "Before"))
    with (tmp_path / "session_index.jsonl").open("ab") as file:
        file.write(line + b"\n")
    name(tmp_path, (B, " Two\n lines \x1b[1m"))
    names = ThreadNames(tmp_path)
    names.look()
    assert (names.name(A), names.name(B), names.name("x")) == ("Before", "Two lines", None)


def test_a_long_file_is_read_from_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forkpoint.thread_names.MOST", 300)
    name(tmp_path, (A, "Long ago"), *[(C, f"Name {number}") for number in range(9)], (B, "Now"))
    names = ThreadNames(tmp_path)
    names.look()
    assert (names.name(A), names.name(B), names.name(C)) == (None, "Now", "Name 8")


def test_it_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "session_index.jsonl").mkdir()
    assert ThreadNames(tmp_path).look() == set()
