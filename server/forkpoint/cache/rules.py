"""Which rules speak about the next request (cache-rules.md section 6, by row)?

A rule looks at where the conversation stands and at what the next request is sent with, and says
which layers it loses, may lose, or keeps. The clock is another question: see `cache.timing`.
"""

from __future__ import annotations

from collections.abc import Callable

from forkpoint.cache import kept_rules, prompt_rules, request_rules
from forkpoint.cache.ruling import LAYERS, Case, Ruling


def rulings_of(case: Case) -> list[Ruling]:
    """Return what the rules say, those first that lose most; of two with one code that one."""
    found = [ruling for rule in _RULES if (ruling := rule(case)) is not None]
    first = {ruling.code: ruling for ruling in sorted(found, key=_weight, reverse=True)}
    return sorted(first.values(), key=_weight)


def _weight(ruling: Ruling) -> tuple[int, int]:
    if ruling.loses is not None:
        return 0, LAYERS.index(ruling.loses)
    return (1, LAYERS.index(ruling.may_lose)) if ruling.may_lose else (2, 0)


_RULES: tuple[Callable[[Case], Ruling | None], ...] = (
    request_rules.model_rule,
    prompt_rules.version_rule,
    prompt_rules.other_program_rule,
    prompt_rules.mcp_rule,
    prompt_rules.tools_rule,
    request_rules.fast_rule,
    prompt_rules.inputs_rule,
    prompt_rules.own_edits_rule,
    request_rules.effort_rule,
    request_rules.thinking_rule,
    request_rules.images_rule,
    request_rules.forgotten_rule,
    request_rules.agent_rule,
    request_rules.provider_rule,
    request_rules.resume_defect_rule,
    kept_rules.permission_rule,
    kept_rules.output_style_rule,
    kept_rules.moved_rule,
    kept_rules.plan_rule,
    kept_rules.code_only_rule,
    kept_rules.gateway_rule,
)
