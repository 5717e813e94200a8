"""A record's content in one line."""

from __future__ import annotations

from collections.abc import Sequence

from forkpoint.records.blocks import ContentBlock, Image, Other, Text, Thinking, ToolResult, ToolUse
from forkpoint.records.calls import call_label
from forkpoint.records.words import (
    first_line,
    is_context,
    one_line,
    plain_words,
    without_result_marks,
)


def preview_of(blocks: Sequence[ContentBlock]) -> str:
    """Return at most 200 characters on one line; empty only where nothing can be said.

    A result shows its first line. Else words come before calls, and what was thought comes last.
    """
    result = next((block for block in blocks if isinstance(block, ToolResult)), None)
    if result is not None:
        return first_line(without_result_marks(result.text)) or _without_words(blocks)
    return one_line(plain_words(own_words(blocks))) or _calls(blocks) or _without_words(blocks)


def own_words(blocks: Sequence[ContentBlock]) -> str:
    """Return the first text that is not the client's note about open files or a reminder."""
    texts = [block.text for block in blocks if isinstance(block, Text) and block.text]
    own = [text for text in texts if not is_context(text)]
    return (own or texts or [""])[0]


def _calls(blocks: Sequence[ContentBlock]) -> str:
    return one_line(", ".join(call_label(block) for block in blocks if isinstance(block, ToolUse)))


def _without_words(blocks: Sequence[ContentBlock]) -> str:
    if any(isinstance(block, Image) for block in blocks):
        return "[image]"
    for block in blocks:
        if isinstance(block, Other):
            about = block.subject or ("" if block.name else block.text)
            return one_line(": ".join(part for part in (block.name, about) if part))
        if isinstance(block, Thinking) and block.text:
            return one_line(block.text)
    return ""
