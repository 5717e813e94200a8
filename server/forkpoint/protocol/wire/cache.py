"""Forecasts as they go over the wire."""

from __future__ import annotations

from typing import cast

from forkpoint.cache.idle import Moment
from forkpoint.cache.note_words import sentence_of
from forkpoint.cache.outcome import Forecast
from forkpoint.cache.ruling import LAYERS, Ruling
from forkpoint.foretelling import Foretold
from forkpoint.prices import Price
from forkpoint.protocol import types
from forkpoint.protocol.wire.common import iso_time
from forkpoint.surroundings import Found
from forkpoint.worded import say


def note_of(foretold: Foretold) -> types.CacheNote:
    """Return a forecast as a note."""
    forecast, asked = foretold.forecast, foretold.asked
    clock = forecast.clock
    used, expires = (clock.used, clock.expires) if clock else (None, None)
    price = asked.price_of(forecast.context or 0)
    return types.CacheNote(
        verdict=forecast.verdict,
        confidence=forecast.confidence,
        sentence=sentence_of(forecast, asked),
        layers=[
            types.CacheLayer(layer=layer, survives=survives)
            for layer, survives in zip(LAYERS, forecast.layers, strict=True)
        ],
        causes=[_cause(ruling) for ruling in forecast.rulings],
        ttl_seconds=clock.seconds if clock else None,
        last_request_at=iso_time(used.earliest) if used else None,
        last_request_by=iso_time(used.latest) if used else None,
        expires_at=iso_time(expires.earliest) if expires else None,
        expires_by=iso_time(expires.latest) if expires else None,
        context_tokens=forecast.context,
        read_tokens=forecast.read,
        write_tokens=forecast.written,
        dropped_tokens=forecast.dropped,
        cost_usd=_costs(forecast),
        price_model=asked.next.model if price else None,
        basis=[*map(_fact, foretold.basis), *_price_fact(price)],
    )


def unknown_note(context: int | None, used: Moment | None) -> types.CacheNote:
    """Return the note on a session of Codex, of whose cache nothing can be foretold.

    Rollouts tell what of each request was read from a cache, and nothing of how long that lives
    (cache-rules.md section 10).

    Args:
        context: tokens that would be sent again.
        used: when the last request was sent.
    """
    return types.CacheNote(
        verdict="unknown",
        confidence="high",
        sentence=say(
            "Not known for Codex: rollouts tell what was read from the cache, and not how long "
            "it is kept."
        ),
        layers=[types.CacheLayer(layer=layer, survives="unknown") for layer in LAYERS],
        causes=[],
        ttl_seconds=None,
        last_request_at=iso_time(used.earliest) if used else None,
        last_request_by=iso_time(used.latest) if used else None,
        expires_at=None,
        expires_by=None,
        context_tokens=context,
        read_tokens=None,
        write_tokens=None,
        dropped_tokens=None,
        cost_usd=types.ImpactCosts(warm=None, cold_low=None, cold_high=None, expected=None),
        price_model=None,
        basis=[types.CacheFact(what="agent", value="Codex", from_=say("the transcript"))],
    )


def _cause(ruling: Ruling) -> types.CacheCause:
    return types.CacheCause(
        code=cast("types.ImpactCode", ruling.code),
        certainty=ruling.certainty,
        sentence=say("{reason}.", reason=ruling.reason),
        evidence=ruling.evidence,
    )


def _costs(forecast: Forecast) -> types.ImpactCosts:
    costs = forecast.costs
    return types.ImpactCosts(
        warm=costs.warm,
        cold_low=costs.cold_low,
        cold_high=costs.cold_high,
        expected=forecast.expected,
    )


def _fact(found: Found) -> types.CacheFact:
    return types.CacheFact(what=found.what, value=found.value, from_=found.source)


def _price_fact(price: Price | None) -> list[types.CacheFact]:
    if price is None:
        return []
    value = say(
        "${input:g} input, ${cache_read:g} read per million tokens",
        input=price.input,
        cache_read=price.cache_read,
    )
    return [types.CacheFact(what="price", value=value, from_=say("list prices"))]
