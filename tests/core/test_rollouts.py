"""What a rollout's lines are together: whose words, which response, what hangs on what."""

from __future__ import annotations

import json
from typing import Any

import pytest

from forkpoint.cache.last_use import last_use
from forkpoint.lineage import Lineage
from forkpoint.prices import Prices
from forkpoint.protocol.wire.path import leaf_of
from forkpoint.records.blocks import Thinking
from forkpoint.records.content import content_of
from forkpoint.records.decode import type_at_head
from forkpoint.records.record import Flag
from forkpoint.spending import spending_of
from tests.rollouts import (
    THREAD,
    Json,
    Rollout,
    calls,
    context,
    counts,
    event,
    header,
    item,
    message,
    output,
    patches,
    rollout,
    says,
    tokens,
    turn,
    user,
)

FORK = "0199b703-0000-739e-9baf-a228c9d0f77c"
OLD_TURN, NEW_TURN = "0199b702-7000-7000-8000-000000000000", "0199b704-0000-7000-8000-000000000000"
ONE = turn("one", "1", 100, 100)
TWO = turn("two", "2", 250, 150)
SAID = [["user", "one"], ["assistant", "1"]]
SAID_TWO = [["user", "two"], ["assistant", "2"]]


def read(*lines: Json | list[Json], thread: str | None = THREAD) -> Rollout:
    return Rollout(rollout(*lines), thread)


def back(count: Any) -> Json:
    return event("thread_rolled_back", num_turns=count)


def compacted(text: str = "") -> list[Json]:
    history = [message("user", "one")["payload"], message("user", "A summary")["payload"]]
    payload = {"message": text, "replacement_history": history}
    return [{"type": "compacted", "payload": payload}, event("context_compacted")]


# --- whose words -------------------------------------------------------------------------------


def test_an_item_in_the_users_name_is_context_where_an_event_tells_what_was_typed() -> None:
    told = read(header(), message("user", "What nobody typed"), *user("one"), *says("1"))
    assert told.messages() == SAID
    assert told.roles() == ["INJECTED", "PROMPT", "RESPONSE"]


def test_without_an_event_what_the_client_does_not_put_in_is_typed() -> None:
    told = read(
        header(),
        message("user", "<environment_context>\n<cwd>/elsewhere</cwd>\n</environment_context>"),
        message("user", "one"),
        message("assistant", "1"),
    )
    assert told.messages() == SAID
    assert told.roles() == ["INJECTED", "PROMPT", "RESPONSE"]
    assert list(told.index.summary.prompts.values()) == ["one"]


def test_a_turn_without_events_behind_one_with_them() -> None:
    marked = [event("task_started"), context(), message("user", "two"), message("assistant", "2")]
    assert read(header(), *ONE, *marked).messages() == SAID + SAID_TWO


def test_a_prompt_that_nothing_confirms_yet_is_context() -> None:
    assert read(header(), message("user", "one")).roles() == ["INJECTED"]


def test_an_event_before_its_item() -> None:
    told = read(header(), event("user_message", message="one"), message("user", "one"), *says("1"))
    assert told.messages() == SAID


def test_the_same_words_in_two_turns_are_two_prompts() -> None:
    told = read(header(), *turn("again", "1", 100, 100), *turn("again", "1", 200, 100))
    assert [text for role, text in told.messages()] == ["again", "1", "again", "1"]


def test_where_the_item_says_more_the_event_has_the_words() -> None:
    told = read(
        header(),
        event("task_started"),
        message("user", "<image name=[Image #1]>", "one"),
        event("user_message", message="uno"),
        *says("1"),
    )
    assert told.messages() == [["user", "uno"], ["assistant", "1"]]
    assert list(told.index.summary.prompts.values()) == ["uno"]


def test_what_a_developer_or_another_agent_says_is_context() -> None:
    other = item("agent_message", author="/root", content=[{"type": "input_text", "text": "Go"}])
    told = read(header(), message("developer", "Be brief"), other, *user("one"), *says("1"))
    assert told.roles() == ["INJECTED", "INJECTED", "PROMPT", "RESPONSE"]
    assert told.text(told.rows()[1]) == "Go"


def test_a_command_that_a_person_ran_beside_it() -> None:
    text = "<user_shell_command>\n<command>\nls\n</command>\n<result>\na\n</result>"
    told = read(header(), message("user", text))
    assert told.roles() == ["SHELL"]
    assert list(told.index.summary.prompts.values()) == ["! ls"]


def test_an_answer_in_pieces_is_one_row_per_piece_and_none_for_the_item() -> None:
    events = [event("agent_message", message=text) for text in ("a", "b")]
    told = read(header(), *user("one"), *events, message("assistant", "a", "b"))
    assert told.messages() == [["user", "one"], ["assistant", "a"], ["assistant", "b"]]


def test_an_item_before_its_events_is_the_row() -> None:
    events = [event("agent_message", message=text) for text in ("a", "b")]
    told = read(header(), *user("one"), message("assistant", "a", "b"), *events)
    assert told.messages() == [["user", "one"], ["assistant", "a\nb"]]


def test_an_answer_of_which_the_event_leaves_something_out_stands_there_once() -> None:
    told = read(
        header(),
        *user("one"),
        event("agent_message", message="1"),
        message("assistant", "1 [cited]"),
    )
    assert told.messages() == SAID


def thoughts(*texts: str, secret: str | None = None) -> Json:
    parts = [{"type": "summary_text", "text": text} for text in texts]
    return item("reasoning", summary=parts, encrypted_content=secret)


def test_thoughts_stand_there_once() -> None:
    events = [event("agent_reasoning", text=text) for text in ("a", "b")]
    assert words_thought([*events, thoughts("a", "b")]) == ["a", "b"]
    assert words_thought([thoughts("a", "b"), *events]) == ["a\n\nb"]


def words_thought(lines: list[Json]) -> list[str]:
    told = read(header(), *user("one"), *lines, *says("1"))
    blocks = [block for row in told.rows() for block in content_of(told.line(row)).blocks]
    return [block.text for block in blocks if isinstance(block, Thinking)]


def test_thoughts_that_are_not_stored_in_words_are_a_row_each() -> None:
    told = read(header(), *user("one"), thoughts(secret="x"), thoughts(secret="y"))
    assert told.roles() == ["PROMPT", "RESPONSE", "RESPONSE"]


def test_an_interrupted_turn_is_told_once() -> None:
    marker, ended = (
        message("user", "<turn_aborted>\nx"),
        event("turn_aborted", reason="interrupted"),
    )
    for lines in ([marker, ended], [ended]):
        told = read(header(), *user("one"), calls("shell", "c1", command=["ls"]), *lines)
        assert told.roles() == ["PROMPT", "RESPONSE", "INTERRUPT"]
        assert told.index.tools.all(told.index.joins)[0].state == "interrupted"


# --- turns that were taken back ----------------------------------------------------------------


def test_a_turn_that_was_taken_back_stays_as_a_branch() -> None:
    told = read(header(), *ONE, *turn("wrong", "no", 200, 100), back(1), *TWO)
    assert told.messages() == SAID + SAID_TWO
    assert told.abandoned() == [["user", "wrong"], ["assistant", "no"]]
    reasons = [each.reason for each in told.conversation.segments()]
    assert reasons == ["start", "continuation", "rewind"]


@pytest.mark.parametrize(("count", "left"), [(1, SAID), (2, []), (7, []), (0, None), (None, None)])
def test_before_the_next_prompt_the_path_ends_where_turns_were_taken_back_to(
    count: Any, left: list[list[str]] | None
) -> None:
    told = read(header(), message("developer", "Be brief"), *ONE, *TWO, back(count))
    assert told.messages() == (SAID + SAID_TWO if left is None else left)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "This is the last record of the conversation in the file."),
        ([back(1)], "Turns were taken back to this record."),
        ([back(2)], "All turns were taken back: the next prompt begins anew."),
        ([back(1), *ONE], "This is the last record of the conversation in the file."),
    ],
)
def test_it_says_why_it_goes_on_there(lines: list[Json], sentence: str) -> None:
    told = read(header(), *ONE, *TWO, *lines)
    leaf = leaf_of(told.conversation, told.conversation.path(), None)
    assert leaf.sentence == sentence


def test_turns_are_taken_back_one_after_the_other() -> None:
    told = read(header(), *ONE, *TWO, back(1), back(1), *turn("three", "3", 300, 50))
    assert told.messages() == [["user", "three"], ["assistant", "3"]]


def test_what_survived_once_may_be_taken_back_later() -> None:
    told = read(header(), *ONE, *TWO, back(1), *turn("three", "3", 300, 50), back(2))
    assert told.messages() == []


def test_a_compaction_is_no_talk_and_turns_may_be_taken_back_behind_it() -> None:
    told = read(header(), *ONE, *TWO, *compacted(), *turn("three", "3", 300, 50))
    fates = [fate for _, fate in told.conversation.path().entries]
    assert fates == ["summarized"] * 4 + ["sent", "sent", "sent"]
    assert told.messages() == [*SAID, *SAID_TWO, ["user", "three"], ["assistant", "3"]]
    again = read(header(), *ONE, *TWO, *compacted(), back(1), *turn("three", "3", 300, 50))
    assert again.messages() == [*SAID, ["user", "three"], ["assistant", "3"]]


def test_right_behind_a_compaction_it_goes_on_from_there() -> None:
    path = read(header(), *ONE, *compacted()).conversation.path()
    assert [fate for _, fate in path.entries] == ["summarized", "summarized", "sent"]
    assert (path.leaf.row, path.tip) == (path.entries.rows[-1], "complete")


@pytest.mark.parametrize(("text", "said"), [("", "A summary"), ("In short", "In short")])
def test_a_compaction_says_what_it_goes_on_from(text: str, said: str) -> None:
    told = read(header(), *ONE, *compacted(text))
    assert told.text(told.rows()[-1]) == said


def test_a_compaction_knows_how_large_the_context_was() -> None:
    told = read(header(), *ONE, *compacted())
    [compaction] = told.index.compactions.values()
    assert (compaction.tokens_before, compaction.tokens_after) == (100, None)


# --- calls -------------------------------------------------------------------------------------

PATCH = """\
*** Begin Patch
*** Update File: cart.py
@@
-1
+2
*** Add File: /tmp/new.py
+1
*** End Patch"""


def outcomes(told: Rollout) -> list[tuple[str, str | None, str]]:
    return [(c.name, c.file, c.state) for c in told.index.tools.all(told.index.joins)]


def test_a_patch_of_several_files_is_a_call_for_each() -> None:
    told = read(
        header(),
        *user("one"),
        patches("c1", PATCH),
        output("c1", "Exit code: 0\n", "custom_tool_call_output"),
    )
    assert outcomes(told) == [
        ("apply_patch", "/home/dev/shop/cart.py", "ok"),
        ("apply_patch", "/tmp/new.py", "ok"),
    ]
    assert told.call_ids() == ["c1", "c1#2"]
    uses = content_of(told.line(told.rows()[1])).blocks
    assert [getattr(use, "call_id", None) for use in uses] == ["c1", "c1#2"]


def test_a_branch_tells_the_files_that_it_patched() -> None:
    done = output("c1", "Exit code: 0\n", "custom_tool_call_output")
    failed = output("c2", "Exit code: 1\n", "custom_tool_call_output")
    other = PATCH.replace("cart", "tax")
    told = read(header(), *user("one"), patches("c1", PATCH), done, patches("c2", other), failed)
    [facts] = told.conversation.segment_facts()
    assert facts.edited == ["/home/dev/shop/cart.py", "/tmp/new.py"]


def test_a_patch_in_a_shells_command_counts_from_the_calls_folder() -> None:
    script = f"apply_patch <<'EOF'\n{PATCH}\nEOF"
    told = read(
        header(), *user("one"), calls("shell", "c1", command=["bash", "-lc", script], workdir="/w")
    )
    assert [file for _, file, _ in outcomes(told)] == ["/w/cart.py", "/tmp/new.py"]


def test_an_event_tells_that_a_patch_failed_and_which_files_it_was_about() -> None:
    ended = event(
        "patch_apply_end",
        call_id="c1",
        success=False,
        changes={"/home/dev/shop/a.py": {"type": "delete", "content": "1\n"}},
    )
    told = read(header(), *user("one"), calls("run", "c1", what="x"), ended, output("c1", "no"))
    assert outcomes(told) == [("run", "/home/dev/shop/a.py", "error")]
    assert told.roles() == ["PROMPT", "RESPONSE", "TOOL_RESULT"]


def test_an_event_is_the_row_of_a_call_that_no_item_makes() -> None:
    ended = event(
        "mcp_tool_call_end",
        call_id="m1",
        invocation={"server": "stock", "tool": "lookup", "arguments": {"sku": "7"}},
        result={"Err": "no such thing"},
    )
    told = read(header(), *user("one"), ended)
    assert outcomes(told) == [("mcp__stock__lookup", None, "error")]
    assert [block.kind for block in content_of(told.line(told.rows()[1])).blocks] == [
        "toolUse",
        "toolResult",
    ]


def test_a_search_of_the_web_is_one_call_and_is_answered() -> None:
    made = item("web_search_call", status="completed", action={"type": "search", "query": "x"})
    ended = event("web_search_end", call_id="ws_1", query="x")
    for lines in ([made, ended], [ended, made], [made], [ended]):
        told = read(header(), *user("one"), *lines)
        assert outcomes(told) == [("web_search", None, "ok")]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("Exit code: 0\nWall time: 1 s\nOutput:\nok", "ok"),
        ("Exit code: 2\nWall time: 1 s\nOutput:\nno", "error"),
        ("Chunk ID: x\nProcess exited with code 1\nOutput:\n", "error"),
        ("Chunk ID: x\nProcess running with session ID 7\n", "ok"),
        (json.dumps({"output": "no", "metadata": {"exit_code": 1}}), "error"),
        (json.dumps({"output": "yes", "metadata": {"exit_code": 0}}), "ok"),
        ({"content": "no", "success": False}, "error"),
        ([{"type": "input_text", "text": "seen"}], "ok"),
        (None, "ok"),
    ],
)
def test_how_a_call_ended(text: Any, state: str) -> None:
    told = read(header(), *user("one"), calls("shell", "c1", command=["ls"]), output("c1", text))
    assert outcomes(told) == [("shell", None, state)]


def test_a_call_without_output_runs_or_was_lost_and_is_answered_at_a_resume() -> None:
    told = read(header(), *user("one"), calls("shell", "c1", command=["ls"]))
    path = told.conversation.path()
    assert path.tip == "toolRunningOrLost"
    assert [repair.kind for repair in path.repairs] == ["syntheticToolResult"]
    assert [fate for _, fate in path.entries] == ["sent", "sent"]


# --- tokens ------------------------------------------------------------------------------------


def test_a_response_is_what_stands_between_two_moved_totals() -> None:
    first, second = counts(100, 20, 10, 4), counts(250, 120, 25, 4)
    told = read(
        header(),
        context(),
        *user("one"),
        tokens(None),
        thoughts("a"),
        calls("shell", "c1", command=["ls"]),
        tokens(first, first),
        output("c1", "x"),
        tokens(first, first),
        *says("1"),
        tokens(second, counts(150, 100, 15)),
    )
    index = told.index
    used = [index.usage.of(number) for number in range(len(index.joins.message_ids))]
    assert [(each.input, each.cache_read, each.output, each.context) for each in used if each] == [
        (80, 20, 10, 110),
        (50, 100, 15, 165),
    ]
    rows = [index.joins.rows_of(number) for number in range(2)]
    assert [len(each) for each in rows] == [2, 1]
    assert index.usage.models == ["gpt-5.2-codex"]
    assert told.conversation.context() == 165
    assert told.conversation.response_count() == 2


def test_a_response_of_which_no_row_was_written_counts_all_the_same() -> None:
    told = read(header(), tokens(counts(7, 0, 1), counts(7, 0, 1)), *turn("one", "1", 107, 100))
    assert told.tokens()["total"] == 108
    assert told.messages() == SAID


def test_a_total_without_its_last_part_counts_by_what_it_moved() -> None:
    told = read(header(), *user("one"), *says("1"), tokens(counts(100)), tokens(counts(160)))
    assert told.tokens()["input"] == 160


@pytest.mark.parametrize("bad", [-5, 2**70, "many", None, 1.5, [1]])
def test_a_number_that_cannot_be_right_breaks_nothing(bad: Any) -> None:
    used = {**counts(10), "cached_input_tokens": bad}
    told = read(header(), *user("one"), *says("1"), tokens(used, used))
    assert told.tokens()["input"] == 10
    assert 0 <= told.tokens()["cached_input"] <= 10


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
    spent = spending_of(fork.index, lineage.copied(origin, fork.index), Prices())
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


def test_its_version_is_no_border_between_releases_of_another_client() -> None:
    told = read(header(cli_version="0.0.1"), *ONE, *TWO, back(1), *turn("three", "3", 300, 50))
    paths = [told.conversation.path(version) for version in (None, "0.0.1", "1.0.128", "2.1.100")]
    assert all(path == paths[0] for path in paths)
    assert told.index.summary.version == "0.0.1"


def test_nothing_tells_how_long_its_cache_lives() -> None:
    used = last_use(read(header(), *ONE).conversation, None)
    assert used is not None
    assert (used.lifetime, used.expires) == (None, None)
