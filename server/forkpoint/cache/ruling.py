"""What does one rule say about the next request, and what does it look at?"""

from __future__ import annotations

from typing import Literal

import msgspec

from forkpoint.cache.next_request import NextRequest
from forkpoint.cache.standing import Standing
from forkpoint.client_rules import CacheRules, cache_rules_for

Layer = Literal["tools", "system", "project", "conversation"]
LAYERS: tuple[Layer, ...] = ("tools", "system", "project", "conversation")
Confidence = Literal["high", "medium", "low"]
Certainty = Literal["certain", "likely", "unknowable"]

TOOL_SEARCH = "ToolSearch"
"""The tool that finds tools which were announced only; without it all are sent in full."""


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """What one rule says.

    Attributes:
        reason: a clause for people, without its full stop.
        loses: the first layer that is lost; None = none.
        may_lose: the first layer that may be lost.
        partly: only some of that layer is lost, and nobody can say how much.
        confidence: of the verdict that rests on the rule; of one that loses nothing, the most that
            "warm" can have.
    """

    code: str
    certainty: Certainty
    reason: str
    evidence: str
    loses: Layer | None = None
    may_lose: Layer | None = None
    partly: bool = False
    confidence: Confidence = "high"


class Case(msgspec.Struct, frozen=True):
    """A forecast's two sides."""

    standing: Standing
    next: NextRequest

    @property
    def before(self) -> str | None:
        """The version of the client that made the last request."""
        answer = self.standing.answer
        return answer.version if answer else None

    @property
    def version(self) -> str | None:
        """The version of the client that makes the next one."""
        return self.next.version or self.before

    @property
    def rules(self) -> CacheRules:
        """What that release does."""
        return cache_rules_for(self.version)

    @property
    def model(self) -> str | None:
        """The model that answers the next one."""
        return self.next.model or (self.standing.request.model if self.standing.request else None)

    @property
    def replays(self) -> bool:
        """Whether the recorded prompt is sent again."""
        if self.standing.prompt is None or not self.next.replays:
            return False
        by_flag = self.rules.keeps_by_flag and self.next.account == "subscription"
        return by_flag or not self.rules.rebuilds_prompt

    @property
    def defers(self) -> bool:
        """Whether tools are announced in the conversation instead of being sent in full."""
        prompt = self.standing.prompt
        searches = prompt is not None and TOOL_SEARCH in (prompt.tools or ())
        return (searches or self.standing.defers_tools) and not self.next.tool_search_off
