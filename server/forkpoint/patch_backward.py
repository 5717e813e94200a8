"""What did a file hold before a change of Codex, by what it held after?

The exact inverse of `patch_forward`, or nothing: a content is given back only if the change leads
from it to the one that is there, and if it is the only such content. What no patch text
tells is as the patch spells it: blanks that the client overlooked in lines it replaced, and the end
of a last line, which the client writes in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from forkpoint.patch_forward import (
    Done,
    Outcome,
    Place,
    Unfit,
    bare,
    exactly_at,
    replaced,
    replaced_at,
    replaced_in,
    split,
    without_last,
)
from forkpoint.records.file_changes import FileChange, Hunk
from forkpoint.worded import say

MOST_TRIED = 200
"""Ways of placing the hunks of one patch that are looked at."""

_AMBIGUOUS = Unfit(say("The patch can be undone in more than one way."), is_other=False)
_CHANGED = Unfit(say("What the patch wrote is not in the file: it was changed since."))


def undone(change: FileChange, after: str | None) -> Outcome:
    """Return what a file held before a change.

    Args:
        change: what the patch did to it.
        after: what it holds after it; None = there is no file.
    """
    if change.kind == "delete":
        if after is not None:
            return Unfit(say("The file that was deleted is there again."))
        if change.content is None:
            return Unfit(say("The patch does not say what the deleted file held."), is_other=False)
        return Done(change.content)
    if after is None:
        return Unfit(say("There is no file any more."))
    if change.kind == "add":
        if change.content != after:
            return _CHANGED
        told = say("A patch that writes a file does not say whether there was one before.")
        return Unfit(told, is_other=False)
    if not change.hunks:
        return Done(after)
    if change.is_located:
        made = replaced_at([_turned(hunk) for hunk in change.hunks], after)
        return _CHANGED if isinstance(made, Unfit) else made
    return _searched(change.hunks, after)


def _turned(hunk: Hunk) -> Hunk:
    return Hunk(
        hunk.new,
        hunk.old,
        old_start=hunk.new_start,
        new_start=hunk.old_start,
        old_ends=hunk.new_ends,
        new_ends=hunk.old_ends,
    )


def _searched(hunks: Sequence[Hunk], after: str) -> Outcome:
    """Try the places that new lines may have been written to; only one may lead here again."""
    found: Done | None = None
    tried: set[str] = set()
    most = MOST_TRIED + 4 * len(hunks)  # going back through the hunks is no try
    for number, text in enumerate(_candidates(hunks, after)):
        if number == most:
            return _AMBIGUOUS
        if text is None or text in tried:
            continue
        tried.add(text)
        made = replaced_in(hunks, text)
        if isinstance(made, Done) and made.text == after:
            if found is not None:
                return _AMBIGUOUS
            found = Done(text, made.unsure)
    if found is None and "\r\n" in after:
        return _CHANGED._replace(is_other=False)  # Releases differ in what they write there.
    return _CHANGED if found is None else found


def _candidates(hunks: Sequence[Hunk], after: str) -> Iterator[str | None]:
    """Contents that the patch may have been applied to; None for each way that leads to none."""
    lines = split(after)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    changed = [hunk for hunk in hunks if hunk.old]
    added = [line + end for hunk in hunks if not hunk.old for line in hunk.new]
    # What has no old lines went to the end, or before an empty last line.
    for start in {len(lines) - len(added), len(lines) - len(added) - 1} if added else {len(lines)}:
        if start < 0 or lines[start : start + len(added)] != added:
            continue
        kept = lines[:start] + lines[start + len(added) :]
        for places in _placed(changed, [bare(line) for line in kept]):
            ended = [
                place._replace(lines=[line + end for line in place.lines]) for place in places or ()
            ]
            made = None if places is None else replaced(kept, ended)
            yield None if made is None else "".join(made)


def _placed(hunks: Sequence[Hunk], lines: list[str]) -> Iterator[list[Place] | None]:
    """The ways to place all hunks, one after the other; None for each that comes to an end."""
    chosen: list[Place] = []
    waiting = [_places_of(hunks[0], lines, 0)] if hunks else []
    if not hunks:
        yield []
    while waiting:
        place = next(waiting[-1], None)
        if place is None:
            waiting.pop()
            if chosen:
                chosen.pop()
            yield None
        elif len(waiting) == len(hunks):
            yield [*chosen, place]
        else:
            chosen.append(place)
            waiting.append(_places_of(hunks[len(waiting)], lines, place.start + place.length))


def _places_of(hunk: Hunk, lines: list[str], start: int) -> Iterator[Place]:
    """Where a hunk's new lines stand, not before a line, and the client would find the old ones."""
    for sought in (hunk,) if hunk.old[-1] else (hunk, without_last(hunk)):
        length = len(sought.new)
        at = (
            exactly_at(lines, sought.new, max(len(lines) - length, start))
            if sought.at_end
            else (exactly_at(lines, sought.new, start))
        )
        is_found = _finder(sought, lines, start)
        while at is not None and at + length <= len(lines) and is_found(at) is not None:
            if is_found(at):
                yield Place(at, length, sought.old)
            at = exactly_at(lines, sought.new, at + 1)


def _finder(hunk: Hunk, lines: list[str], start: int) -> Callable[[int], bool | None]:
    """Say of a place whether the client would have found the old lines there.

    None = neither there nor further down, as they stand before it already. Where only a context
    line with other blanks can have led there, it is taken to be so.
    """
    context = start - 1 if hunk.context is None else exactly_at(lines, [hunk.context], start)
    length = len(hunk.old)
    first = None if context is None else exactly_at(lines, hunk.old, context + 1)

    def is_found(at: int) -> bool | None:
        if context is None or at <= context or hunk.at_end:
            return True
        if first is not None and first + length <= at:
            return None
        near = max(context + 1, at - length + 1)
        return exactly_at([*lines[near:at], *hunk.old], hunk.old, 0) == at - near

    return is_found
