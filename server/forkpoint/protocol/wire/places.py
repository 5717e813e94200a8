"""Places in files, and how sure they are, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from forkpoint.changed_lines import Run
from forkpoint.edited_place import MOST_COPIES, MOST_PLACES, How, Place, Search
from forkpoint.protocol import types
from forkpoint.text_lines import Lines
from forkpoint.worded import counted, joined, say

Did = Literal["wrote", "read"]

CONFIDENCES: dict[How, types.PlaceConfidence] = {
    "same": "exact",
    "shifted": "exact",
    "elsewhere": "exact",
    "several": "moved",
    "carried": "moved",
    "mostly": "moved",
}


def text_range(run: Run, now: Lines) -> types.TextRange:
    """Return lines as a range: from the first character to the end of the last line."""
    if run.size > 0:
        last = run.end - 1
        return types.TextRange(
            start=types.TextPosition(line=run.start, character=0),
            end=types.TextPosition(line=last, character=_units(now[last])),
        )
    line = max(min(run.start, len(now) - 1), 0)
    at = _units(now[line]) if now and run.start >= len(now) else 0
    place = types.TextPosition(line=line, character=at)
    return types.TextRange(start=place, end=place)


def _units(line: str) -> int:
    return len(line.encode("utf-16-le", "surrogatepass")) // 2


def confidence_of(places: Sequence[Place]) -> types.PlaceConfidence:
    """Return the confidence of several places: that of the least sure one that was found."""
    found = {CONFIDENCES[place.how] for place in places if place.how is not None}
    if not found:
        return "fileOnly"
    return "moved" if "moved" in found else "exact"


def edit_sentence(search: Search) -> str:
    """Say what became of an edit."""
    places = search.places
    found = [place for place in places if place.now is not None]
    if not found:
        return _nothing_found(search)
    back = say("The file was put back to what it held before the call, and changed again.")
    return joined(
        [
            _first_of(places, found),
            _place_words(found[0], "wrote", search.later),
            back if search.is_undone else "",
        ]
    )


def read_sentence(place: Place) -> str:
    """Say what became of lines that were read."""
    if place.now is None:
        if place.copies > 1:
            times = _times(place.copies)
            return say(
                "What this call read stands {times} in the file: which is not known.", times=times
            )
        return say("What this call read is no longer in the file.")
    return _place_words(place, "read", 0)


def _first_of(places: Sequence[Place], found: Sequence[Place]) -> str:
    if len(places) == 1:
        return ""
    missing = len(places) - len(found)
    is_first = found[0] is places[0]
    words = say(
        "{count} places{more} were changed; this is the first",
        count=len(places),
        more=say(" or more") if len(places) >= MOST_PLACES else "",
    )
    if not is_first:
        words = say("{first} that is left", first=words)
    elif missing:
        one = "{first}, {count} of them is no longer there"
        words = counted(missing, one, "{first}, {count} of them are no longer there", first=words)
    return say("{sentence}.", sentence=words)


def _place_words(place: Place, did: Did, later: int) -> str:
    run, now, what = place.change.run, place.now, _WHAT[did]
    if now is None or place.how is None:
        return ""
    if run.size == 0:
        return _GAPS.get(place.how, say("Text was taken out here."))
    match place.how:
        case "same":
            return say("{what} stands where it was.", what=what)
        case "shifted":
            return say(
                "{what} stands unchanged, {distance}.",
                what=what,
                distance=_distance(now.start - run.start),
            )
        case "elsewhere":
            return say(
                "{what} stands unchanged at another place, the only one in the file.", what=what
            )
        case "several":
            return say(
                "{what} stands {times} in the file: this is where the changes since lead to.",
                what=what,
                times=_times(place.copies),
            )
        case "mostly":
            return say("{share} stand close together here.", share=_share(place, did))
        case _:
            return counted(
                place.left,
                "{share} is still there{after}.",
                "{share} are still there{after}.",
                share=_share(place, did),
                after=_after(later),
            )


_WHAT: dict[Did, str] = {
    "wrote": say("What this call wrote"),
    "read": say("What this call read"),
}

_GAPS: dict[How, str] = {
    "same": say("This call took text out here."),
    "shifted": say("This call took text out here; lines above have changed since."),
}


def _nothing_found(search: Search) -> str:
    if search.is_undone:
        return say("This edit was undone: the file was put back to what it held before.")
    if not search.places:
        if search.is_unknown:
            return say("What this call wrote cannot be told from what is recorded.")
        return say("This call changed no line.")
    copies = max(place.copies for place in search.places)
    if copies > 1:
        return say(
            "What this call wrote stands {times} in the file: which is not known.",
            times=_times(copies),
        )
    if search.is_unknown:
        return say("What this call wrote was not found in the file.")
    return say("What this call wrote is no longer in the file{after}.", after=_after(search.later))


def _share(place: Place, did: Did) -> str:
    left, lines = place.left, _lines(len(place.change.written))
    if did == "wrote":
        return say("{left} of the {lines} that this call wrote", left=left, lines=lines)
    return say("{left} of the {lines} that this call read", left=left, lines=lines)


def _after(later: int) -> str:
    one, many = " after {count} later edit by the agent", " after {count} later edits by the agent"
    return counted(later, one, many) if later else ""


def _distance(lines: int) -> str:
    far = _lines(abs(lines))
    return (
        say("{lines} further down", lines=far)
        if lines > 0
        else say("{lines} further up", lines=far)
    )


def _lines(count: int) -> str:
    return counted(count, "{count} line", "{count} lines")


def _times(count: int) -> str:
    if count >= MOST_COPIES:
        return say("{count} times or more", count=count)
    return say("{count} times", count=count)
