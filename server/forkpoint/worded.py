"""A sentence in English that can still be said in another language.

Who makes one keeps beside it what it was made of. Whatever looks at it sees a text like any other;
only who writes an answer for a reader of another language (`languages`) looks at the parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Self

SENTENCES = " "
"""Between sentences."""
PARTS = ", "
"""Between parts of a sentence."""

Part = object
"""A number, a text that no language changes, or what was worded itself."""


class Worded(str):
    """The sentence, in English.

    Attributes:
        pattern: the sentence with names in braces where its parts stand; of joined ones, what
            stands between them.
        parts: the parts by name; of joined ones in their order.
    """

    __slots__ = ("parts", "pattern")

    pattern: str
    parts: Mapping[str, Part] | tuple[str, ...]

    @classmethod
    def of(cls, pattern: str, parts: Mapping[str, Part] | tuple[str, ...]) -> Self:
        """Word a pattern."""
        self = cls(filled(pattern, parts))
        self.pattern, self.parts = pattern, parts
        return self


def filled(pattern: str, parts: Mapping[str, Part] | tuple[str, ...]) -> str:
    """Put parts into a pattern of any language."""
    return pattern.join(parts) if isinstance(parts, tuple) else pattern.format_map(parts)


def say(pattern: str, /, **parts: Part) -> str:
    """Say a sentence.

    Args:
        pattern: in English, with the names of `parts` in braces, formatted as `str.format` does.
            It is a literal wherever this is called: translations are found by it.
        parts: what takes their place.
    """
    return Worded.of(pattern, parts)


def counted(count: int, one: str, many: str, /, **parts: Part) -> str:
    """Say one of two sentences by a number, which takes the place of `{count}` in both."""
    return Worded.of(one if count == 1 else many, {"count": count, **parts})


def joined(said: Iterable[str], between: str = SENTENCES) -> str:
    """Say one thing after the other; what is empty is left out."""
    return Worded.of(between, tuple(filter(None, said)))
