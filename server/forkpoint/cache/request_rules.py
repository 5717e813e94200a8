"""What changed in how the request is sent: model, effort and so on (rows 14 to 19, 34, 35, 37)?"""

from __future__ import annotations

from forkpoint.cache.models import same_model
from forkpoint.cache.request_log import keeps_across_efforts
from forkpoint.cache.ruling import Case, Ruling
from forkpoint.records.words import one_line
from forkpoint.worded import say


def model_rule(case: Case) -> Ruling | None:
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
            reason=say(
                "The cached copy of this point belongs to {model}", model=one_line(request.model)
            ),
            evidence=say("{model} answers now", model=one_line(model)),
            loses="tools",
            confidence="medium",
        )
    return Ruling(
        code="modelChanged",
        certainty="certain",
        reason=say(
            "Each model has its own cache, and {model} has none of this conversation",
            model=one_line(model),
        ),
        evidence=say("{model} answered last", model=one_line(request.model)),
        loses="tools",
    )


def effort_rule(case: Case) -> Ruling | None:
    """Rows 15 and 16."""
    answer, effort = case.standing.answer, case.next.effort
    if answer is None or effort is None or answer.effort in (None, effort):
        return None
    model = one_line(case.model) if case.model else say("this model")
    change = say(
        "effort {effort} before, {next} next",
        effort=one_line(answer.effort or ""),
        next=one_line(effort),
    )
    is_kept = (
        keeps_across_efforts(case.model)
        and (case.rules.keeps_fable_efforts or "fable" not in (case.model or ""))
        and case.next.provider not in ("bedrock", "vertex", "foundry", "gateway")
    )
    if is_kept:
        return Ruling(
            code="effortKept",
            certainty="likely",
            reason=say("{model} keeps its cache across effort levels", model=model),
            evidence=change,
            confidence="medium",
        )
    return Ruling(
        code="effortChanged",
        certainty="likely",
        reason=say("On {model} the effort level is part of the cache key", model=model),
        evidence=change,
        loses="project",
        may_lose="tools",
        confidence="medium",
    )


def thinking_rule(case: Case) -> Ruling | None:
    """Row 17."""
    if not case.next.thinking:
        return None
    return Ruling(
        code="thinkingChanged",
        certainty="likely",
        reason=say("Thinking settings are part of what is cached, and they changed"),
        evidence=case.next.thinking.evidence,
        loses="project",
        may_lose="tools",
        confidence="medium",
    )


def fast_rule(case: Case) -> Ruling | None:
    """Rows 18 and 19."""
    if not case.next.fast_mode:
        return None
    if case.next.fast_before:
        return Ruling(
            code="fastMode",
            certainty="likely",
            reason=say(
                "Fast mode was on before in this conversation, so switching it keeps the cache"
            ),
            evidence=case.next.fast_mode.evidence,
            confidence="medium",
        )
    return Ruling(
        code="fastMode",
        certainty="likely",
        reason=say("Turning on fast mode sends the conversation anew once, at fast-mode prices"),
        evidence=case.next.fast_mode.evidence,
        loses="tools",
        confidence="medium",
    )


def agent_rule(case: Case) -> Ruling | None:
    """Row 34."""
    if case.next.agent_gone is None:
        return None
    return Ruling(
        code="agentChanged",
        certainty="unknowable",
        reason=say(
            "The agent {agent_gone} is gone, and it decides prompt and tools",
            agent_gone=one_line(case.next.agent_gone),
        ),
        evidence=say("its file was not found"),
        may_lose="tools",
        confidence="low",
    )


def images_rule(case: Case) -> Ruling | None:
    """Row 35."""
    if case.standing.images < MANY_IMAGES:
        return None
    return Ruling(
        code="imagesDropped",
        certainty="unknowable",
        reason=say(
            "The conversation holds many images, and old ones may be dropped, which sends anew "
            "all that follows them"
        ),
        evidence=say("{images} images", images=case.standing.images),
        loses="conversation",
        partly=True,
        confidence="low",
    )


MANY_IMAGES = 90
"""A request may hold 100."""


def forgotten_rule(case: Case) -> Ruling | None:
    """Behind a compaction some releases send another text than before."""
    if not case.rules.forgets_attachments or not case.standing.summarized or case.next.live:
        return None
    return Ruling(
        code="resumeDefect",
        certainty="likely",
        reason=say("This version does not write down all that it sent behind a compaction"),
        evidence=say("by version"),
        loses="conversation",
        partly=True,
        confidence="low",
    )


def resume_defect_rule(case: Case) -> Ruling | None:
    """Clients and models for which misses after a resume were reported; "warm" is weak then."""
    if case.next.action not in ("resume", "fork") or case.next.live:
        return None
    if not case.rules.loses_on_resume and "fable-5-1" not in (case.model or ""):
        return None
    return Ruling(
        code="resumeDefect",
        certainty="unknowable",
        reason=say(
            "Resumes of this model or version were reported to miss the cache without a reason"
        ),
        evidence=say("public reports"),
        confidence="low",
    )


def provider_rule(case: Case) -> Ruling | None:
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
        reason=say(
            "A cache belongs to one provider and organisation, and the provider seems to have "
            "changed"
        ),
        evidence=say("{model} answered last", model=one_line(request.model or "")),
        may_lose="tools",
    )
