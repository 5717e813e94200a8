"""`forkpoint/branchTree`: which ways did the conversation go?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.rules import Limit, Offset
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
    offset: Offset = 0
    """Index of the first segment wanted, in the order of the result."""
    limit: Limit | None = None
    """At most so many segments; null = all that follow."""


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
    """A page of the tree, in file order; among siblings the active one comes first.

    A segment's parent stands before it, on the same page or an earlier one.
    """

    segments: Sequence[Segment]
    """The page; every node of the main graph lies in exactly one segment of all pages."""
    segment_count: int
    """Segments on all pages."""
    active_leaf: str | None
    """uuid of the record where the client would go on; null = nowhere."""
    total: int
    """Nodes in all segments of all pages."""
    inherited: Sequence[InheritedPath]
    """What the active path goes on from in older files, the oldest first; no segments of this
    tree."""
