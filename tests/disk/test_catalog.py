"""All sessions below the roots: what is found, what was read, what changed since."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from forkpoint import disk
from forkpoint.catalog import Catalog
from forkpoint.disk import Unreadable
from forkpoint.lsp.handlers import HANDLERS, SERVED
from forkpoint.prices import Price, Prices
from forkpoint.protocol.encode import encode
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.params import decode_params
from forkpoint.roster import Unknown
from tests.builders import line, row, transcript
from tests.disk.trees import needs_posix

A = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
B = "b69a0ae4-3726-47d4-ad61-f08d81ff360f"
SHOP = "-home-dev-shop"


def catalog(*roots: Path) -> Catalog:
    return Catalog(roots)


def plant(root: Path, session_id: str = A, data: bytes | None = None, key: str = SHOP) -> Path:
    path = root / "projects" / key / f"{session_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(transcript("u1 a1") if data is None else data)
    return path


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def read_all(known: Catalog) -> None:
    while known.index_next():
        pass


def ask(known: Catalog, method: str, **params: Any) -> Any:
    """The answer as it would go over the wire."""
    name = f"forkpoint/{method}"
    return encode(HANDLERS[name](known, decode_params(name, params)))


# --- finding -----------------------------------------------------------------------------------


def test_nothing_is_opened_to_find_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path)
    opened: list[str] = []
    read = disk.read_spans
    monkeypatch.setattr(disk, "read", lambda path, *_: opened.append(path) or [])
    monkeypatch.setattr(disk, "read_spans", lambda path, s: opened.append(path) or read(path, s))
    known = catalog(tmp_path)
    assert [entry.session_id for entry in known.entries()] == [A]
    assert opened == []
    assert known.indexing() == (0, 1)


def test_newest_files_first_and_read_first(tmp_path: Path) -> None:
    for session_id, seconds in ((A, 1000), (B, 2000)):
        os.utime(plant(tmp_path, session_id), (seconds, seconds))
    known = catalog(tmp_path)
    assert [entry.session_id for entry in known.entries()] == [B, A]
    assert known.index_next()
    assert [known.facts.known_index(session_id) is None for session_id in (B, A)] == [False, True]
    assert known.index_next()
    assert not known.index_next()
    assert known.indexing() == (2, 2)


def test_an_id_is_found_in_any_case(tmp_path: Path) -> None:
    plant(tmp_path, A.upper())
    known = catalog(tmp_path)
    assert known.entry(A).session_id == known.entry(A.upper()).session_id == A.upper()


def test_what_is_not_there_is_looked_for_once_more(tmp_path: Path) -> None:
    known = catalog(tmp_path)
    with pytest.raises(Unknown, match=r"^There is no session nobody\.$"):
        known.entry("nobody")
    path = plant(tmp_path)
    entry = known.entry(A)
    with pytest.raises(Unknown, match=r"^There is no subagent a1\.$"):
        known.agent(entry, "a1")
    agents = path.with_suffix("") / "subagents"
    agents.mkdir(parents=True)
    (agents / "agent-a1.jsonl").write_bytes(transcript("k1"))
    assert known.agent(entry, "a1").file.agent_id == "a1"


def test_a_newer_file_with_the_same_id_takes_over(tmp_path: Path) -> None:
    one = plant(tmp_path, data=transcript("u1 a1"))
    os.utime(one, (1000, 1000))
    known = catalog(tmp_path)
    assert len(known.conversation(A).index.nodes) == 2
    other = plant(tmp_path, data=transcript("u1 a1 u2"), key="-home-dev-other")
    known.rescan()
    assert known.entry(A).file.path == str(other)
    assert [file.path for file in known.entry(A).others] == [str(one)]
    assert len(known.conversation(A).index.nodes) == 3


def test_one_id_below_two_roots_is_one_session(tmp_path: Path) -> None:
    roots = [tmp_path / "one", tmp_path / "two"]
    for number, root in enumerate(roots):
        os.utime(plant(root), (1000 + number, 1000 + number))
    known = catalog(*roots)
    [entry] = known.entries()
    assert (entry.root, len(entry.others)) == (roots[1], 1)


def test_retention_is_that_of_the_session_s_own_root(tmp_path: Path) -> None:
    roots = [tmp_path / "one", tmp_path / "two"]
    for root, session_id in zip(roots, (A, B), strict=True):
        plant(root, session_id)
    (roots[0] / "settings.json").write_text('{"cleanupPeriodDays": 5}')
    known = catalog(*roots)
    assert [known.beside.retention_days(root) for root in roots] == [5, 30]


# --- changes -----------------------------------------------------------------------------------


def test_changes_are_told_once(tmp_path: Path) -> None:
    path = plant(tmp_path)
    known = catalog(tmp_path)
    assert known.take_changes() == ([A], [], [])
    assert known.take_changes() == ([], [], [])
    known.conversation(A)
    assert known.take_changes() == ([], [A], [])
    known.conversation(A)
    known.rescan()
    assert known.take_changes() == ([], [], [])
    append(path, transcript("| a1 u2", start=60))
    known.conversation(A)
    assert known.take_changes() == ([], [A], [])
    path.unlink()
    known.rescan()
    assert known.take_changes() == ([], [], [A])


def test_what_came_and_went_meanwhile_is_only_added(tmp_path: Path) -> None:
    known = catalog(tmp_path)
    path = plant(tmp_path)
    known.rescan()
    append(path, transcript("| a1 u2", start=60))
    known.rescan()
    assert known.take_changes() == ([A], [], [])


# --- reading -----------------------------------------------------------------------------------


def test_a_question_reads_only_its_own_session(tmp_path: Path) -> None:
    for session_id in (A, B):
        plant(tmp_path, session_id)
    known = catalog(tmp_path)
    known.conversation(A)
    assert known.facts.known_index(B) is None
    assert known.indexing() == (1, 2)


def test_counts_come_with_the_transcript_and_grow_with_it(tmp_path: Path) -> None:
    path = plant(tmp_path)
    known = catalog(tmp_path)
    entry = known.entry(A)
    assert known.counts(entry) is None
    known.conversation(A)
    first = known.counts(entry)
    assert first is not None
    assert (first.prompts, first.responses) == (1, 1)
    assert known.counts(entry) is first
    append(path, transcript("| a1 u2", start=60))
    known.rescan()
    assert known.counts(entry) is None
    known.catch_up(entry)
    grown = known.counts(entry)
    assert grown is not None
    assert (grown.prompts, grown.responses) == (2, 1)


def test_other_prices_count_anew_and_read_nothing_anew(tmp_path: Path) -> None:
    """An answer of the builder has ten tokens of input and five of output."""
    fields = {"a1": {"message": {"model": "my-model"}}}
    path = plant(tmp_path, data=transcript("u1 a1", fields=fields))
    plant(tmp_path, B)
    known = catalog(tmp_path)
    read_all(known)
    known.take_changes()
    before = known.counts(known.entry(A))
    assert before is not None and before.spending.dollars is None
    assert (known.account, known.status_line_cache) == ("unknown", False)
    path.unlink()
    prices = Prices({"my-model": Price(1, 2, 0, 0, 0)})
    known.adopt(prices=prices, account="apiKey", status_line_cache=True)
    assert (known.prices, known.account, known.status_line_cache) == (prices, "apiKey", True)
    assert known.take_changes() == ([], [A, B], [])
    assert known.index_next() is False
    after = known.counts(known.entry(A))
    assert after is not None
    assert after.spending.dollars == pytest.approx((10 * 1 + 5 * 2) / 1e6)
    assert known.counts(known.entry(A)) is after


def test_a_subagent_read_later_is_counted_then(tmp_path: Path) -> None:
    path = plant(tmp_path)
    agents = path.with_suffix("") / "subagents"
    agents.mkdir(parents=True)
    (agents / "agent-a1.jsonl").write_bytes(transcript("k1"))
    known = catalog(tmp_path)
    entry = known.entry(A)
    known.conversation(A)
    before = known.counts(entry)
    known.read_agents(entry)
    after = known.counts(entry)
    assert before is not None
    assert after is not None
    assert (before.subagents, after.subagents) == (1, 1)
    assert (before.spending.subagents.output, after.spending.subagents.output) == (0, 5)


def test_summaries_of_other_files_name_a_session(tmp_path: Path) -> None:
    """Clients up to 2.0.76 wrote them into whichever file they opened next."""
    path = plant(tmp_path)
    leaf = "00000000-0000-4000-8000-613100000000"
    summaries = line(type="summary", summary="Of a1", leafUuid=leaf)
    summaries += line(type="summary", summary="Of nobody", leafUuid=A)
    plant(tmp_path, B, summaries)
    plant(tmp_path, "29d23aa3-b5e1-4d8e-aebb-73bcb322c78a", summaries, key="-another-project")
    known = catalog(tmp_path)
    read_all(known)
    assert known.facts.own_summary(known.entry(A)) == "Of a1"
    assert known.facts.own_summary(known.entry(B)) is None
    assert ask(known, "sessions")["sessions"][0]["title"] == {"text": "Of a1", "source": "summary"}
    assert path.exists()


# --- a list that is asked for again ------------------------------------------------------------

QUIET = 0.06
"""Seconds after which a folder's time of change tells that nothing else came."""


def home_with_agent(root: Path) -> tuple[Path, Path]:
    """Two sessions, the older one with a subagent; its transcript and that of the subagent."""
    own = plant(root)
    agent = own.with_suffix("") / "subagents" / "agent-a1.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(transcript("k1"))
    os.utime(own, (1000, 1000))
    plant(root, B)
    return own, agent


def listed_twice(root: Path, **params: Any) -> Catalog:
    """A catalog that has read everything, and whose folders need not be listed again."""
    known = catalog(root)
    read_all(known)
    time.sleep(QUIET)
    known.rescan()
    for _ in range(2):
        ask(known, "sessions", **params)
    return known


def read_anew(root: Path, **params: Any) -> Any:
    other = catalog(root)
    read_all(other)
    return ask(other, "sessions", **params)["sessions"]


def rename_project(own: Path, agent: Path) -> None:
    own.parent.rename(own.parent.with_name("-home-dev-other"))


CHANGES: dict[str, Callable[[Path, Path], object]] = {
    "nothing": lambda own, agent: None,
    "appended": lambda own, agent: append(own, transcript("| a1 u2", start=60)),
    "agent appended": lambda own, agent: append(agent, transcript("| k1 k2", start=60)),
    "agent gone": lambda own, agent: agent.unlink(),
    "agent came": lambda own, agent: agent.with_name("agent-a2.jsonl").write_bytes(
        transcript("k1")
    ),
    "cut": lambda own, agent: own.write_bytes(transcript("u1")),
    "gone": lambda own, agent: own.unlink(),
    "newer": lambda own, agent: os.utime(own),
    "archived": lambda own, agent: (own.with_suffix("") / "archived.json").write_text(
        '{"archived": true}'
    ),
    "renamed": lambda own, agent: (own.with_suffix("") / "custom-title.json").write_text(
        '{"customTitle": "Mine", "by": "user"}'
    ),
    "kept for a week": lambda own, agent: (own.parents[2] / "settings.json").write_text(
        '{"cleanupPeriodDays": 7}'
    ),
    "moved": rename_project,
}


@pytest.mark.parametrize("limit", [None, 1])
@pytest.mark.parametrize("change", CHANGES)
def test_the_next_list_is_that_of_a_new_server(
    tmp_path: Path, change: str, limit: int | None
) -> None:
    own, agent = home_with_agent(tmp_path)
    known = listed_twice(tmp_path, limit=limit, includeArchived=True)
    CHANGES[change](own, agent)
    ask(known, "sessions", limit=limit, includeArchived=True)
    read_all(known)
    for archived in (True, False):
        params = {"limit": limit, "includeArchived": archived}
        assert ask(known, "sessions", **params)["sessions"] == read_anew(tmp_path, **params)


def test_a_row_knows_the_file_as_it_was_read_last(tmp_path: Path) -> None:
    """Whoever asks about a session right after an append has it read before the list looks."""
    path = plant(tmp_path)
    known = listed_twice(tmp_path)
    append(path, transcript("| a1 u2", start=60))
    known.conversation(A)
    [row] = ask(known, "sessions")["sessions"]
    assert row["sizeBytes"] == path.stat().st_size


def test_rows_that_are_ready_are_the_same(tmp_path: Path) -> None:
    own, _ = home_with_agent(tmp_path)
    known = listed_twice(tmp_path)
    params = decode_params("forkpoint/sessions", {})
    for data in (b"", transcript("| a1 u2", start=60)):
        append(own, data)
        sent = encode(SERVED["forkpoint/sessions"](known, params))
        assert sent == ask(known, "sessions")
        assert encode(SERVED["forkpoint/sessions"](known, params)) == sent


@needs_posix
def test_an_unreadable_session_is_tried_again_with_each_list(unprivileged_root: Path) -> None:
    path = plant(unprivileged_root)
    known = catalog(unprivileged_root)
    with forbidden(path):
        for _ in range(2):
            [row] = ask(known, "sessions")["sessions"]
            assert [problem["code"] for problem in row["problems"]] == ["unreadable"]
    [row] = ask(known, "sessions")["sessions"]
    assert "unreadable" not in {problem["code"] for problem in row["problems"]}
    assert row["promptCount"] == 1


# --- failures ----------------------------------------------------------------------------------


def test_a_vanished_file_is_a_failure_of_its_own_question(tmp_path: Path) -> None:
    path = plant(tmp_path)
    plant(tmp_path, B)
    known = catalog(tmp_path)
    path.unlink()
    with pytest.raises(Unreadable):
        known.conversation(A)
    read_all(known)
    assert known.indexing() == (2, 2)
    assert known.summary(known.entry(A)) is None
    assert len(known.conversation(B).index.nodes) == 2


def test_a_vanished_subagent_leaves_its_session(tmp_path: Path) -> None:
    path = plant(tmp_path)
    agents = path.with_suffix("") / "subagents"
    agents.mkdir(parents=True)
    for name in ("a1", "a2"):
        own = row("k1", None, 0, {"agentId": name, "isSidechain": True})
        (agents / f"agent-{name}.jsonl").write_bytes(line(**own))
    known = catalog(tmp_path)
    read_all(known)
    (agents / "agent-a1.jsonl").unlink()
    known.take_changes()
    known.rescan()
    assert list(known.entry(A).agents) == ["a2"]
    assert known.take_changes() == ([], [A], [])


# --- what may not be read ----------------------------------------------------------------------


@contextmanager
def forbidden(path: Path) -> Iterator[None]:
    """A file or folder without any right."""
    mode = path.stat().st_mode
    path.chmod(0)
    yield
    path.chmod(mode)


@needs_posix
def test_a_transcript_that_may_not_be_read(unprivileged_root: Path) -> None:
    path = plant(unprivileged_root)
    plant(unprivileged_root, B)
    known = catalog(unprivileged_root)
    with forbidden(path):
        read_all(known)
        rows = {row["sessionId"]: row for row in ask(known, "sessions")["sessions"]}
        assert [problem["code"] for problem in rows[A]["problems"]][:1] == ["unreadable"]
        assert rows[A]["promptCount"] is None
        assert rows[B]["promptCount"] == 1
        with pytest.raises(RequestFailed) as refused:
            ask(known, "records", sessionId=A)
        assert (refused.value.kind, refused.value.sentence) == (
            "unreadable",
            "The transcript could not be read: reading it is not allowed.",
        )
        assert ask(known, "records", sessionId=B)["total"] == 2
    assert ask(known, "records", sessionId=A)["total"] == 2
    rows = {row["sessionId"]: row for row in ask(known, "sessions")["sessions"]}
    assert "unreadable" not in {problem["code"] for problem in rows[A]["problems"]}
    assert rows[A]["promptCount"] == 1


@needs_posix
def test_a_folder_that_may_not_be_listed(unprivileged_root: Path) -> None:
    plant(unprivileged_root)
    hidden = plant(unprivileged_root, B, key="-home-dev-hidden").parent
    with forbidden(hidden):
        known = catalog(unprivileged_root)
        assert [entry.session_id for entry in known.entries()] == [A]
        assert ask(known, "health")["problems"] == [
            {"code": "denied", "sentence": "A folder or file may not be read. (1 times)"}
        ]
    known.rescan()
    assert {entry.session_id for entry in known.entries()} == {A, B}
    assert ask(known, "health")["problems"] == []


@needs_posix
def test_a_config_folder_that_may_not_be_entered(unprivileged_root: Path) -> None:
    plant(unprivileged_root)
    with forbidden(unprivileged_root / "projects"):
        known = catalog(unprivileged_root)
        assert ask(known, "sessions")["sessions"] == []
        assert [p["code"] for p in ask(known, "health")["problems"]] == ["denied"]
