"""`forkpoint/transcript`: how does the conversation read, as one text?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.rules import Offset
from forkpoint.protocol.types.common import Fate, Role, SessionReference

TranscriptKind = Literal[
    "turn",
    "compaction",
    "summary",
    "answer",
    "thinking",
    "call",
    "result",
    "output",
    "context",
    "attachment",
    "note",
    "raw",
]
"""What a record is on the page. turn = what a person said or ran, output = what that put out,
compaction = where the conversation was summed up, summary = in which words; context = what the
client put in unasked; note = a line of the client's own, an interruption or an error; raw = a
record that no client so far reads, or no record at all, as it stands in the file."""

FoldKind = Literal["thinking", "context", "attachments", "output", "summarized", "elsewhere"]
"""What a foldable part is. attachments = a row of those that follow each other; summarized = what
stands before the newest compaction; elsewhere = what the file holds beside this path."""

LinkKind = Literal[
    "file", "spilled", "image", "subagent", "branch", "transcript", "part", "session"
]
"""Where a link leads. file = the file of a call; spilled = the whole of an output; subagent, branch
= another readable transcript; transcript = this one without `before`; part = earlier or later
records of it; session = the text of a session that this one came from, or that goes on from it."""


@frozen(kw_only=True)
class TranscriptParams(SessionReference):
    """Which conversation to write down."""

    leaf: str | None = None
    """uuid of the record to read up to, on whichever branch; null = the active leaf."""
    for_version: str | None = None
    """Client version that would resume; null = the installed one, else the newest rule."""
    before: Offset | None = None
    """Ordinal of a record: only what stands above it; null = up to the end. So all of a transcript
    can be read, part by part, in texts of bounded size."""


@frozen(kw_only=True)
class TranscriptSection:
    """Where a record stands in the text."""

    ordinal: int
    """Its ordinal."""
    uuid: str
    """Its uuid; empty for a line that is no record."""
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
    kind: TranscriptKind
    """What it is on the page."""
    agent_id: str | None
    """The subagent that a call of it started; null = none is known."""


@frozen(kw_only=True)
class TranscriptInherited:
    """Records of an older file that this conversation goes on from, above its own in the text."""

    session_id: str
    """The session whose transcript holds them."""
    leaf: str
    """uuid of the last record there that belongs to this conversation."""
    sections: Sequence[TranscriptSection]
    """Where they stand, by line; ordinals are those of that transcript."""
    earlier: int
    """Records of that part above the text that are left out."""


@frozen(kw_only=True)
class TranscriptFold:
    """Lines that may be folded away; the first one stays."""

    line: int
    """0-based line on which it begins."""
    end_line: int
    """0-based line on which it ends, inclusive."""
    kind: FoldKind
    """What it is."""
    folded: bool
    """Whether a reader who just came should find it folded."""


@frozen(kw_only=True)
class TranscriptLink:
    """A place in the text that leads somewhere."""

    line: int
    """0-based line."""
    start: int
    """Where on the line it begins, in UTF-16 code units."""
    end: int
    """Where on the line it ends, exclusive."""
    kind: LinkKind
    """Where it leads."""
    target: str
    """URI: of a file, or of a document that `workspace/textDocumentContent` gives."""


@frozen(kw_only=True)
class TranscriptElsewhere:
    """A row that names records of the file which have no section, as they are not on this path."""

    line: int
    """0-based line."""
    label: str
    """The row in words."""
    records: int
    """How many they are."""


@frozen(kw_only=True)
class TranscriptResult:
    """A path as Markdown, and what preceded its compactions.

    Records that no client reads stand in the active path where they stand in the file.
    """

    text: str
    """The text. In a very long one the oldest records are left out, and a line says how many."""
    inherited: Sequence[TranscriptInherited]
    """What of the files before it stands above its own records, the oldest first; empty for a
    conversation that begins here, and where older records of its own are left out."""
    sections: Sequence[TranscriptSection]
    """The records of this transcript that stand in the text, by line."""
    folds: Sequence[TranscriptFold]
    """What may be folded away beside whole records, by line."""
    links: Sequence[TranscriptLink]
    """Places that lead somewhere, by line."""
    elsewhere: Sequence[TranscriptElsewhere]
    """Rows that stand for records which are not on this path, by line."""
    earlier: int
    """Records of the path above the text that are left out."""
    later: int
    """Records of the path below the text, which `before` leaves out."""
