"""All that each rule about tools and system prompt says (cache-rules.md rows 6 to 13, 20 to 22).

`forecast_rows` has the verdicts; here are the whole rulings, of which people read each word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from forkpoint.cache import prompt_rules as rules
from forkpoint.cache.next_request import Change, ToolSet
from forkpoint.cache.outcome import Asked
from forkpoint.cache.ruling import Case, Ruling
from forkpoint.cache.standing import Standing
from forkpoint.languages import language_for
from tests.core.cache_questions import BY_TIME, CHANGED, NOTHING, UP_FRONT, answer, asked, was

Rule: TypeAlias = Callable[[Case], Ruling | None]
CERTAIN, LIKELY = "certain", "likely"
REBUILDS = "2.1.240"
"""A version that builds the system prompt anew at each start; 2.1.332 replays what it recorded."""


def ruling(code: str, certainty: str, reason: str, evidence: str, **more: Any) -> Ruling:
    return Ruling(code=code, certainty=certainty, reason=reason, evidence=evidence, **more)  # type: ignore[arg-type]


def upgraded(before: str | None, version: str | None, **after: Any) -> Asked:
    recorded = after.pop("recorded", True)
    return asked(was(version=before, recorded=recorded), version=version, **after)


STEP = "Claude Code changed from 2.1.300 to 2.1.332"
VERSIONS: list[tuple[Asked, Ruling | None]] = [
    (upgraded("2.1.332", "2.1.332"), None),
    (upgraded("2.1.332", None), None),
    (upgraded(None, "2.1.332"), None),
    (asked(NOTHING, version="2.1.332"), None),
    (
        upgraded("2.1.300", "2.1.332", replays=False),
        ruling(
            *("snapshotOff", CERTAIN),
            f"{STEP}, and the system prompt is rebuilt in this mode",
            "recorded prompts are not sent again",
            loses="system",
        ),
    ),
    (
        upgraded("2.1.300", "2.1.332", recorded=False),
        ruling(
            *("versionNoSnapshot", CERTAIN),
            f"{STEP}, and this conversation has no recorded system prompt",
            "no prompt_snapshot on the active path",
            loses="tools",
        ),
    ),
    (
        upgraded("2.1.300", REBUILDS),
        ruling(
            *("versionNoSnapshot", CERTAIN),
            "Claude Code changed from 2.1.300 to 2.1.240, and that version builds the system "
            "prompt anew",
            "by version",
            loses="tools",
        ),
    ),
    (
        upgraded("2.1.300", "2.1.332", tool_set=ToolSet("same", (), "another session")),
        ruling(
            *("toolSetSame", LIKELY),
            f"{STEP}, but the recorded prompt and tools still match",
            "another session",
            confidence="medium",
        ),
    ),
    (
        upgraded("2.1.300", "2.1.332", tool_set=ToolSet("changed", (), "seen")),
        ruling(
            *("toolSetDiffers", LIKELY),
            "Claude Code 2.1.332 offers another set of tools",
            "seen",
            loses="tools",
            confidence="medium",
        ),
    ),
    (
        upgraded(
            "2.1.300", "2.1.332", tool_set=ToolSet("changed", ("A", "B\n2", "C", "D"), "seen")
        ),
        ruling(
            *("toolSetDiffers", LIKELY),
            "Claude Code 2.1.332 offers another set of tools (A, B 2, C)",
            "seen",
            loses="tools",
            confidence="medium",
        ),
    ),
    (
        upgraded("2.1.300", "2.1.332"),
        ruling(
            *("toolSetUnknown", "unknowable"),
            "The recorded prompt is kept, but Claude Code 2.1.332 may offer other tools than "
            "2.1.300",
            "no session on this machine shows its tools",
            may_lose="tools",
        ),
    ),
]

ELSEWHERE = Change("changed", "another entrypoint")
OTHER_PROGRAM = "The session goes on in another program, which has other tools"
PROGRAMS: list[tuple[Asked, Ruling | None]] = [
    (asked(), None),
    (asked(entrypoint=ELSEWHERE), None),
    # A program has no tool that asks.
    (asked(was(tools=UP_FRONT), entrypoint=ELSEWHERE), None),
    (asked(was(tools=None), entrypoint=ELSEWHERE, in_terminal=True), None),
    # Its tools are only announced.
    (asked(entrypoint=ELSEWHERE, in_terminal=True), None),
    (
        asked(was(tools=UP_FRONT), entrypoint=ELSEWHERE, in_terminal=True),
        ruling(
            *("promptInputsChanged", LIKELY, OTHER_PROGRAM, ELSEWHERE.evidence),
            loses="tools",
            confidence="medium",
        ),
    ),
    (
        asked(was(recorded=False), entrypoint=ELSEWHERE),
        ruling(*("promptInputsChanged", CERTAIN, OTHER_PROGRAM, ELSEWHERE.evidence), loses="tools"),
    ),
]

SERVERS: list[tuple[Asked, Ruling | None]] = [
    (asked(), None),
    (
        asked(mcp=CHANGED),
        ruling(
            *("mcpDeferred", CERTAIN),
            "The MCP servers changed, but their tools are only announced at the end",
            "seen",
        ),
    ),
    *(
        (
            asked(was(tools=UP_FRONT), mcp=change),
            ruling(
                *("mcpUpFront", certainty),
                "The MCP servers changed, and their tools stand at the very start of the prompt",
                change.evidence,
                loses="tools",
                confidence=confidence,
            ),
        )
        for change, certainty, confidence in (
            (CHANGED, CERTAIN, "high"),
            (BY_TIME, LIKELY, "medium"),
        )
    ),
]


def other_tools(reason: str, evidence: str) -> Ruling:
    reason = f"{reason}, and tools stand at the very start of the prompt"
    more = {"loses": "tools", "confidence": "medium"}
    return ruling("toolDenied", LIKELY, reason, evidence, **more)


TOOLS: list[tuple[Asked, Ruling | None]] = [
    (asked(), None),
    (asked(denied=("WebFetch",)), None),
    (
        asked(denied=("Edit", "WebFetch", "Read")),
        other_tools("Denying Edit, Read removes its definition", "denied by settings"),
    ),
    (
        asked(denied=("ToolSearch", "Bash", "Edit", "Read")),
        other_tools("Denying ToolSearch, Bash, Edit removes its definition", "denied by settings"),
    ),
    (
        asked(tool_search_off=True),
        other_tools(
            "Tool search is switched off, so all tools are sent in full", "ENABLE_TOOL_SEARCH"
        ),
    ),
    (
        asked(tools=CHANGED),
        ruling(
            *("toolDenied", LIKELY),
            "The tools changed, but those that are only announced are not in the recorded list",
            "seen",
            confidence="medium",
        ),
    ),
    (asked(was(tools=None), tools=CHANGED), other_tools("The set of tools changed", "seen")),
    (asked(was(recorded=False), tools=CHANGED), other_tools("The set of tools changed", "seen")),
    (
        asked(was(version="2.1.325"), tools=CHANGED),
        other_tools("The set of tools changed", "seen"),
    ),
]

REPLAYED = "changed, but the recorded version is replayed; the difference is added at the end"
ANEW = "changed since the last request, and this version builds the system prompt from it"
SYSTEM = {"loses": "system"}
DOUBTED = {"loses": "system", "confidence": "medium"}
INPUTS: list[tuple[Asked, Ruling | None]] = [
    (asked(), None),
    (asked(git=CHANGED), ruling("snapshotReplayed", CERTAIN, f"The git state {REPLAYED}", "seen")),
    *(
        (question, ruling("snapshotReplayed", CERTAIN, f"{name} {REPLAYED}", "seen"))
        for question, name in (
            (asked(cwd=CHANGED), "The working directory"),
            (asked(added_directories=CHANGED), "The added directories"),
        )
    ),
    (
        asked(was(entrypoint="cli"), git=CHANGED),
        ruling(
            *("snapshotReplayed", CERTAIN, f"The git state {REPLAYED}", "seen"), confidence="medium"
        ),
    ),
    (
        asked(was(entrypoint="cli"), append_system_prompt=CHANGED),
        ruling(
            *("snapshotReplayed", CERTAIN),
            "The new text takes effect only after a compaction or in a new conversation",
            "seen",
        ),
    ),
    (
        asked(
            append_system_prompt=CHANGED,
            git=Change("changed"),
            project_files=BY_TIME,
            cwd=CHANGED,
            added_directories=CHANGED,
        ),
        ruling(
            *("snapshotReplayed", CERTAIN),
            "The appended system prompt, the git state, CLAUDE.md, the working directory and the "
            f"added directories {REPLAYED}",
            "seen; a file is newer; seen; seen",
        ),
    ),
    *(
        (
            asked(project_files=change, replays=False),
            ruling(
                *("snapshotOff", certainty),
                "CLAUDE.md changed, and the system prompt is rebuilt in this mode",
                change.evidence,
                loses="system",
                confidence=confidence,
            ),
        )
        for change, certainty, confidence in (
            (CHANGED, CERTAIN, "high"),
            (BY_TIME, LIKELY, "medium"),
        )
    ),
    (
        asked(was(recorded=False), git=CHANGED),
        ruling(
            *("promptInputsChanged", LIKELY),
            "The git state changed, and no system prompt was recorded",
            "seen",
            **DOUBTED,
        ),
    ),
    (
        asked(was(version=REBUILDS, recorded=False), git=CHANGED),
        ruling("promptInputsChanged", CERTAIN, f"The git state {ANEW}", "seen", **SYSTEM),
    ),
    (
        asked(was(version=REBUILDS, recorded=False), cwd=BY_TIME, git=CHANGED),
        ruling(
            *("promptInputsChanged", LIKELY),
            f"The git state and the working directory {ANEW}",
            "seen; a file is newer",
            **DOUBTED,
        ),
    ),
    (
        asked(was(version="2.1.262", recorded=False), git=CHANGED),
        ruling("promptInputsChanged", LIKELY, f"The git state {ANEW}", "seen", **DOUBTED),
    ),
]


def edited(version: str = REBUILDS, *, branch: str = "main", program: str = "cli") -> Standing:
    last = answer(version, entrypoint=program, git_branch=branch)
    return was(version=version, recorded=False, edited=True, answer=last)


EDITS: list[tuple[Asked, Ruling | None]] = [
    (
        asked(edited()),
        ruling(
            *("promptInputsChanged", LIKELY),
            "The session changed files since it started, and this version writes git's status "
            "into the system prompt",
            "edits on the active path",
            **DOUBTED,
        ),
    ),
    (asked(edited("2.1.332")), None),
    (asked(edited(branch="")), None),
    (asked(edited(program="sdk-cli")), None),
    (asked(edited(), git=CHANGED), None),
    (asked(was(version=REBUILDS, entrypoint="cli", recorded=False)), None),
    (asked(NOTHING, version=REBUILDS), None),
]

ALL: list[tuple[Rule, list[tuple[Asked, Ruling | None]]]] = [
    (rules.version_rule, VERSIONS),
    (rules.other_program_rule, PROGRAMS),
    (rules.mcp_rule, SERVERS),
    (rules.tools_rule, TOOLS),
    (rules.inputs_rule, INPUTS),
    (rules.own_edits_rule, EDITS),
]


def test_what_changed_is_named_in_the_language_of_its_reader() -> None:
    question = asked(git=CHANGED, cwd=CHANGED, added_directories=CHANGED)
    said = rules.inputs_rule(Case(question.point, question.next))
    assert said is not None
    assert not re.search("[a-z]", language_for("zh-cn").said(said.reason).replace("git", ""))


@pytest.mark.parametrize(
    ("rule", "question", "said"),
    [
        pytest.param(rule, question, said, id=f"{rule.__name__}-{number}")
        for rule, rows in ALL
        for number, (question, said) in enumerate(rows)
    ],
)
def test_what_a_rule_says(rule: Rule, question: Asked, said: Ruling | None) -> None:
    assert rule(Case(question.point, question.next)) == said
