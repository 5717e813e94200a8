"""Calls of a rollout, how they ended, and what its responses used."""

from __future__ import annotations

import json
from typing import Any

import pytest

from forkpoint.records.blocks import ToolUse
from forkpoint.records.content import content_of
from tests.rollouts import (
    SAID,
    Json,
    Rollout,
    calls,
    context,
    counts,
    event,
    header,
    item,
    output,
    patches,
    read,
    says,
    thoughts,
    tokens,
    turn,
    user,
)

# --- calls -------------------------------------------------------------------------------------

PATCH = """\
*** Begin Patch
*** Update File: ./cart.py
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
    assert [(use.call_id, use.input_text) for use in uses if isinstance(use, ToolUse)] == [
        ("c1", PATCH),
        ("c1#2", ""),
    ]


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


def used_record(response_id: str, used: Json) -> Json:
    return {"type": "token_usage_record", "payload": {"response_id": response_id, "usage": used}}


def test_what_two_lines_tell_of_a_response_counts_once() -> None:
    first, second, hidden = counts(100, 20, 10), counts(150, 100, 15), counts(30, 0, 3)
    total = counts(100, 20, 10), counts(250, 120, 25)
    for one, other in ((0, 1), (1, 0)):
        lines = [
            [used_record("r1", first), tokens(total[0], first)],
            [used_record("r2", second), tokens(total[1], second)],
        ]
        told = read(
            header(),
            *user("one"),
            *says("1"),
            *[lines[0][one], lines[0][other]],
            used_record("compaction", hidden),
            *user("two"),
            *says("2"),
            *[lines[1][one], lines[1][other]],
            tokens(total[1], second),
        )
        assert told.tokens() == {
            "input": 280,
            "cached_input": 120,
            "output": 28,
            "reasoning_output": 0,
            "total": 308,
        }
        assert told.conversation.response_count() == 3


def test_a_total_without_its_last_part_counts_by_what_it_moved() -> None:
    told = read(header(), *user("one"), *says("1"), tokens(counts(100)), tokens(counts(160)))
    assert told.tokens()["input"] == 160


@pytest.mark.parametrize("bad", [-5, 2**70, "many", None, 1.5, [1]])
def test_a_number_that_cannot_be_right_breaks_nothing(bad: Any) -> None:
    used = {**counts(10), "cached_input_tokens": bad}
    told = read(header(), *user("one"), *says("1"), tokens(used, used))
    assert told.tokens()["input"] == 10
    assert 0 <= told.tokens()["cached_input"] <= 10
