"""The conversation as a tree: every node hangs on one other, so that every line of it is one path.

Compactions go on where the conversation stood, gaps are bridged as the client does, and what no
client bridges goes on from the line before it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import count
from operator import le

from forkpoint.chain import Chain, find_near
from forkpoint.history import end_before
from forkpoint.nodes import CHAIN_KINDS, NO_PARENT
from forkpoint.records.record import Flag, Kind, Role

NONE = -1


class Tree:
    """The main nodes with one parent each.

    Attributes:
        rows: main nodes in file order (typecode `i`, as all columns of rows here).
        order: main nodes, parents first, in file order as far as that allows.
        above: per row, the parent node; `NONE` for a root, and for rows that are no main nodes.
        leads: per row, whether at or below it a person's words or an answered injection stand.
        branches: per row, whether something leads on below it.
        forks: nodes below which more than one child leads on.
        joined: roots that were hung on the line before them.
        restarts: nodes behind a gap that no client bridges.
        gaps: nodes whose parent is looked for by time.
        anchors: last kept row of a boundary -> the boundaries with the summary that kept it.
        has_own: some words are not another session's; then those of others lead nowhere.
        is_ordered: every node's parent stands before it.
    """

    def __init__(self, chain: Chain) -> None:
        """Build it from a client's view in which no row is pruned."""
        self.chain, self.nodes = chain, chain.nodes
        self.joined: set[int] = set()
        self.restarts: set[int] = set()
        self.gaps: list[int] = []
        self.anchors = _anchors(chain)
        self.rows = self._main_nodes()
        self.above = self._hung()
        self.is_ordered = not any(map(le, count(), self.above))
        if not self.is_ordered:
            self._break_loops()
        self.order = self.parents_first()
        self.leads, self.has_own = self._leading()
        self.branches, self.forks = self._branching()

    def is_main(self, row: int) -> bool:
        """Say whether a row is a node outside sidechains."""
        nodes = self.nodes
        return nodes.parent[row] != NO_PARENT and not nodes.flags[row] & Flag.SIDECHAIN

    def _main_nodes(self) -> array[int]:
        side, nodes = Flag.SIDECHAIN, self.nodes
        columns = enumerate(zip(nodes.parent, nodes.flags, strict=True))
        # Not by way of a list, which would take ten times as much memory.
        return array(
            "i", (row for row, (parent, bits) in columns if parent != NO_PARENT and not bits & side)
        )

    # --- parents ---

    def _hung(self) -> array[int]:
        nodes = self.nodes
        above = array("i", [NONE]) * len(nodes)
        if not self.chain.is_plain or any(bits & Flag.SIDECHAIN for bits in set(nodes.flags)):
            self._hang(above, self.rows)
            return above
        # Nearly all rows hang where the file says.
        above = array("i", (parent if parent >= 0 else NONE for parent in nodes.parent))
        odd = {*nodes.missing, *self.chain.compactions}
        if self.anchors:
            odd.update(row for row, parent in enumerate(above) if parent in self.anchors)
        self._hang(above, sorted(row for row in odd if self.is_main(row)))
        return above

    def _hang(self, above: array[int], rows: Iterable[int]) -> None:
        previous, seen = NONE, 0
        for row in rows:
            for at in range(row - 1, seen - 1, -1):
                if self.nodes.kind[at] in CHAIN_KINDS and self.is_main(at):
                    previous = at
                    break
            seen = row
            above[row] = self._parent(row, previous)

    def _parent(self, row: int, previous: int) -> int:
        stored = self.nodes.parent[row]
        if row in self.chain.compactions:
            end = end_before(self.chain, row)
            return NONE if end is None else end
        if stored >= 0 and stored != row and self.is_main(stored):
            return self.behind_compaction(row, stored)
        if stored >= 0 and stored != row:
            return self._above_sidechain(stored)
        if stored == -1:
            return NONE
        return self._over_gap(row, previous)

    def behind_compaction(self, row: int, stored: int) -> int:
        """A row that hangs on the last kept row goes on behind the summary that kept it."""
        for boundary, anchor in self.anchors.get(stored, ()):
            if row > boundary and row != anchor:
                return anchor
        return stored

    def _above_sidechain(self, row: int) -> int:
        for above in self.chain.up(row):
            if self.is_main(above):
                return above
        return NONE

    def _over_gap(self, row: int, previous: int) -> int:
        self.gaps.append(row)
        own = {row}
        bridge = self.chain.bridge(row, own)
        while bridge is not None and self.chain.descends(bridge, row):
            own.add(bridge)
            bridge = self.chain.bridge(row, own)
        if bridge is not None:
            return bridge
        if previous != NONE:
            self.restarts.add(row)
        return previous

    def _break_loops(self) -> None:
        """Parents that lead back to their row begin a line of their own at the first such row."""
        safe: set[int] = set()
        for row in self.rows:
            walked: list[int] = []
            inside: set[int] = set()
            while row != NONE and row not in safe and row not in inside:
                walked.append(row)
                inside.add(row)
                row = self.above[row]
            if row in inside:
                self.above[min(walked[walked.index(row) :])] = NONE
            safe.update(walked)

    def parents_first(self) -> array[int]:
        """Return the main nodes, each behind its parent, in file order as far as that allows."""
        if self.is_ordered:
            return self.rows
        done: set[int] = set()
        order = array("i")
        for row in self.rows:
            pending: list[int] = []
            while row != NONE and row not in done:
                pending.append(row)
                done.add(row)
                row = self.above[row]
            order.extend(pending[::-1])
        return order

    # --- where words are ---

    def is_answer(self, row: int) -> bool:
        """Say whether a row is the model's."""
        nodes = self.nodes
        return nodes.kind[row] == Kind.ASSISTANT and not nodes.flags[row] & Flag.SYNTHETIC

    def is_injection(self, row: int) -> bool:
        """Say whether a row becomes an input by being answered."""
        return self.nodes.role[row] == Role.INJECTED and self.nodes.kind[row] == Kind.USER

    def _inputs(self) -> list[int]:
        flags, role, typed = self.nodes.flags, self.nodes.role, Flag.TYPED
        inputs = [row for row in self.rows if flags[row] & typed]
        if role.find(Role.INJECTED) >= 0:
            asking = {row for row in self.rows if self.is_injection(row) and not flags[row] & typed}
            parent = self.nodes.parent
            answered = {parent[row] for row in range(len(parent)) if self.is_answer(row)}
            inputs += asking & answered
        return inputs

    def _leading(self) -> tuple[bytearray, bool]:
        inputs = self._inputs()
        own = [row for row in inputs if not self.nodes.flags[row] & Flag.FOREIGN]
        leads, above = bytearray(len(self.nodes)), self.above
        for row in own or inputs:
            while row != NONE and not leads[row]:
                leads[row] = True
                row = above[row]
        return leads, bool(own)

    def _branching(self) -> tuple[bytearray, set[int]]:
        leads, above = self.leads, self.above
        branches = bytearray(len(self.nodes))
        forks: set[int] = set()
        for row in self.rows:
            if leads[row] and (parent := above[row]) != NONE:
                if branches[parent]:
                    forks.add(parent)
                branches[parent] = True
        return branches, forks


def _anchors(chain: Chain) -> dict[int, list[tuple[int, int]]]:
    """Last kept row -> (boundary, summary) of each boundary with kept rows under its summary."""
    anchors: dict[int, list[tuple[int, int]]] = {}
    for boundary, compaction in chain.compactions.items():
        kept = compaction.kept or compaction.segment
        if kept is None:
            continue
        last = kept.uuids[-1] if kept.uuids else kept.tail
        tail, anchor = (find_near(chain.nodes, name, boundary) for name in (last, kept.anchor))
        if tail is not None and anchor is not None and anchor > boundary > tail:
            anchors.setdefault(tail, []).append((boundary, anchor))
    return anchors
