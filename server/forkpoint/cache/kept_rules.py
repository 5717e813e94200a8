"""What changed without touching what was sent, or leaves a doubt (rows 23, 27, 36, 38, 40, 42)?"""

from __future__ import annotations

from forkpoint.cache.ruling import Case, Ruling
from forkpoint.records.words import one_line
from forkpoint.worded import say


def permission_rule(case: Case) -> Ruling | None:
    """Row 23."""
    if not case.next.permission_mode:
        return None
    return Ruling(
        code="permissionOnly",
        certainty="certain",
        reason=say("Permission changes do not touch the prompt's start"),
        evidence=case.next.permission_mode.evidence,
    )


def output_style_rule(case: Case) -> Ruling | None:
    """Row 40."""
    if not case.next.output_style:
        return None
    return Ruling(
        code="outputStyle",
        certainty="likely",
        reason=say("Another output style is told as a message, or waits for a new session"),
        evidence=case.next.output_style.evidence,
        confidence="medium",
    )


def moved_rule(case: Case) -> Ruling | None:
    """Row 42."""
    if not case.next.moved:
        return None
    return Ruling(
        code="moved",
        certainty="likely",
        reason=say("The session moved to another directory, which was told at the end"),
        evidence=case.next.moved.evidence,
        confidence="medium",
    )


def plan_rule(case: Case) -> Ruling | None:
    """Row 38."""
    if case.next.account != "subscription" or case.standing.lifetime != "1h":
        return None
    return Ruling(
        code="overage",
        certainty="unknowable",
        reason=say("If the plan is used up, the lifetime falls to 5 min"),
        evidence=say("plans are not known on disk"),
    )


def code_only_rule(case: Case) -> Ruling | None:
    """Row 27."""
    if case.next.action != "rewind":
        return None
    return Ruling(
        code="restoreOnly",
        certainty="certain",
        reason=say("Restoring files alone does not change what is sent"),
        evidence=say("code only"),
    )


def gateway_rule(case: Case) -> Ruling | None:
    """Row 36."""
    if case.next.gateway is None:
        return None
    return Ruling(
        code="gateway",
        certainty="unknowable",
        reason=say(
            "Requests go through {gateway}, and whether it keeps the cache is up to it",
            gateway=one_line(case.next.gateway),
        ),
        evidence=say("an address of one's own"),
        confidence="medium",
    )
