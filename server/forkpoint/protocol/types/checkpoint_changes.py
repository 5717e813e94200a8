"""`forkpoint/checkpointChanges`: what changed in one turn, or in a whole session?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

ChangeKind = Literal["edited", "created", "deleted"]
"""What became of a file."""


@frozen(kw_only=True)
class CheckpointChangesParams:
    """Which span of a session to compare."""

    session_id: str
    """The session."""
    prompt: str | None = None
    """uuid of a prompt: from its checkpoint to the one that follows it in time, or to the files as
    they are now behind the last. Null = from the session's beginning to now."""


@frozen(kw_only=True)
class CheckpointChange:
    """A file that is not the same at both ends."""

    file: str
    """URI of the file."""
    kind: ChangeKind
    """What became of it."""
    before: str
    """URI of the content before; an empty text where the file did not exist."""
    after: str
    """URI of the content after: a version, or the working file itself."""
    added: int | None
    """Lines that only the content after has; null = unknown, binary, or too large."""
    removed: int | None
    """Lines that only the content before has; null likewise."""


@frozen(kw_only=True)
class CheckpointChangesResult:
    """The files that changed, in the order in which the agent first edited them."""

    changes: Sequence[CheckpointChange]
    """Files whose content is known at both ends, and differs."""
    unknown: Sequence[str]
    """URIs of files whose content at one end cannot be told: pruned, or never recorded."""
    to_now: bool
    """Whether the later end is the working files."""
