"""How long does the cache entry live?"""

from __future__ import annotations

from typing import Literal

import msgspec

from forkpoint.cache.idle import SECONDS, Moment, idle_between
from forkpoint.cache.requests import Lifetime

State = Literal["within", "around", "tailPast", "past", "backwards"]
"""tailPast = the end of the conversation, written for five minutes, is over; the rest, written for
an hour, is not. backwards = the clock stands before the last request."""


class Clock(msgspec.Struct, frozen=True):
    """The age of an entry against its lifetime.

    Attributes:
        used: when it was used last.
        lifetime: in force.
        source: what says so.
        assumed: nothing says so; it is the usual one.
        state: now.
        idle: seconds since the last use, at most.
        left: seconds until it may expire, at least.
    """

    used: Moment
    lifetime: Lifetime
    source: str
    assumed: bool
    state: State
    idle: float
    left: float

    @property
    def seconds(self) -> int:
        """The lifetime in seconds; of a mixed one that of its end, as the client counts it."""
        return SECONDS[self.lifetime]

    @property
    def longest(self) -> int:
        """The lifetime of its longest-lived part, in seconds."""
        return SECONDS["1h" if self.lifetime == "mixed" else self.lifetime]

    @property
    def expires(self) -> Moment | None:
        """When the entry goes, at the earliest and at the latest; None by a clock gone backwards.

        Such a clock cannot tell how long ago it was used, and so not how long it is still there.
        """
        if self.state == "backwards":
            return None
        lives = self.seconds * 1000
        return Moment(self.used.earliest + lives, self.used.latest + lives)


def clock_of(used: Moment, lifetime: Lifetime, now: int, source: str, *, assumed: bool) -> Clock:
    """Compare the last use with the lifetime.

    Args:
        used: when the entry was used last.
        lifetime: of the entry; not `off`.
        now: milliseconds since 1970 UTC.
        source: what tells the lifetime.
        assumed: nothing tells it.
    """
    again = Moment(now, now)
    idle = idle_between(used, again, lifetime)
    state: State = "backwards" if idle is None or now < used.earliest else idle
    if lifetime == "mixed" and state == "past":
        whole = idle_between(used, again, "1h")
        state = {"within": "tailPast", "around": "around"}.get(whole or "", "past")  # type: ignore[assignment]  # values are states
    gone = (now - used.earliest) / 1000
    left = max(0, SECONDS[lifetime] - gone)
    return Clock(used, lifetime, source, assumed, state, max(0, gone), left)
