"""The chain as a resuming client reads it: which rows it has, and what each hangs on.

Stored parents are in `nodes`. A client sees less (lines that it cannot read, rows that a
compaction pruned) and other links (progress rows skipped, kept rows hung on their anchor, gaps
bridged by time), by version (format.md sections 5 and 10).
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import count
from operator import le

import msgspec

from forkpoint.client_rules import ClientRules
from forkpoint.joins import Joins
from forkpoint.nodes import CHAIN_KINDS, MISSING, NO_PARENT, NO_TIME, TALK_KINDS, Nodes
from forkpoint.records.record import Compaction, Flag, Kept, Kind

BRIDGE_MS = 5000
"""A gap is bridged up to and including 5.000 s (2.1.332, 5.001 s is not)."""
_FEW = 64
"""Rows below which is looked one by one, all rows each time; beyond, rows are sorted by parent."""


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
        self._looked_below = 0
        if self.bounds and rules.kept != "none":
            self._keep(compactions)
            # Kept rows were looked for in a view without them.
            vars(self).pop("is_plain", None)

    @property
    def unpruned(self) -> Chain:
        """The same client's view as if no rows were kept: nothing pruned, no parent changed."""
        return self._unpruned if self.kept or self.pruned_before else self

    @cached_property
    def _unpruned(self) -> Chain:
        rules = msgspec.structs.replace(self.rules, kept="none")
        return Chain(self.nodes, self.joins, self.compactions, rules)

    def grown(self) -> Chain:
        """Return the view after more rows, none of which says anything new of the older ones.

        See `growth.is_calm`; for a client that reads to the end of the file.
        """
        chain, start = object.__new__(Chain), self.end
        vars(chain).update(vars(self))
        chain.end = len(self.nodes)
        chain._looked_below = 0
        vars(chain).pop("_by_time", None)
        vars(chain).pop("_by_parent", None)
        if (whole := vars(self).get("_unpruned")) is not None:
            vars(chain)["_unpruned"] = whole.grown()
        if vars(self).get("is_plain"):
            vars(chain)["is_plain"] = chain._is_plain_from(start)
        if self.anchor is not None:
            parent = self.nodes.parent
            late = [row for row in range(start, chain.end) if parent[row] == self.anchor]
            chain._relinked = {**self._relinked, **dict.fromkeys(late, self.kept[-1])}
        return chain

    # --- rows ---

    @cached_property
    def is_plain(self) -> bool:
        """Say whether the client sees what is stored, and every parent stands before its row.

        Most files are so. Then `parent` is `nodes.parent`, and no line runs into a loop.
        """
        if self.kept or self.pruned_before or self.end != len(self.nodes):
            return False
        return self._is_plain_from(0)

    def _is_plain_from(self, start: int) -> bool:
        nodes, unread = self.nodes, _UNREAD if not self.rules.reads_glued else Flag.GLUED_REST
        if any(nodes.kind.find(kind, start) >= 0 for kind in (Kind.PROGRESS, Kind.UNKNOWN)):
            return False
        # Slices and sets of few different numbers: no step of Python per row.
        if any(flags & unread for flags in set(nodes.flags[start:])):
            return False
        return not any(map(le, count(start), nodes.parent[start:]))

    def those_of(self, rows: Iterable[int]) -> list[int]:
        """Return those rows that the client has, in the given order (see `has`)."""
        if self.is_plain:
            parent = self.nodes.parent
            return [row for row in rows if parent[row] != NO_PARENT]
        return [row for row in rows if self.has(row)]

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
        end = min(self.end, len(self.nodes))
        if self.is_plain:
            side, parent = Flag.SIDECHAIN, self.nodes.parent
            flags = enumerate(self.nodes.flags[:end])
            return (row for row, bits in flags if not bits & side and parent[row] != NO_PARENT)
        before = sorted(row for row in self._kept_set if row < self.pruned_before)
        return filter(self.is_main, (*before, *range(self.pruned_before, end)))

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
        if self.is_plain:
            parent = self.nodes.parent
            while ordinal >= 0:
                yield ordinal
                ordinal = parent[ordinal]
            return
        seen: set[int] = set()
        while ordinal >= 0 and ordinal not in seen:
            seen.add(ordinal)
            yield ordinal
            ordinal = self.parent(ordinal)

    def descends(self, ordinal: int, ancestor: int) -> bool:
        """Say whether a row is or hangs below another."""
        return self.descends_from_any(ordinal, (ancestor,))

    def descends_from_any(self, ordinal: int, ancestors: Collection[int]) -> bool:
        """Say whether a row is or hangs below one of some others."""
        first = min(ancestors, default=ordinal + 1)
        for row in self.up(ordinal):
            if row in ancestors:
                return True
            if row < first and self.is_plain:
                return False
        return False

    def children(self, ordinal: int) -> list[int]:
        """Return what hangs on a row, in file order."""
        if self.is_plain:
            return [*self._hanging(ordinal)]
        found = self._stored_children(ordinal)
        if self.kept:
            relinked = self._relinked.items()
            moved = [row for row, above in relinked if above == ordinal and self.has(row)]
            found = [row for row in found if self.parent(row) == ordinal]
            found = sorted({*found, *moved, *self._rehung(ordinal)})
        return found

    def _hanging(self, ordinal: int) -> Iterable[int]:
        """Return the rows whose parent field names this row, in file order."""
        self._looked_below += 1
        if self._looked_below > _FEW:
            return self._by_parent.get(ordinal, ())
        return self.nodes.children(ordinal, ordinal + 1 if self.unpruned.is_plain else 0)

    @cached_property
    def _by_parent(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for row, parent in enumerate(self.nodes.parent):
            if parent >= 0:
                found.setdefault(parent, []).append(row)
        return found

    def _stored_children(self, ordinal: int) -> list[int]:
        found: list[int] = []
        waiting = [ordinal]
        seen = {ordinal}
        while waiting:
            for child in self._hanging(waiting.pop()):
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
        times, rows = self._by_time
        for at in range(bisect_right(times, limit) - 1, -1, -1):
            if times[at] == NO_TIME or limit - times[at] > BRIDGE_MS:
                return None
            if rows[at] != ordinal and rows[at] not in walked:
                return rows[at]
        return None

    @cached_property
    def _by_time(self) -> tuple[array[int], array[int]]:
        """Times and main rows by time; of equal times the first in the file stands last."""
        time = self.nodes.time
        rows = sorted([*self.rows()][::-1], key=time.__getitem__)
        return array("q", map(time.__getitem__, rows)), array("i", rows)

    # --- compaction ---

    def _keep(self, compactions: dict[int, Compaction]) -> None:
        """Relink the rows that the last boundary kept, and prune the others before it."""
        nodes, rules = self.nodes, self.rules
        newest = self.bounds[-1]
        rows = (self._kept_rows(bound) for bound in reversed(self.bounds))
        last = next(rows)
        if rules.prunes and (last or any(rows)):
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

    def _kept_rows(self, bound: int) -> tuple[int, list[int]] | None:
        """Return anchor and kept rows; None if the client does not have one of them."""
        compaction = self.compactions[bound]
        if self.rules.kept == "list" and compaction.kept is not None:
            uuids = compaction.kept.uuids or ()
            found = [self._row_named(uuid, bound) for uuid in uuids]
            anchor = self._row_named(compaction.kept.anchor, bound)
            rows = [row for row in found if row is not None]
            complete = len(rows) == len(found) > 0
            return (anchor, rows) if anchor is not None and complete else None
        return self._segment_rows(compaction.segment, bound)

    def _segment_rows(self, segment: Kept | None, bound: int) -> tuple[int, list[int]] | None:
        if segment is None:
            return None
        names = (segment.anchor, segment.head, segment.tail)
        anchor, head, tail = (self._row_named(name, bound) for name in names)
        if anchor is None or head is None or tail is None:
            return None
        rows: list[int] = []
        for row in self.up(tail):
            rows.append(row)
            if row == head:
                return anchor, rows[::-1]
        return None

    def _row_named(self, uuid: str | None, bound: int) -> int | None:
        """The row with a uuid, if the client reads it: one of unknown type is missing to it."""
        row = find_near(self.nodes, uuid, bound)
        return row if row is not None and self.in_file(row) else None


def find_near(nodes: Nodes, uuid: str | None, place: int) -> int | None:
    """Return the node with a uuid, which probably stands near a row.

    To look there costs less than to make all uuids known for a few questions.
    """
    if uuid is None:
        return None
    for row in range(max(place - _NEAR, 0), min(place + _NEAR, len(nodes))):
        if nodes.is_node(row) and nodes.uuid(row) == uuid:
            return row
    return nodes.find(uuid)


_NEAR = 8

_UNREAD = Flag.GLUED_HEAD | Flag.GLUED_REST


def _readable_end(nodes: Nodes, rules: ClientRules) -> int:
    """2.1.100 stops reading at a line that holds a JSON null."""
    if rules.null_stops and nodes.null_lines:
        return nodes.null_lines[0]
    return len(nodes)
