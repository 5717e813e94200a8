"""What is asked of a forecast, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from forkpoint.cache.clock import Clock
from forkpoint.cache.impact_costs import Costs, PriceOf
from forkpoint.cache.next_request import NextRequest
from forkpoint.cache.ruling import Confidence, Ruling
from forkpoint.cache.standing import Standing

Verdict = Literal["warm", "partial", "cold", "unknown"]
Survives = Literal["yes", "no", "unknown"]
Layers = tuple[Survives, Survives, Survives, Survives]
"""In the order of `LAYERS`."""


class PriceStep(msgspec.Struct, frozen=True):
    """A size of the prompt in tokens above which the whole request costs so many times as much."""

    above: int
    times: float


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question: what stands where, what comes next, at what price.

    Attributes:
        leaf: where the conversation stands now.
        point: from where it goes on: the leaf, or what stands before a rewind's prompt.
        price_step: of the model's price; None = it has none.
        behind_boundary: the point lies before the newest compaction.
        of_agent: it is a subagent's conversation.
    """

    leaf: Standing
    point: Standing
    next: NextRequest
    price_of: PriceOf
    price_step: PriceStep | None = None
    behind_boundary: bool = False
    of_agent: bool = False


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """What the cache does for the next request.

    Attributes:
        rulings: the deciding one first.
        clock: None where no request tells.
        context: tokens that would be sent again, with the last answer.
        read, written: tokens by the verdict; None where it may be either way.
        dropped: by a rewind.
    """

    verdict: Verdict
    confidence: Confidence
    layers: Layers
    rulings: Sequence[Ruling]
    clock: Clock | None = None
    context: int | None = None
    read: int | None = None
    written: int | None = None
    dropped: int | None = None
    costs: Costs = Costs()

    @property
    def expected(self) -> float | None:
        """What the verdict costs, in US dollars; of cold the worst; None where it is not known."""
        if self.read is None:
            return None
        if self.verdict == "cold":
            return self.costs.cold_high
        return self.costs.warm if self.costs.partly is None else self.costs.partly
