"""`forkpoint/activePath`: where would the client go on, and what would it send?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.rules import Limit, Offset
from forkpoint.protocol.types.common import Fate, Role, SessionReference, Tip

LeafRule = Literal[
    "pointer",
    "pointerDescendant",
    "explicitPointer",
    "lastRecord",
    "newestTimestamp",
    "cleared",
    "requested",
]
"""Which rule chose the leaf. pointer = the record that the stored pointer names;
pointerDescendant = a later record below it; explicitPointer = a pointer set on purpose;
lastRecord = the last record of the file; newestTimestamp = the record with the latest time;
cleared = the conversation was emptied; requested = the caller named it."""

RepairKind = Literal[
    "syntheticToolResult", "noResponsePlaceholder", "droppedCall", "bridgedGap", "cutAtGap"
]
"""What a resume adds or changes."""

BlockKind = Literal["text", "thinking", "toolUse", "toolResult", "image", "other"]
"""What a content block is."""


@frozen(kw_only=True)
class ActivePathParams(SessionReference):
    """Which path to read."""

    leaf: str | None = None
    """uuid of the record to go to; null = the one the client would choose."""
    for_version: str | None = None
    """Client version that would resume; null = the installed one, else the newest rule."""
    offset: Offset = 0
    """Index of the first entry wanted, in the given order."""
    limit: Limit | None = None
    """At most so many entries; null = all that follow."""
    order: Literal["forward", "backward"] = "forward"
    """forward = the order of the request; backward = newest first."""
    from_person: bool = False
    """Only what a person gave; `offset`, `limit` and `total` then count those."""
    first_ordinal: Offset = 0
    """Only entries from this ordinal on, as a segment of the tree begins; counted as above."""
    last_ordinal: Offset | None = None
    """Only entries up to this ordinal, inclusive; null = to the end."""
    with_inherited: bool = False
    """Also the entries of older files that this conversation goes on from, before its own; they are
    counted, too, and left out where ordinals are asked for."""


@frozen(kw_only=True)
class Leaf:
    """The record on which the client's next record would hang."""

    uuid: str | None
    """Its uuid; null = the conversation is empty or was cleared."""
    ordinal: int | None
    """Its ordinal; null with `uuid`."""
    rule: LeafRule
    """Which rule chose it."""
    pointer: str | None
    """uuid that the newest stored pointer names; null = no pointer is stored."""
    sentence: str
    """The choice in words."""
    other_tips: Sequence[str]
    """uuids of the ends of all other branches."""


@frozen(kw_only=True)
class BlockNote:
    """A content block in one word, without its content."""

    kind: BlockKind
    """What it is."""
    name: str | None
    """The tool's name, or the type of an unknown block, else null."""
    tool_use_id: str | None
    """Id of the call that it is or answers, else null."""


@frozen(kw_only=True)
class PathEntry:
    """One record of the path."""

    uuid: str
    """Its uuid."""
    ordinal: int
    """Its ordinal."""
    role: Role
    """What it is in the conversation."""
    from_person: bool
    """Whether a person typed it: a prompt, a command or a shell line, not what those put out."""
    message_id: str | None
    """Id that all records of one response share; null = no response."""
    timestamp: str | None
    """When it was written; null = not written."""
    preview: str
    """Its text in one line of at most 200 characters; may be empty."""
    blocks: Sequence[BlockNote]
    """Its content blocks in order."""
    fate: Fate
    """Whether the next request would carry it."""
    session_id: str | None
    """The older session whose transcript holds it; null = this one's."""


@frozen(kw_only=True)
class InheritedPath:
    """A path of an older session's transcript that this conversation goes on from."""

    session_id: str
    """The older session."""
    title: str
    """What to call it; may be empty."""
    leaf: str
    """uuid of the last record there that belongs to this conversation: the `leaf` to ask with."""
    ordinal: int
    """That record's ordinal there."""
    record_count: int
    """Records of that path."""
    prompt_count: int
    """Prompts, commands and shell lines of a person's among them."""


@frozen(kw_only=True)
class Repair:
    """What a resume would add or change to make the path fit for a request."""

    kind: RepairKind
    """What would be done."""
    uuid: str | None
    """The record it is done to; null = the path as a whole."""
    sentence: str
    """The repair in words."""


@frozen(kw_only=True)
class ActivePathResult:
    """A page of the path from its root to its leaf; each record stands once."""

    leaf: Leaf
    """Where it ends, and why there."""
    tip: Tip
    """How it ends."""
    broken: bool
    """Whether a gap cuts off older records."""
    total: int
    """Entries on all pages."""
    entries: Sequence[PathEntry]
    """The page; in forward order summarized entries come first."""
    repairs: Sequence[Repair]
    """What a resume would add or change."""
    inherited: Sequence[InheritedPath]
    """What this conversation goes on from and its own file does not hold, the oldest first; empty
    where it begins in its file. Forks that copy records have them themselves."""
