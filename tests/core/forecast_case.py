"""A line of the table of forecasts: a question, and the answer that the rule book gives to it."""

from __future__ import annotations

from typing import Any, NamedTuple

from forkpoint.cache.next_request import ToolSet
from forkpoint.cache.outcome import Asked
from forkpoint.cache.standing import RecordedPrompt, Standing
from tests.core.cache_questions import TOOLS, answer, asked, was


class Row(NamedTuple):
    """A question and its answer.

    Attributes:
        row: number in the rule book, and what is special about this variant.
        asked: the question.
        answer: verdict, confidence, and which layers survive: tools, system, project,
            conversation; ? = unknown.
        codes: of the causes, the deciding one first, the others in any order.
    """

    row: str
    asked: Asked
    answer: str
    codes: str


WARM = "warm high: yes yes yes yes"
LIKELY_WARM = "warm medium: yes yes yes yes"
HARDLY_WARM = "warm low: yes yes yes yes"
COLD = "cold high: no no no no"
LIKELY_COLD = "cold medium: no no no no"
OVER = "cold high: ? ? no no"
LIKELY_OVER = "cold medium: ? ? no no"
HARDLY_OVER = "cold low: ? ? no no"
OPEN = "unknown high: ? ? ? ?"
OPEN_MEDIUM = "unknown medium: ? ? ? ?"
OPEN_LOW = "unknown low: ? ? ? ?"
REBUILT = "cold high: yes no no no"
LIKELY_REBUILT = "cold medium: yes no no no"
NEW = "partial medium: yes yes no no"
NEW_OR_NOT = "partial medium: ? ? no no"
NO_END = "partial low: yes yes yes no"
SUMMARY = "partial high: yes yes yes yes"
END_LOST = "unknown high: ? ? ? no"
LIKELY_SUMMARY = "partial medium: yes yes yes yes"
OVER_AND_REBUILT = "cold high: ? no no no"

SAME, OTHER = ToolSet("same"), ToolSet("changed", ("Monitor",))
BY_KEY, SIGNED_IN = {"account": "apiKey"}, {"account": "subscription"}
FIVE = was("6/88000/2400/0/410", lifetime="5m")
BEDROCK = "us.anthropic.claude-opus-5-5-v1:0"


def by(
    version: str | None, *, recorded: bool = True, program: str = "sdk-cli", **after: Any
) -> Asked:
    """A session that goes on two minutes later with the same client."""
    return asked(was(version=version, recorded=recorded, entrypoint=program), minutes=2, **after)


def upgrade(before: str, version: str, *, recorded: bool = True, **after: Any) -> Asked:
    """A session that goes on with another client."""
    leaf = was(version=before, recorded=recorded)
    return asked(leaf, **{"minutes": 5, **after}, version=version)


def efforts(model: str, version: str = "2.1.332", **after: Any) -> Asked:
    """A session in which another effort level is chosen."""
    leaf = was(model=model, version=version, effort="high")
    return asked(leaf, "model", 2, effort="low", **after)


def rewind(minutes: float = 31, **asks: Any) -> Asked:
    """Back to a prompt in the middle of a session."""
    point = asks.pop("point", was("4/58300/0/1200/900"))
    return asked(was(), "rewind", minutes, point=point, **asks)


def edited(version: str, program: str = "cli", branch: str | None = "main", **after: Any) -> Asked:
    """A session that changed files."""
    last = answer(version, entrypoint=program, git_branch=branch)
    recorded = RecordedPrompt(TOOLS, 0) if version >= "2.1.268" else None
    return asked(was(answer=last, edited=True, prompt=recorded), minutes=2, **after)


def edited_before(version: str) -> Asked:
    """A session that changed files and was compacted then, without a recorded prompt."""
    return asked(was(version=version, recorded=False, edited_before=True), minutes=2)


def blocks(count: int) -> Standing:
    """A point whose last answer has so many rows."""
    return was("4/58300/0/1200/900", blocks=tuple(range(count)))
