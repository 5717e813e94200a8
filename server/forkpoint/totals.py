"""Numbers over a whole transcript, gone on with while it goes on."""

from __future__ import annotations

from forkpoint.growth import Mark, is_calm, mark_of
from forkpoint.index import TranscriptIndex
from forkpoint.nodes import ROOT
from forkpoint.records.record import Flag
from forkpoint.spending import GrowingSpending


class Totals:
    """Sums over rows and responses.

    Attributes:
        answers: how many answers the model gave, on all branches and outside sidechains.
        sidechain_roots: rows at which subagents begin.
        spending: what was spent, by who copied and what it costs.
    """

    def __init__(self) -> None:
        self.answers = 0
        self.sidechain_roots: list[int] = []
        self.spending = GrowingSpending()
        self._mark: Mark | None = None
        self._responses = 0

    def goes_on(self, index: TranscriptIndex) -> bool:
        """Take in what is new; False, and not to be asked again, where older rows changed."""
        mark = self._mark
        if mark is not None and mark.rows == len(index.nodes):
            return True
        if mark is not None and not is_calm(index, mark):
            return False
        start = 0 if mark is None else mark.rows
        self._mark = mark_of(index, mark)
        nodes, joins = index.nodes, index.joins
        unwanted, flags = Flag.SIDECHAIN | Flag.SYNTHETIC, nodes.flags
        new = joins.first_row[self._responses :]
        self.answers += sum(not flags[row] & unwanted for row in new)
        self._responses = len(joins.first_row)
        if any(bits & Flag.SIDECHAIN for bits in set(flags[start:])):
            sides = (row for row in range(start, len(nodes)) if flags[row] & Flag.SIDECHAIN)
            self.sidechain_roots += [row for row in sides if nodes.parent[row] == ROOT]
        if touched := [number for number in joins.response[start:] if number >= 0]:
            self.spending.reopen(min(touched))
        return True
