"""Lines of a page with what of them folds and where they lead.

Lines count from the first one of the piece, places on a line in UTF-16 code units: what editors
count in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

FoldKind = Literal["thinking", "context", "attachments", "output", "summarized", "elsewhere"]
LinkKind = Literal[
    "file", "spilled", "image", "subagent", "branch", "transcript", "part", "session"
]


class Fold(msgspec.Struct, frozen=True):
    """Lines that may be folded away; the first stays, the last is inclusive.

    Attributes:
        folded: whether a reader who just came should find them folded.
    """

    line: int
    end_line: int
    kind: FoldKind
    folded: bool = False


class Link(msgspec.Struct, frozen=True):
    """A place on a line that leads somewhere.

    Attributes:
        start, end: in UTF-16 code units, the end exclusive.
        target: by kind: the path of a call's file as the agent wrote it, the bare name of a spilled
            output, `ordinal.number.ending` of an image among those of a record, an agent's id, the
            uuid that a branch is read up to, the ordinal before which a part ends, the address of
            another session's text; empty for the transcript itself.
    """

    line: int
    start: int
    end: int
    kind: LinkKind
    target: str


class Piece(msgspec.Struct, frozen=True):
    """Some lines that belong together."""

    lines: list[str]
    folds: Sequence[Fold] = ()
    links: Sequence[Link] = ()


NOTHING = Piece([])


def linked(before: str, text: str, kind: LinkKind, target: str, after: str = "") -> Piece:
    """Write one line, a part of which leads somewhere."""
    start = utf16(before)
    link = Link(0, start, start + utf16(text), kind, target)
    return Piece([f"{before}{text}{after}"], links=(link,))


def utf16(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def foldable(piece: Piece, kind: FoldKind, *, folded: bool = False) -> Piece:
    """Have a whole piece fold below its first line, if it has more."""
    if len(piece.lines) < 2:
        return piece
    fold = Fold(0, len(piece.lines) - 1, kind, folded)
    return msgspec.structs.replace(piece, folds=(fold, *piece.folds))


def stacked(pieces: Iterable[Piece], *, spaced: bool = False) -> Piece:
    """Put pieces below each other, with a blank line between them where wanted; empty ones go."""
    lines: list[str] = []
    folds: list[Fold] = []
    links: list[Link] = []
    for piece in pieces:
        if not piece.lines:
            continue
        if spaced and lines:
            lines.append("")
        folds += shifted_folds(piece.folds, len(lines))
        links += shifted_links(piece.links, len(lines))
        lines += piece.lines
    return Piece(lines, folds, links)


def shifted_folds(folds: Iterable[Fold], by: int) -> list[Fold]:
    """Return folds that stand some lines further below."""
    return [Fold(each.line + by, each.end_line + by, each.kind, each.folded) for each in folds]


def shifted_links(links: Iterable[Link], by: int) -> list[Link]:
    """Return links that stand some lines further below."""
    return [Link(each.line + by, each.start, each.end, each.kind, each.target) for each in links]
