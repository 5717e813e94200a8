"""The chain as a resuming client reads it: which rows it has, and what each hangs on.

Stored parents are in `nodes`. A client sees less (lines that it cannot read, rows that a
compaction pruned) and other links (progress rows skipped, kept rows hung on their anchor, gaps
bridged by time), by version (format.md sections 5 and 10).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

import msgspec

from forkpoint.client_rules import ClientRules
from forkpoint.joins import Joins
from forkpoint.nodes import CHAIN_KINDS, MISSING, NO_TIME, TALK_KINDS, Nodes
from forkpoint.records.record import Compaction, Flag, Kind

BRIDGE_MS = 5000
"""A gap is bridged up to and including 5.000 s (2.1.332, 5.001 s is not)."""


class Chain:
    """A client's view of one transcript's nodes.

    Attributes:
        kept: the kept rows of the last boundary in their order, empty if none are in force.
        anchor: the row that the kept rows hang on, None if none are in force.
        bounds: ordinals of the compact boundaries, in file order.
        end: number of lines that the client reads.
    """

    def __init__(
        self,
        nodes: Nodes,
        joins: Joins,
        compactions: dict[int, Compaction],
        rules: ClientRules,
    ) -> None:
        self.nodes, self.joins, self.rules = nodes, joins, rules
        self.compactions = compactions
        self.end = _readable_end(nodes, rules)
        self.bounds = [bound for bound in compactions if self.in_file(bound)]
        self.anchor: int | None = None
        self.kept: list[int] = []
        self._kept_set: set[int] = set()
        self._relinked: dict[int, int] = {}
        self.pruned_before = 0
        if self.bounds and rules.kept != "none":
            self._keep(compactions)

    @cached_property
    def unpruned(self) -> Chain:
        """The same client's view as if no rows were kept: nothing pruned, no parent changed."""
        rules = msgspec.structs.replace(self.rules, kept="none")
        return Chain(self.nodes, self.joins, self.compactions, rules)

    # --- rows ---

    def has(self, ordinal: int) -> bool:
        """Say whether the client has this row in its chain; progress rows are links, not rows."""
        return self.in_file(ordinal) and not self._is_pruned(ordinal)

    def in_file(self, ordinal: int) -> bool:
        """Say whether the client reads this row as one of its chain, pruned or not."""
        nodes = self.nodes
        if nodes.kind[ordinal] not in CHAIN_KINDS or not nodes.is_node(ordinal):
            return False
        flags = nodes.flags[ordinal]
        if flags & _UNREAD and (flags & Flag.GLUED_REST or not self.rules.reads_glued):
            return False
        return ordinal < self.end

    def is_talk(self, ordinal: int) -> bool:
        """Say whether a row is a user or assistant row."""
        return self.nodes.kind[ordinal] in TALK_KINDS

    def is_main(self, ordinal: int) -> bool:
        """Say whether the client has the row and it is no sidechain's."""
        return self.has(ordinal) and not self.nodes.has(ordinal, Flag.SIDECHAIN)

    def rows(self) -> Iterator[int]:
        """Yield the client's main rows in file order."""
        return (o for o in range(min(self.end, len(self.nodes))) if self.is_main(o))

    # --- links ---

    def parent(self, ordinal: int) -> int:
        """Return the row that a row hangs on: an ordinal, `ROOT`, or `MISSING` for a gap."""
        if ordinal in self._relinked:
            kept = self._relinked[ordinal]
            return kept if self.has(kept) else MISSING
        above = self._climb(ordinal)
        if above >= 0 and self.rules.rehangs and self.kept and self._is_pruned(above):
            return self.kept[-1] if self.is_talk(ordinal) else MISSING
        return above if above < 0 or self.has(above) else MISSING

    def _climb(self, ordinal: int) -> int:
        """Skip progress rows above; a loop among them is a gap."""
        above = self.nodes.parent[ordinal]
        for _ in range(len(self.nodes)):
            if above < 0 or self.nodes.kind[above] != Kind.PROGRESS:
                return above
            if not self.rules.links_progress:
                return MISSING
            above = self.nodes.parent[above]
        return MISSING

    def _is_pruned(self, ordinal: int) -> bool:
        return ordinal < self.pruned_before and ordinal not in self._kept_set

    def up(self, ordinal: int) -> Iterator[int]:
        """Yield a row and what it hangs on, up to a root, a gap or a row already walked."""
        seen: set[int] = set()
        while ordinal >= 0 and ordinal not in seen:
            seen.add(ordinal)
            yield ordinal
            ordinal = self.parent(ordinal)

    def descends(self, ordinal: int, ancestor: int) -> bool:
        """Say whether a row is or hangs below another."""
        return any(row == ancestor for row in self.up(ordinal))

    def children(self, ordinal: int) -> list[int]:
        """Return what hangs on a row, in file order."""
        found = self._stored_children(ordinal)
        if self.kept:
            relinked = self._relinked.items()
            moved = [row for row, above in relinked if above == ordinal and self.has(row)]
            found = [row for row in found if self.parent(row) == ordinal]
            found = sorted({*found, *moved, *self._rehung(ordinal)})
        return found

    def _stored_children(self, ordinal: int) -> list[int]:
        found: list[int] = []
        waiting = [ordinal]
        seen = {ordinal}
        while waiting:
            for child in self.nodes.children(waiting.pop()):
                if self.nodes.kind[child] == Kind.PROGRESS and self.rules.links_progress:
                    if child not in seen:
                        seen.add(child)
                        waiting.append(child)
                elif self.has(child):
                    found.append(child)
        return sorted(found)

    def _rehung(self, ordinal: int) -> list[int]:
        if ordinal != self.kept[-1] or not self.rules.rehangs:
            return []
        after = range(self.pruned_before, min(self.end, len(self.nodes)))
        return [row for row in after if self.has(row) and self.parent(row) == ordinal]

    def bridge(self, ordinal: int, walked: set[int]) -> int | None:
        """Return the row at which a client goes on behind a gap, None where the path begins.

        The candidate is the newest row that is not newer; of equal times the first in the file.
        """
        if not self.rules.bridges:
            return None
        if self.nodes.parent[ordinal] == ordinal and not self.rules.bridges_self_parent:
            return None
        limit = self.nodes.time[ordinal]
        order = self._by_time
        for at in range(bisect_right(order, (limit, 1)) - 1, -1, -1):
            time, row = order[at][0], -order[at][1]
            if time == NO_TIME or limit - time > BRIDGE_MS:
                return None
            if row != ordinal and row not in walked:
                return row
        return None

    @cached_property
    def _by_time(self) -> list[tuple[int, int]]:
        """Main rows by time; of equal times the first in the file stands last."""
        return sorted((self.nodes.time[row], -row) for row in self.rows())

    # --- compaction ---

    def _keep(self, compactions: dict[int, Compaction]) -> None:
        """Relink the rows that the last boundary kept, and prune the others before it."""
        nodes, rules = self.nodes, self.rules
        rows = {bound: self._kept_rows(compactions[bound]) for bound in self.bounds}
        newest = self.bounds[-1]
        last = rows[newest]
        if rules.prunes and any(rows.values()):
            self.pruned_before = newest
            self._kept_set = set(last[1]) if last else set()
        if last is None:
            return
        self.anchor, self.kept = last
        listed = rules.kept == "list" and compactions[newest].kept is not None
        first, end = self.kept[0], self.kept[-1]
        for row in nodes.children(self.anchor):
            if row not in self._kept_set and row != first:
                self._relinked[row] = end
        self._relinked[first] = self.anchor
        if listed:
            self._relinked.update(zip(self.kept[1:], self.kept, strict=False))

    def _kept_rows(self, compaction: Compaction) -> tuple[int, list[int]] | None:
        """Return anchor and kept rows; None if the client does not have one of them."""
        if self.rules.kept == "list" and compaction.kept is not None:
            uuids = compaction.kept.uuids or ()
            found = [self._row_named(uuid) for uuid in uuids]
            anchor = self._row_named(compaction.kept.anchor)
            rows = [row for row in found if row is not None]
            complete = len(rows) == len(found) > 0
            return (anchor, rows) if anchor is not None and complete else None
        return self._segment_rows(compaction)

    def _segment_rows(self, compaction: Compaction) -> tuple[int, list[int]] | None:
        segment = compaction.segment
        if segment is None:
            return None
        anchor, head = self._row_named(segment.anchor), self._row_named(segment.head)
        tail = self._row_named(segment.tail)
        if anchor is None or head is None or tail is None:
            return None
        rows: list[int] = []
        for row in self.up(tail):
            rows.append(row)
            if row == head:
                return anchor, rows[::-1]
        return None

    def _row_named(self, uuid: str | None) -> int | None:
        """The row with a uuid, if the client reads it: one of unknown type is missing to it."""
        row = self.nodes.find(uuid)
        return row if row is not None and self.in_file(row) else None


_UNREAD = Flag.GLUED_HEAD | Flag.GLUED_REST


def _readable_end(nodes: Nodes, rules: ClientRules) -> int:
    """2.1.100 stops reading at a line that holds a JSON null."""
    if rules.null_stops and nodes.null_lines:
        return nodes.null_lines[0]
    return len(nodes)
