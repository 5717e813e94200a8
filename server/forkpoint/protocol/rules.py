"""Rules for parameters that their Python type alone cannot say.

A rule stands in the annotation, `Annotated[int, AtLeast(0)]`, and is enforced by `params.py`.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated

from attrs import frozen

from forkpoint.protocol.uri import is_uri


@frozen
class AtLeast:
    """An integer with a smallest allowed value."""

    minimum: int

    @property
    def words(self) -> str:
        """What a value that fits is, to follow "must be"."""
        return f"an integer of at least {self.minimum}"

    def allows(self, value: int) -> bool:
        """Say whether an integer fits."""
        return value >= self.minimum


@frozen
class IsFileUri:
    """A string that is a `file:` URI: clients address files by URI, never by path."""

    @property
    def words(self) -> str:
        """What a value that fits is, to follow "must be"."""
        return "a file URI, such as file:///home/me/project"

    def allows(self, value: str) -> bool:
        """Say whether a string fits."""
        return value.lower().startswith("file:/") and is_uri(value)


@frozen
class IsDay:
    """A string that is a day of the calendar."""

    @property
    def words(self) -> str:
        """What a value that fits is, to follow "must be"."""
        return "a day, such as 2026-11-30"

    def allows(self, value: str) -> bool:
        """Say whether a string fits."""
        try:
            return date.fromisoformat(value).isoformat() == value
        except ValueError:
            return False


Offset = Annotated[int, AtLeast(0)]
"""0-based index of the first element wanted."""

Limit = Annotated[int, AtLeast(1)]
"""The greatest number of elements wanted."""

Days = Annotated[int, AtLeast(0)]
"""A number of whole days."""

FileUri = Annotated[str, IsFileUri()]
"""Where a file lies, as a `file:` URI."""

Day = Annotated[str, IsDay()]
"""A day of the calendar, as `2026-11-30`."""
