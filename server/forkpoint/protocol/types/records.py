"""`forkpoint/records`: what stands in the transcript, line by line?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.errors import InvalidParams
from forkpoint.protocol.rules import Limit, Offset
from forkpoint.protocol.types.common import Role, SessionReference


@frozen(kw_only=True)
class RecordsParams(SessionReference):
    """Which records to read: a page by `offset` and `limit`, or the ones named by `uuids`."""

    offset: Offset | None = None
    """Ordinal of the first record wanted; null = the first of all."""
    limit: Limit | None = None
    """At most so many records; null = 200."""
    uuids: Sequence[str] | None = None
    """uuids of the records wanted; null = a page."""

    def __attrs_post_init__(self) -> None:
        """Refuse a question that is a page and a list of uuids at once."""
        by_page = self.offset is not None or self.limit is not None
        if by_page and self.uuids is not None:
            raise InvalidParams("give either offset and limit, or uuids")


@frozen(kw_only=True)
class RawLine:
    """Where a record lies in its file."""

    uri: str
    """URI of the file."""
    offset: int
    """Bytes before the line."""
    length: int
    """Bytes of the line without its line end."""


@frozen(kw_only=True)
class TextBlock:
    """Text of a prompt or an answer."""

    kind: Literal["text"] = "text"
    """The tag."""
    text: str
    """The text, at most 20,000 characters of it."""
    cut_at: int | None
    """Characters kept when the text was longer; null = whole."""


@frozen(kw_only=True)
class ThinkingBlock:
    """What the model thought before it answered."""

    kind: Literal["thinking"] = "thinking"
    """The tag."""
    text: str
    """The text, at most 20,000 characters of it; empty when the client stored none."""
    cut_at: int | None
    """Characters kept when the text was longer; null = whole."""


@frozen(kw_only=True)
class ToolUseBlock:
    """A call of a tool."""

    kind: Literal["toolUse"] = "toolUse"
    """The tag."""
    tool_use_id: str
    """Id that call and result share."""
    name: str
    """The tool's name."""
    file: str | None
    """URI of the file it works on; null = no file."""
    summary: str
    """The call in one line of at most 200 characters."""


@frozen(kw_only=True)
class ToolResultBlock:
    """What a tool answered."""

    kind: Literal["toolResult"] = "toolResult"
    """The tag."""
    tool_use_id: str
    """Id that call and result share."""
    is_error: bool
    """Whether the tool failed or was denied."""
    spilled: str | None
    """URI of the file that holds the whole output; null = it stands in the transcript."""
    size_bytes: int
    """Size of the whole output."""
    text: str
    """The output as text, at most 20,000 characters of it; may be empty."""
    cut_at: int | None
    """Characters kept when the text was longer; null = whole."""


@frozen(kw_only=True)
class ImageBlock:
    """A picture, without its bytes."""

    kind: Literal["image"] = "image"
    """The tag."""
    media_type: str | None
    """Its media type; null = not written."""
    size_bytes: int
    """Size of the picture when decoded."""


@frozen(kw_only=True)
class OtherBlock:
    """Content of a kind that has no shape of its own here."""

    kind: Literal["other"] = "other"
    """The tag."""
    name: str
    """The type as the agent wrote it; may be empty."""
    text: str
    """Its JSON or text, at most 20,000 characters of it."""


Block = TextBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock | ImageBlock | OtherBlock
"""A piece of a record's content; `kind` tells which."""


@frozen(kw_only=True)
class RecordView:
    """One line of the transcript. Lines of unknown types and malformed ones are records too."""

    ordinal: int
    """0-based index of the record: every non-blank line counts."""
    uuid: str | None
    """Its uuid; null = a state line or a malformed one."""
    parent_uuid: str | None
    """uuid of its parent as stored; null = none."""
    type: str | None
    """Its type as the agent wrote it; null = malformed or not written."""
    subtype: str | None
    """Its subtype as the agent wrote it; null = none."""
    known: bool
    """Whether Forkpoint knows the type."""
    role: Role | None
    """What it is in the conversation; null = no part of one."""
    timestamp: str | None
    """When it was written; null = not written."""
    raw: RawLine
    """Where its bytes lie."""
    blocks: Sequence[Block]
    """Its content in order."""
    problem: str | None
    """Why the line could not be decoded, in words; null = it could."""


@frozen(kw_only=True)
class RecordsResult:
    """The records asked for, in file order."""

    records: Sequence[RecordView]
    """The page, or those of the uuids that were found."""
    total: int
    """Records of the transcript."""
