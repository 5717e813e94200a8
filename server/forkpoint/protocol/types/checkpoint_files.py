"""`forkpoint/checkpointFiles`: which files have checkpoints at all?"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from forkpoint.protocol.rules import FileUri, Limit, Offset
from forkpoint.protocol.types.common import Indexing


@frozen(kw_only=True)
class CheckpointFilesParams:
    """Which files to list."""

    folder: FileUri | None = None
    """Only files below this folder; null = all."""
    offset: Offset = 0
    """Index of the first file wanted."""
    limit: Limit | None = None
    """At most so many files; null = all that follow."""


@frozen(kw_only=True)
class CheckpointFile:
    """A file with checkpoints."""

    file: str
    """URI of the file."""
    session_id: str
    """The session with its newest version."""
    versions: int
    """Versions in that session, pruned ones included; of Codex, how many patches there were."""
    sessions: int
    """Sessions that have versions of it."""


@frozen(kw_only=True)
class CheckpointFilesResult:
    """A page of files, by URI."""

    files: Sequence[CheckpointFile]
    """The page."""
    total: int
    """Files on all pages."""
    indexing: Indexing
    """How far reading has come: files of sessions that were not read yet are missing."""
