"""`forkpoint/locate`: where is what a tool call wrote or read, in the file as it is now?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.types.common import SessionReference

PlaceConfidence = Literal["exact", "moved", "fileOnly"]
"""exact = the very text stands there: where it was put, or at the only place in the file; moved =
where the changes since lead to, though the text may be another one; fileOnly = the file is all that
is known."""


@frozen(kw_only=True)
class LocateParams(SessionReference):
    """Which call is meant."""

    tool_use_id: str
    """The id that call and result share."""


@frozen(kw_only=True)
class TextPosition:
    """A place in a text, as LSP has it."""

    line: int
    """0-based; LF, CRLF and CR end a line."""
    character: int
    """0-based, in UTF-16 units."""


@frozen(kw_only=True)
class TextRange:
    """A span of a text, as LSP has it: whole lines, without the end of the last one."""

    start: TextPosition
    """Its first character."""
    end: TextPosition
    """Behind its last character; equal to `start` where text was taken out."""


@frozen(kw_only=True)
class LocateResult:
    """The place, as far as it is known."""

    file: str | None
    """URI of the file; null = the call works on none."""
    range: TextRange | None
    """The first place; null = none is known."""
    confidence: PlaceConfidence
    """How sure it is: that of the least sure place."""
    sentence: str
    """What was found, or why nothing was, in words."""
    ranges: Sequence[TextRange]
    """All places of the call, the first 100 in the order of the text: it may have several."""
    uuid: str
    """uuid of the record that holds the call, for a way back to the transcript."""
