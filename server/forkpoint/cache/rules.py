"""Which rules speak about the next request (cache-rules.md section 6, by row)?

A rule looks at where the conversation stands and at what the next request is sent with, and says
which layers it loses, may lose, or keeps. The clock is another question: see `cache.clock`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from forkpoint.cache.models import same_model
from forkpoint.cache.next_request import Change, NextRequest
from forkpoint.cache.request_log import keeps_across_efforts
from forkpoint.cache.standing import Standing
from forkpoint.client_rules import CacheRules, cache_rules_for
from forkpoint.records.words import one_line

Layer = Literal["tools", "system", "project", "conversation"]
LAYERS: tuple[Layer, ...] = ("tools", "system", "project", "conversation")
Confidence = Literal["high", "medium", "low"]
Certainty = Literal["certain", "likely", "unknowable"]


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """What one rule says.

    Attributes:
        reason: a clause for people, without its full stop.
        loses: the first layer that is lost; None = none.
        may_lose: the first layer that may be lost.
        confidence: of the verdict that rests on the rule; of one that loses nothing, the most that
            "warm" can have.
    """

    code: str
    certainty: Certainty
    reason: str
    evidence: str
    loses: Layer | None = None
    may_lose: Layer | None = None
    confidence: Confidence = "high"


class Case(msgspec.Struct, frozen=True):
    """A forecast's two sides."""

    standing: Standing
    next: NextRequest

    @property
    def before(self) -> str | None:
        """The version of the client that made the last request."""
        answer = self.standing.answer
        return answer.version if answer else None

    @property
    def version(self) -> str | None:
        """The version of the client that makes the next one."""
        return self.next.version or self.before

    @property
    def rules(self) -> CacheRules:
        """What that release does."""
        return cache_rules_for(self.version)

    @property
    def model(self) -> str | None:
        """The model that answers the next one."""
        return self.next.model or (self.standing.request.model if self.standing.request else None)

    @property
    def replays(self) -> bool:
        """Whether the recorded prompt is sent again."""
        if self.standing.prompt is None or not self.next.replays:
            return False
        by_flag = self.rules.keeps_by_flag and self.next.account == "subscription"
        return by_flag or not self.rules.rebuilds_prompt

    @property
    def defers(self) -> bool:
        """Whether tools are announced in the conversation instead of being sent in full."""
        prompt = self.standing.prompt
        searches = prompt is not None and "ToolSearch" in (prompt.tools or ())
        return (searches or self.standing.defers_tools) and not self.next.tool_search_off


def rulings_of(case: Case) -> list[Ruling]:
    """Return what the rules say, those first that lose most; of two with one code that one."""
    found = [ruling for rule in _RULES if (ruling := rule(case)) is not None]
    first = {ruling.code: ruling for ruling in sorted(found, key=_weight, reverse=True)}
    return sorted(first.values(), key=_weight)


def _weight(ruling: Ruling) -> tuple[int, int]:
    if ruling.loses is not None:
        return 0, LAYERS.index(ruling.loses)
    return (1, LAYERS.index(ruling.may_lose)) if ruling.may_lose else (2, 0)


# --- what is lost ------------------------------------------------------------------------------


def _model(case: Case) -> Ruling | None:
    """Rows 14 and 26."""
    request, model = case.standing.request, case.next.model
    if request is None or model is None or request.model is None:
        return None
    if same_model(request.model, model):
        return None
    if case.next.action == "rewind":
        return Ruling(
            code="rewindAcrossModel",
            certainty="likely",
            reason=f"The cached copy of this point belongs to {one_line(request.model)}",
            evidence=f"{one_line(model)} answers now",
            loses="tools",
            confidence="medium",
        )
    return Ruling(
        code="modelChanged",
        certainty="certain",
        reason=f"Each model has its own cache, and {one_line(model)} has none of this conversation",
        evidence=f"{one_line(request.model)} answered last",
        loses="tools",
    )


def _version(case: Case) -> Ruling | None:
    """Rows 6 to 9."""
    before, version = case.before, case.version
    if before is None or version is None or before == version:
        return None
    change = f"Claude Code changed from {one_line(before)} to {one_line(version)}"
    if case.standing.prompt is None or case.rules.rebuilds_prompt:
        has_none = case.standing.prompt is None
        why = "this conversation has no recorded system prompt" if has_none else _NO_REPLAY
        return Ruling(
            code="versionNoSnapshot",
            certainty="certain",
            reason=f"{change}, and {why}",
            evidence="no prompt_snapshot on the active path" if has_none else "by version",
            loses="tools",
        )
    return _tool_set(case, change)


_NO_REPLAY = "that version builds the system prompt anew"


def _tool_set(case: Case, change: str) -> Ruling:
    tool_set, version = case.next.tool_set, one_line(case.version or "")
    if tool_set.how == "same":
        return Ruling(
            code="toolSetSame",
            certainty="likely",
            reason=f"{change}, but the recorded prompt and tools still match",
            evidence=tool_set.evidence,
            confidence="medium",
        )
    if tool_set.how == "changed":
        named = f" ({', '.join(map(one_line, tool_set.names[:3]))})" if tool_set.names else ""
        return Ruling(
            code="toolSetDiffers",
            certainty="likely",
            reason=f"Claude Code {version} offers another set of tools{named}",
            evidence=tool_set.evidence,
            loses="tools",
            confidence="medium",
        )
    return Ruling(
        code="toolSetUnknown",
        certainty="unknowable",
        reason=f"The recorded prompt is kept, but Claude Code {version} may offer other tools than"
        f" {one_line(case.before or '')}",
        evidence="no session on this machine shows its tools",
        may_lose="tools",
    )


def _other_program(case: Case) -> Ruling | None:
    """A terminal's prompt and tools are not those of a program; a recorded prompt is kept."""
    if not case.next.entrypoint or case.replays:
        return None
    return Ruling(
        code="promptInputsChanged",
        certainty="certain",
        reason="The session goes on in another program, which has other tools and another prompt",
        evidence=case.next.entrypoint.evidence,
        loses="tools",
    )


def _inputs(case: Case) -> Ruling | None:
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
            reason=f"{names} changed, and the system prompt is rebuilt in this mode"
            if is_off
            else f"{names} changed, and no system prompt was recorded",
            evidence=evidence,
            loses="system",
            confidence="high" if is_off and sure else "medium",
        )
    return Ruling(
        code="promptInputsChanged",
        certainty="certain" if sure and rules.rebuild_is_measured else "likely",
        reason=f"{names} changed since the last request, and this version builds the system prompt"
        " from it",
        evidence=evidence,
        loses="system",
        confidence="high" if sure and rules.rebuild_is_measured else "medium",
    )


def _replayed(case: Case, names: str, evidence: str) -> Ruling:
    text_only = bool(case.next.append_system_prompt) and names == _APPENDED
    answer = case.standing.answer
    # Clients in a terminal were not run with a changed tree.
    is_guess = not text_only and answer is not None and answer.entrypoint == "cli"
    return Ruling(
        code="snapshotReplayed",
        certainty="certain",
        reason="The new text takes effect only after a compaction or in a new conversation"
        if text_only
        else f"{names} changed, but the recorded version is replayed; the difference is added at"
        " the end",
        evidence=evidence,
        confidence="medium" if case.rules.rebuilds_prompt or is_guess else "high",
    )


_APPENDED = "The appended system prompt"


def _changed_inputs(case: Case) -> list[tuple[str, Change]]:
    after = case.next
    inputs = [
        (_APPENDED, after.append_system_prompt),
        ("The git state", after.git),
        ("CLAUDE.md", after.project_files),
        ("The working directory", after.cwd),
        ("The added directories", after.added_directories),
    ]
    return [(name, change) for name, change in inputs if change]


def _listed(names: list[str]) -> str:
    """`The git state, CLAUDE.md and the working directory`."""
    first, *others = names
    others = [name.replace("The ", "the ") for name in others]
    if not others:
        return first
    return f"{', '.join([first, *others[:-1]])} and {others[-1]}"


def _own_edits(case: Case) -> Ruling | None:
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
        reason="The session changed files since it started, and this version writes git's status"
        " into the system prompt",
        evidence="edits on the active path",
        loses="system",
        confidence="medium",
    )


def _mcp(case: Case) -> Ruling | None:
    """Rows 20 and 21."""
    if not case.next.mcp:
        return None
    if case.defers:
        return Ruling(
            code="mcpDeferred",
            certainty="certain",
            reason="The MCP servers changed, but their tools are only announced at the end",
            evidence=case.next.mcp.evidence,
        )
    sure = case.next.mcp.sure
    return Ruling(
        code="mcpUpFront",
        certainty="certain" if sure else "likely",
        reason="The MCP servers changed, and their tools stand at the very start of the prompt",
        evidence=case.next.mcp.evidence,
        loses="tools",
        confidence="high" if sure else "medium",
    )


def _tools(case: Case) -> Ruling | None:
    """Row 22."""
    prompt = case.standing.prompt
    known = prompt.tools if prompt is not None and prompt.tools is not None else None
    denied = [name for name in case.next.denied if name in (known or ())]
    if not case.next.tools and not denied:
        return None
    named = f" ({', '.join(map(one_line, denied[:3]))})" if denied else ""
    evidence = case.next.tools.evidence or "denied by settings"
    if case.replays and case.rules.replays_tools and known is not None:
        return Ruling(
            code="toolDenied",
            certainty="likely",
            reason=f"The tools changed{named}, but the recorded list is sent again",
            evidence=evidence,
            confidence="medium",
        )
    return Ruling(
        code="toolDenied",
        certainty="likely",
        reason=f"The set of tools changed{named}, and it stands at the very start of the prompt",
        evidence=evidence,
        loses="tools",
        confidence="medium",
    )


def _effort(case: Case) -> Ruling | None:
    """Rows 15 and 16."""
    answer, effort = case.standing.answer, case.next.effort
    if answer is None or effort is None or answer.effort in (None, effort):
        return None
    model = one_line(case.model or "this model")
    change = f"effort {one_line(answer.effort or '')} before, {one_line(effort)} next"
    is_kept = (
        keeps_across_efforts(case.model)
        and (case.rules.keeps_fable_efforts or "fable" not in (case.model or ""))
        and case.next.provider not in ("bedrock", "vertex", "foundry", "gateway")
    )
    if is_kept:
        return Ruling(
            code="effortKept",
            certainty="likely",
            reason=f"{model} keeps its cache across effort levels",
            evidence=change,
            confidence="medium",
        )
    return Ruling(
        code="effortChanged",
        certainty="likely",
        reason=f"On {model} the effort level is part of the cache key",
        evidence=change,
        loses="project",
        may_lose="tools",
        confidence="medium",
    )


def _thinking(case: Case) -> Ruling | None:
    """Row 17."""
    if not case.next.thinking:
        return None
    return Ruling(
        code="thinkingChanged",
        certainty="likely",
        reason="Thinking settings are part of what is cached, and they changed",
        evidence=case.next.thinking.evidence,
        loses="project",
        may_lose="tools",
        confidence="medium",
    )


def _fast(case: Case) -> Ruling | None:
    """Rows 18 and 19."""
    if not case.next.fast_mode:
        return None
    if case.next.fast_before:
        return Ruling(
            code="fastMode",
            certainty="likely",
            reason="Fast mode was on before in this conversation, so switching it keeps the cache",
            evidence=case.next.fast_mode.evidence,
            confidence="medium",
        )
    return Ruling(
        code="fastMode",
        certainty="likely",
        reason="Turning on fast mode sends the conversation anew once, at fast-mode prices",
        evidence=case.next.fast_mode.evidence,
        loses="tools",
        confidence="medium",
    )


def _agent(case: Case) -> Ruling | None:
    """Row 34."""
    if case.next.agent_gone is None:
        return None
    return Ruling(
        code="agentChanged",
        certainty="unknowable",
        reason=f"The agent {one_line(case.next.agent_gone)} is gone, and it decides prompt and"
        " tools",
        evidence="its file was not found",
        may_lose="tools",
        confidence="low",
    )


def _resume_defect(case: Case) -> Ruling | None:
    """Clients and models for which misses after a resume were reported; "warm" is weak then."""
    if case.next.action not in ("resume", "fork") or case.next.live:
        return None
    if not case.rules.loses_on_resume and "fable-5-1" not in (case.model or ""):
        return None
    return Ruling(
        code="resumeDefect",
        certainty="unknowable",
        reason="Resumes of this model or version were reported to miss the cache without a reason",
        evidence="public reports",
        confidence="low",
    )


# --- what is kept ------------------------------------------------------------------------------


def _permission(case: Case) -> Ruling | None:
    """Row 23."""
    if not case.next.permission_mode:
        return None
    return Ruling(
        code="permissionOnly",
        certainty="certain",
        reason="Permission changes do not touch the prompt's start",
        evidence=case.next.permission_mode.evidence,
    )


def _output_style(case: Case) -> Ruling | None:
    """Row 40."""
    if not case.next.output_style:
        return None
    return Ruling(
        code="outputStyle",
        certainty="likely",
        reason="Another output style is told as a message, or waits for a new session",
        evidence=case.next.output_style.evidence,
        confidence="medium",
    )


def _moved(case: Case) -> Ruling | None:
    """Row 42."""
    if not case.next.moved:
        return None
    return Ruling(
        code="moved",
        certainty="likely",
        reason="The session moved to another directory, which was told at the end",
        evidence=case.next.moved.evidence,
        confidence="medium",
    )


def _gateway(case: Case) -> Ruling | None:
    """Row 36."""
    if case.next.gateway is None:
        return None
    return Ruling(
        code="gateway",
        certainty="unknowable",
        reason=f"Requests go through {one_line(case.next.gateway)}, and whether it keeps the cache"
        " is up to it",
        evidence="an address of one's own",
        confidence="medium",
    )


def _provider(case: Case) -> Ruling | None:
    """Row 37: ids of answers tell who served them."""
    request, provider = case.standing.request, case.next.provider
    if request is None or provider in ("unknown", "gateway"):
        return None
    was_bedrock = (request.model or "").startswith(("anthropic.", "us.", "eu.", "apac.", "global."))
    if was_bedrock == (provider == "bedrock") or not was_bedrock:
        return None
    return Ruling(
        code="accountUnknown",
        certainty="unknowable",
        reason="A cache belongs to one provider and organisation, and the provider seems to have"
        " changed",
        evidence=f"{one_line(request.model or '')} answered last",
        may_lose="tools",
    )


_RULES: tuple[Callable[[Case], Ruling | None], ...] = (
    _model,
    _version,
    _other_program,
    _mcp,
    _tools,
    _fast,
    _inputs,
    _own_edits,
    _effort,
    _thinking,
    _agent,
    _provider,
    _resume_defect,
    _permission,
    _output_style,
    _moved,
    _gateway,
)
