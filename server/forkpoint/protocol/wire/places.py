"""Places in files, and how sure they are, in words."""

from __future__ import annotations

from collections.abc import Sequence

from forkpoint.changed_lines import Run
from forkpoint.edited_place import MOST_COPIES, MOST_PLACES, How, Place, Search
from forkpoint.protocol import types
from forkpoint.text_lines import Lines

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
    sentence = _first_of(places, found)
    sentence += _place_words(found[0], "wrote", search.later)
    if search.is_undone:
        sentence += " The file was put back to what it held before the call, and changed again."
    return sentence


def read_sentence(place: Place) -> str:
    """Say what became of lines that were read."""
    if place.now is None:
        if place.copies > 1:
            times = _times(place.copies)
            return f"What this call read stands {times} in the file: which is not known."
        return "What this call read is no longer in the file."
    return _place_words(place, "read", 0)


def _first_of(places: Sequence[Place], found: Sequence[Place]) -> str:
    if len(places) == 1:
        return ""
    missing = len(places) - len(found)
    is_first = found[0] is places[0]
    more = " or more" if len(places) >= MOST_PLACES else ""
    words = f"{len(places)} places{more} were changed; this is the first"
    if not is_first:
        words += " that is left"
    elif missing:
        words += f", {missing} of them {'is' if missing == 1 else 'are'} no longer there"
    return words + ". "


def _place_words(place: Place, did: str, later: int) -> str:
    run, now, what = place.change.run, place.now, f"What this call {did}"
    if now is None or place.how is None:
        return ""
    if run.size == 0:
        return _GAPS.get(place.how, "Text was taken out here.")
    match place.how:
        case "same":
            return f"{what} stands where it was."
        case "shifted":
            return f"{what} stands unchanged, {_distance(now.start - run.start)}."
        case "elsewhere":
            return f"{what} stands unchanged at another place, the only one in the file."
        case "several":
            return (
                f"{what} stands {_times(place.copies)} in the file: this is where the changes "
                "since lead to."
            )
        case "mostly":
            return f"{_share(place, did)} stand close together here."
        case _:
            left = "is" if place.left == 1 else "are"
            return f"{_share(place, did)} {left} still there{_after(later)}."


_GAPS: dict[How, str] = {
    "same": "This call took text out here.",
    "shifted": "This call took text out here; lines above have changed since.",
}


def _nothing_found(search: Search) -> str:
    if search.is_undone:
        return "This edit was undone: the file was put back to what it held before."
    if not search.places:
        if search.is_unknown:
            return "What this call wrote cannot be told from what is recorded."
        return "This call changed no line."
    copies = max(place.copies for place in search.places)
    if copies > 1:
        return f"What this call wrote stands {_times(copies)} in the file: which is not known."
    if search.is_unknown:
        return "What this call wrote was not found in the file."
    return f"What this call wrote is no longer in the file{_after(search.later)}."


def _share(place: Place, did: str) -> str:
    return f"{place.left} of the {_lines(len(place.change.written))} that this call {did}"


def _after(later: int) -> str:
    return f" after {later} later edit{'s'[: later > 1]} by the agent" if later else ""


def _distance(lines: int) -> str:
    return f"{_lines(abs(lines))} further {'down' if lines > 0 else 'up'}"


def _lines(count: int) -> str:
    return f"{count} line{'s'[: count != 1]}"


def _times(count: int) -> str:
    return f"{count} times{' or more' if count >= MOST_COPIES else ''}"
