"""What the list says of a session's cache."""

from __future__ import annotations

from functools import partial

from forkpoint.cache import impact_costs
from forkpoint.cache.idle import SECONDS
from forkpoint.cache.impact_costs import Parts
from forkpoint.cache.last_use import LastUse
from forkpoint.prices import Prices
from forkpoint.protocol import types
from forkpoint.protocol.wire.common import iso_time


def session_cache(last: LastUse | None, prices: Prices) -> types.SessionCache | None:
    """Return what the list says of a session's cache."""
    if last is None:
        return None
    expires = last.expires
    price_of = partial(prices.for_size, last.model)
    parts, lifetime = Parts(0, last.usage.context, 0), last.lifetime or "5m"
    is_off = lifetime == "off"
    costs = (
        impact_costs.uncached(parts, price_of)
        if is_off
        else impact_costs.going_on(parts, price_of, lifetime)
    )
    return types.SessionCache(
        ttl_seconds=SECONDS.get(last.lifetime),
        expires_at=None if expires is None else iso_time(expires.earliest),
        expires_by=None if expires is None else iso_time(expires.latest),
        cost_usd_cold=costs.cold_high,
    )
