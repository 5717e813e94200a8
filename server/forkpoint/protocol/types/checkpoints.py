"""`forkpoint/checkpoints`: which versions of a file are kept?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.rules import FileUri
from forkpoint.protocol.types.common import Indexing, Problem

VersionState = Literal["present", "pruned", "absent"]
"""present = its content can be read; pruned = the agent named a copy that is not there or must not
be read; absent = the file did not exist then."""

VersionKind = Literal["first", "edited", "created", "deleted", "unchanged", "pruned"]
"""What became of the file since the version before: first = before the agent's first edit in the
session; pruned = cannot be told, because the copy is gone."""

VersionSource = Literal["backup", "toolResult", "patches"]
"""Where the content comes from. toolResult = what the agent's first edit replaced, as its result
says: some older clients copied the file too late, so that their copy is the file after the edit;
patches = the agent keeps no copies, it is rebuilt from its patches."""

VersionObtained = Literal["backup", "recorded", "forward", "backward", "unknown"]
"""How the content is known. backup = the agent kept it, as `source` says; recorded = a patch wrote
or told the whole file; forward = from a recorded content by the patches behind it; backward = by
undoing patches, from the file on disk or from what was recorded later; unknown = neither fits, and
then the state is pruned. Forward and backward hold if nothing else changed the file in between."""


@frozen(kw_only=True)
class CheckpointsParams:
    """Which histories to give: at least one of the two is needed."""

    session_id: str | None = None
    """Only versions of this session; null = of all sessions."""
    file: FileUri | None = None
    """Only this file; null = all files of the session."""


@frozen(kw_only=True)
class PromptReference:
    """A prompt, by name and in short."""

    uuid: str
    """uuid of its record."""
    preview: str | None
    """Its first words; null = the transcript does not hold it."""


@frozen(kw_only=True)
class FileVersion:
    """A state of a file that the agent recorded before a prompt ran, or that its patches tell."""

    session_id: str
    """The session in whose backups the content lies; for other states, the one that names it."""
    version: int
    """The agent's number, from 1 in each session; numbers run over all branches."""
    backup: str | None
    """Name of the copy; null = the file did not exist, or the name must not be used."""
    state: VersionState
    """Whether there is content."""
    kind: VersionKind
    """What became of the file since the version before."""
    time: str | None
    """When the agent looked at the file; null = not written."""
    prompt: PromptReference | None
    """The prompt before which the file was in this state; null = no record tells, the copy only."""
    first: bool
    """Whether it is the state before the agent's first edit in its session."""
    on_active_path: bool
    """Whether its prompt lies on the active path."""
    size_bytes: int | None
    """Bytes of the content; null when it is not there."""
    binary: bool
    """Whether the content is no text."""
    added: int | None
    """Lines that the version before did not have; null = unknown, binary, or too large."""
    removed: int | None
    """Lines that only the version before had; null likewise."""
    source: VersionSource
    """Where the content comes from."""
    document: str | None
    """URI of the content, for `forkpoint/checkpointContent`; null where the copy is gone. Where the
    file did not exist it is an empty text."""
    previous: str | None
    """URI of what to compare it with, the nearest older version that has content; null = none."""
    obtained: VersionObtained
    """How the content is known."""
    after: bool
    """True = a patch of the prompt left the file so, instead of that it was so before the prompt;
    only versions that are rebuilt from patches have that."""
    note: str | None
    """What to know of how it was obtained, as a sentence or some; null = nothing."""


@frozen(kw_only=True)
class WorkingFile:
    """The file as it lies on disk, against the newest version."""

    exists: bool
    """Whether it is there."""
    added: int | None
    """Lines that the newest version does not have; null = unknown, binary, or too large."""
    removed: int | None
    """Lines that only the newest version has; null likewise."""
    edited_since: bool
    """Whether it is known to differ from the newest version."""


@frozen(kw_only=True)
class HistorySession:
    """A session that kept versions of the file."""

    session_id: str
    """Its id."""
    title: str
    """Its title."""
    live: bool
    """Whether a client holds it now."""


@frozen(kw_only=True)
class FileHistory:
    """All versions of one file, found by where it really lies."""

    file: str
    """URI of the file."""
    versions: Sequence[FileVersion]
    """Oldest first."""
    working: WorkingFile
    """The file now."""
    sessions: Sequence[HistorySession]
    """The sessions of the versions, in the order in which they first appear."""
    problems: Sequence[Problem]
    """What a reader should know, such as a path that leads elsewhere now."""


@frozen(kw_only=True)
class CheckpointsResult:
    """Histories by file; none for a file without checkpoints."""

    files: Sequence[FileHistory]
    """In the order in which the agent first edited them."""
    indexing: Indexing
    """How far reading has come: versions of sessions that were not read yet are missing."""
    sentence: str | None
    """What to know of these versions, such as that the agent keeps no backups; null = nothing."""
