"""`forkpoint/export`: how does the session read outside of here, and what must not go with it?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from weakref import WeakKeyDictionary

from forkpoint.catalog import Catalog
from forkpoint.lsp.exporting import Export
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed

PART = 1024 * 1024
"""Characters of an answer; a single record may make it longer."""
STEPS = 2
"""Pieces of work without text after which an answer is given all the same: questions of others
wait meanwhile."""
MOST_KEPT = 4
"""Exports that are under way at once; the one that was asked for longest ago makes room."""


def export(catalog: Catalog, params: types.ExportParams) -> types.ExportResult:
    """Write down the next part of an export."""
    running = _RUNNING.setdefault(catalog, _Running())
    if params.cursor is None:
        number, part = running.begin(Export(catalog, params)), 0
    else:
        number, part = _read(params.cursor)
    export, pieces = running.take(number, part)
    text, is_last = _part(pieces)
    if is_last:
        running.end(number)
    return types.ExportResult(
        text=text,
        cursor=None if is_last else f"{number}.{part + 1}",
        media_type=export.writer.media_type,
        file_name=export.file_name,
        done=export.done,
        total=export.total,
        redactions=_counts(export.redactions),
        left_out=_counts(export.left_out),
    )


class _Running:
    """Exports under way, by number; each knows the part that it is to be asked for."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._kept: dict[int, tuple[int, Export, Iterator[str]]] = {}

    def begin(self, export: Export) -> int:
        number = next(self._numbers)
        self._kept[number] = (0, export, export.pieces())
        while len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return number

    def take(self, number: int, part: int) -> tuple[Export, Iterator[str]]:
        """Return what goes on with a part; one that fails is not kept."""
        expected, export, pieces = self._kept.pop(number, (-1, None, None))
        if export is None or pieces is None or expected != part:
            raise RequestFailed("unknownRecord", "This export is no longer kept; begin it again.")
        self._kept[number] = (part + 1, export, pieces)
        return export, pieces

    def end(self, number: int) -> None:
        del self._kept[number]


_RUNNING: WeakKeyDictionary[Catalog, _Running] = WeakKeyDictionary()


def _read(cursor: str) -> tuple[int, int]:
    number, _, part = cursor.partition(".")
    if not (number.isascii() and number.isdigit() and part.isascii() and part.isdigit()):
        return -1, -1
    return int(number[:18]), int(part[:18])


def _part(pieces: Iterator[str]) -> tuple[str, bool]:
    """Take pieces until they are enough for an answer; say whether those were the last."""
    taken: list[str] = []
    size = silent = 0
    for piece in pieces:
        taken.append(piece)
        size += len(piece)
        silent += not piece
        if size >= PART or silent >= STEPS:
            return "".join(taken), False
    return "".join(taken), True


def _counts(counts: Mapping[str, int]) -> list[types.ExportCount]:
    return [types.ExportCount(kind=kind, count=n) for kind, n in sorted(counts.items())]
