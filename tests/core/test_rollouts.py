"""Whose words a rollout's lines are, and which turns were taken back."""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.protocol.wire.path import leaf_of
from forkpoint.records.blocks import Thinking
from forkpoint.records.content import content_of
from tests.rollouts import (
    ONE,
    SAID,
    SAID_TWO,
    TWO,
    Json,
    back,
    calls,
    compacted,
    context,
    event,
    header,
    item,
    message,
    read,
    says,
    thoughts,
    turn,
    user,
)

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


def test_prompts_are_told_in_file_order_whenever_they_are_confirmed() -> None:
    items = [message("user", text) for text in ("one", "two", "three")]
    events = [event("user_message", message=text) for text in ("three", "one", "two")]
    told = read(header(), *items, *events)
    assert list(told.index.summary.prompts.values()) == ["one", "two", "three"]


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


def test_words_that_come_while_a_turn_goes_on_are_part_of_it() -> None:
    steered = [*TWO[:6], *user("and quickly"), *TWO[6:]]
    told = read(header(), *ONE, *steered, back(1))
    assert told.messages() == SAID
    unmarked = [line for line in steered if line["payload"].get("type") not in MARKS]
    assert read(header(), *unmarked, back(1)).messages() == [["user", "two"], ["assistant", "2"]]


MARKS = ("task_started", "task_complete")


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
