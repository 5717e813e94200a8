"""`forkpoint/health`: what could not be read as it should be?"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from forkpoint.protocol.types.common import Indexing, Problem


@frozen(kw_only=True)
class HealthParams:
    """Whose health to tell."""

    session_id: str | None = None
    """Only this session's transcripts; null = all that are indexed."""


@frozen(kw_only=True)
class MalformedLine:
    """A line that is no record."""

    ordinal: int
    """Its ordinal."""
    offset: int
    """Bytes before it in the file."""
    length: int
    """Its bytes without the line end."""
    reason: str
    """Why it could not be decoded, in words."""


@frozen(kw_only=True)
class UnknownType:
    """A record type that Forkpoint does not know. Its records are kept."""

    type: str
    """The type as the agent wrote it."""
    count: int
    """Records of it."""
    versions: Sequence[str]
    """Client versions that wrote them, oldest first; empty = not written."""


@frozen(kw_only=True)
class TornTail:
    """Bytes after the last line end: a line still being written, or a write that was cut off."""

    offset: int
    """Bytes before them in the file."""
    length: int
    """How many they are."""


@frozen(kw_only=True)
class BrokenChain:
    """A record whose parent is not in the transcript."""

    uuid: str
    """The record's uuid."""
    ordinal: int
    """Its ordinal."""
    missing_parent: str
    """uuid of the parent it names."""
    bridged_to: str | None
    """uuid of the record a resume would hang it on; null = what is older is cut off."""


@frozen(kw_only=True)
class TranscriptHealth:
    """What is wrong with one transcript; all lists empty = nothing."""

    session_id: str
    """The session it belongs to."""
    agent_id: str | None
    """The subagent whose transcript it is; null = the session's own."""
    transcript: str
    """URI of the file."""
    malformed: Sequence[MalformedLine]
    """Lines that are no records."""
    unknown_types: Sequence[UnknownType]
    """Unknown record types, most frequent first."""
    torn_tail: TornTail | None
    """Bytes after the last line end; null = none."""
    broken_chains: Sequence[BrokenChain]
    """Records whose parent is missing."""
    missing_backups: Sequence[str]
    """File names of backups that snapshots name and that are gone."""
    problems: Sequence[Problem]
    """Anything else to know."""


@frozen(kw_only=True)
class HealthTotals:
    """Sums over the transcripts of the answer."""

    malformed: int
    """Malformed lines."""
    unknown_types: Sequence[UnknownType]
    """Unknown record types, most frequent first."""
    torn_tails: int
    """Transcripts with a torn tail."""
    broken_chains: int
    """Records whose parent is missing."""
    missing_backups: int
    """Backups that are gone."""


@frozen(kw_only=True)
class HealthResult:
    """What could not be read as it should be, in all and per transcript."""

    sessions: Sequence[TranscriptHealth]
    """With `sessionId` all of its transcripts, else those with something to tell."""
    totals: HealthTotals
    """Sums over `sessions`."""
    problems: Sequence[Problem]
    """What concerns no single transcript: a folder that cannot be read, for example."""
    indexing: Indexing
    """How far the first reading has come; what is not read yet is not in the answer."""
