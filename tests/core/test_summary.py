"""What a list shows of a session: the roles of rows, titles, previews, times, names."""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.records.record import Flag, PullRequest, Role
from forkpoint.records.words import PREVIEW, one_line, plain_words
from forkpoint.summary import Summary, Title, title_of
from tests.builders import (
    Fields,
    assistant,
    index_of,
    line,
    result_block,
    row,
    text_block,
    timestamp,
    transcript,
    user,
    uuid,
)


def summary(data: bytes) -> Summary:
    return index_of(data).summary


# --- roles -------------------------------------------------------------------------------------


def blocks(*content: Fields) -> Fields:
    return {"type": "user", "message": {"role": "user", "content": [*content]}}


def system(subtype: str, **fields: Any) -> Fields:
    return {"type": "system", "subtype": subtype, **fields}


def attached(kind: str, **fields: Any) -> Fields:
    return {"type": "attachment", "attachment": {"type": kind, **fields}}


COMMAND = "<command-name>/cost</command-name>"
NOTE = "<task-notification>x</task-notification>"
TYPED = Flag.TYPED

ROLES: list[tuple[Fields, Role, int]] = [
    # User rows: the first that fits of format.md 4.2, in its order.
    (blocks(text_block("x"), result_block("1")), Role.TOOL_RESULT, 0),
    (blocks(result_block("1")) | {"isCompactSummary": True, "isMeta": True}, Role.TOOL_RESULT, 0),
    (user("x", isCompactSummary=True, isMeta=True), Role.COMPACT_SUMMARY, 0),
    (user(COMMAND, isMeta=True), Role.INJECTED, 0),
    (user("Continue from where you left off.", isMeta=True), Role.INJECTED, 0),
    (user(COMMAND), Role.COMMAND, TYPED),
    (user("<command-message>cost</command-message>" + COMMAND), Role.COMMAND, TYPED),
    (user("<local-command-stdout>3 USD</local-command-stdout>"), Role.COMMAND, 0),
    (user("<local-command-stderr>no</local-command-stderr>"), Role.COMMAND, 0),
    (user("<local-command-caveat>x</local-command-caveat>"), Role.COMMAND, 0),
    (user("<bash-input>ls</bash-input>"), Role.SHELL, TYPED),
    (user("<bash-stdout>a.py</bash-stdout>"), Role.SHELL, 0),
    (user("<bash-stderr>no</bash-stderr>"), Role.SHELL, 0),
    (user(NOTE), Role.INJECTED, 0),
    (user("x", origin={"kind": "task-notification"}), Role.INJECTED, 0),
    (user("x", origin={"kind": "human"}), Role.PROMPT, TYPED),
    (user("x", promptSource="system"), Role.INJECTED, 0),
    (user("x", promptSource="typed"), Role.PROMPT, TYPED),
    (user("[Request interrupted by user]"), Role.INTERRUPT, 0),
    (user("[Request interrupted by user for tool use]"), Role.INTERRUPT, 0),
    (blocks(text_block("[Request interrupted by user]")), Role.INTERRUPT, 0),
    (user("<system-reminder>x</system-reminder>"), Role.INJECTED, 0),
    (user(""), Role.INJECTED, 0),
    (user("please <command-name>"), Role.PROMPT, TYPED),
    (blocks({"type": "image", "source": {}}), Role.PROMPT, TYPED),
    (blocks({"type": "document"}, text_block("read this")), Role.PROMPT, TYPED),
    # Other rows.
    (assistant("a1", text_block("x")), Role.RESPONSE, 0),
    (assistant("a1", text_block("x")) | {"isApiErrorMessage": True}, Role.API_ERROR, 0),
    (system("turn_duration"), Role.SYSTEM, 0),
    (system("a new one"), Role.SYSTEM, 0),
    (system("compact_boundary"), Role.COMPACT_BOUNDARY, 0),
    (system("local_command", content=COMMAND), Role.COMMAND, TYPED),
    (system("local_command", content="<local-command-stdout>"), Role.COMMAND, 0),
    (system("api_error"), Role.API_ERROR, 0),
    (attached("hook_success"), Role.ATTACHMENT, 0),
    (attached("file"), Role.ATTACHMENT, 0),
    # Prompts typed in mid-turn.
    (attached("queued_command", prompt="x", commandMode="prompt"), Role.PROMPT, TYPED),
    (attached("queued_command", prompt="x"), Role.PROMPT, TYPED),
    (attached("queued_command", prompt=[text_block("x")]), Role.PROMPT, TYPED),
    (attached("queued_command", prompt="ls", commandMode="bash"), Role.SHELL, TYPED),
    (attached("queued_command", prompt="x", commandMode="task-notification"), Role.INJECTED, 0),
    (attached("queued_command", prompt=NOTE, commandMode="prompt"), Role.INJECTED, 0),
    (attached("queued_command", prompt="x", isMeta=True), Role.INJECTED, 0),
]


@pytest.mark.parametrize(("fields", "role", "typed"), ROLES)
def test_roles(fields: Fields, role: Role, typed: int) -> None:
    nodes = index_of(line(**(row("s1", None, 0) | fields))).nodes
    assert (Role(nodes.role[0]), nodes.flags[0] & Flag.TYPED) == (role, typed)


# --- titles ------------------------------------------------------------------------------------

CUSTOM, AI = {"type": "custom-title"}, {"type": "ai-title"}
PROMPTED = transcript("u1 a1")


def note(kind: str, **fields: Any) -> bytes:
    return line(type=kind, **fields)


@pytest.mark.parametrize(
    ("data", "own_summary", "title"),
    [
        (b"", None, Title("", "none")),
        (PROMPTED, None, Title("u1", "firstPrompt")),
        (PROMPTED, "About it", Title("About it", "summary")),
        (PROMPTED + note("ai-title", aiTitle="Auto"), "About it", Title("Auto", "ai")),
        (
            note("custom-title", customTitle="Mine") + PROMPTED + note("ai-title", aiTitle="Auto"),
            None,
            Title("Mine", "custom"),
        ),
        (
            note("custom-title", customTitle="Old") + note("custom-title", customTitle="New"),
            None,
            Title("New", "custom"),
        ),
        (
            note("ai-title", aiTitle="Old") + note("ai-title", aiTitle="New"),
            None,
            Title("New", "ai"),
        ),
        # An empty title clears the one a person gave.
        (
            PROMPTED
            + note("custom-title", customTitle="Mine")
            + note("custom-title", customTitle=""),
            None,
            Title("u1", "firstPrompt"),
        ),
        (note("custom-title", customTitle=5) + PROMPTED, None, Title("u1", "firstPrompt")),
        (note("custom-title", customTitle=" two\n lines "), None, Title("two lines", "custom")),
        # A title inside another row is none.
        (
            transcript("u1 a1", fields={"a1": {"customTitle": "no", "aiTitle": "no"}}),
            None,
            Title("u1", "firstPrompt"),
        ),
        (transcript("m1 i1 r1 k1 u1"), None, Title("u1", "firstPrompt")),
        (transcript("u1 u2", fields={"u1": user(COMMAND)}), None, Title("u2", "firstPrompt")),
        (transcript("u1", fields={"u1": user(COMMAND)}), None, Title("/cost", "command")),
        (
            transcript("u1", fields={"u1": user("<bash-input>ls -l</bash-input>")}),
            None,
            Title("! ls -l", "firstPrompt"),
        ),
        (note("last-prompt", lastPrompt="what now"), None, Title("what now", "lastPrompt")),
        (PROMPTED + note("last-prompt", lastPrompt="what now"), None, Title("u1", "firstPrompt")),
        (
            transcript("u1", fields={"u1": blocks({"type": "image"})}),
            None,
            Title("[image]", "firstPrompt"),
        ),
        # What an editor puts in front of a prompt is not the person's.
        (
            transcript(
                "u1",
                fields={
                    "u1": blocks(
                        text_block("<ide_opened_file>a.py</ide_opened_file>"),
                        text_block("look at this"),
                    )
                },
            ),
            None,
            Title("look at this", "firstPrompt"),
        ),
    ],
)
def test_titles(data: bytes, own_summary: str | None, title: Title) -> None:
    assert title_of(summary(data), own_summary) == title


def test_summaries_are_kept_with_what_they_are_about() -> None:
    data = (
        note("summary", summary="One", leafUuid=uuid("a1"))
        + note("summary", summary=None, leafUuid=uuid("a1"))
        + note("summary", summary="", leafUuid=uuid("a1"))
        + note("summary", summary="Two")
        + note("summary", summary="Three", leafUuid=3)
        + note("summary", summary="Four", leafUuid=uuid("a2"))
    )
    assert summary(data).summaries == [("One", uuid("a1")), ("Four", uuid("a2"))]


# --- words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain", "plain"),
        ("  several\n\tlines \r\n here ", "several lines here"),
        ("x" * (PREVIEW + 1), "x" * PREVIEW),
        ("", ""),
        ("<command-name>/model</command-name><command-args>sonnet</command-args>", "/model sonnet"),
        ("<command-message>m</command-message>\n<command-name>/m</command-name>", "/m"),
        ("<command-name>/cut off", "/cut off"),
        ("<command-message>only</command-message>", ""),
        ("<bash-input>ls\n-l</bash-input>", "! ls -l"),
        ("<bash-input>cut off", "! cut off"),
        ("see <bash-input>", "see <bash-input>"),
    ],
)
def test_person_words(text: str, words: str) -> None:
    assert one_line(plain_words(text)) == words


def test_a_preview_is_cut_before_it_is_folded_not_after() -> None:
    assert one_line(" " * 5 + "x" * 10_000) == "x" * PREVIEW
    assert one_line("ab\n" * 10_000) == ("ab " * 67)[:PREVIEW].rstrip()


def test_prompts_by_node() -> None:
    repeated = line(**row("u1", None, 0, user("better")))
    data = transcript("u1 a1 q1 k1 m1 u2") + repeated
    assert summary(data).prompts == {0: "better", 2: "q1", 6: "u2"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("text", "text", True),
        ("text", "Text", False),
        ("a\nb", "a b", False),
        ("x" * 300, "x" * 300, True),
        ("x" * 300, "x" * 301, False),
    ],
)
def test_same_words(one: str, other: str, same: bool) -> None:
    found = summary(transcript("u1 u2", fields={"u1": user(one), "u2": user(other)}))
    assert found.same_words(0, 1) is same
    assert not found.same_words(0, 99)
    assert not found.same_words(98, 99)


# --- times, places, names ----------------------------------------------------------------------

HERE, THERE = "/home/dev/shop", "/home/dev/shop/tests"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (transcript("u1 a1"), {"created": timestamp(0), "updated": timestamp(10)}),
        (
            transcript("u1 a1", times={"u1": 50, "a1": 10}),
            {"created": timestamp(50), "updated": timestamp(10)},
        ),
        (
            transcript("u1 a1", fields={"a1": {"timestamp": "not a time"}}),
            {"created": timestamp(0), "updated": timestamp(0)},
        ),
        (transcript(""), {"created": None, "updated": None}),
        (
            note("queue-operation", timestamp=timestamp(5)) + transcript("u1"),
            {"created": timestamp(5), "updated": timestamp(0)},
        ),
        (
            transcript("u1 a1", fields={"a1": {"cwd": THERE}}) + note("mode", cwd="/elsewhere"),
            {"first_cwd": HERE, "last_cwd": THERE, "relocated": None},
        ),
        (
            transcript("u1")
            + note("relocated", relocatedCwd="/b")
            + note("relocated", relocatedCwd="/c"),
            {"first_cwd": HERE, "relocated": "/c"},
        ),
        (
            transcript("u1 a1 u2", fields={"a1": {"gitBranch": "fix"}, "u2": {"gitBranch": ""}}),
            {"git_branch": "fix"},
        ),
        (transcript("u1 k1", fields={"k1": {"gitBranch": "agent"}}), {"git_branch": "main"}),
        (transcript("u1", fields={"u1": {"gitBranch": None}}), {"git_branch": None}),
        (
            transcript("u1", version="2.1.9")
            + transcript("u2", version="2.1.10")
            + transcript("u3", version="2.1.2"),
            {"version": "2.1.10", "first_version": "2.1.9"},
        ),
        (transcript("u1", version="nightly"), {"version": None, "first_version": "nightly"}),
        (
            transcript(
                "u1 u2", fields={"u1": {"entrypoint": "cli"}, "u2": {"entrypoint": "sdk-py"}}
            ),
            {"entrypoint": "cli"},
        ),
        (
            transcript("u1", fields={"u1": {"forkedFrom": {"sessionId": "s", "messageUuid": "m"}}}),
            {"forked_from": "s"},
        ),
        (note("tag", tag="a") + note("tag", tag="b"), {"tag": "b"}),
        (note("tag", tag="a") + note("tag", tag=""), {"tag": None}),
        (note("agent-name", agentName="reviewer"), {"agent_name": "reviewer"}),
        (
            2 * note("pr-link", prNumber=7, prUrl="https://a.b/7", prRepository="dev/shop")
            + note("pr-link", prUrl="https://a.b/8"),
            {
                "pull_requests": [
                    PullRequest(7, "https://a.b/7", "dev/shop"),
                    PullRequest(None, "https://a.b/8", None),
                ]
            },
        ),
    ],
)
def test_facts(data: bytes, expected: dict[str, Any]) -> None:
    found = summary(data)
    assert {name: getattr(found, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("data", "talk"),
    [
        (b"", False),
        (note("custom-title", customTitle="x"), False),
        (transcript("k1"), False),
        (transcript("s1 h1 b1 p1 x1"), False),
        (transcript("u1"), True),
        (transcript("a1"), True),
        (transcript("k1 m1"), True),
    ],
)
def test_talk(data: bytes, talk: bool) -> None:
    assert summary(data).talk is talk
