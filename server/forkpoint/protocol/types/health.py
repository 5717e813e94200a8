"""`forkpoint/health`: what is not as it should be, and what goes soon?

Nothing that stands in a transcript is in the answer but names of record types and fields, ids and
client versions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.rules import Days
from forkpoint.protocol.types.common import Agent, Indexing, Problem

RemainKind = Literal[
    "folderWithoutTranscript",
    "orphanedSubagent",
    "backupsWithoutTranscript",
    "namesWithoutThreads",
]
"""A session's own folder, a subagent's transcript beside those of sessions, a folder with copies
of files: each without the session that it belongs to."""

RetentionSource = Literal["default", "user", "project", "managed"]
"""Whose settings say how long transcripts are kept; default = nobody's, the agent's own number;
managed = the organisation's, which win."""

UnreadableReason = Literal[
    "gone", "denied", "notRegular", "io", "dangling", "outside", "damaged", "notUnpackable"
]
"""Why something could not be read: dangling = a link that leads nowhere, outside = one that leads
out of the config folder, notUnpackable = nothing is installed that unpacks it."""


@frozen(kw_only=True)
class HealthParams:
    """Whose health to tell."""

    session_id: str | None = None
    """Only this session's transcripts; null = all that are indexed."""
    within_days: Days = 7
    """Which sessions count as deleted soon: those that are within so many days."""


@frozen(kw_only=True)
class MalformedLine:
    """A line that is no record."""

    ordinal: int
    """Its ordinal."""
    offset: int
    """Bytes before it in the file."""
    length: int
    """Its bytes without the line end."""
    line: int | None
    """Its line in the file, from 0; null = not known."""
    reason: str
    """Why it could not be decoded, in words."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class UnknownType:
    """A record type that Forkpoint does not know. Its records are kept."""

    type: str
    """The type as the agent wrote it; `?` = something that is no name."""
    count: int
    """Records of it."""
    versions: Sequence[str]
    """Client versions that wrote them, oldest first; empty = not written."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class UnknownField:
    """A field that Forkpoint does not know, of a record type that it knows."""

    type: str
    """The record type."""
    field: str
    """The field's name; `?` = something that is no name."""
    count: int
    """Records with it, of those that were looked at."""
    versions: Sequence[str]
    """Client versions that wrote them, oldest first; empty = not written."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class UnknownFields:
    """What a sample of records showed: fields are not looked at while transcripts are indexed."""

    fields: Sequence[UnknownField]
    """Unknown fields, most frequent first."""
    records: int
    """Records that were looked at."""
    total: int
    """Records that there are in the transcripts that the sample is of."""
    sentence: str
    """What the sample is, for people."""


@frozen(kw_only=True)
class TornTail:
    """Bytes after the last line end: a line still being written, or a write that was cut off."""

    offset: int
    """Bytes before them in the file."""
    length: int
    """How many they are."""
    line: int | None
    """Their line in the file, from 0; null = not known."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class BrokenChain:
    """A record whose parent is not in the transcript."""

    uuid: str
    """The record's uuid."""
    ordinal: int
    """Its ordinal."""
    line: int | None
    """Its line in the file, from 0; null = not known."""
    missing_parent: str
    """uuid of the parent it names; `?` = something that is no id."""
    bridged_to: str | None
    """uuid of the record a resume would hang it on; null = what is older is cut off."""
    goes_on_from: str | None
    """The session in whose transcript the parent lies, so that nothing is wrong; null = none."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class OddLink:
    """A record whose parents lead back to it, or whose uuid stood on an earlier record."""

    uuid: str
    """The record's uuid."""
    ordinal: int
    """Its ordinal."""
    line: int | None
    """Its line in the file, from 0; null = not known."""
    other: int
    """Ordinal of its parent, or of the first record with its uuid."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class TranscriptHealth:
    """What is wrong with one transcript; all lists empty = nothing. `totals` count what is cut."""

    session_id: str
    """The session it belongs to."""
    agent: Agent
    """The agent that wrote it."""
    agent_id: str | None
    """The subagent whose transcript it is; null = the session's own."""
    transcript: str
    """URI of its lines: of the file, or of a document of the server's where that is compressed."""
    malformed: Sequence[MalformedLine]
    """Lines that are no records, at most 500."""
    unknown_types: Sequence[UnknownType]
    """Unknown record types, most frequent first."""
    torn_tail: TornTail | None
    """Bytes after the last line end; null = none."""
    broken_chains: Sequence[BrokenChain]
    """Records whose parent is missing, at most 500."""
    loops: Sequence[OddLink]
    """Records whose parents lead back to them, at most 500."""
    repeated_uuids: Sequence[OddLink]
    """Records with a uuid that an earlier one has, at most 500."""
    missing_backups: Sequence[str]
    """File names of backups that snapshots name and that are gone, for no known reason."""
    pruned_backups: int
    """Backups that the agent deleted by its own rule: those of old checkpoints."""
    problems: Sequence[Problem]
    """Anything else to know."""


@frozen(kw_only=True)
class HealthTotals:
    """Sums over the transcripts of the answer, and over what concerns no single one."""

    malformed: int
    """Malformed lines."""
    unknown_types: Sequence[UnknownType]
    """Unknown record types, most frequent first."""
    torn_tails: int
    """Transcripts with a torn tail."""
    broken_chains: int
    """Records whose parent is missing, and lies in no other session either."""
    loops: int
    """Records whose parents lead back to them."""
    repeated_uuids: int
    """Records with a uuid that an earlier one has."""
    glued_records: int
    """Records behind something else on their line, which a resume does not see."""
    missing_backups: int
    """Backups that are gone, of sessions that have others."""
    pruned_backups: int
    """Backups that the agent deleted by its own rule, which is nothing odd."""
    transcripts_without_backups: int
    """Sessions of which all backups are gone."""
    duplicate_ids: int
    """Sessions of which several transcripts lie in different places."""
    unreadable: int
    """Files and folders that could not be read."""
    remains: int
    """What is left of sessions that are gone."""


@frozen(kw_only=True)
class DuplicateId:
    """A session's id that is the name of several transcripts."""

    session_id: str
    """The id."""
    agent: Agent
    """The agent that wrote them."""
    transcript: str
    """URI of the newest one, which answers."""
    others: Sequence[str]
    """URIs of the older ones."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class WithoutBackups:
    """A session that names copies of files of which none is there: code cannot be restored."""

    session_id: str
    """The session."""
    agent: Agent
    """The agent that wrote it."""
    transcript: str
    """URI of its transcript."""
    count: int
    """Copies that it names."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class UnreadableFile:
    """Something below a config folder that could not be read."""

    path: str
    """URI of it; of a link, not of what it leads to."""
    session_id: str | None
    """The session whose transcript it is; null = not known, or no transcript."""
    agent_id: str | None
    """The subagent whose transcript it is; null = none."""
    reason: UnreadableReason
    """Why."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class Remain:
    """What is left of a session that is gone."""

    kind: RemainKind
    """What it is."""
    agent: Agent
    """The agent that wrote it."""
    path: str
    """URI of the file or folder."""
    session_id: str | None
    """The session it belonged to; null = its name does not say."""
    agent_id: str | None
    """The subagent whose transcript it is; null = it is a folder."""
    files: int | None
    """Files in it, itself if it is one; null = not counted, as there are many remains."""
    size_bytes: int | None
    """Their size; null likewise."""
    is_lower_bound: bool
    """Whether there is more of it than was counted."""
    subagents: int | None
    """How many of them are transcripts of subagents; null likewise."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class RetentionSetting:
    """How long transcripts are kept below one config folder."""

    config_dir: str
    """URI of the folder."""
    agent: Agent
    """The agent whose folder it is."""
    days: int | None
    """Days after the last change of a file; null = it is never deleted."""
    source: RetentionSource
    """Whose settings say so. Those of a project count once the agent is started in it."""
    file: str | None
    """URI of the settings file; null = none, or it lies outside of the config folder."""
    session_id: str | None
    """With the source project, a session that was started there."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class ExpiringSession:
    """A session that the agent deletes soon."""

    session_id: str
    """The session."""
    agent: Agent
    """The agent."""
    expires_at: str
    """From when on; it happens when the agent is started the next time."""


@frozen(kw_only=True)
class Retention:
    """What the agent's own clean-up deletes soon; touching a session postpones it."""

    within_days: int
    """What "soon" means here."""
    soon: int
    """Sessions that are deleted by then, those of programs and archived ones, too."""
    sessions: Sequence[ExpiringSession]
    """The first 500 of them, those that go first."""
    settings: Sequence[RetentionSetting]
    """What says so, by config folder; behind it projects whose settings say less."""
    sentence: str
    """The same for people."""


@frozen(kw_only=True)
class HealthResult:
    """What is not as it should be, in all and per transcript."""

    sessions: Sequence[TranscriptHealth]
    """With `sessionId` all of its transcripts, else those with something to tell, at most 500."""
    totals: HealthTotals
    """Sums over all transcripts and lists, also where these are cut."""
    findings: int
    """How many odd things there are: lines, records, files, types and fields. Remains are none."""
    sentence: str
    """The whole in a sentence."""
    unknown_fields: UnknownFields
    """Fields that nobody knows: of one session, else of the newest session of each version."""
    duplicate_ids: Sequence[DuplicateId]
    """Sessions of which several transcripts lie in different places, at most 500."""
    transcripts_without_backups: Sequence[WithoutBackups]
    """Sessions of which all backups are gone, at most 500."""
    unreadable: Sequence[UnreadableFile]
    """What could not be read, at most 500."""
    remains: Sequence[Remain]
    """What is left of sessions that are gone, at most 500."""
    retention: Retention
    """What the agent deletes soon."""
    problems: Sequence[Problem]
    """What concerns no single transcript: a folder that cannot be read, for example."""
    report: str
    """All in numbers, as Markdown that can be given away: no content, no id, no name of a file."""
    indexing: Indexing
    """How far the first reading has come; what is not read yet is not in the answer."""
    copies: Indexing
    """Of how many sessions it was looked for the copies of files; the rest follows when asked."""
