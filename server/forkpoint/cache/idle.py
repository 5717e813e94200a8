"""How long lay between two uses of a cache entry, compared with its lifetime?

Rows tell when an answer came, not when its request was sent: that lies between the row which it
answers and its own first row. A kept request tells exactly.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from forkpoint.cache.requests import CacheRequest, Lifetime
from forkpoint.nodes import NO_TIME, Nodes

Idle = Literal["past", "around", "within"]
"""Longer than the lifetime, about as long (it may have run out), or shorter."""

SECONDS: dict[Lifetime | None, int] = {"5m": 300, "1h": 3600, "mixed": 300}
"""The client counts a mixed one as the shorter."""
_MARGIN_MS = 30_000
"""So close to the end of a lifetime nothing is certain."""


class Moment(msgspec.Struct, frozen=True):
    """When a request was sent: between two times, in milliseconds since 1970 UTC."""

    earliest: int
    latest: int


def moment_of(request: CacheRequest, nodes: Nodes, sent_at: int) -> Moment | None:
    """Return when a request was sent; None where its rows have no time.

    Args:
        request: the request.
        nodes: rows of the transcript.
        sent_at: what the kept request says; `NO_TIME` where there is none.
    """
    if sent_at != NO_TIME:
        return Moment(sent_at, sent_at)
    parent = nodes.parent[request.row]
    latest = nodes.time[request.row]
    earliest = nodes.time[parent] if parent >= 0 else latest
    if NO_TIME in (earliest, latest) or earliest > latest:
        return None
    return Moment(earliest, latest)


def idle_between(used: Moment, again: Moment, lifetime: Lifetime | None) -> Idle | None:
    """Compare the time between two uses with a lifetime; None where the clock went backwards.

    Without a known lifetime only what is shorter or longer than all lifetimes can be told.
    """
    least, most = again.earliest - used.latest, again.latest - used.earliest
    if most < 0:
        return None
    longest = SECONDS.get(lifetime, SECONDS["1h"]) * 1000
    shortest = SECONDS.get(lifetime, SECONDS["5m"]) * 1000
    if least > longest + _MARGIN_MS:
        return "past"
    return "within" if most < shortest - _MARGIN_MS else "around"
