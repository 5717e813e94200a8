"""`forkpoint/export`: how does the session read outside of here, and what must not go with it?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.types.common import SessionReference

ExportFormat = Literal["markdown", "html", "json"]
"""markdown = for a forge or an editor; html = one file that needs nothing else; json = for
programs, with a version of its own."""

Redaction = Literal["secrets", "paths", "names"]
"""secrets = keys, tokens and passwords; paths = whose home folder it is; names = users, hosts, mail
addresses and authors, as far as the session tells them."""


@frozen(kw_only=True)
class ExportParams(SessionReference):
    """What to write down, and how."""

    format: ExportFormat
    """The form of the text."""
    leaf: str | None = None
    """uuid of the record to read up to, on whichever branch; null = the active leaf."""
    for_version: str | None = None
    """Client version that would resume; null = the installed one, else the newest rule."""
    redact: Sequence[Redaction] | None = None
    """What to take out, by rules; null = nothing."""
    subagents: bool | None = None
    """Whether the transcripts of subagents follow; null = false."""
    cursor: str | None = None
    """Where to go on: `cursor` of the answer before, with all else as it was; null = begin."""


@frozen(kw_only=True)
class ExportCount:
    """A number of something."""

    kind: str
    """What is counted."""
    count: int
    """How often."""


@frozen(kw_only=True)
class ExportResult:
    """A part of the text; the parts in their order are the whole."""

    text: str
    """The part; empty while the session is looked through for what to take out."""
    cursor: str | None
    """What to ask with for the next part; null = this was the last. A server keeps few exports
    that are under way: one that is not asked for any more may have to be begun again."""
    media_type: str
    """What the whole is: text/markdown, text/html or application/json."""
    file_name: str
    """A name for the file, without a folder; empty while `text` was empty so far."""
    done: int
    """How much of the work is done, for a progress: rows, counted once for each time of reading."""
    total: int
    """How much it is in all."""
    redactions: Sequence[ExportCount]
    """How often each kind was taken out up to here: homePath, user, host, email, name, and for
    secrets `secret:` and the name of the rule."""
    left_out: Sequence[ExportCount]
    """What the transcripts have besides what is shown: otherBranches, subagents (their records in
    the session's own file), subagentTranscripts, state, progress, unknown, repeated,
    malformed, unfinished."""
