"""One transcript's state: a fold over its lines that knows no file, no clock and no client.

Feeding the same bytes in any portions gives the same state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import msgspec

from forkpoint.batches import fold_batch
from forkpoint.folds import Agent, Folds
from forkpoint.folds import UnknownType as UnknownType
from forkpoint.records.codex import ItemPiece, decode_item
from forkpoint.records.decode import Piece, decode
from forkpoint.records.record import Flag, Malformed, Record
from forkpoint.records.scanned import scan_lines
from forkpoint.records.usual import Run, usual
from forkpoint.rollout_folds import fold_item
from forkpoint.scanned_batches import fold_scanned
from forkpoint.transcript import Line, Lines

FEW = 8
"""Lines that are folded one by one, since a batch costs some microseconds by itself."""


class Delta(msgspec.Struct, frozen=True):
    """What a batch of lines changed: the ordinals from `first_new` up to, not including, `end`."""

    first_new: int
    end: int


class TranscriptIndex(Folds):
    """Columns and folds of one transcript; see the classes of its attributes."""

    def __init__(
        self,
        session_id: str | None = None,
        *,
        of_agent: bool = False,
        agent: Agent = "claude-code",
    ) -> None:
        """Begin a transcript.

        Args:
            session_id: by the file's name.
            of_agent: see `Folds`; of Claude Code alone.
            agent: who writes it.
        """
        super().__init__(session_id, of_agent=of_agent, agent=agent)
        self._early: tuple[int, int, int] | None = None

    @property
    def has_tail(self) -> bool:
        """Say whether the last row is an unfinished line's (see `apply_tail`)."""
        return self._early is not None

    def apply(self, lines: Iterable[Line]) -> Delta:
        """Fold whole lines in, in file order."""
        start = len(self.nodes)
        may_be_many = self._early is None and self.rollout is None
        if may_be_many and isinstance(lines, Lines) and lines.are(FEW):
            self._many(lines)
        else:
            self._each(lines)
        return Delta(start, len(self.nodes))

    def _many(self, lines: Lines) -> None:
        """Fold in runs of usual lines as batches, and one by one what lies between them."""
        scanned = scan_lines(lines)
        if scanned is not None:
            if not fold_scanned(self, scanned):
                self._each(lines)
            return
        raw, offset, done = lines.raw, lines.offset, 0
        for run in [*usual(raw), Run(len(raw), [], {})]:
            between = Lines(offset, raw[done : run.start])
            self._each(between)
            done = run.start + len(run.rows)
            batch = Lines(between.end, raw[run.start : done])
            offset = batch.end
            if len(run.rows) < FEW or not fold_batch(self, batch, run):
                self._each(batch)

    def _each(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self._line(line)

    def apply_tail(self, offset: int, tail: bytes) -> Delta:
        """Fold in an unfinished last line if it is a whole record already.

        Only the line end is missing then; when it comes, the line is not folded in again. A tail
        that is no record yet changes nothing.
        """
        start = len(self.nodes)
        tail = tail.removesuffix(b"\r")
        if tail.strip() and self._early is None:
            pieces = self._pieces(tail)
            if len(pieces) == 1 and not isinstance(pieces[0].value, Malformed):
                self._fold(offset, pieces[0])
                self._early = (offset, len(tail), len(self.nodes) - 1)
        return Delta(start, len(self.nodes))

    def _line(self, line: Line) -> None:
        pieces = self._pieces(line.data)
        if self._early is not None and self._early[0] == line.offset:
            _, known, ordinal = self._early
            self._early = None
            self._glue(pieces[0], ordinal)
            pieces = [piece for piece in pieces if piece.start >= known]
        for piece in pieces:
            self._fold(line.offset, piece)

    def _pieces(self, line: bytes) -> Sequence[Piece | ItemPiece]:
        return decode(line) if self.rollout is None else decode_item(line)

    def _fold(self, offset: int, piece: Piece | ItemPiece) -> None:
        if isinstance(piece, ItemPiece):
            fold_item(self, offset, piece)
        else:
            self.fold_piece(offset, piece)

    def _glue(self, piece: Piece | ItemPiece, ordinal: int) -> None:
        """Mark a row of an unfinished line behind which more stands, now that the line ends."""
        value = piece.value
        if isinstance(value, Malformed):
            return
        flags = value.flags if isinstance(value, Record) else cast("ItemPiece", piece).flags
        for row in (ordinal, self.nodes.first_of.get(ordinal, ordinal)):
            self.nodes.flags[row] |= flags & Flag.GLUED_HEAD
