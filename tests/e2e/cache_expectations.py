"""A worked example of the prompt cache as a row: what is asked, and what the answer has to say.

Costs are US dollars to the cent. What the rule book leaves open is left out of a row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.builders import timestamp
from tests.e2e.cache_homes import LAST, MAIN, NEWEST, Files, Json


class Example(NamedTuple):
    """A question about the next request, and its answer.

    Attributes:
        number: of the example; a word behind it tells variants apart.
        files: of the config folder.
        gap: seconds from the last answer to now.
        note: fields of the answer.
        first: the rule that decides; None = the rule book has no name for it.
        says: patterns of the sentence, each of which must be found.
        also: rules that speak besides.
        environment: of the next request, besides the newest version and a subscription.
        params: of the question, besides.
    """

    number: str
    files: Files
    gap: float
    note: Json
    first: str | None
    says: tuple[str, ...]
    also: tuple[str, ...] = ()
    environment: Json | None = None
    params: Json | None = None

    @property
    def asked(self) -> Json:
        """The parameters of the question."""
        plain = {"version": NEWEST, "provider": "anthropic", "account": "subscription"}
        now = timestamp(LAST + self.gap)
        environment = {**plain, **(self.environment or {}), "now": now}
        return {"sessionId": MAIN, **(self.params or {}), "environment": environment}


class PastExample(NamedTuple):
    """Two requests of which the second may have found less than the first one left.

    Attributes:
        number: of the example.
        files: of the config folder.
        broken: fields of the break; None = there is none.
        says: patterns of its sentence.
    """

    number: str
    files: Files
    broken: Json | None
    says: tuple[str, ...] = ()


def note(verdict: str, confidence: str, **fields: Any) -> Json:
    return {"verdict": verdict, "confidence": confidence, **fields}


def warm(confidence: str, read: int, tail: int, costs: Json) -> Json:
    """What was in the cache is read; what came behind it, and the answer, are written."""
    expected = costs["warm"]
    sizes = {"contextTokens": read + tail, "readTokens": read, "writeTokens": tail}
    return note("warm", confidence, **sizes, costUsd={**costs, "expected": expected})


def cold(confidence: str, size: int, costs: Json) -> Json:
    """All is written again."""
    expected = costs["coldHigh"]
    sizes = {"contextTokens": size, "readTokens": 0, "writeTokens": size}
    return note("cold", confidence, **sizes, costUsd={**costs, "expected": expected})


def either(size: int, costs: Json) -> Json:
    """Nobody can know, and that is sure."""
    sizes = {"contextTokens": size, "readTokens": None, "writeTokens": None}
    return note("unknown", "high", **sizes, costUsd={**costs, "expected": None})


def usd(
    warm: float | None = None,
    cold: float | tuple[float, float] | None = None,
    expected: float | None = None,
) -> Json:
    """Costs that are known; `cold` may be two, at best and at worst."""
    low, high = cold if isinstance(cold, tuple) else (cold, cold)
    costs = {"warm": warm, "coldLow": low, "coldHigh": high, "expected": expected}
    return {name: cost for name, cost in costs.items() if cost is not None}
