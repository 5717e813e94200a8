"""Would the next request find its prefix in the prompt cache? One answer for each action."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from forkpoint.cache import impact_costs
from forkpoint.cache.going_on import confidence_of, go_on, layers_of, parts_of
from forkpoint.cache.impact_costs import Costs, Parts
from forkpoint.cache.next_request import Action
from forkpoint.cache.outcome import Asked, Forecast, Layers, Verdict
from forkpoint.cache.rules import rulings_of
from forkpoint.cache.ruling import Case, Confidence, Ruling
from forkpoint.cache.timing import clock_at, next_lifetime, rulings_of_time
from forkpoint.cache.words import duration, tokens
from forkpoint.worded import say

_LOST: Layers = ("no", "no", "no", "no")
_OPEN: Layers = ("unknown", "unknown", "unknown", "unknown")
_MANY_BLOCKS = 18
"""A read looks back at most 20 blocks for an entry."""


def forecast(asked: Asked) -> Forecast:
    """Foretell the next request."""
    if _is_off(asked):
        return _off(asked)
    return _ANSWERS[asked.next.action](asked)


def _is_off(asked: Asked) -> bool:
    if asked.next.caching_off is not None:
        return True
    return asked.leaf.lifetime == "off" and not asked.next.caching_on


def _off(asked: Asked) -> Forecast:
    """Row 1."""
    where = asked.next.caching_off or say("the last request asked for none")
    parts = parts_of(asked.point, asked.next)
    ruling = Ruling(
        code="cachingOff",
        certainty="certain",
        reason=say("Prompt caching is switched off ({where})", where=where),
        evidence=where,
        loses="tools",
    )
    return Forecast(
        verdict="cold",
        confidence="high",
        layers=_LOST,
        rulings=[ruling],
        context=parts.whole,
        read=0,
        written=parts.whole,
        dropped=_dropped(asked),
        costs=impact_costs.uncached(parts, asked.price_of),
    )


def _resume(asked: Asked) -> Forecast:
    if asked.leaf.compacted is not None:
        return _after_compaction(asked)
    if asked.leaf.request is None or not asked.leaf.cached_before:
        return _nothing_cached(asked)
    return go_on(asked)


def _fork(asked: Asked) -> Forecast:
    """Row 32."""
    if asked.leaf.compacted or asked.leaf.request is None or not asked.leaf.cached_before:
        return _resume(asked)
    rebuilds = Case(asked.point, asked.next).rules.rebuilds_prompt
    return go_on(
        asked,
        Ruling(
            code="forkShares",
            certainty="likely",
            reason=say("The copy begins with the same prefix and reads the parent's cache"),
            evidence=say("--fork-session and /branch send what the session sent"),
            confidence="low" if rebuilds else "medium",
        ),
    )


def _nothing_cached(asked: Asked) -> Forecast:
    """Row 2."""
    is_empty = asked.leaf.request is None
    parts = parts_of(asked.leaf, asked.next)
    ruling = Ruling(
        code="noCacheUse",
        certainty="unknowable",
        reason=say("No request of this conversation was answered yet")
        if is_empty
        else say(
            "The provider reported no cache use in this session, so there may be nothing to reuse"
        ),
        evidence=say("usage of the answers"),
        may_lose="tools",
    )
    return Forecast(
        verdict="unknown",
        confidence="high",
        layers=_OPEN,
        rulings=[ruling],
        clock=clock_at(asked.leaf, asked.next),
        context=None if is_empty else parts.whole,
        costs=Costs() if is_empty else _going_on(asked, parts),
    )


# --- rewind ------------------------------------------------------------------------------------


def _rewind(asked: Asked) -> Forecast:
    """Rows 24 to 26."""
    point = asked.point
    if point.request is None:
        return _start_over(asked, _REWOUND_TO_START)
    blocks = len(point.blocks)
    ruling = Ruling(
        code="rewindKept",
        certainty="likely",
        reason=say("All up to that prompt stays as it was sent"),
        evidence=say("the last answer before the prompt"),
        confidence="low" if blocks > _MANY_BLOCKS else "medium",
    )
    if asked.behind_boundary:
        ruling = _behind_boundary(asked)
    found = go_on(asked, ruling)
    if asked.behind_boundary:
        others = [each for each in found.rulings if each is not ruling]
        found = msgspec.structs.replace(found, rulings=[ruling, *others], confidence="low")
    return msgspec.structs.replace(found, dropped=_dropped(asked))


def _behind_boundary(asked: Asked) -> Ruling:
    clock = clock_at(asked.point, asked.next)
    since = ""
    if clock is not None and clock.state != "backwards":
        since = say(" {duration} ago", duration=duration(clock.idle))
    return Ruling(
        code="rewindBehindBoundary",
        certainty="likely",
        reason=say(
            "That history was last sent{since}, before the conversation was compacted", since=since
        ),
        evidence=say("a compact boundary behind the prompt"),
        confidence="low",
    )


_REWOUND_TO_START = Ruling(
    code="rewindKept",
    certainty="likely",
    reason=say("Nothing of the conversation stays; only tools and system prompt can be read"),
    evidence=say("the first prompt"),
    loses="project",
    confidence="medium",
)


def _dropped(asked: Asked) -> int | None:
    if asked.next.action != "rewind":
        return None
    now, kept = parts_of(asked.leaf, asked.next), parts_of(asked.point, asked.next)
    return max(0, now.whole - kept.whole)


# --- compaction --------------------------------------------------------------------------------


def _after_compaction(asked: Asked) -> Forecast:
    """Row 30: the next request sends the summary behind tools and system prompt."""
    compacted = asked.leaf.compacted
    left = compacted.tokens if compacted else None
    size = say(" to about {tokens}", tokens=tokens(left)) if left is not None else ""
    ruling = Ruling(
        code="boundaryNewest",
        certainty="certain",
        reason=say("The conversation was compacted{size}", size=size),
        evidence=say("a compact boundary with no answer behind it"),
        loses="project",
        confidence="medium",
    )
    parts = None if left is None else Parts(asked.next.floor, left, asked.next.floor)
    return _partial(asked, ruling, parts)


def _compact(asked: Asked) -> Forecast:
    """Rows 28 and 29: the request for the summary carries on with the whole conversation."""
    resumed = _resume(asked)
    if resumed.context is None or asked.leaf.compacted is not None:
        return resumed
    parts = parts_of(asked.leaf, asked.next)
    is_warm, is_cold = resumed.verdict in ("warm", "partial"), resumed.verdict == "cold"
    ruling = Ruling(
        code="compactCold" if is_cold else "compactWarm",
        certainty="likely" if is_warm or is_cold else "unknowable",
        reason=say("The summary request has to process all {tokens}", tokens=tokens(parts.whole))
        if is_cold
        else say(
            "The summary request reads the cache as any other; the next turn then writes only "
            "the summary"
        ),
        evidence=say(
            "a summary of {tokens} is assumed", tokens=tokens(impact_costs.SUMMARY_TOKENS)
        ),
        confidence=resumed.confidence,
    )
    return msgspec.structs.replace(
        resumed,
        verdict="partial" if is_warm else resumed.verdict,
        rulings=[ruling, *resumed.rulings],
        costs=impact_costs.compacting(parts, asked.price_of),
    )


# --- beginning anew ----------------------------------------------------------------------------


def _clear(asked: Asked) -> Forecast:
    """Row 31."""
    return _start_over(asked, _CLEARED)


_CLEARED = Ruling(
    code="cleared",
    certainty="certain",
    reason=say("A new conversation: only tools and system prompt can be read from the cache"),
    evidence="/clear",
    loses="project",
    confidence="medium",
)


def _start_over(asked: Asked, ruling: Ruling) -> Forecast:
    """The first request is about as large as this conversation's first one was."""
    first = asked.leaf.first
    if first is None:
        return _partial(asked, ruling, None)
    floor = min(asked.next.floor, first.size)
    parts = Parts(floor, first.size - floor, floor)
    return msgspec.structs.replace(_partial(asked, ruling, parts), context=parts.whole)


def _partial(asked: Asked, ruling: Ruling, parts: Parts | None) -> Forecast:
    """Tools and system prompt stay, if the rules and the clock leave them."""
    clock = clock_at(asked.leaf, asked.next)
    rulings = [ruling, *rulings_of(Case(asked.leaf, asked.next))]
    layers = layers_of(rulings, clock, is_live=asked.next.live)
    is_over = clock is not None and clock.state == "past" and not asked.next.live
    verdict: Verdict = "cold" if is_over or "no" in layers[:2] else "partial"
    timed = [each for each in rulings_of_time(asked, clock) if each.code != "warm"]
    losing = [each for each in rulings[1:] if each.loses]
    over = [each for each in timed[:1] if each.code in ("expired", "overage")]
    ordered = [*over, *losing, ruling] if verdict == "cold" else [ruling, *timed]
    confidence: Confidence = confidence_of("partial", [ruling])
    read = None if parts is None else 0 if verdict == "cold" else parts.cached
    return Forecast(
        verdict=verdict,
        confidence=confidence,
        layers=layers,
        rulings=ordered,
        clock=clock,
        context=None if parts is None else parts.tail,
        read=read,
        written=None if parts is None or read is None else parts.whole - read,
        dropped=_dropped(asked),
        costs=Costs() if parts is None else _going_on(asked, parts),
    )


def _going_on(asked: Asked, parts: Parts) -> Costs:
    lifetime = next_lifetime(asked.leaf, asked.next)
    return impact_costs.going_on(parts, asked.price_of, lifetime)


_ANSWERS: Mapping[Action, Callable[[Asked], Forecast]] = {
    "resume": _resume,
    "model": _resume,
    "fork": _fork,
    "rewind": _rewind,
    "compact": _compact,
    "clear": _clear,
}
