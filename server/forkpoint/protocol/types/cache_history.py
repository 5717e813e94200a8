"""`forkpoint/cacheHistory`: what did the prompt cache serve, and where did it break?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.types.common import SessionReference, TokenCounts

CacheLifetime = Literal["5m", "1h", "mixed", "off"]
"""How long entries live after each use; mixed = both were written; off = none were asked for."""

BreakCause = Literal[
    "compaction",
    "clearing",
    "rewind",
    "model",
    "tools",
    "system",
    "messages",
    "thinking",
    "effort",
    "fast",
    "headers",
    "expired",
    "server",
    "upgrade",
    "upgradeTools",
    "cwd",
    "git",
    "resumeDefect",
    "unknown",
]
"""What changed the beginning of the prompt, or made the entry go: clearing = old tool results were
taken out; server = nothing changed and the lifetime was not over; upgrade = another version built
the prompt anew; upgradeTools = another version, which may have other tools; resumeDefect = a start
of a client or model that is known to lose the cache then; unknown = nothing recorded tells."""

BreakCertainty = Literal["certain", "likely", "unknowable"]
"""certain = records show it; likely = they fit it; unknowable = they do not settle it."""


@frozen(kw_only=True)
class CacheHistoryParams(SessionReference):
    """Whose requests to list."""


@frozen(kw_only=True)
class CacheBreak:
    """Tokens that should have been read from the cache and were not."""

    lost_tokens: int
    """How many: at least 2,000, and more than 5 % of what could have been read."""
    cost_usd: float | None
    """What they cost more than reading them; null = no price is known."""
    cause: BreakCause
    """Why."""
    certainty: BreakCertainty
    """How sure the cause is."""
    expected: bool
    """Whether somebody asked for what changed the prompt, as by a compaction or another model."""
    sentence: str
    """The cause in a sentence."""


@frozen(kw_only=True)
class CacheRequest:
    """A request that the model answered."""

    message_id: str
    """Id that the records of the answer share."""
    uuid: str
    """uuid of the answer's first record."""
    ordinal: int
    """Ordinal of that record."""
    at: str | None
    """When that record was written; null = it has no time."""
    model: str | None
    """Who answered; null = not written."""
    ttl: CacheLifetime | None
    """Lifetime of the entries; null = nothing tells."""
    input: int
    """Tokens sent that were neither read from nor written to the cache."""
    cache_read: int
    """Tokens read from the cache."""
    cache_write_5m: int
    """Tokens written to the cache with a lifetime of five minutes."""
    cache_write_1h: int
    """Tokens written to the cache with a lifetime of one hour."""
    output: int
    """Tokens generated."""
    cost_usd: float | None
    """What it cost, by list prices; null = no price is known."""
    break_: CacheBreak | None
    """What the cache should have served and did not; null = nothing, or a first request."""


@frozen(kw_only=True)
class BreakTotals:
    """A sum of breaks."""

    count: int
    """How many."""
    lost_tokens: int
    """Tokens lost in all."""
    cost_usd: float | None
    """What they cost in all; null = the price of one is not known."""


@frozen(kw_only=True)
class CacheTotals:
    """Sums over all requests listed."""

    tokens: TokenCounts
    """Their tokens."""
    cost_usd: float | None
    """What they cost; null = the price of one is not known."""
    expected: BreakTotals
    """Breaks that somebody asked for."""
    avoidable: BreakTotals
    """All other breaks."""


@frozen(kw_only=True)
class CacheHistoryResult:
    """The requests of a conversation on all its branches, in file order.

    Requests that were copied from another session are left out, and those of subagents: they are
    the other transcript's.
    """

    requests: Sequence[CacheRequest]
    """The requests."""
    totals: CacheTotals
    """Their sums."""
