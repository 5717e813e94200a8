"""Which step of a file's past wrote each line that it has now?

One goes back from the file as it is now, from state to state: a line that the state before does not
have was written in between. What differs between an edit's own text before and after, the edit
wrote; what differs from one step to the next was changed outside, by nothing that is recorded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from typing import Literal, NamedTuple

from forkpoint.line_map import NEW, LineMaps
from forkpoint.records.edits import Edit
from forkpoint.records.outcomes import Hunk, Outcome
from forkpoint.text_lines import Lines, lines_of

GONE = NEW
"""Stands for a line that was written behind the state that was reached."""


TAKEN_BACK_AT_MOST = 20_000_000
"""Lines, once for each piece of each edit, from which edits are taken back: some seconds."""


class Step(NamedTuple):
    """A recorded moment of a file's past.

    Attributes:
        key: names the call that edited it; None of a copy, which only tells what was there.
        time: milliseconds since 1970, or `NO_TIME`.
        before, after: the text before and after, None where nothing tells; of a copy the same.
        outcome: what the call did, to be taken back from the text after it; None of a copy.
    """

    key: Hashable | None
    time: int
    before: Lines | None
    after: Lines | None
    outcome: Outcome | None = None


class Reached(NamedTuple):
    """A state on the way back.

    Attributes:
        step: the moment; `side` says whether it is the state behind it or before it. `undone` = the
            file is as before it again, `unknown` = what it did to the text cannot be told.
        lost: the lines (0-based, of the file as it is now) that this state does not have.
    """

    step: Step
    side: Literal["after", "before", "undone", "unknown"]
    lost: list[int]


class WayBack:
    """A walk from the file as it is now to its beginnings.

    Attributes:
        lines: of the state that was reached.
    """

    def __init__(self, now: Lines, steps: Sequence[Step], maps: LineMaps) -> None:
        """Begin at the file as it is now; `steps` come newest first."""
        self.lines, self._steps, self._maps = now, steps, maps
        self._now = len(now)
        self._living = list(range(len(now)))
        self._at = list(self._living)
        self._patience = TAKEN_BACK_AT_MOST
        self._left, self._found = _numbers(steps, "after"), _numbers(steps, "before")

    @property
    def where(self) -> list[int]:
        """For each line of the file now its place in the state, else `GONE`."""
        found = [GONE] * self._now
        for line, at in zip(self._living, self._at, strict=True):
            found[line] = at
        return found

    def go(self) -> Iterator[Reached]:
        """Yield the states on the way; the walk stands there meanwhile."""
        number = 0
        while number < len(self._steps):
            step = self._steps[number]
            back = self._restored(number)
            if back > number:
                yield from (Reached(each, "undone", []) for each in self._steps[number:back])
                number = back
                continue
            placed = self._placed(step)
            if placed is None:
                yield Reached(step, "unknown", [])
            else:
                before, after = placed
                yield Reached(step, "after", self._back_to(after))
                if step.key is not None:
                    yield Reached(step, "before", self._back_to(before))
            number += 1

    def _back_to(self, state: Lines) -> list[int]:
        if state is self.lines or state == self.lines:
            self.lines = state
            return []
        places = self._maps.map(state, self.lines)
        self.lines = state
        at = [places[place] for place in self._at]
        lost = [line for line, place in zip(self._living, at, strict=True) if place == NEW]
        if lost:
            gone = set(lost)
            self._living = [line for line in self._living if line not in gone]
            at = [place for place in at if place != NEW]
        self._at = at
        return lost

    def _placed(self, step: Step) -> tuple[Lines, Lines] | None:
        """The texts around a step; to take one back from a long text costs, so it has an end."""
        if step.after is None and step.outcome is not None:
            edit = step.outcome.edit
            pieces = len(step.outcome.hunks) + (len(edit.replacements) if edit else 0)
            self._patience -= pieces * len(self.lines)
            if self._patience < 0:
                return None
        return placed_on(step, self.lines)

    def _restored(self, number: int) -> int:
        """How far steps were undone: the file is just as an earlier one found or left it.

        The client puts files back at a rewind, and no call says so.
        """
        step, lines = self._steps[number], self.lines
        if step.after is None or step.after == lines:
            return number
        left = _first_from(self._left.get(id(lines), ()), number)
        found = _first_from(self._found.get(id(lines), ()), number)
        if left is not None and (found is None or left <= found):
            return left
        return number if found is None else found + 1


def _numbers(steps: Sequence[Step], side: Literal["after", "before"]) -> dict[int, list[int]]:
    """The steps by the state on one side: equal states are one object (see `KnownLines`)."""
    numbers: dict[int, list[int]] = {}
    for number, step in enumerate(steps):
        state = step.after if side == "after" else step.before
        if state is not None:
            numbers.setdefault(id(state), []).append(number)
    return numbers


def _first_from(numbers: Sequence[int], start: int) -> int | None:
    at = bisect_left(numbers, start)
    return numbers[at] if at < len(numbers) else None


def placed_on(step: Step, later: Lines) -> tuple[Lines, Lines] | None:
    """Return the text before and after a step, by what is told, else taken back from a later one.

    None where neither tells.
    """
    if step.after is not None and step.before is not None:
        return step.before, step.after
    if step.after is not None:
        # All that a file is known to hold was written by the call that wrote it.
        return (), step.after
    if step.outcome is None:
        return None
    before = _without_hunks(step.outcome.hunks, later)
    if before is None:
        before = _without(step.outcome.edit, later)
    return None if before is None else (before, later)


def _without_hunks(hunks: Sequence[Hunk], later: Lines) -> Lines | None:
    """The text before a patch, where each of its places is found in the text after it."""
    lines = later
    for hunk in reversed(hunks):
        at = find_block(hunk.new, lines, hunk.start)
        if at is None:
            return None
        lines = (*lines[:at], *hunk.old, *lines[at + len(hunk.new) :])
    return lines if hunks else None


def _without(edit: Edit | None, later: Lines) -> Lines | None:
    """The text before replacements, where each new text stands once in the text after them."""
    if edit is None or not edit.replacements:
        return None
    text = "\n".join([*later, ""])
    for replacement in reversed(edit.replacements):
        new = replacement.new.replace("\r\n", "\n")
        if not new.strip() or replacement.everywhere or text.count(new) != 1:
            return None
        text = text.replace(new, replacement.old.replace("\r\n", "\n"))
    return lines_of(text)


def find_block(block: Sequence[str], lines: Sequence[str], start: int) -> int | None:
    """Return where lines stand together: at `start`, else at the only place; None otherwise."""
    if tuple(lines[start : start + len(block)]) == tuple(block):
        return start
    places = places_of(block, lines, 2)
    return places[0] if len(places) == 1 else None


def places_of(block: Sequence[str], lines: Sequence[str], most: int) -> list[int]:
    """Return where lines stand together, the first `most` places."""
    if not block or len(block) > len(lines):
        return []
    text, wanted = "\n".join(["", *lines, ""]), "\n".join(["", *block, ""])
    found: list[int] = []
    line = counted = 0
    at = text.find(wanted)
    while at >= 0 and len(found) < most:
        line += text.count("\n", counted, at)
        counted = at
        found.append(line)
        at = text.find(wanted, at + 1)
    return found
