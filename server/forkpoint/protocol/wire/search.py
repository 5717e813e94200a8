"""What was found, and what was left behind."""

from __future__ import annotations

from forkpoint.active_line import NOT_SENT, SENT, SUMMARIZED
from forkpoint.fates import ABANDONED
from forkpoint.protocol import types
from forkpoint.records.searchable import Part
from forkpoint.search_query import Misfit

FATES: dict[int, types.HitFate] = {
    NOT_SENT: "notSent",
    SENT: "sent",
    SUMMARIZED: "summarized",
    ABANDONED: "abandoned",
}

PARTS: dict[Part, types.HitPart] = {
    Part.PROMPT: "prompt",
    Part.ANSWER: "answer",
    Part.TOOL_INPUT: "toolInput",
    Part.TOOL_OUTPUT: "toolOutput",
    Part.THINKING: "thinking",
    Part.CONTEXT: "context",
}


def query_problem(misfit: Misfit, query: str) -> types.QueryProblem:
    """Write why a text is no query."""
    return types.QueryProblem(
        code=misfit.code,
        sentence=misfit.sentence,
        start=units(query[: misfit.start]),
        end=units(query[: misfit.end]),
    )


def match_range(text: str, start: int, end: int) -> types.MatchRange:
    """Write a stretch of a text, given in characters."""
    return types.MatchRange(start=units(text[:start]), end=units(text[:end]))


def units(text: str) -> int:
    """Return how many UTF-16 code units a text takes."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
