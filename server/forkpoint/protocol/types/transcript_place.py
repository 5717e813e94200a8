"""`forkpoint/transcriptPlace`: where does a record stand to be read?"""

from __future__ import annotations

from attrs import frozen

from forkpoint.protocol.rules import Offset
from forkpoint.protocol.types.common import SessionReference


@frozen(kw_only=True)
class TranscriptPlaceParams(SessionReference):
    """Which record to find, by one of two names."""

    uuid: str | None = None
    """Its uuid; it is looked for in the session's subagents, too, if none is named."""
    ordinal: Offset | None = None
    """Its ordinal, which every record has."""
    for_version: str | None = None
    """Client version that would resume; null = the installed one, else the newest rule."""


@frozen(kw_only=True)
class TranscriptPlaceResult:
    """A readable text, and the line in it."""

    document: str
    """URI of the document, which `workspace/textDocumentContent` gives."""
    agent_id: str | None
    """The subagent whose transcript it is; null = the session's own."""
    leaf: str | None
    """The record that the text is read up to; null = the active leaf."""
    before: int | None
    """The record that the part ends before; null = it goes to the end."""
    ordinal: int
    """Ordinal of the record that was found; of a repeated uuid the first."""
    line: int
    """0-based line on which it begins, or on which the row stands that names it."""
    shown: bool
    """Whether it can be read there; false = a row names it among others of its kind."""
