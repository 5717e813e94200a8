"""What does the cache do for a request that goes on with the conversation?

The first rule that loses a layer decides; the clock is applied to what survives (cache-rules.md
section 6). Where the disk cannot know, the verdict is that it is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

from forkpoint.cache import impact_costs
from forkpoint.cache.clock import Clock
from forkpoint.cache.impact_costs import Costs, Parts
from forkpoint.cache.next_request import NextRequest
from forkpoint.cache.outcome import Asked, Forecast, Layers, Survives, Verdict
from forkpoint.cache.rules import rulings_of
from forkpoint.cache.ruling import LAYERS, Case, Confidence, Layer, Ruling
from forkpoint.cache.standing import Standing
from forkpoint.cache.timing import clock_at, next_lifetime, rulings_of_time

_RANKED: tuple[Confidence, ...] = ("low", "medium", "high")
_PROJECT = LAYERS.index("project")
_ALL = len(LAYERS)


def go_on(asked: Asked, opening: Ruling | None = None) -> Forecast:
    """Foretell a request that carries on from the point.

    Args:
        asked: the question; its point has an answered request.
        opening: what the action itself has to say.
    """
    standing, after = asked.point, asked.next
    clock = clock_at(standing, after)
    rulings = rulings_of(Case(standing, after))
    if opening is not None:
        rulings.append(opening)
    layers = layers_of(rulings, clock, is_live=after.live)
    verdict = _verdict(layers, clock, rulings)
    ordered = _ordered(verdict, rulings, rulings_of_time(asked, clock))
    parts = parts_of(standing, after)
    end = _short_lived(asked, parts, clock)
    read = _read(verdict, parts, end)
    return Forecast(
        verdict=verdict,
        confidence=confidence_of(verdict, ordered),
        layers=layers,
        rulings=ordered,
        clock=clock,
        context=parts.whole,
        read=read,
        written=None if read is None else parts.whole - read,
        costs=_costs(asked, parts, end),
    )


def parts_of(standing: Standing, after: NextRequest) -> Parts:
    """Return the tokens of the last request, with its answer."""
    if standing.request is None:
        return Parts(0, 0, 0)
    usage = standing.request.usage
    cached = usage.cache_read + standing.request.written
    # Of an answer with several server-side steps, the sums are greater than any one request.
    cached = max(0, min(cached, usage.context - usage.output))
    return Parts(cached, max(0, usage.context - cached), min(after.floor, cached))


# --- layers ------------------------------------------------------------------------------------


def layers_of(rulings: Sequence[Ruling], clock: Clock | None, *, is_live: bool) -> Layers:
    """Apply the clock to the layers that the rules leave."""
    lost = _first([ruling.loses for ruling in rulings])
    unsure = _first([ruling.may_lose for ruling in rulings])
    state = "around" if clock is None else clock.state
    if state == "past" and is_live:
        state = "around"

    def survives(layer: Layer) -> Survives:
        return _survives(LAYERS.index(layer), lost, unsure, state)

    return survives("tools"), survives("system"), survives("project"), survives("conversation")


def _first(layers: Sequence[Layer | None]) -> int:
    return min((LAYERS.index(layer) for layer in layers if layer), default=_ALL)


def _survives(place: int, lost: int, unsure: int, state: str) -> Survives:
    """Of what is over, tools and system prompt may be kept warm by other sessions."""
    is_over = state == "past" and place >= _PROJECT
    is_end_over = state == "tailPast" and place == _ALL - 1
    if place >= lost or is_over or is_end_over:
        return "no"
    return "unknown" if place >= unsure or state in ("past", "around", "backwards") else "yes"


def _verdict(layers: Layers, clock: Clock | None, rulings: Sequence[Ruling]) -> Verdict:
    if layers[-1] == "yes":
        return "warm"
    if "unknown" in (layers[-1], layers[_PROJECT]):
        return "unknown"
    is_end = clock is not None and clock.state == "tailPast"
    is_some = all(ruling.partly for ruling in rulings if ruling.loses)
    return "partial" if (is_end or is_some) and layers[_PROJECT] == "yes" else "cold"


# --- rulings -----------------------------------------------------------------------------------


def _ordered(
    verdict: Verdict, rulings: Sequence[Ruling], by_time: Sequence[Ruling]
) -> list[Ruling]:
    """The deciding ruling first; what says "warm" is left out where it is not."""
    losing = [ruling for ruling in rulings if ruling.loses]
    unsure = [ruling for ruling in rulings if ruling.may_lose and not ruling.loses]
    keeping = [ruling for ruling in rulings if not ruling.loses and not ruling.may_lose]
    timed = list(by_time)
    if verdict == "warm":
        special = [ruling for ruling in keeping if ruling.code in DECIDING_WARM]
        return [*special, *timed, *(ruling for ruling in keeping if ruling not in special)]
    keeping = [ruling for ruling in keeping if ruling.code != "warm"]
    if timed[0].code == "warm":
        timed = []
    if verdict == "unknown":
        return [*unsure, *timed, *losing, *keeping]
    over = [ruling for ruling in timed[:1] if ruling.code in ("expired", "overage")]
    return [*over, *losing, *unsure, *keeping]


DECIDING_WARM = frozenset(
    {"toolSetSame", "effortKept", "snapshotReplayed", "forkShares", "rewindKept"}
)
"""Rulings that say more than the clock alone."""


def confidence_of(verdict: Verdict, rulings: Sequence[Ruling]) -> Confidence:
    """The deciding ruling's; of warm that of the weakest. A gateway makes none of them high."""
    counted = list(rulings) if verdict in ("warm", "partial") else list(rulings[:1])
    counted += [ruling for ruling in rulings if ruling.code in _DOUBTS]
    ranks = [_RANKED.index(ruling.confidence) for ruling in counted]
    return _RANKED[min(ranks, default=0)]


_DOUBTS = frozenset({"gateway"})


# --- numbers -----------------------------------------------------------------------------------


def _read(verdict: Verdict, parts: Parts, end: int | None) -> int | None:
    """Tokens read; None where it may be either way, or where nobody can say how many are lost."""
    if verdict == "warm":
        return parts.cached
    if verdict == "cold":
        return 0
    return None if end is None or verdict == "unknown" else parts.cached - end


def _short_lived(asked: Asked, parts: Parts, clock: Clock | None) -> int | None:
    """Tokens at the end that were written for five minutes, when those are over; else None."""
    request = asked.point.request
    if clock is None or clock.state != "tailPast" or request is None:
        return None
    return min(request.usage.cache_write_5m, parts.cached)


def _costs(asked: Asked, parts: Parts, end: int | None) -> Costs:
    lifetime = next_lifetime(asked.point, asked.next)
    costs = impact_costs.going_on(parts, asked.price_of, lifetime)
    if end is None:
        return costs
    split = Parts(parts.cached - end, parts.tail + end, parts.floor)
    partly = impact_costs.going_on(split, asked.price_of, lifetime).warm
    return Costs(costs.warm, costs.cold_low, costs.cold_high, partly)
