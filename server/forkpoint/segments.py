"""The branch tree: maximal runs of nodes between real branch points (format.md section 9).

Most rows with several children are no branch: parallel calls, hooks, progress. A branch point has
children that lead to different words of a person (or to an injected row that the model answered).
Compactions and gaps make a segment of their own, and no branch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from forkpoint.chain import Chain
from forkpoint.history import end_before
from forkpoint.nodes import CHAIN_KINDS, NO_PARENT, Nodes
from forkpoint.records.record import Flag, Kind, Role

Reason = Literal["start", "rewind", "resend", "twoWriters", "compaction", "continuation", "restart"]

NONE = -1


class Segment(msgspec.Struct):
    """A run of nodes.

    Attributes:
        rows: its nodes in file order; the first one's uuid names the segment.
        parent: number of the segment it goes on from, None for a root.
        prompts: those rows that are a person's words.
        reason: why it is a segment of its own.
        resend_of: number of the older sibling with the same prompt text.
        active: it holds a part of the active path.
    """

    rows: list[int]
    parent: int | None
    prompts: list[int]
    reason: Reason
    resend_of: int | None = None
    active: bool = False


def segments_of(
    chain: Chain,
    leaf: tuple[int, ...],
    same_words: Callable[[int, int], bool],
) -> list[Segment]:
    """Return all segments in file order; together they hold each main node once.

    Args:
        chain: a client's view; its bridges decide where rows behind a gap belong.
        leaf: the talk row at which the active path ends and the row on which the next one hangs;
            empty without an active path.
        same_words: says whether two prompt rows are the same text.
    """
    tree = _Tree(chain.unpruned)
    cuts = _cuts(tree, leaf)
    segments = _runs(tree, cuts)
    _mark_active(segments, leaf)
    _mark_resent(segments, same_words)
    _mark_two_writers(segments, chain)
    return segments


def abandoned(segments: list[Segment]) -> list[int]:
    """Return the numbers of the segments that end a line other than the active one."""
    inner = {segment.parent for segment in segments}
    ends = [n for n in range(len(segments)) if n not in inner]
    return [n for n in ends if _has_own_words(segments, n)]


def _has_own_words(segments: list[Segment], number: int | None) -> bool:
    """Say whether words of a person stand between a segment's end and the active line."""
    while number is not None and not segments[number].active:
        segment = segments[number]
        if segment.prompts or segment.reason not in ("compaction", "restart"):
            return True
        number = segment.parent
    return False


class _Tree:
    """The nodes with one parent each, so that every line of the conversation is one path.

    Attributes:
        order: main nodes, parents first.
        above: node -> parent node, `NONE` for a root.
        leads: nodes at or below which a person's words or an answered injection stand.
        restarts: nodes behind a gap that no client bridges.
    """

    def __init__(self, chain: Chain) -> None:
        self.chain, self.nodes = chain, chain.nodes
        self.rows = [o for o in range(len(self.nodes)) if _is_main_node(self.nodes, o)]
        self.restarts: set[int] = set()
        self.above: dict[int, int] = {}
        self._boundary_ends = _ends_of_kept(chain)
        self._hang_all()
        self.order = self.parents_first()
        self.inputs = {row for row in self.rows if self._is_input(row)}
        own = {row for row in self.inputs if not self.nodes.has(row, Flag.FOREIGN)}
        self.inputs = own or self.inputs
        self.leads = self._leads()

    def _hang_all(self) -> None:
        previous = NONE
        for row in self.rows:
            self.above[row] = self._parent(row, previous)
            if self.nodes.kind[row] in CHAIN_KINDS:
                previous = row
        self._break_loops()

    def _parent(self, row: int, previous: int) -> int:
        stored = self.nodes.parent[row]
        if row in self.chain.compactions:
            end = end_before(self.chain, row)
            return NONE if end is None else end
        if stored >= 0 and stored != row and _is_main_node(self.nodes, stored):
            return self._behind_compaction(row, stored)
        if stored >= 0 and stored != row:
            return self._above_sidechain(stored)
        if stored == -1:
            return NONE
        return self._over_gap(row, previous)

    def _behind_compaction(self, row: int, stored: int) -> int:
        """A row that hangs on the last kept row goes on behind the summary that kept it."""
        for tail, boundary, anchor in self._boundary_ends:
            if stored == tail and row > boundary and row != anchor:
                return anchor
        return stored

    def _above_sidechain(self, row: int) -> int:
        for above in self.chain.up(row):
            if _is_main_node(self.nodes, above):
                return above
        return NONE

    def _over_gap(self, row: int, previous: int) -> int:
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

    def parents_first(self) -> list[int]:
        """Return the main nodes, each behind its parent, in file order as far as that allows."""
        done: set[int] = set()
        order: list[int] = []
        for row in self.rows:
            pending: list[int] = []
            while row != NONE and row not in done:
                pending.append(row)
                done.add(row)
                row = self.above[row]
            order += pending[::-1]
        return order

    def _is_input(self, row: int) -> bool:
        if self.nodes.has(row, Flag.TYPED):
            return True
        return self.nodes.role[row] == Role.INJECTED and self._was_answered(row)

    def _was_answered(self, row: int) -> bool:
        answers = (child for child in self.nodes.children(row) if self._is_answer(child))
        return self.nodes.kind[row] == Kind.USER and any(True for _ in answers)

    def _is_answer(self, row: int) -> bool:
        return self.nodes.kind[row] == Kind.ASSISTANT and not self.nodes.has(row, Flag.SYNTHETIC)

    def _leads(self) -> set[int]:
        leads = set(self.inputs)
        for row in reversed(self.order):
            if row in leads and self.above[row] != NONE:
                leads.add(self.above[row])
        return leads


def _is_main_node(nodes: Nodes, row: int) -> bool:
    return nodes.parent[row] != NO_PARENT and not nodes.has(row, Flag.SIDECHAIN)


def _ends_of_kept(chain: Chain) -> list[tuple[int, int, int]]:
    """Per boundary with kept rows under its summary: (last kept row, boundary, summary)."""
    ends: list[tuple[int, int, int]] = []
    for boundary, compaction in chain.compactions.items():
        kept = compaction.kept or compaction.segment
        if kept is None:
            continue
        tail = chain.nodes.find(kept.uuids[-1] if kept.uuids else kept.tail)
        anchor = chain.nodes.find(kept.anchor)
        if tail is not None and anchor is not None and anchor > boundary > tail:
            ends.append((tail, boundary, anchor))
    return ends


# --- cutting the tree into runs ----------------------------------------------------------------


def _cuts(tree: _Tree, leaf: tuple[int, ...]) -> dict[int, Reason]:
    """Return the nodes that begin a segment, and why."""
    cuts: dict[int, Reason] = {}
    children: dict[int, list[int]] = {}
    for row in tree.rows:
        if tree.nodes.has(row, Flag.BOUNDARY):
            cuts[row] = "compaction"
        elif row in tree.restarts:
            cuts[row] = "restart"
        if row in tree.leads and tree.above[row] != NONE:
            children.setdefault(tree.above[row], []).append(row)
    for siblings in children.values():
        if len(siblings) > 1:
            _cut_siblings(cuts, siblings)
    _cut_roots(tree, cuts)
    for end in leaf:
        for row in children.get(end, []):
            # What goes on behind an active leaf in mid-line is no part of the active segment.
            cuts.setdefault(row, "continuation")
    return cuts


def _cut_siblings(cuts: dict[int, Reason], siblings: list[int]) -> None:
    for row in siblings:
        cuts.setdefault(row, "continuation" if row == siblings[0] else "rewind")


def _cut_roots(tree: _Tree, cuts: dict[int, Reason]) -> None:
    """The first root starts; a later one that leads to words is a rewind to the start.

    Roots without words of their own (hooks, commands before the first prompt) go on from the line
    before them. Parents first: a client may write an answer before its prompt (2.1.263), and a
    root hung on what stands below it would be a loop.
    """
    previous = NONE
    started = False
    for row in tree.order:
        if tree.above[row] == NONE:
            if previous == NONE:
                cuts.setdefault(row, "start")
            elif started and row in tree.leads:
                cuts.setdefault(row, "rewind")
            else:
                tree.above[row] = previous
            started = started or row in tree.leads
        previous = row


def _runs(tree: _Tree, cuts: dict[int, Reason]) -> list[Segment]:
    segment_of: dict[int, int] = {}
    segments: list[Segment] = []
    for row in sorted(cuts):
        segment_of[row] = len(segments)
        segments.append(Segment([], None, [], cuts[row]))
    for row in tree.parents_first():
        above = tree.above[row]
        number = segment_of.setdefault(row, segment_of.get(above, 0))
        segments[number].rows.append(row)
        if row in cuts and above != NONE:
            segments[number].parent = segment_of[above]
    for segment in segments:
        segment.rows.sort()
        segment.prompts = [r for r in segment.rows if tree.nodes.has(r, Flag.TYPED)]
    return segments


# --- marks -------------------------------------------------------------------------------------


def _mark_active(segments: list[Segment], leaf: tuple[int, ...]) -> None:
    number_of = {row: number for number, seg in enumerate(segments) for row in seg.rows}
    number = number_of.get(leaf[0]) if leaf else None
    while number is not None and not segments[number].active:
        segments[number].active = True
        number = segments[number].parent


def _mark_resent(segments: list[Segment], same_words: Callable[[int, int], bool]) -> None:
    firsts: dict[int | None, list[int]] = {}
    for number, segment in enumerate(segments):
        if segment.reason not in ("rewind", "continuation", "start") or not segment.prompts:
            continue
        older = firsts.setdefault(segment.parent, [])
        same = [n for n in older if same_words(segments[n].prompts[0], segment.prompts[0])]
        if same:
            segment.resend_of, segment.reason = same[0], "resend"
        else:
            older.append(number)


def _mark_two_writers(segments: list[Segment], chain: Chain) -> None:
    """A rewind whose older sibling goes on afterwards: two clients wrote at the same time."""
    last_talk = [max(filter(chain.is_talk, s.rows), default=NONE) for s in segments]
    for number in range(len(segments) - 1, -1, -1):
        parent = segments[number].parent
        if parent is not None:
            last_talk[parent] = max(last_talk[parent], last_talk[number])
    newest_before: dict[int | None, int] = {}
    for number, segment in enumerate(segments):
        newest = newest_before.get(segment.parent, NONE)
        if segment.reason == "rewind" and newest > segment.rows[0]:
            segment.reason = "twoWriters"
        newest_before[segment.parent] = max(newest, last_talk[number])
