"""At which words do the lines of a transcript end, as a client sees them?"""

from __future__ import annotations

from forkpoint.chain import Chain


class Ends:
    """The talk row at or above each childless row, unless such a row hangs on talk that goes on.

    Attributes:
        rows: talk row -> how many childless rows it stands at or above. At first they are in the
            order of those; added ones come where they come.
    """

    def __init__(self, chain: Chain) -> None:
        """Look for the ends of all main rows that a client has."""
        above = {row: chain.parent(row) for row in chain.rows()}
        self._parents = set(above.values())
        self._talk_parents = {parent for row, parent in above.items() if chain.is_talk(row)}
        self.rows: dict[int, int] = {}
        for row in above:
            if row not in self._parents:
                self._count(talk_above(chain, row))

    def add(self, chain: Chain, row: int) -> None:
        """Take in a main row on which none hangs yet."""
        parent = chain.parent(row)
        if parent not in self._parents:
            self._parents.add(parent)
            if parent >= 0 and chain.is_main(parent):
                self._discount(talk_above(chain, parent))
        if chain.is_talk(row) and parent not in self._talk_parents:
            self._talk_parents.add(parent)
            self.rows.pop(parent, None)
        self._count(talk_above(chain, row))

    def _count(self, end: int | None) -> None:
        if end is not None and end not in self._talk_parents:
            self.rows[end] = self.rows.get(end, 0) + 1

    def _discount(self, end: int | None) -> None:
        if end in self.rows:
            self.rows[end] -= 1
            if not self.rows[end]:
                del self.rows[end]


def talk_above(chain: Chain, row: int) -> int | None:
    """Return the nearest user or assistant row at or above a row; None if there is none."""
    up = chain.up(row)
    return next((above for above in up if chain.is_talk(above) and chain.has(above)), None)
