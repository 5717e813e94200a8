"""What changed in tools, system prompt and what they are built from (rows 6 to 13, 20 to 22)?"""

from __future__ import annotations

from typing import NamedTuple

from forkpoint.cache.next_request import Change, ToolSet
from forkpoint.cache.ruling import TOOL_SEARCH, Case, Ruling
from forkpoint.records.words import one_line
from forkpoint.worded import PARTS, joined, say


def version_rule(case: Case) -> Ruling | None:
    """Rows 6 to 9, and 13 where the version changed."""
    before, version = case.before, case.version
    if before is None or version is None or before == version:
        return None
    step = _Step(one_line(before), one_line(version))
    change = say(
        "Claude Code changed from {before} to {version}", before=step.before, version=step.version
    )
    if case.replays:
        return _tool_set(case.next.tool_set, change, step)
    if case.standing.prompt is not None and not case.rules.rebuilds_prompt:
        return Ruling(
            code="snapshotOff",
            certainty="certain",
            reason=say("{change}, and the system prompt is rebuilt in this mode", change=change),
            evidence=say("recorded prompts are not sent again"),
            loses="system",
        )
    has_none = case.standing.prompt is None
    why = say("this conversation has no recorded system prompt") if has_none else _NO_REPLAY
    return Ruling(
        code="versionNoSnapshot",
        certainty="certain",
        reason=say("{change}, and {why}", change=change, why=why),
        evidence=say("no prompt_snapshot on the active path") if has_none else say("by version"),
        loses="tools",
    )


_NO_REPLAY = say("that version builds the system prompt anew")


class _Step(NamedTuple):
    """From one version of the client to another one."""

    before: str
    version: str


def _tool_set(tool_set: ToolSet, change: str, step: _Step) -> Ruling:
    if tool_set.how == "same":
        return Ruling(
            code="toolSetSame",
            certainty="likely",
            reason=say("{change}, but the recorded prompt and tools still match", change=change),
            evidence=tool_set.evidence,
            confidence="medium",
        )
    if tool_set.how == "changed":
        names = ", ".join(map(one_line, tool_set.names[:3]))
        named = say(" ({names})", names=names) if names else ""
        return Ruling(
            code="toolSetDiffers",
            certainty="likely",
            reason=say(
                "Claude Code {version} offers another set of tools{named}",
                version=step.version,
                named=named,
            ),
            evidence=tool_set.evidence,
            loses="tools",
            confidence="medium",
        )
    return Ruling(
        code="toolSetUnknown",
        certainty="unknowable",
        reason=say(
            "The recorded prompt is kept, but Claude Code {version} may offer other tools than "
            "{before}",
            version=step.version,
            before=step.before,
        ),
        evidence=say("no session on this machine shows its tools"),
        may_lose="tools",
    )


def other_program_rule(case: Case) -> Ruling | None:
    """A terminal's prompt and tools are not those of a program.

    A recorded prompt is kept. Tools that only a terminal has are added to the recorded: in full
    without tool search, else deferred, which by the documentation leaves the prefix (2.1.332).
    """
    if not case.next.entrypoint:
        return None
    recorded = _recorded_tools(case)
    lacks = bool(recorded) and case.next.in_terminal and _ASKING not in recorded
    adds = lacks and not case.defers
    if case.replays and not adds:
        return None
    return Ruling(
        code="promptInputsChanged",
        certainty="likely" if case.replays else "certain",
        reason=say("The session goes on in another program, which has other tools"),
        evidence=case.next.entrypoint.evidence,
        loses="tools",
        confidence="medium" if case.replays else "high",
    )


_ASKING = "AskUserQuestion"
"""A tool that is offered in a terminal only."""


def mcp_rule(case: Case) -> Ruling | None:
    """Rows 20 and 21."""
    if not case.next.mcp:
        return None
    if case.defers:
        return Ruling(
            code="mcpDeferred",
            certainty="certain",
            reason=say("The MCP servers changed, but their tools are only announced at the end"),
            evidence=case.next.mcp.evidence,
        )
    sure = case.next.mcp.sure
    return Ruling(
        code="mcpUpFront",
        certainty="certain" if sure else "likely",
        reason=say(
            "The MCP servers changed, and their tools stand at the very start of the prompt"
        ),
        evidence=case.next.mcp.evidence,
        loses="tools",
        confidence="high" if sure else "medium",
    )


def tools_rule(case: Case) -> Ruling | None:
    """Row 22, as 2.1.332 does it: a denied tool leaves the list if it was sent in full."""
    known = _recorded_tools(case)
    denied = [name for name in case.next.denied if name in known]
    if denied:
        named = ", ".join(map(one_line, denied[:3]))
        return _tools_changed(
            say("Denying {named} removes its definition", named=named), say("denied by settings")
        )
    if case.next.tool_search_off and TOOL_SEARCH in known:
        reason = say("Tool search is switched off, so all tools are sent in full")
        return _tools_changed(reason, "ENABLE_TOOL_SEARCH")
    if not case.next.tools:
        return None
    if case.replays and case.rules.replays_tools and known:
        return Ruling(
            code="toolDenied",
            certainty="likely",
            reason=say(
                "The tools changed, but those that are only announced are not in the recorded list"
            ),
            evidence=case.next.tools.evidence,
            confidence="medium",
        )
    return _tools_changed(say("The set of tools changed"), case.next.tools.evidence)


def _recorded_tools(case: Case) -> tuple[str, ...]:
    prompt = case.standing.prompt
    return () if prompt is None or prompt.tools is None else prompt.tools


def _tools_changed(reason: str, evidence: str) -> Ruling:
    return Ruling(
        code="toolDenied",
        certainty="likely",
        reason=say("{reason}, and tools stand at the very start of the prompt", reason=reason),
        evidence=evidence,
        loses="tools",
        confidence="medium",
    )


def inputs_rule(case: Case) -> Ruling | None:
    """Rows 10 to 13 and 42: what a system prompt is built from."""
    changed = _changed_inputs(case)
    if not changed:
        return None
    names = _listed([name for name, _ in changed])
    evidence = "; ".join(change.evidence for _, change in changed if change.evidence)
    if case.replays:
        return _replayed(case, names, evidence)
    rules = case.rules
    sure = all(change.sure for _, change in changed)
    if not rules.rebuilds_prompt:
        is_off = not case.next.replays
        return Ruling(
            code="snapshotOff" if is_off else "promptInputsChanged",
            certainty="certain" if sure and is_off else "likely",
            reason=say(
                "{names} changed, and the system prompt is rebuilt in this mode", names=names
            )
            if is_off
            else say("{names} changed, and no system prompt was recorded", names=names),
            evidence=evidence,
            loses="system",
            confidence="high" if is_off and sure else "medium",
        )
    return Ruling(
        code="promptInputsChanged",
        certainty="certain" if sure and rules.rebuild_is_measured else "likely",
        reason=say(
            "{names} changed since the last request, and this version builds the system prompt "
            "from it",
            names=names,
        ),
        evidence=evidence,
        loses="system",
        confidence="high" if sure and rules.rebuild_is_measured else "medium",
    )


def _replayed(case: Case, names: str, evidence: str) -> Ruling:
    text_only = bool(case.next.append_system_prompt) and names == _APPENDED.first
    answer = case.standing.answer
    # Clients in a terminal were not run with a changed tree.
    is_guess = not text_only and answer is not None and answer.entrypoint == "cli"
    return Ruling(
        code="snapshotReplayed",
        certainty="certain",
        reason=say("The new text takes effect only after a compaction or in a new conversation")
        if text_only
        else say(
            "{names} changed, but the recorded version is replayed; the difference is added at "
            "the end",
            names=names,
        ),
        evidence=evidence,
        confidence="medium" if case.rules.rebuilds_prompt or is_guess else "high",
    )


class _Name(NamedTuple):
    """What a thing is called at the beginning of a sentence, and further on."""

    first: str
    further: str


_APPENDED = _Name(say("The appended system prompt"), say("the appended system prompt"))


def _changed_inputs(case: Case) -> list[tuple[_Name, Change]]:
    after = case.next
    inputs = [
        (_APPENDED, after.append_system_prompt),
        (_Name(say("The git state"), say("the git state")), after.git),
        (_Name("CLAUDE.md", "CLAUDE.md"), after.project_files),
        (_Name(say("The working directory"), say("the working directory")), after.cwd),
        (
            _Name(say("The added directories"), say("the added directories")),
            after.added_directories,
        ),
    ]
    return [(name, change) for name, change in inputs if change]


def _listed(names: list[_Name]) -> str:
    """`The git state, CLAUDE.md and the working directory`."""
    first, others = names[0].first, [name.further for name in names[1:]]
    if not others:
        return first
    return say("{names} and {last}", names=joined([first, *others[:-1]], PARTS), last=others[-1])


def own_edits_rule(case: Case) -> Ruling | None:
    """Row 10 again: what the session itself wrote made the tree dirty, which git's status shows."""
    standing = case.standing
    if case.replays or not case.rules.rebuilds_prompt or case.next.git.how != "unknown":
        return None
    answer = standing.answer
    # A program may be started anew for each prompt, so its edits lie before its start.
    if answer is None or not answer.git_branch or answer.entrypoint != "cli":
        return None
    if not standing.edited:
        return None
    return Ruling(
        code="promptInputsChanged",
        certainty="likely",
        reason=say(
            "The session changed files since it started, and this version writes git's status "
            "into the system prompt"
        ),
        evidence=say("edits on the active path"),
        loses="system",
        confidence="medium",
    )
