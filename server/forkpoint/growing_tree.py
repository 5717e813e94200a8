"""The branch tree of a transcript, gone on with while the transcript goes on.

Mostly new rows make a segment longer and change no other. A fork, a compaction, a gap or a second
writer makes the tree be cut anew.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator

import msgspec

from forkpoint.chain import Chain
from forkpoint.records.record import Flag
from forkpoint.segments import Segment, cut_tree, line_of
from forkpoint.tree import NONE, Tree

SameWords = Callable[[int, int], bool]
Ends = tuple[int, ...]


class GrowingTree:
    """Segments, and what they were cut from.

    Attributes:
        rows: how many rows of the transcript it takes in.
        segments: see `segments.segments_of`; a list that was given out stays as it is.
        cuts: how often the tree was cut; in between, a number means the same segment.
    """

    def __init__(self, chain: Chain, leaf: Ends, same_words: SameWords) -> None:
        """Cut the tree; for the arguments see `segments.segments_of`."""
        self._same_words = same_words
        self.cuts = 0
        self._cut(chain, leaf)

    def _cut(self, chain: Chain, leaf: Ends) -> None:
        self.rows = len(chain.nodes)
        self.cuts += 1
        tree = self._tree = Tree(chain.unpruned)
        time = chain.nodes.time
        self._newest_gap = max((time[row] for row in tree.gaps), default=None)
        self._leaf = leaf
        cut_at_leaf = any(tree.branches[end] for end in leaf)
        self.segments, self._numbers = cut_tree(tree, leaf, self._same_words)
        self._can_go_on = tree.is_ordered and not cut_at_leaf
        self._last_child = {each.parent: number for number, each in enumerate(self.segments)}

    def grow(self, chain: Chain, leaf: Ends) -> None:
        """Take in the rows by which the transcript went on (see `growth.is_calm`)."""
        if not self._goes_on(chain, leaf):
            self._cut(chain, leaf)

    def number_of(self, row: int) -> int | None:
        """Return the number of the segment that holds a row; None if none does."""
        number = self._numbers[row]
        return None if number == NONE else number

    def above(self, row: int) -> int | None:
        """Return the node that a node hangs on; None for a root."""
        above = self._tree.above[row]
        return None if above == NONE else above

    def _goes_on(self, chain: Chain, leaf: Ends) -> bool:
        start, self.rows = self.rows, len(chain.nodes)
        times = chain.nodes.time[start:]
        if not self._can_go_on or (self._newest_gap is not None and min(times) <= self._newest_gap):
            return False
        longer: dict[int, list[int]] = {}
        for row in range(start, self.rows):
            number = self._add(row)
            if number is None:
                return False
            if number != NONE:
                longer.setdefault(number, []).append(row)
        if any(self._tree.branches[end] for end in leaf):
            return False
        segments = [*self.segments]
        for number, rows in longer.items():
            segment = self._lengthened(number, rows)
            if segment is None:
                return False
            segments[number] = segment
        self.segments = segments
        self._mark_active(leaf)
        return True

    def _add(self, row: int) -> int | None:
        """Hang a row into the tree; return its segment's number, None where the cuts may change."""
        tree, nodes = self._tree, self._tree.nodes
        parent = nodes.parent[row]
        above = number = NONE
        if tree.is_main(row):
            if parent < 0 or not tree.is_main(parent):
                return None
            above = tree.behind_compaction(row, parent)
            if above >= row:
                return None
            number = self._numbers[above]
        tree.above.append(above)
        tree.leads.append(False)
        tree.branches.append(False)
        self._numbers.append(number)
        for said in self._inputs(row, parent):
            if not self._lead(said):
                return None
        return number

    def _inputs(self, row: int, parent: int) -> Iterator[int]:
        """The rows that a new row makes inputs: itself, or an injection that it answers."""
        tree, flags = self._tree, self._tree.nodes.flags
        if tree.is_main(row) and flags[row] & Flag.TYPED:
            yield row
        asks = parent >= 0 and tree.is_main(parent) and tree.is_injection(parent)
        if asks and tree.is_answer(row):
            yield parent

    def _lead(self, row: int) -> bool:
        """Note that a row leads to words, and all above it; False where that may cut the tree."""
        tree = self._tree
        is_foreign = tree.nodes.flags[row] & Flag.FOREIGN
        if is_foreign and tree.has_own:
            return True
        if not is_foreign and not tree.has_own:
            return False
        while not tree.leads[row]:
            tree.leads[row] = True
            above = NONE if row in tree.joined else tree.above[row]
            if above == NONE or tree.branches[above]:
                return False
            tree.branches[above] = True
            row = above
        return True

    def _lengthened(self, number: int, rows: list[int]) -> Segment | None:
        """A segment with more rows; None where that may change what others are called."""
        before = self.segments[number]
        flags = self._tree.nodes.flags
        prompts = [row for row in rows if flags[row] & Flag.TYPED]
        # The first prompt tells whether it is one sent again.
        if prompts and not before.prompts:
            return None
        # A rewind whose older sibling goes on was the work of a second writer.
        for above in line_of(self.segments, number):
            if self._last_child[self.segments[above].parent] != above:
                return None
        return msgspec.structs.replace(
            before, rows=before.rows + array("i", rows), prompts=before.prompts + prompts
        )

    def _mark_active(self, leaf: Ends) -> None:
        before = self._numbers[self._leaf[0]] if self._leaf else NONE
        now = self._numbers[leaf[0]] if leaf else NONE
        self._leaf = leaf
        if now == before:
            return
        line = line_of(self.segments, now)
        for number, segment in enumerate(self.segments):
            if segment.active != (number in line):
                self.segments[number] = msgspec.structs.replace(segment, active=not segment.active)
