"""How the blocks of a record read: words indented, what tools put out fenced, the rest named."""

from __future__ import annotations

from forkpoint.inert import fenced, inline, literal, without_escapes
from forkpoint.piece import NOTHING, Piece, foldable, linked, stacked
from forkpoint.records.blocks import ContentBlock, Image, Other, Text, Thinking, ToolResult
from forkpoint.records.pictures import SHOWN
from forkpoint.records.words import is_context, one_line, plain_words

RESULT_LINES = 40
"""Lines shown of what a tool, a command or a shell line put out, and of what the client put in."""
_SHORT = 10
"""Lines of an output that need not fold."""


def block_piece(block: ContentBlock, image: str = "") -> Piece:
    """Return how a block reads that is neither a call nor a result.

    Args:
        block: the block.
        image: where the picture is found that it is, see `piece.Link.target`.
    """
    match block:
        case Text(text=text):
            return words_piece(text, block.cut_at)
        case Thinking():
            return _thinking(block)
        case Image():
            return _image(block, image)
        case Other(name=name, text=text):
            title = Piece([f"▸ {inline(name or 'No JSON')}"])
            return stacked([title, output_piece(text, block.cut_at)])
        case _:
            return NOTHING


def prompt_piece(block: ContentBlock, image: str = "") -> Piece:
    """Return how a block of a person's words reads: without the client's marks."""
    if not isinstance(block, Text):
        return block_piece(block, image)
    if is_context(block.text):
        return context_piece(f"· Context: {inline(one_line(block.text))}", block)
    return words_piece(plain_words(block.text), block.cut_at)


def words_piece(text: str, cut_at: int | None) -> Piece:
    """Return words as a quotation."""
    if not text.strip():
        return NOTHING
    return Piece([*literal(text), *([] if cut_at is None else ["", _cut(cut_at)])])


def context_piece(line: str, *blocks: ContentBlock) -> Piece:
    """Return what the client put in: one line, below which the whole stands if that is more."""
    texts = [block for block in blocks if isinstance(block, Text)]
    if all(one_line(text.text) == text.text.strip() for text in texts):
        return Piece([line])
    whole = [output_piece(text.text, text.cut_at) for text in texts if text.text.strip()]
    plain = [Piece(piece.lines) for piece in whole]
    return foldable(stacked([Piece([line]), *plain]), "context", folded=True)


def output_piece(text: str, cut_at: int | None) -> Piece:
    """Return what was put out, in a fence."""
    if not text.strip():
        return Piece(["(no output)"])
    lines, more = fenced(without_escapes(text), RESULT_LINES)
    return stacked([_output(lines), _rest(more, cut_at is not None)])


def result_piece(block: ToolResult) -> Piece:
    """Return what a tool answered; nothing where only pictures are its answer."""
    if not block.text.strip():
        return NOTHING if block.size_bytes else Piece(["(no output)"])
    lines, more = fenced(without_escapes(block.text), RESULT_LINES)
    if block.cut_at is None and block.spilled is None:
        return stacked([_output(lines), _rest(more, False)])
    return stacked([_output(lines), _rest(more, True, block)])


def _output(lines: list[str]) -> Piece:
    piece = Piece(lines)
    return piece if len(lines) <= _SHORT else foldable(piece, "output")


def _rest(more: int, partial: bool, block: ToolResult | None = None) -> Piece:
    """Say what a fence leaves out; a partial text has more lines than were counted."""
    facts = [] if block is None else [f"{block.size_bytes:,} bytes in all"]
    if more:
        lines = "line" if more == 1 else "lines"
        facts.insert(0, f"{'at least ' if partial else ''}{more:,} more {lines}")
    elif partial and not facts:
        facts.append("cut here")
    if block is not None and block.spilled:
        before = f"… {', '.join(facts)}, kept in "
        return linked(before, inline(block.spilled), "spilled", block.spilled)
    return Piece([f"… {', '.join(facts)}"]) if facts else NOTHING


def _thinking(block: Thinking) -> Piece:
    words = words_piece(block.text, block.cut_at).lines
    if not words:
        return Piece(["▸ Thinking, not stored in words"])
    lines = ["<details><summary>Thinking</summary>", "", *words, "", "</details>"]
    return foldable(Piece(lines), "thinking", folded=True)


def _image(block: Image, where: str) -> Piece:
    text = f"Image: {inline(block.media_type or 'unknown type')}, {block.size_bytes:,} bytes"
    ending = SHOWN.get(block.media_type or "")
    if not where or not block.size_bytes or ending is None:
        return Piece([f"▸ {text}"])
    return linked("▸ ", text, "image", f"{where}.{ending}")


def _cut(cut_at: int) -> str:
    return f"… cut at {cut_at:,} characters"
