"""`forkpoint/branchTree`: which ways did the conversation go?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.types.active_path import InheritedPath
from forkpoint.protocol.types.common import SessionReference, TokenCounts

SegmentReason = Literal[
    "start", "rewind", "resend", "twoWriters", "compaction", "continuation", "restart"
]
"""Why a segment begins where it does. resend = a sibling holds the same prompt; twoWriters = two
processes wrote to the session at once; continuation = the sibling that simply went on;
restart = a new prompt without a parent."""


@frozen(kw_only=True)
class BranchTreeParams(SessionReference):
    """Which tree to read."""

    for_version: str | None = None
    """Client version that would resume; null = the installed one, else the newest rule."""


@frozen(kw_only=True)
class Segment:
    """A maximal run of records between branch points. Counts are of the main graph's nodes."""

    id: str
    """uuid of its first record."""
    parent: str | None
    """Id of the segment it hangs on; null = a root."""
    first_ordinal: int
    """Ordinal of its first record."""
    last_uuid: str
    """uuid of its last record."""
    last_ordinal: int
    """Ordinal of its last record."""
    record_count: int
    """Records in it."""
    prompt_count: int
    """Prompts a person gave in it."""
    label: str | None
    """Its first prompt, one line of at most 200 characters; null = it holds none."""
    started_at: str | None
    """Earliest time of its records; null = none has one."""
    ended_at: str | None
    """Latest time of its records; null = none has one."""
    active: bool
    """Whether the active path runs through it."""
    reason: SegmentReason
    """Why it begins where it does."""
    resend_of: str | None
    """Id of the sibling that holds the same prompt first; null = no resend."""
    edited_files: Sequence[str]
    """URIs of the files its tool calls changed, first change first."""
    tokens: TokenCounts
    """What its responses spent."""


@frozen(kw_only=True)
class BranchTreeResult:
    """The whole tree, in file order; among siblings the active one comes first."""

    segments: Sequence[Segment]
    """Every node of the main graph lies in exactly one of them."""
    active_leaf: str | None
    """uuid of the record where the client would go on; null = nowhere."""
    total: int
    """Nodes in all segments."""
    inherited: Sequence[InheritedPath]
    """What the active path goes on from in older files, the oldest first; no segments of this
    tree."""
