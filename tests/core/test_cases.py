"""Every field of every small case that is about branches, bytes, the list or usage.

A field's answer stands in `ANSWERS` under the field's own name; a field that is not there fails.
Of cases with low confidence only what a reader must see is checked, and what the clients sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from forkpoint.records.record import Flag
from tests.builders import index_of, resume
from tests.core.case_reading import Reading, read_case
from tests.fixture_paths import CASES
from tests.inflate import inflate

GROUPS = ("branch", "bytes", "list", "usage")
EXPECTED: dict[str, Any] = {
    path.parent.name: expected
    for path in sorted(CASES.glob("*/expect.json"))
    if (expected := json.loads(path.read_bytes()))["group"] in GROUPS
}
FOR_READERS = ("bad_lines", "recovered_lines", "own_records", "foreign_records")
ELSEWHERE = {
    "subagents": "which files belong to a session is a question to the disk",
    "day": "the client groups by days, in the user's zone",
}

ANSWERS: dict[str, Callable[[Reading], Any]] = {
    # Paths and branches.
    "active_path": lambda it: it.talk("sent", "notSent"),
    "active_leaf": Reading.active_leaf,
    "chain_records": lambda it: it.uuids(row for row, _ in it.path.entries),
    "full_line": lambda it: it.talk("summarized", "sent", "notSent"),
    "before_compaction": lambda it: it.talk("summarized"),
    "compactions": lambda it: len(it.index.compactions),
    "tips": Reading.tips,
    "branches": Reading.branches,
    "gaps": Reading.gaps,
    "unreached": Reading.unreached,
    "cycle": Reading.has_loop,
    # Marks of single records.
    "sidechain_records": lambda it: it.marked(Flag.SIDECHAIN),
    "foreign_records": lambda it: it.marked(Flag.FOREIGN),
    "own_records": lambda it: it.unmarked(Flag.FOREIGN),
    "foreign_session_ids": lambda it: sorted(it.index.summary.foreign_sessions),
    "error_records": lambda it: it.marked(Flag.API_ERROR),
    "inherited": lambda it: it.marked(Flag.COPIED),
    "user_words": lambda it: it.marked(Flag.TYPED),
    "orphan_results": Reading.results_without_call,
    # Bytes.
    "bad_lines": Reading.bad_lines,
    "recovered_lines": lambda it: it.lines(it.rows(Flag.GLUED_HEAD | Flag.GLUED_REST)),
    "incomplete_tail_bytes": lambda it: len(it.reader.tail),
    "text_contains": Reading.texts,
    # Usage.
    "tokens": Reading.tokens,
    "tokens_total": Reading.tokens_of_all,
    "tokens_main": lambda it: it.tokens(lambda row: not it.index.nodes.has(row, Flag.SIDECHAIN)),
    "tokens_subagents": Reading.tokens_of_agents,
    "tokens_own": lambda it: it.tokens(lambda row: not it.index.nodes.has(row, Flag.COPIED)),
    "tokens_inherited": lambda it: it.tokens(lambda row: it.index.nodes.has(row, Flag.COPIED)),
    "models": Reading.models,
    # The list.
    "title": lambda it: it.title().text,
    "title_source": lambda it: TITLE_SOURCES[it.title().source],
    "listed": lambda it: it.index.summary.talk,
    "project": lambda it: it.index.summary.first_cwd,
    "last_activity": Reading.last_activity,
    "forked_from": lambda it: it.index.summary.forked_from,
}
TITLE_SOURCES = {
    "custom": "custom-title",
    "ai": "ai-title",
    "summary": "summary",
    "firstPrompt": "first-prompt",
}


@cache
def read(name: str) -> dict[str, Reading]:
    return read_case(CASES / name)


def check(session: Reading, field: str, want: Any) -> None:
    mine = ANSWERS[field](session)
    if field == "text_contains":
        assert [text for uuid, text in want.items() if text not in mine[uuid]] == []
    elif isinstance(want, dict):
        assert {key: mine[key] for key in want} == want
    else:
        assert mine == (sorted(want) if field == "tips" else want)


# --- the fields of sessions --------------------------------------------------------------------


def fields() -> Iterator[Any]:
    for name, expected in EXPECTED.items():
        for session_id, answers in expected.get("sessions", {}).items():
            for field, want in answers.items():
                is_sure = expected["confidence"] != "low" or field in FOR_READERS
                if is_sure and field not in ELSEWHERE:
                    title = f"{name}-{session_id[:4]}-{field}"
                    yield pytest.param(name, session_id, field, want, id=title)


@pytest.mark.parametrize(("name", "session_id", "field", "want"), list(fields()))
def test_a_session_has(name: str, session_id: str, field: str, want: Any) -> None:
    check(read(name)[session_id], field, want)


# --- the fields of cases -----------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPECTED)
def test_every_record_is_found(name: str) -> None:
    """The labels are the case's own list of its records, those of steps among them."""
    rest = b"".join(
        (CASES / name / step["append"]).read_bytes() for step in EXPECTED[name].get("steps", [])
    )
    files = (CASES / name / "projects").rglob("*.jsonl")
    nodes = [index_of(file.read_bytes() + rest).nodes for file in files]
    labels = EXPECTED[name]["labels"].items()
    assert [
        label for uuid, label in labels if not any(n.find(uuid) is not None for n in nodes)
    ] == []


@pytest.mark.parametrize("name", [name for name in EXPECTED if "listed" in EXPECTED[name]])
def test_sessions_with_talk_are_listed(name: str) -> None:
    listed = {session_id for session_id, it in read(name).items() if it.index.summary.talk}
    assert listed == set(EXPECTED[name]["listed"])


def observations() -> Iterator[Any]:
    for name, expected in EXPECTED.items():
        for version, want in expected.get("observed", {}).items():
            yield pytest.param(name, version, want, id=f"{name}-{version}")


@pytest.mark.parametrize(("name", "version", "want"), list(observations()))
def test_the_client_sent(name: str, version: str, want: list[str]) -> None:
    session = next(iter(read(name).values()))
    sent = resume(session.index, version).messages()
    # A result without its call is sent without its content, by which it could be recognised.
    unseen = session.results_without_call()
    assert [uuid for uuid in session.uuids(sent) if uuid not in unseen] == want


# --- cases with something to do ----------------------------------------------------------------


def test_a_torn_line_counts_once_its_rest_is_there() -> None:
    name = "32-partial-last-line"
    [step] = EXPECTED[name]["steps"]
    session = read_case(CASES / name)[Path(step["to"]).stem]
    session.append((CASES / name / step["append"]).read_bytes())
    for field, want in step["then"].items():
        check(session, field, want)


@pytest.mark.parametrize("name", [name for name in EXPECTED if "inflate" in EXPECTED[name]])
def test_a_huge_case_is_read(name: str, tmp_path: Path) -> None:
    [session] = read_case(inflate(CASES / name, tmp_path / name)).values()
    after = EXPECTED[name]["after_inflate"]
    assert len(session.data) >= after["size_at_least"]
    assert len(session.talk("sent")) == after["active_path_length"]
    assert session.branches() == after.get("branches", 1)
    assert session.index.malformed == {}
