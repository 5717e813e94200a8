"""The branch tree: maximal runs of nodes between real branch points (format.md section 9).

Most rows with several children are no branch: parallel calls, hooks, progress. A branch point has
children that lead to different words of a person (or to an injected row that the model answered).
Compactions and gaps make a segment of their own, and no branch.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from forkpoint.chain import Chain
from forkpoint.records.record import Flag
from forkpoint.tree import NONE, Tree

Reason = Literal["start", "rewind", "resend", "twoWriters", "compaction", "continuation", "restart"]


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

    rows: array[int]
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
    return cut_tree(Tree(chain.unpruned), leaf, same_words)[0]


def cut_tree(
    tree: Tree, leaf: tuple[int, ...], same_words: Callable[[int, int], bool]
) -> tuple[list[Segment], array[int]]:
    """Return the segments of a tree, and per row the number of its segment, or `NONE`."""
    segments, numbers = _runs(tree, _cuts(tree, leaf))
    _mark_active(segments, numbers, leaf)
    _mark_resent(segments, same_words)
    _mark_two_writers(segments, tree.chain)
    return segments, numbers


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


# --- cutting the tree into runs ----------------------------------------------------------------


def _cuts(tree: Tree, leaf: tuple[int, ...]) -> dict[int, Reason]:
    """Return the nodes that begin a segment, and why."""
    nodes = tree.nodes
    cuts: dict[int, Reason] = dict.fromkeys(tree.restarts, "restart")
    for line in tree.chain.compactions:
        row = nodes.first_of.get(line, line)
        if nodes.flags[row] & Flag.BOUNDARY and tree.is_main(row):
            cuts[row] = "compaction"
    children = _leading_children(tree, {*tree.forks, *leaf})
    for parent in tree.forks:
        _cut_siblings(cuts, children[parent])
    _cut_roots(tree, cuts)
    for end in leaf:
        for row in children.get(end, []):
            # What goes on behind an active leaf in mid-line is no part of the active segment.
            cuts.setdefault(row, "continuation")
    return cuts


def _leading_children(tree: Tree, parents: set[int]) -> dict[int, list[int]]:
    """Of some nodes, the children that lead to words, in file order."""
    above, leads = tree.above, tree.leads
    children: dict[int, list[int]] = {}
    for row in tree.rows:
        if above[row] in parents and leads[row]:
            children.setdefault(above[row], []).append(row)
    return children


def _cut_siblings(cuts: dict[int, Reason], siblings: list[int]) -> None:
    for row in siblings:
        cuts.setdefault(row, "continuation" if row == siblings[0] else "rewind")


def _cut_roots(tree: Tree, cuts: dict[int, Reason]) -> None:
    """The first root starts; a later one that leads to words is a rewind to the start.

    Roots without words of their own (hooks, commands before the first prompt) go on from the line
    before them. Parents first: a client may write an answer before its prompt (2.1.263), and a
    root hung on what stands below it would be a loop.
    """
    order, above, leads = tree.order, tree.above, tree.leads
    roots = [place for place, row in enumerate(order) if above[row] == NONE]
    started = next((place for place, row in enumerate(order) if leads[row]), len(order))
    for place in roots:
        row = order[place]
        if place == 0:
            cuts.setdefault(row, "start")
        elif started < place and leads[row]:
            cuts.setdefault(row, "rewind")
        else:
            above[row] = order[place - 1]
            tree.joined.add(row)


def _runs(tree: Tree, cuts: dict[int, Reason]) -> tuple[list[Segment], array[int]]:
    above, flags, typed = tree.above, tree.nodes.flags, Flag.TYPED
    numbers = array("i", [NONE]) * len(above)
    begins = sorted(cuts)
    for number, row in enumerate(begins):
        numbers[row] = number
    rows = [array("i") for _ in begins]
    order = tree.parents_first()
    for row in order:
        number = numbers[row]
        if number < 0:
            number = numbers[row] = max(numbers[above[row]], 0)
        rows[number].append(row)
    segments: list[Segment] = []
    for first, run in zip(begins, rows, strict=True):
        if order is not tree.rows:
            run = array("i", sorted(run))
        parent = None if above[first] == NONE else numbers[above[first]]
        prompts = [row for row in run if flags[row] & typed]
        segments.append(Segment(run, parent, prompts, cuts[first]))
    return segments, numbers


# --- marks -------------------------------------------------------------------------------------


def _mark_active(segments: list[Segment], numbers: Sequence[int], leaf: tuple[int, ...]) -> None:
    for number in line_of(segments, numbers[leaf[0]] if leaf else NONE):
        segments[number].active = True


def line_of(segments: list[Segment], number: int) -> set[int]:
    """Return the numbers of a segment and of those that it goes on from; none of `NONE`."""
    line: set[int] = set()
    above = None if number == NONE else number
    while above is not None and above not in line:
        line.add(above)
        above = segments[above].parent
    return line


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
    last_talk = [last_talk_of(chain, segment) for segment in segments]
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


def last_talk_of(chain: Chain, segment: Segment) -> int:
    """Return a segment's last user or assistant row, `NONE` if it has none."""
    return next(filter(chain.is_talk, reversed(segment.rows)), NONE)
