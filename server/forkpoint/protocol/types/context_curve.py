"""`forkpoint/contextCurve`: how did the context fill up, and what emptied it?"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from forkpoint.protocol.types.common import SessionReference


@frozen(kw_only=True)
class ContextCurveParams(SessionReference):
    """Whose context to follow."""

    leaf: str | None = None
    """uuid of the record to which the path leads; null = the active path."""
    with_text: bool = False
    """Also give the answer as a text to read."""


@frozen(kw_only=True)
class ContextPoint:
    """The context after a response."""

    ordinal: int
    """Ordinal of the response's first record."""
    uuid: str
    """uuid of that record."""
    at: str | None
    """When that record was written; null = it has no time."""
    tokens: int
    """Tokens in the context, what was generated included."""


@frozen(kw_only=True)
class ContextCompaction:
    """A compaction on the path."""

    ordinal: int
    """Ordinal of its boundary."""
    uuid: str
    """uuid of the boundary."""
    at: str | None
    """When the boundary was written; null = it has no time."""
    before: int
    """How many of `points` come before it."""
    trigger: str | None
    """manual or auto, as written; null = not written."""
    tokens_before: int | None
    """Tokens in the context before it, as the boundary says; null = not written."""
    tokens_after: int | None
    """Tokens in the context after it, as the boundary says; null = not written."""


@frozen(kw_only=True)
class ContextCurveResult:
    """The context along a path, from its root on, through all compactions."""

    points: Sequence[ContextPoint]
    """A point for each response, in the order of the path."""
    compactions: Sequence[ContextCompaction]
    """Its compactions, in the same order."""
    window_tokens: int | None
    """Size of the model's window; null = nothing on disk tells it."""
    text: str | None
    """A small chart, and the same in words; null = not asked for."""
