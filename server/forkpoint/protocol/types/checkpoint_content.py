"""`forkpoint/checkpointContent`: what does a version hold?"""

from __future__ import annotations

from typing import Literal

from attrs import frozen

Encoding = Literal["utf-8", "utf-8-bom", "utf-16le", "utf-16be", "windows-1252"]
"""How the bytes were read as text."""

LineEnd = Literal["lf", "crlf", "cr", "mixed", "none"]
"""How lines end."""


@frozen(kw_only=True)
class CheckpointContentParams:
    """Which version to give."""

    document: str
    """A `document` or `previous` of an answer, as it was given."""


@frozen(kw_only=True)
class CheckpointContentResult:
    """The content, as text or as bytes; neither when it is too large."""

    text: str | None
    """Its text with its own line ends; null = binary or too large."""
    base64: str | None
    """Its bytes where it is no text; null = it is text, or too large."""
    encoding: Encoding | None
    """How it was read as text; null = it was not."""
    eol: LineEnd | None
    """How its lines end; null = no text."""
    size_bytes: int
    """Its size."""
    sentence: str | None
    """Why there is no text, in words; null when there is."""
