"""Usual lines by columns, as the scanner in C gives them (see `server/native/scan.c`).

It leaves some lines, which `decode` reads. Of others it says that there is more to them than
columns hold; they are decoded when they are looked at.
"""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

import msgspec

from forkpoint.native import loaded
from forkpoint.records.decode import type_error
from forkpoint.records.usual import Client, Odd, Row, odd_in, row_in
from forkpoint.transcript import Lines, Piece

LEFT = 255
"""Code of a line that the scanner leaves."""
LAST_PLAIN = 5
"""The last code of a row of which columns hold all that is usual."""
HAS_LEAF, IS_EXPLICIT, IS_REWOUND = 1, 2, 4
RARE = 2
"""In `Scanned.apart`: the row has a field that hardly any has."""


class History(NamedTuple):
    """A line of the history of files."""

    row: str | None
    other: str | None
    """The row that a snapshot is of, or the snapshot's that an entry belongs to."""
    entries: bytes
    """As written: an object of all, or of the one for `path`."""
    path: str | None
    """None of a snapshot."""
    is_update: int


class Scanned:
    """Columns by place, and by the number of an answer, a call, a result and so on.

    Attributes:
        offsets, lengths: of each line in the file, its LF left out; as `nodes` has them.
        codes: what a line is (see `batches`), or `LEFT`.
        keys, parents: 16 bytes of each uuid; all zeros where there is none.
        times: milliseconds, as `nodes` has them.
        aside: 1 for a row that says that it is a sidechain's.
        apart: 1 or `RARE` for a row to look at.
        answers, calls, results, prompts, titles: places.
        lifetimes: of each answer, what it asked of the cache, as `usage` numbers it.
        counts: columns of tokens of each answer, in the order of `usage`.
        failed: 1 for each result that is an error.
        points: of each line beside a prompt: `HAS_LEAF` and what the pointer says of itself.
        clients: by place, see `Run`.
        ids, models: of each answer.
        call_ids, names, files: of each call.
        answered: of each result, the call's id.
        prompt_texts, leaves: of each of `prompts`.
        title_texts: of each of `titles`.
        words: of a person, by place, but those with a field that hardly any have.
        histories: by place.
        odd: lines that were left, by place.
    """

    def __init__(self, piece: Piece, offset: int, columns: list[Any]) -> None:
        """Take over what `scan` gave."""
        self._piece, self._begin = piece, offset
        told, texts = iter(columns[:_LISTS]), iter(columns[_LISTS:])
        self.offsets, self.lengths = array("Q", next(told)), array("Q", next(told))
        self.codes: bytes = next(told)
        self.keys, self.parents = bytearray(next(told)), bytearray(next(told))
        self.times = array("q", next(told))
        self.aside: bytes = next(told)
        self.apart: bytes = next(told)
        self.answers, self.lifetimes = array("i", next(told)), bytearray(next(told))
        self.counts = [array("I", next(told)) for _ in range(_COUNTS)]
        self.calls, self.results = array("i", next(told)), array("i", next(told))
        self.failed: bytes = next(told)
        self.prompts = array("i", next(told))
        self.points = bytearray(next(told))
        self.titles = array("i", next(told))
        clients: list[tuple[int, tuple[str | None, ...]]] = next(texts)
        self.clients = {place: Client(*client) for place, client in clients}
        self.ids: list[str] = next(texts)
        self.models: list[str] = next(texts)
        self.call_ids: list[str] = next(texts)
        self.names: list[str] = next(texts)
        self.files: list[str | None] = next(texts)
        self.answered: list[str] = next(texts)
        self.prompt_texts: list[str | None] = next(texts)
        self.leaves: list[str | None] = next(texts)
        self.title_texts: list[str | None] = next(texts)
        self.words: dict[int, str] = dict(next(texts))
        self.histories = {place: History(*rest) for place, *rest in next(texts)}
        self.odd: dict[int, Odd] = {}

    def __len__(self) -> int:
        return len(self.codes)

    def line(self, place: int) -> bytes:
        """Return the bytes of a line, with its LF."""
        begin = self.offsets[place] - self._begin
        return self._piece.between(begin, begin + self.lengths[place] + 1)

    def __getitem__(self, place: int) -> Row | Odd | None:
        """Return what there is to a row; None if that is of another shape than usual."""
        code = self.codes[place]
        if code == LEFT:
            return self.odd[place]
        if code <= LAST_PLAIN and self.apart[place] != RARE:
            return self.plain(place)
        try:
            return row_in(self.line(place))
        except type_error:
            return None

    def plain(self, place: int) -> Row:
        """Return a row that says nothing but whether it is a sidechain's."""
        return _ASIDE if self.aside[place] else _PLAIN

    def settled(self) -> bool:
        """Decode what was left; False if a line is no record."""
        place = self.codes.find(LEFT)
        while place >= 0:
            line = self.line(place)
            odd = odd_in(line) if line.endswith(b"}\n") else None
            if odd is None:
                return False
            self.odd[place] = odd
            place = self.codes.find(LEFT, place + 1)
        return True


def scan_lines(lines: Lines) -> Scanned | None:
    """Read lines that are a record each; None where there is no scanner, or one is no record."""
    if _NATIVE is None or lines.piece is None:
        return None
    piece = lines.piece
    scanned = Scanned(piece, lines.offset, _NATIVE.scan(*piece, lines.offset, _text))
    return scanned if scanned.settled() else None


_NATIVE = loaded()
_text = msgspec.json.Decoder(str).decode
_COUNTS, _LISTS = 5, 21
_PLAIN, _ASIDE = Row(), Row(is_sidechain=True)
