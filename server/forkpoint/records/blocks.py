"""The pieces of a record's content, as a reader sees them."""

from __future__ import annotations

from typing import ClassVar, Literal, NamedTuple

import msgspec

BlockKind = Literal["text", "thinking", "toolUse", "toolResult", "image", "other"]

TEXT_LIMIT = 20_000
"""Characters of a text that are kept; `cut_at` says so where a text was longer, else it is None."""


class Text(msgspec.Struct, frozen=True):
    """Words of a prompt, an answer or the client."""

    kind: ClassVar[BlockKind] = "text"
    text: str
    cut_at: int | None = None


class Thinking(msgspec.Struct, frozen=True):
    """What the model thought; empty where it was stored encrypted or not at all."""

    kind: ClassVar[BlockKind] = "thinking"
    text: str
    cut_at: int | None = None


class ToolUse(msgspec.Struct, frozen=True):
    """A call of a tool.

    Attributes:
        file: the path in its input, as the agent wrote it.
        summary: what it does in one line of at most 200 characters; may be empty.
        input_text: its input as JSON, or the text that it is (a patch of Codex), at most
            `TEXT_LIMIT` characters.
    """

    kind: ClassVar[BlockKind] = "toolUse"
    call_id: str
    name: str
    file: str | None
    summary: str
    input_text: str


class ToolResult(msgspec.Struct, frozen=True):
    """What a tool answered; its images and unknown pieces follow as blocks of their own.

    Attributes:
        size_bytes: of the whole output, as the client counted it where that lies in another file
            (rounded to a tenth of a unit by some releases), else of its texts and decoded images.
        spilled: bare name of the file that holds the whole output; None where none does.
    """

    kind: ClassVar[BlockKind] = "toolResult"
    call_id: str
    is_error: bool
    text: str
    cut_at: int | None
    size_bytes: int
    spilled: str | None = None


class Image(msgspec.Struct, frozen=True):
    """A picture without its bytes; `size_bytes` is 0 where it lies elsewhere."""

    kind: ClassVar[BlockKind] = "image"
    media_type: str | None
    size_bytes: int


class Other(msgspec.Struct, frozen=True):
    """Content without a shape of its own here.

    Attributes:
        name: its type as the agent wrote it; may be empty.
        text: its JSON, or the text that the client made of it.
        subject: what it is about in one line: a file, a hook.
    """

    kind: ClassVar[BlockKind] = "other"
    name: str
    text: str
    cut_at: int | None = None
    subject: str | None = None


ContentBlock = Text | Thinking | ToolUse | ToolResult | Image | Other


class BlockNote(NamedTuple):
    """A block in one word; `name` is the tool's, or the type of an unknown block."""

    kind: BlockKind
    name: str | None
    call_id: str | None


def note_of(block: ContentBlock) -> BlockNote:
    """Name a block without its content."""
    match block:
        case ToolUse(call_id=call_id, name=name):
            return BlockNote("toolUse", name, call_id)
        case ToolResult(call_id=call_id):
            return BlockNote("toolResult", None, call_id)
        case Other(name=name):
            return BlockNote("other", name, None)
        case _:
            return BlockNote(block.kind, None, None)
