"""Which thread a rollout is, what it copied, and what of it is not known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forkpoint.cache.last_use import last_use
from forkpoint.copies import copies_of, history_base, parting_of, row_gone_on_from
from forkpoint.faults import faults_of
from forkpoint.lineage import Lineage
from forkpoint.prices import Prices
from forkpoint.protocol.types import RecordView
from forkpoint.protocol.wire.records import record_view
from forkpoint.records.decode import type_at_head
from forkpoint.records.record import Flag
from forkpoint.spending import spending_of
from tests.rollouts import (
    ONE,
    SAID,
    SAID_TWO,
    THREAD,
    TWO,
    Json,
    Rollout,
    back,
    context,
    event,
    header,
    item,
    read,
    rollout,
    says,
    turn,
    user,
)

FORK = "0199b703-0000-739e-9baf-a228c9d0f77c"
OTHER = "0199b705-0000-739e-9baf-a228c9d0f77c"
OLD_TURN, NEW_TURN = "0199b702-7000-7000-8000-000000000000", "0199b704-0000-7000-8000-000000000000"


# --- threads -----------------------------------------------------------------------------------


def test_a_header_tells_where_and_by_what_it_was_written() -> None:
    told = read(header(originator="codex_exec", source="exec"))
    summary = told.index.summary
    assert (summary.first_cwd, summary.git_branch, summary.version, summary.entrypoint) == (
        "/home/dev/shop",
        "main",
        "0.146.0",
        "exec",
    )


def test_the_header_with_the_files_id_counts() -> None:
    told = read(header(FORK, cwd="/other"), header(cwd="/home/dev/shop"))
    assert told.index.rollout is not None
    assert told.index.rollout.header.thread_id == THREAD
    assert told.index.summary.last_cwd == "/home/dev/shop"


def test_a_subagents_thread_names_its_parent() -> None:
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": FORK, "depth": 1}}}
    for told in (read(header(parent_thread_id=FORK)), read(header(source=spawned))):
        assert told.index.rollout is not None
        assert told.index.rollout.header.parent_thread == FORK
    assert told.index.rollout.header.source == "subagent"


def test_a_paginated_fork_copies_nothing() -> None:
    told = read(header(FORK, forked_from_id=THREAD, history_base={"thread_id": THREAD}), *ONE)
    assert told.index.summary.forked_from == THREAD
    assert not any(told.index.nodes.has(row, Flag.COPIED) for row in told.rows())


def test_two_pages_of_a_thread_have_rows_of_their_own() -> None:
    first, second = read(header(), *ONE), read(header(history_base={"thread_id": FORK}), *ONE)
    names = [{told.index.nodes.uuid(row) for row in told.rows()} for told in (first, second)]
    assert not names[0] & names[1]


def test_two_files_of_a_thread_that_was_taken_back_twice_are_no_copies() -> None:
    base = header(THREAD, history_base={"thread_id": THREAD})
    files = [Rollout(rollout(base, *ONE), name) for name in (FORK, OTHER)]
    names = [{told.index.nodes.uuid(row) for row in told.rows()} for told in files]
    assert not names[0] & names[1]


@pytest.mark.parametrize(
    ("end", "last"),
    [(None, "2"), (0, None), (10**9, "2"), ("TWO", "1")],
)
def test_where_a_file_goes_on_from(end: object, last: str | None) -> None:
    lines = [header(), *ONE, *TWO]
    original = read(*lines)
    behind = len(rollout(header(), *ONE)) if end == "TWO" else end
    base = {"thread_id": THREAD, "end_byte_offset": behind}
    later = read(header(FORK, history_base=base), *turn("three", "3", 300, 50), thread=FORK)
    row = row_gone_on_from(later.index, original.index)
    assert (None if row is None else original.text(row)) == last
    parting = parting_of(later.index, original.index, copies_of(later.index, original.index))
    assert parting is not None
    assert (parting.row, parting.original) == (None, row)


def test_a_file_that_names_itself_goes_on_from_nothing() -> None:
    told = read(header(THREAD, history_base={"thread_id": THREAD.upper()}), *ONE)
    assert history_base(told.index) is None
    lineage = Lineage({THREAD: told.index}.get)
    lineage.add(THREAD, told.index)
    assert lineage.origin(THREAD, told.index) is None


def copied(told: Rollout) -> list[str]:
    return [told.text(row) for row in told.rows() if told.index.nodes.has(row, Flag.COPIED)]


def test_what_a_fork_copied_has_the_names_of_the_original() -> None:
    original = read(header(), *ONE, *TWO, *turn("three", "3", 300, 50))
    fork = read(
        header(FORK, forked_from_id=THREAD),
        header(),
        *ONE,
        *TWO,
        *turn("x", "y", 350, 100),
        thread=FORK,
    )
    names = [[told.index.nodes.uuid(row) for row in told.rows()] for told in (original, fork)]
    assert names[0][:4] == names[1][:4]
    assert not set(names[0][4:]) & set(names[1][4:])
    lineage = Lineage({THREAD: original.index, FORK: fork.index}.get)
    lineage.add(THREAD, original.index)
    lineage.add(FORK, fork.index)
    origin = lineage.origin(FORK, fork.index)
    assert origin is not None
    assert (origin.session_id, origin.evidence) == (THREAD, "forkedFrom")
    spent = spending_of(fork.index, lineage.copied(FORK, fork.index), Prices())
    assert (spent.inherited.input, spent.own.input) == (250, 100)


def test_equal_numbers_in_an_unrelated_session_are_no_copy() -> None:
    one, other = read(header(), *ONE), read(header(FORK), *ONE, thread=FORK)
    assert not {*one.index.joins.message_ids} & {*other.index.joins.message_ids}


def test_ids_of_turns_tell_where_a_copy_ends() -> None:
    def marked(turn_id: str, lines: list[Json]) -> list[Json]:
        return [event("task_started", turn_id=turn_id), context(turn_id=turn_id), *lines[2:]]

    fork = read(
        header(FORK, forked_from_id=THREAD),
        header(),
        *marked(OLD_TURN, ONE),
        *marked(OLD_TURN, TWO),
        *marked(NEW_TURN, turn("x", "y", 350, 100)),
        thread=FORK,
    )
    assert copied(fork) == ["one", "1", "two", "2"]


def test_a_pause_tells_where_a_copy_ends() -> None:
    lines = rollout(header(FORK, forked_from_id=THREAD), header(), *ONE).splitlines(keepends=True)
    now = json.loads(lines[0])["timestamp"]
    at_once = [
        json.dumps({**json.loads(line), "timestamp": now}).encode() + b"\n" for line in lines
    ]
    later = rollout(*[context()] * 20, *TWO).splitlines(keepends=True)[20:]
    assert copied(Rollout(b"".join([*at_once, *later]), FORK)) == ["one", "1"]


def test_a_subagents_header_may_say_where_its_own_rows_begin() -> None:
    lines = rollout(header(FORK, parent_thread_id=THREAD, subagent_history_start_ordinal=11), *ONE)
    data = [json.loads(line) for line in (lines + rollout(*TWO)).splitlines()]
    numbered = [json.dumps({**line, "ordinal": n}).encode() for n, line in enumerate(data)]
    told = Rollout(b"\n".join(numbered) + b"\n", FORK)
    assert copied(told) == ["one", "1"]
    assert told.messages() == SAID + SAID_TWO


def test_the_own_header_once_more_ends_a_copy() -> None:
    lines = rollout(header(FORK, forked_from_id=THREAD), header(), *ONE, header(FORK), *TWO)
    now = json.loads(lines.splitlines()[0])["timestamp"]
    at_once = [{**json.loads(line), "timestamp": now} for line in lines.splitlines()]
    data = b"".join(json.dumps(line).encode() + b"\n" for line in at_once)
    assert copied(Rollout(data, FORK)) == ["one", "1"]


def test_a_name_that_a_person_gave_is_the_title() -> None:
    told = read(header(), *ONE, event("thread_name_updated", thread_name="The cart"))
    assert told.title() == "The cart"


# --- what is not known -------------------------------------------------------------------------


def test_what_no_known_client_writes_is_kept_and_counted() -> None:
    told = read(
        header(),
        *ONE,
        event("something_new"),
        item("something_new"),
        {"type": "whole_new", "payload": {}},
        {"type": "event_msg", "payload": {"type": 3}},
    )
    assert {name: seen.count for name, seen in told.index.unknown_types.items()} == {
        "event_msg/something_new": 1,
        "response_item/something_new": 1,
        "whole_new": 1,
        "event_msg/": 1,
    }
    assert told.messages() == SAID


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (event("token_count", info=None), "token_count"),
        (context(), "turn_context"),
        ({"type": "compacted", "payload": {"message": ""}}, "compacted"),
    ],
)
def test_the_beginning_of_a_line_tells_its_type(line: Json, name: str) -> None:
    assert type_at_head(rollout(line)[:120]) == name


def test_lines_of_an_unknown_type_are_pointed_at() -> None:
    told = read(header(), *ONE, event("something_new"), context(), {"type": "whole_new"})
    found = faults_of(told.index, lambda rows: [told.line(row) for row in rows])
    assert [(fault.code, fault.sentence) for fault in found] == [
        ("unknownType", "No known client writes records of this type: event_msg/something_new."),
        ("unknownType", "No known client writes records of this type: whole_new."),
    ]


def view(told: Rollout, row: int) -> RecordView:
    return record_view(told.index, row, told.line(row), "/t.jsonl", Path("/results"))


def test_a_record_tells_its_parent_and_its_type() -> None:
    told = read(header(), *user("one"), *says("1"), event("something_new"))
    prompt, answer = told.rows()
    shown = view(told, answer)
    assert (shown.uuid, shown.parent_uuid) == (
        told.index.nodes.uuid(answer),
        told.index.nodes.uuid(prompt),
    )
    assert (shown.type, shown.subtype, shown.role, shown.known) == (
        "event_msg",
        "agent_message",
        "response",
        True,
    )
    unknown = view(told, len(told.index.nodes) - 1)
    assert (unknown.type, unknown.known, unknown.uuid) == ("event_msg/something_new", False, None)


def test_its_version_is_no_border_between_releases_of_another_client() -> None:
    told = read(header(cli_version="0.0.1"), *ONE, *TWO, back(1), *turn("three", "3", 300, 50))
    paths = [told.conversation.path(version) for version in (None, "0.0.1", "1.0.128", "2.1.100")]
    assert all(path == paths[0] for path in paths)
    assert told.index.summary.version == "0.0.1"


def test_nothing_tells_how_long_its_cache_lives() -> None:
    used = last_use(read(header(), *ONE).conversation, None)
    assert used is not None
    assert (used.lifetime, used.expires) == (None, None)
