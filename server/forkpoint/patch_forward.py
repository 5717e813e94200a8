"""What does a file hold after a change of Codex, by what it held before?

As the open client does it (codex-rs/apply-patch, 2025-04 to 2026). A hunk is sought from the end of
the one before it, below its context line if it has one: exactly, then without blanks at line ends,
then without blanks on either side, then with typographic dashes, quotes and spaces as plain ones;
the first place counts. Old lines that end with an empty one are sought without it where they are
not found with it. A hunk without old lines goes to the end of the file, before an empty last line.
New lines are written as the patch has them, and a last line always ends.

A hunk that has line numbers was made from the file itself, so it fits there exactly or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from forkpoint.records.file_changes import FileChange, Hunk
from forkpoint.worded import say

LINE_ENDS = say("Releases of Codex differ in the line ends that they write into this file.")
LAST_LINE = say("Releases of Codex differ in whether an empty last line of this file stays.")


class Done(NamedTuple):
    """A content that a change leads to.

    Attributes:
        text: the file; None = there is none.
        unsure: what the patch does not tell, as a sentence.
    """

    text: str | None
    unsure: str | None = None


class Unfit(NamedTuple):
    """A change that does not fit a content.

    Attributes:
        why: as a sentence.
        is_other: the content is not the one that the change was made from, or led to; else it may
            be, but the patch does not tell enough.
    """

    why: str
    is_other: bool = True


class Place(NamedTuple):
    """Lines of a file that are replaced: where they start, how many, and by what."""

    start: int
    length: int
    lines: Sequence[str]


Outcome: TypeAlias = Done | Unfit


def applied(change: FileChange, before: str | None) -> Outcome:
    """Return what a file holds after a change.

    Args:
        change: what the patch does to it.
        before: what it held, a byte order mark included; None = there was no file.
    """
    if change.kind == "add":
        if change.content is None:
            return Unfit(say("The patch does not say what it wrote."), is_other=False)
        return Done(change.content)
    if before is None:
        return Unfit(say("There was no file to change."))
    if change.kind == "delete":
        if change.content is not None and change.content != before:
            return Unfit(say("The file that was deleted held something else."))
        return Done(None)
    if not change.hunks:
        return Done(before)
    if change.is_located:
        return replaced_at(change.hunks, before)
    return replaced_in(change.hunks, before)


def replaced_at(hunks: Sequence[Hunk], before: str) -> Outcome:
    """Replace lines where their numbers say, if these are the lines there."""
    lines = split(before)
    places: list[Place] = []
    for hunk in hunks:
        start = (hunk.old_start or 0) - bool(hunk.old)
        old = _ended(hunk.old, ends=hunk.old_ends)
        if start < 0 or lines[start : start + len(old)] != old:
            return Unfit(say("The lines that were changed do not stand where they were."))
        places.append(Place(start, len(old), _ended(hunk.new, ends=hunk.new_ends)))
    made = replaced(lines, places)
    if made is None or any(not line.endswith("\n") for line in made[:-1]):
        return Unfit(say("The parts of the change do not follow one another."))
    return Done("".join(made))


def replaced_in(hunks: Sequence[Hunk], before: str) -> Outcome:
    """Replace lines where the client finds them."""
    lines = split(before)
    places = _places(hunks, [bare(line) for line in lines])
    if isinstance(places, Unfit):
        return places
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    ended = [place._replace(lines=[line + end for line in place.lines]) for place in places]
    made = replaced(lines, sorted(ended, key=lambda place: place.start))
    if made is None:
        return Unfit(say("The parts of the patch overlap in this file."))
    text = "".join(line if line.endswith("\n") else line + end for line in made)
    return Done(text, _unsure(lines, made))


def replaced(lines: Sequence[str], places: Sequence[Place]) -> list[str] | None:
    """Return the lines with some replaced, in order; None where two of them overlap."""
    made: list[str] = []
    at = 0
    for start, length, new in places:
        if start < at or start + length > len(lines):
            return None
        made += lines[at:start]
        made += new
        at = start + length
    return made + list(lines[at:])


def split(text: str) -> list[str]:
    """Return the lines of a text with their ends; an LF alone ends one."""
    lines = text.split("\n")
    last = lines.pop()
    kept = [line + "\n" for line in lines]
    return [*kept, last] if last else kept


def bare(line: str) -> str:
    """Return a line without its end."""
    return (
        line.removesuffix("\n").removesuffix("\r")
        if line.endswith("\r\n")
        else (line.removesuffix("\n"))
    )


def without_last(hunk: Hunk) -> Hunk:
    """Return what is sought of a hunk whose old lines end with an empty one that is not there."""
    new = hunk.new[:-1] if hunk.new and not hunk.new[-1] else hunk.new
    return Hunk(hunk.old[:-1], new, hunk.context, hunk.at_end)


def exactly_at(lines: Sequence[str], wanted: Sequence[str], start: int) -> int | None:
    """Return the first place of some lines, not before `start`; of no lines that is `start`."""
    if not wanted:
        return start
    last = len(lines) - len(wanted)
    while start <= last:
        try:
            start = lines.index(wanted[0], start, last + 1)
        except ValueError:
            return None
        if list(lines[start : start + len(wanted)]) == list(wanted):
            return start
        start += 1
    return None


# --- finding ------------------------------------------------------------------------------------

# What Rust counts as white space; Python counts four separators more.
_BLANKS = (
    "\t\n\v\f\r \x85\xa0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + ("\u2028\u2029\u202f\u205f\u3000")
)
_PLAIN = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
    | dict.fromkeys(
        "\xa0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
    )
)
_WAYS: tuple[Callable[[str], str], ...] = (
    lambda line: line,
    lambda line: line.rstrip(_BLANKS),
    lambda line: line.strip(_BLANKS),
    lambda line: line.strip(_BLANKS).translate(_PLAIN),
)


class _Seeker:
    """Finds lines in a file; what a way of looking makes of the file is made once."""

    def __init__(self, lines: list[str]) -> None:
        self._looked_at = [lines]

    def find(self, wanted: Sequence[str], start: int, *, at_end: bool = False) -> int | None:
        lines = self._looked_at[0]
        if at_end and len(wanted) <= len(lines):
            start = len(lines) - len(wanted)
        for number, way in enumerate(_WAYS):
            if number == len(self._looked_at):
                self._looked_at.append([way(line) for line in lines])
            found = exactly_at(self._looked_at[number], [way(line) for line in wanted], start)
            if found is not None:
                return found
        return None


def _places(hunks: Sequence[Hunk], lines: list[str]) -> list[Place] | Unfit:
    seeker = _Seeker(lines)
    places: list[Place] = []
    at = 0
    for hunk in hunks:
        if hunk.context is not None:
            found = seeker.find([hunk.context], at)
            if found is None:
                return Unfit(say("A line that the patch looks for is not in the file."))
            at = found + 1
        if not hunk.old:
            end = len(lines) - bool(lines and not lines[-1])
            places.append(Place(end, 0, hunk.new))
            continue
        found = seeker.find(hunk.old, at, at_end=hunk.at_end)
        if found is None and not hunk.old[-1]:
            hunk = without_last(hunk)
            found = seeker.find(hunk.old, at, at_end=hunk.at_end)
        if found is None:
            return Unfit(say("Lines that the patch changes are not in the file."))
        places.append(Place(found, len(hunk.old), hunk.new))
        at = found + len(hunk.old)
    return places


def _ended(lines: Sequence[str], *, ends: bool) -> list[str]:
    made = [line + "\n" for line in lines]
    if made and not ends:
        made[-1] = lines[-1]
    return made


def _unsure(before: Sequence[str], after: Sequence[str]) -> str | None:
    """What depends on the release: until 2026 one of Linux wrote LF alone, and cut an empty end."""
    if any(line.endswith("\r\n") for line in before):
        return LINE_ENDS
    return LAST_LINE if after and not bare(after[-1]) else None
