"""`forkpoint/transcript`: how does the conversation read, as one text?"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from forkpoint.protocol.types.common import Fate, Role, SessionReference


@frozen(kw_only=True)
class TranscriptParams(SessionReference):
    """Which conversation to write down."""

    leaf: str | None = None
    """uuid of the record to read up to, on whichever branch; null = the active leaf."""
    for_version: str | None = None
    """Client version that would resume; null = the installed one, else the newest rule."""


@frozen(kw_only=True)
class TranscriptSection:
    """Where a record of the active path stands in the text."""

    ordinal: int
    """Its ordinal."""
    uuid: str
    """Its uuid."""
    line: int
    """0-based line on which it begins."""
    end_line: int
    """0-based line on which it ends, inclusive; a turn ends with its last record."""
    label: str
    """One line for an outline; never empty."""
    role: Role | None
    """What it is in the conversation; null = no part of one."""
    fate: Fate
    """Whether the next request would carry it."""
    level: int
    """0 = a turn, which a person or a compaction begins; 1 = a record inside of one."""


@frozen(kw_only=True)
class TranscriptResult:
    """The active path as Markdown, and what preceded its compactions."""

    text: str
    """The text. In a very long one the oldest records are left out, and a line says how many."""
    sections: Sequence[TranscriptSection]
    """The records that stand in the text, by line."""
