"""Where does what a call wrote stand in the file as it is now?

A place is a run of lines that differ between the text before the call and the text after it. It is
followed through all later steps of the file; where they lead nowhere, the text itself is looked
for, and only one place counts: among several, nothing would tell which.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple

from forkpoint.changed_lines import Change, Run, changes_between
from forkpoint.line_map import LineMaps
from forkpoint.line_origins import GONE, Step, WayBack, find_block, places_of
from forkpoint.records.outcomes import Outcome
from forkpoint.text_lines import Lines, lines_of

MOST_COPIES = 100
"""How many places of one text are counted."""

MOST_PLACES = 100
"""How many places of one call are looked for, the first in the text."""

_WORD = re.compile(r"\w")

How = Literal["same", "shifted", "elsewhere", "several", "carried", "mostly"]
"""same = unchanged where it was put; shifted = unchanged, and the only such text; elsewhere = not
where later steps lead, but the only such text; several = unchanged, among others like it, where
later steps lead; carried = only some of its lines are left there; mostly = found by most of its
lines alone."""


class Place(NamedTuple):
    """Where a change stands now, if `now` is not None.

    Attributes:
        how: None where it is not found.
        left: how many of its written lines are there.
        copies: how often its text stands in the file, up to `MOST_COPIES`.
    """

    change: Change
    now: Run | None
    how: How | None
    left: int
    copies: int


class Search(NamedTuple):
    """What became of a call's text.

    Attributes:
        places: in the order of the text; none where the call changed no line.
        is_undone: the file was put back to what it held before the call.
        is_unknown: what the call wrote cannot be told.
        later: calls behind it that edited the file and were not undone.
    """

    places: list[Place]
    is_undone: bool
    is_unknown: bool
    later: int


def search(now: Lines, steps: Sequence[Step], key: Hashable, maps: LineMaps) -> Search:
    """Look for what the call that `key` names wrote; `steps` come newest first."""
    way = WayBack(now, steps, maps)
    after: Lines = ()
    where: list[int] = []
    later = 0
    taken: set[int] = set()
    for step, side, lost in way.go():
        if step.key != key:
            later += side in ("before", "unknown") and step.key is not None
            taken.update(lost if side == "before" else ())
        elif side == "after":
            after, where = way.lines, way.where
        elif side == "before":
            changes = changes_between(way.lines, after, maps)
            view = _View.of(now, where, len(after), taken)
            places = [_carried(each, view) for each in changes[:MOST_PLACES]]
            return Search(places, is_undone=False, is_unknown=False, later=later)
        else:
            return _off_the_way(now, step, maps, later, is_undone=side == "undone")
    return Search([], is_undone=False, is_unknown=True, later=later)


def search_block(
    now: Lines, steps: Sequence[Step], block: Lines, start: int, maps: LineMaps
) -> Place:
    """Look for lines that were read: `start` is where they stood; all steps are later ones."""
    way = WayBack(now, steps, maps)
    for _ in way.go():
        pass
    at = find_block(block, way.lines, start)
    where = way.where
    if at is None:
        places = maps.map(block, way.lines)
        where = [GONE if line == GONE else places[line] for line in where]
    else:
        where = [GONE if line == GONE else line - at for line in where]
    read = [GONE if not 0 <= line < len(block) else start + line for line in where]
    run = Run(start, start + len(block))
    change = Change(run, block, frozenset(range(run.start, run.end)))
    return _carried(change, _View.of(now, read, run.end, set()))


def _off_the_way(now: Lines, step: Step, maps: LineMaps, later: int, *, is_undone: bool) -> Search:
    """Look for the text alone: what was undone may have been brought back by hand."""
    changes: list[Change] = []
    if step.before is not None and step.after is not None:
        changes = changes_between(step.before, step.after, maps)
    elif step.outcome is not None:
        changes = _told_changes(step.outcome, maps)
    places = [_by_text(change, now) for change in changes[:MOST_PLACES]]
    is_unknown = not is_undone and all(place.now is None for place in places)
    return Search(places, is_undone=is_undone, is_unknown=is_unknown, later=later)


def _told_changes(outcome: Outcome, maps: LineMaps) -> list[Change]:
    """What a call says it wrote, where the text around it is not known."""
    changes: list[Change] = []
    for hunk in outcome.hunks:
        for (start, end), block, written in changes_between(hunk.old, hunk.new, maps):
            lines = frozenset(hunk.start + line for line in written)
            changes.append(Change(Run(hunk.start + start, hunk.start + end), block, lines))
    if not outcome.hunks and outcome.edit is not None:
        news = [lines_of(each.new) for each in outcome.edit.replacements]
        changes = [Change(Run(0, len(new)), new, frozenset(range(len(new)))) for new in news]
    return [change for change in changes if change.block]


class _View(NamedTuple):
    """The file now, against the text after the call.

    Attributes:
        line_of: lines of that text that are left -> their lines now.
        size: lines of that text.
        taken: lines now that later calls wrote.
    """

    now: Lines
    line_of: dict[int, int]
    size: int
    taken: set[int]

    @classmethod
    def of(cls, now: Lines, where: Sequence[int], size: int, taken: set[int]) -> _View:
        """Return the view; `where` has for each line now its line in the text after the call."""
        line_of = {at: line for line, at in enumerate(where) if at != GONE}
        return cls(now, line_of, size, taken)


def _carried(change: Change, view: _View) -> Place:
    """Where a change is carried to."""
    run, (now, line_of, _, taken) = change.run, view
    if run.size == 0:
        return _gap(change, view)
    left = [at for at in range(run.start, run.end) if at in line_of]
    lines = [line_of[at] for at in left]
    places = places_of(change.block, now, MOST_COPIES)
    copies = len(places)
    if len(lines) == run.size and lines[-1] - lines[0] + 1 == run.size:
        how: How = "shifted" if copies == 1 else "several"
        if lines[0] == run.start:
            how = "same"
        return Place(change, Run(lines[0], lines[-1] + 1), how, len(change.written), copies)
    if copies == 1 and _tells(change.block) and not taken.issuperset(_at(places[0], run)):
        return _by_text(change, now)
    written = [line_of[at] for at in left if at in change.written]
    telling = [line for line in written if _WORD.search(now[line])]
    if telling or (written and not _tells(change.block)):
        shown = telling or written
        return Place(change, Run(shown[0], shown[-1] + 1), "carried", len(written), copies)
    return _by_text(change, now)


def _at(place: int, run: Run) -> range:
    return range(place, place + run.size)


def _gap(change: Change, view: _View) -> Place:
    """Where a place between two lines is, as long as one of the two is left."""
    now, line_of, size, _ = view
    start = change.run.start
    above = -1 if start == 0 else line_of.get(start - 1)
    below = len(now) if start == size else line_of.get(start)
    if above is None and below is None:
        return Place(change, None, None, 0, 0)
    at = above + 1 if above is not None else below or 0
    how: How = "carried"
    if above is not None and below == at:
        how = "same" if at == start else "shifted"
    return Place(change, Run(at, at), how, 0, 0)


def _by_text(change: Change, now: Lines) -> Place:
    copies = places_of(change.block, now, MOST_COPIES)
    if not _tells(change.block):
        return Place(change, None, None, 0, len(copies))
    if len(copies) == 1:
        there = Run(copies[0], copies[0] + change.run.size)
        how: How = "same" if there == change.run else "elsewhere"
        return Place(change, there, how, len(change.written), 1)
    if not copies and (mostly := _most_of(change, now)) is not None:
        return Place(change, mostly[0], "mostly", mostly[1], 0)
    return Place(change, None, None, 0, len(copies))


def _most_of(change: Change, now: Lines) -> tuple[Run, int] | None:
    """Where more than half of the telling lines stand, each alone in both, and close together."""
    start = change.run.start
    lines = [change.block[at - start] for at in sorted(change.written)]
    wanted = [line for line in lines if _WORD.search(line)]
    once = {line for line, count in Counter(wanted).items() if count == 1}
    found: dict[str, list[int]] = {}
    for at, line in enumerate(now):
        if line in once:
            found.setdefault(line, []).append(at)
    places = [found[line][0] for line in wanted if len(found.get(line, ())) == 1]
    if len(places) < 2 or len(places) * 2 <= len(wanted) or places != sorted(places):
        return None
    there = Run(places[0], places[-1] + 1)
    return (there, len(places)) if there.size <= 2 * change.run.size else None


def _tells(block: Lines) -> bool:
    """Whether a text can be looked for at all: braces and blank lines stand everywhere."""
    return sum(len(_WORD.findall(line)) for line in block) >= 3
