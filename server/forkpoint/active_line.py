"""The active path of a transcript, gone on with while the transcript goes on.

A path is worked out from its root to its end. When rows are appended, nearly all of it stays; what
is worked out anew begins at the first row that the new ones may concern.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, overload

import msgspec

from forkpoint.chain import Chain
from forkpoint.history import History
from forkpoint.leaf import Leaf, PointerFold
from forkpoint.records.record import Flag, Pointer
from forkpoint.request import fates, put_back, stand_in, tail, walk
from forkpoint.tip import Repair, Tip, end_of, open_calls

Fate = Literal["sent", "summarized", "notSent"]

NOT_SENT, SENT, SUMMARIZED = range(3)
_FATES: dict[int, Fate] = {NOT_SENT: "notSent", SENT: "sent", SUMMARIZED: "summarized"}

_NEAR = 64
"""Rows at the end of a path among which a row is looked for before all are searched."""
_FAR = 1000
"""Rows that a new leaf may be below the path; a new way begins anew."""


class Entries(Sequence[tuple[int, Fate]]):
    """The rows of a path and what becomes of each, five bytes per row.

    Attributes:
        rows: ordinals, in the order of the path.
        fates: a byte for each: `NOT_SENT`, `SENT` or `SUMMARIZED`.
    """

    __slots__ = ("fates", "rows")

    def __init__(self, rows: array[int], fates: bytes) -> None:
        """Take over columns of the same length, typecode `i` for the rows."""
        self.rows, self.fates = rows, fates

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> tuple[int, Fate]: ...
    @overload
    def __getitem__(self, at: slice) -> Entries: ...
    def __getitem__(self, at: int | slice) -> tuple[int, Fate] | Entries:
        if isinstance(at, slice):
            return Entries(self.rows[at], self.fates[at])
        return self.rows[at], _FATES[self.fates[at]]

    def __iter__(self) -> Iterator[tuple[int, Fate]]:
        return zip(self.rows, _named(self.fates), strict=True)

    def __reversed__(self) -> Iterator[tuple[int, Fate]]:
        return zip(reversed(self.rows), _named(reversed(self.fates)), strict=True)

    def __radd__(self, before: list[tuple[int, Fate]]) -> list[tuple[int, Fate]]:
        return [*before, *self]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Entries):
            return NotImplemented
        return self.rows == other.rows and self.fates == other.fates

    __hash__ = None  # type: ignore[assignment]  # it holds an array

    def __repr__(self) -> str:
        return f"Entries({list(self)})"


def _named(fates: Iterable[int]) -> Iterator[Fate]:
    return map(_FATES.__getitem__, fates)


class ActivePath(msgspec.Struct, frozen=True):
    """The path to a leaf.

    Attributes:
        leaf: what was decided, and by which rule.
        end: the row on which the client's next row would hang; None for a new root.
        entries: ordinals with their fates: summarized ones first, then in the order of the request.
        tip: how it ends.
        repairs: what a resume would add, drop or bridge.
        broken: whether a gap cuts older rows off.
    """

    leaf: Leaf
    end: int | None
    entries: Entries
    tip: Tip
    repairs: list[Repair]
    broken: bool


def path_to(chain: Chain, leaf: Leaf) -> ActivePath:
    """Return the path to any leaf."""
    return _Line(chain, leaf).path


class ActiveLine:
    """The active path of a transcript that grows.

    Attributes:
        rows: how many rows of the transcript it takes in.
        begun: how often the path was worked out from its beginning.
    """

    def __init__(self, chain: Chain, pointers: dict[int, Pointer]) -> None:
        """Work out the path; for the arguments see `leaf.find_leaf`."""
        self.begun = 1
        self._leaf = PointerFold(chain, pointers)
        self._line = _Line(chain, self._leaf.leaf(chain))
        self.rows = len(chain.nodes)

    @property
    def path(self) -> ActivePath:
        """The path; one that was given out stays as it is."""
        return self._line.path

    def grow(self, chain: Chain, pointers: dict[int, Pointer]) -> None:
        """Take in the rows by which the transcript went on (see `growth.is_calm`).

        Args:
            chain: the client's view now, `Chain.grown` out of the one before. A client of a
                release before 2.1.259 puts rows back in another way, and cannot be followed.
            pointers: as at first.
        """
        start, self.rows = self.rows, len(chain.nodes)
        self._leaf.grow(chain, pointers, start)
        leaf = self._leaf.leaf(chain)
        if not self._line.goes_on(chain, leaf, start):
            self._line = _Line(chain, leaf)
            self.begun += 1


class _Line:
    """A path, and what it was worked out from."""

    def __init__(self, chain: Chain, leaf: Leaf) -> None:
        walked, self._gaps = (
            ([], []) if leaf.row is None else walk(chain, stand_in(chain, leaf.row))
        )
        # A list of so many rows takes ten times as much memory.
        self._walked, self._out, self._starts = array("i", walked), array("i"), array("i")
        del walked
        self._marks = bytearray(len(chain.nodes))
        self._is_shared = put_back(chain, self._walked, self._marks, self._out, self._starts)
        self._fates = fates(chain, self._out)
        self._open: dict[int, int] = {}
        self._note_open(chain, 0)
        self._trail = self._trail_of(chain, leaf)
        history = History(chain, self._out + self._trail)
        self._history, self._reach = array("i", history.rows), history.reach
        gaps = [gap.row for gap in self._gaps] + history.gaps
        self._newest_gap = max((chain.nodes.time[row] for row in gaps), default=None)
        self.path = self._path(chain, leaf)

    def _note_open(self, chain: Chain, start: int) -> None:
        """Note the calls without result in the path from a place on, and where they stand."""
        out, at = self._out, start
        for row in open_calls(chain, out[start:], self._marks):
            at = self._open[row] = out.index(row, at)

    def _trail_of(self, chain: Chain, leaf: Leaf) -> array[int]:
        if leaf.bare or leaf.row is None:
            return array("i")
        below = tail(chain, stand_in(chain, leaf.row))
        return array("i", [row for row in below if not self._marks[row]])

    def _path(self, chain: Chain, leaf: Leaf) -> ActivePath:
        if leaf.row is None:
            entries = Entries(array("i"), b"")
            return ActivePath(leaf, leaf.boundary, entries, "empty", [], broken=False)
        row, trail = stand_in(chain, leaf.row), self._trail
        rows = self._out + trail
        for below in trail:
            self._marks[below] = True
        end = end_of(chain, row, rows, trail, self._open, self._marks)
        for below in trail:
            self._marks[below] = False
        sent = self._fates + fates(chain, trail)
        for dropped in end.dropped:
            sent[self._open[dropped]] = NOT_SENT
        before = bytes([SUMMARIZED]) * len(self._history)
        repairs = self._gaps + end.repairs
        return ActivePath(
            leaf=leaf,
            end=end.hangs_on,
            entries=Entries(self._history + rows, before + bytes(sent)),
            tip=end.tip,
            repairs=repairs,
            broken=any(repair.kind == "cutAtGap" for repair in repairs),
        )

    # --- from where the new rows matter ---

    def goes_on(self, chain: Chain, leaf: Leaf, start: int) -> bool:
        """Take in the rows from `start` on; False, and not to be asked again, if that is unsure."""
        if leaf.row is None or self._is_shared or self._may_bridge_anew(chain, start):
            return False
        self._marks += bytes(len(chain.nodes) - len(self._marks))
        joint = self._joint(chain, stand_in(chain, leaf.row))
        touched = self._touched(chain, start)
        if joint is None or touched is None:
            return False
        stays, below = joint
        if self._gaps and (stays < len(self._walked) or min(below, default=start) < start):
            return False
        if not self._put_on(chain, min(stays, touched), stays, below):
            return False
        before, self._trail = self._trail, self._trail_of(chain, leaf)
        if not self._is_apart(chain, [*before, *self._trail]):
            return False
        self.path = self._path(chain, leaf)
        return True

    def _is_apart(self, chain: Chain, rows: Sequence[int]) -> bool:
        """Say whether rows that came or went are none that the history depends on.

        It begins at the first boundary of the path, and leaves out what is on the path.
        """
        flags, boundary = chain.nodes.flags, Flag.BOUNDARY
        return all(row > self._reach and not flags[row] & boundary for row in rows)

    def _may_bridge_anew(self, chain: Chain, start: int) -> bool:
        """Say whether a new row could be what a client goes on with behind an older gap."""
        newest = self._newest_gap
        times = chain.nodes.time[start:]
        return newest is not None and min(times) <= newest

    def _joint(self, chain: Chain, leaf: int) -> tuple[int, list[int]] | None:
        """Return how many walked rows stay, and the rows below them down to the leaf."""
        below: list[int] = []
        row = leaf
        while row >= 0 and len(below) < _FAR:
            place = self._place(row)
            if place is not None:
                return place + 1, below[::-1]
            below.append(row)
            row = chain.parent(row)
        return None

    def _place(self, row: int) -> int | None:
        """Where a row stands among those that were walked."""
        if not self._marks[row]:
            return None
        walked = self._walked
        for at in range(len(walked) - 1, max(len(walked) - _NEAR, 0) - 1, -1):
            if walked[at] == row:
                return at
        try:
            return walked.index(row)
        except ValueError:
            return None

    def _touched(self, chain: Chain, start: int) -> int | None:
        """Return the first walked row whose response got rows or results; None if it lies too far.

        What stands before a compaction has its own way of being put back.
        """
        joins = chain.joins
        rows: set[int] = set()
        for new in range(start, len(chain.nodes)):
            rows.update(joins.siblings(new))
            for number in joins.tools(new):
                if (call := joins.call_row[number]) >= 0:
                    rows.update(joins.siblings(call))
        older = [row for row in rows if row < start]
        if min(older, default=start) <= self._reach:
            return None
        places = (self._place(row) for row in older)
        return min((at for at in places if at is not None), default=len(self._walked))

    def _put_on(self, chain: Chain, cut: int, stays: int, below: list[int]) -> bool:
        """Replace what follows the first `cut` walked rows; False where more would have to be."""
        path = [*self._walked[cut:stays], *below]
        length = self._starts[cut] if cut < len(self._starts) else len(self._out)
        left = self._out[length:]
        for row in left:
            self._marks[row] = False
        for column, end in (
            (self._walked, cut),
            (self._starts, cut),
            (self._out, length),
            (self._fates, length),
        ):
            del column[end:]
        self._open = {row: at for row, at in self._open.items() if at < length}
        self._walked.extend(path)
        self._is_shared = put_back(chain, path, self._marks, self._out, self._starts)
        new = self._out[length:]
        self._fates += fates(chain, new)
        self._note_open(chain, length)
        return not self._is_shared and self._is_apart(chain, [*left, *new])
