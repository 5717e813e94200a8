"""What does somebody look for? Text in, a query out, or what is wrong with it.

Words must all stand in one piece of a record (a prompt, an answer, a call, its output): `word`,
`"some words"` in this order and next to each other, `prefix*`. What is written without blanks, such
as `src/auth.py`, is a phrase of its parts.

Operators narrow: `file:` `tool:` `branch:` `model:` take such a phrase of the name in question,
`agent:` is codex or claude, `in:` a part of the conversation, `after:` and `before:` a day or a
moment in UTC, `is:` error or abandoned; a value may be quoted. Of one operator given several times
any value will do, but of `after:`, `before:` and `is:` all count. An unknown operator is text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

import msgspec

from forkpoint.layout import Agent
from forkpoint.records.searchable import Part
from forkpoint.tokens import tokens
from forkpoint.worded import say

MOST_CHARACTERS = 1000
MOST_PHRASES = 32

Code = Literal["empty", "noWords", "openQuote", "badValue", "badDate", "tooLong"]


class Phrase(msgspec.Struct, frozen=True):
    """Words next to each other; of the last one the beginning is enough if `is_prefix`."""

    words: tuple[str, ...]
    is_prefix: bool = False

    def ends_at(self, words: Sequence[str], start: int) -> int | None:
        """Say behind which of the words the phrase ends that begins at one; None if none does."""
        end = start + len(self.words)
        *first, last = self.words
        if end > len(words) or list(words[start : end - 1]) != first:
            return None
        found = words[end - 1]
        return end if found == last or (self.is_prefix and found.startswith(last)) else None

    def stands_in(self, words: Sequence[str]) -> bool:
        """Say whether the phrase stands anywhere among the words."""
        return any(self.ends_at(words, start) is not None for start in range(len(words)))


class Query(msgspec.Struct, frozen=True):
    """What is looked for; what is empty or None does not narrow.

    Attributes:
        phrases: which all must stand in one text.
        files, tools, branches, models: of each, one must stand in the name.
        agents: one of which must have written the transcript.
        parts: one of which it must be.
        after, before: milliseconds since 1970 UTC: from the first on, up to but without the second.
    """

    phrases: tuple[Phrase, ...] = ()
    files: tuple[Phrase, ...] = ()
    tools: tuple[Phrase, ...] = ()
    branches: tuple[Phrase, ...] = ()
    models: tuple[Phrase, ...] = ()
    agents: frozenset[Agent] = frozenset()
    parts: frozenset[Part] = frozenset()
    in_subagents: bool = False
    after: int | None = None
    before: int | None = None
    is_error: bool = False
    is_abandoned: bool = False


class Misfit(msgspec.Struct, frozen=True):
    """Why a text is no query, and which part of it is to blame (characters of the text)."""

    code: Code
    sentence: str
    start: int
    end: int


def parse(text: str) -> Query | Misfit:
    """Read a query; never raises."""
    if len(text) > MOST_CHARACTERS:
        sentence = say(
            "The query is longer than {most_characters} characters.",
            most_characters=MOST_CHARACTERS,
        )
        return Misfit("tooLong", sentence, MOST_CHARACTERS, len(text))
    builder = _Builder()
    for match in _PIECE.finditer(text):
        operator, value = match["operator"], match["value"]
        said = value[1:] if value.startswith('"') else value
        start, end = match.span()
        if value.startswith('"') and not match["closed"]:
            sentence = say("A quotation mark opens a phrase that none closes.")
            return Misfit("openQuote", sentence, match.start("value"), end)
        said = said.removesuffix('"') if match["closed"] else said
        problem = builder.take(operator, said, is_prefix=bool(match["star"]))
        if problem is not None:
            return Misfit(*problem, start, end)
    return builder.query(len(text))


_PIECE = re.compile(
    r"(?:(?P<operator>file|tool|branch|model|agent|in|after|before|is):)?"
    r'(?:(?P<value>"[^"]*(?P<closed>")?|[^\s"*]*(?:\*+[^\s"*]+)*)(?P<star>\*+)?)',
    re.IGNORECASE,
)

_PARTS: dict[str, Part] = {
    "prompt": Part.PROMPT,
    "answer": Part.ANSWER,
    "call": Part.TOOL_INPUT,
    "input": Part.TOOL_INPUT,
    "output": Part.TOOL_OUTPUT,
    "thinking": Part.THINKING,
    "context": Part.CONTEXT,
}
_AGENTS: dict[str, Agent] = {
    "claude": "claude-code",
    "claude-code": "claude-code",
    "codex": "codex",
}
_NAMES = {"file": "files", "tool": "tools", "branch": "branches", "model": "models"}

_Problem = tuple[Code, str]


class _Builder:
    """Takes the pieces of a query, one after the other."""

    def __init__(self) -> None:
        self._phrases: list[Phrase] = []
        self._names: dict[str, list[Phrase]] = {name: [] for name in _NAMES.values()}
        self._agents: set[Agent] = set()
        self._parts: set[Part] = set()
        self._in_subagents = False
        self._after: int | None = None
        self._before: int | None = None
        self._is: set[str] = set()
        self._pieces = 0

    def take(self, operator: str | None, value: str, *, is_prefix: bool) -> _Problem | None:
        """Take a piece in, or say what is wrong with it."""
        if not operator and not value and not is_prefix:
            return None
        self._pieces += 1
        if self._pieces > MOST_PHRASES:
            return "tooLong", say(
                "The query has more than {most_phrases} parts.", most_phrases=MOST_PHRASES
            )
        name = (operator or "").lower()
        if not name:
            return self._word(value, is_prefix)
        if not value.strip():
            return "badValue", say("{name}: needs a value behind it.", name=name)
        if name in _NAMES:
            return self._name(name, value, is_prefix)
        take = {"agent": self._agent, "in": self._part, "is": self._state}.get(name, self._time)
        return take(name, value)

    def _word(self, value: str, is_prefix: bool) -> _Problem | None:
        """What has no letter or digit stands between words, and asks for nothing."""
        if words := tokens(value):
            self._phrases.append(Phrase(tuple(words), is_prefix and _ends_in_word(value)))
        return None

    def _name(self, name: str, value: str, is_prefix: bool) -> _Problem | None:
        words = tokens(value)
        if not words:
            return "noWords", say("{name}: needs a letter or a digit to look for.", name=name)
        phrase = Phrase(tuple(words), is_prefix and _ends_in_word(value))
        self._names[_NAMES[name]].append(phrase)
        return None

    def _agent(self, name: str, value: str) -> _Problem | None:
        agent = _AGENTS.get(value.strip().lower())
        if agent is None:
            return "badValue", "agent: knows claude and codex."
        self._agents.add(agent)
        return None

    def _part(self, name: str, value: str) -> _Problem | None:
        wanted = value.strip().lower()
        if wanted in ("subagent", "subagents"):
            self._in_subagents = True
            return None
        part = _PARTS.get(wanted, _PARTS.get(wanted.removesuffix("s")))
        if part is None:
            return "badValue", (
                say("in: knows prompts, answers, calls, outputs, thinking, context and subagents.")
            )
        self._parts.add(part)
        return None

    def _state(self, name: str, value: str) -> _Problem | None:
        wanted = value.strip().lower()
        if wanted not in ("error", "abandoned"):
            return "badValue", say("is: knows error and abandoned.")
        self._is.add(wanted)
        return None

    def _time(self, name: str, value: str) -> _Problem | None:
        moment = first_moment(value.strip())
        if moment is None:
            return "badDate", say(
                "{name}: needs a date such as 2026-05-28 or 2026-05-28T14:30.", name=name
            )
        if name == "after":
            self._after = moment if self._after is None else max(self._after, moment)
        else:
            self._before = moment if self._before is None else min(self._before, moment)
        return None

    def query(self, length: int) -> Query | Misfit:
        """Return what the pieces make, of a text of this length."""
        query = Query(
            phrases=tuple(self._phrases),
            **{name: tuple(phrases) for name, phrases in self._names.items()},
            agents=frozenset(self._agents),
            parts=frozenset(self._parts),
            in_subagents=self._in_subagents,
            after=self._after,
            before=self._before,
            is_error="error" in self._is,
            is_abandoned="abandoned" in self._is,
        )
        if query != Query():
            return query
        if self._pieces:
            sentence = say("There is no letter or digit to look for.")
            return Misfit("noWords", sentence, 0, length)
        return Misfit("empty", say("Nothing to look for is given."), 0, length)


def _ends_in_word(text: str) -> bool:
    """Say whether more letters would go on with the last word."""
    return len(tokens(text + "a")) == len(tokens(text))


def first_moment(text: str) -> int | None:
    """Return the first moment of a year, month, day or minute as milliseconds since 1970 UTC."""
    match = _MOMENT.fullmatch(text)
    if match is None:
        return None
    year, month, day, time = match.groups()
    try:
        moment = datetime.fromisoformat(f"{year}-{month or '01'}-{day or '01'}{time or 'T00:00'}")
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return int(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


_MOMENT = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)([Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?)?)?",
    re.ASCII,
)
