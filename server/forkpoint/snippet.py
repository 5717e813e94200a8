"""The line around what was found in a text, and where in it the words stand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from forkpoint.search_query import Phrase
from forkpoint.tokens import Words, composed, words_in

LENGTH = 200
"""Characters of a snippet at most."""
BEFORE = 60
"""Characters before the first match, if as many are there."""
_CUT = "…"


class Snippet(NamedTuple):
    """One line; `ranges` are the places of what was looked for, [start, end) in characters."""

    text: str
    ranges: list[tuple[int, int]]


def snippet_of(text: str, phrases: Sequence[Phrase]) -> Snippet | None:
    """Return the line around the first match; None where a phrase does not stand in the text.

    White space is folded, control characters and what changes the direction of writing dropped.
    With no phrase it is the beginning of the text.
    """
    text = composed(text)
    found: list[tuple[int, int]] = []
    if phrases:
        words = words_in(text)
        for phrase in phrases:
            places = _places(phrase, words)
            if not places:
                return None
            found += places
    found.sort()
    start = _start(text, found[0][0] if found else 0)
    return _line(text, start, found)


def _places(phrase: Phrase, words: Words) -> list[tuple[int, int]]:
    names = words.words
    first, is_prefix = phrase.words[0], phrase.is_prefix and len(phrase.words) == 1
    places: list[tuple[int, int]] = []
    for at, name in enumerate(names):
        if name == first or (is_prefix and name.startswith(first)):
            end = phrase.ends_at(names, at)
            if end is not None:
                places.append(words.place(at, end - 1))
    return places


def _start(text: str, first: int) -> int:
    """Where the line begins: some characters before the first match, and not within a word."""
    start = max(first - BEFORE, 0)
    if start == 0:
        return 0
    blank = text.find(" ", start, first)
    return blank + 1 if blank >= 0 else start


def _line(text: str, start: int, found: Sequence[tuple[int, int]]) -> Snippet:
    line, places = _one_line(text, start)
    at = start + len(places)
    if at < len(text):
        line = line[: LENGTH - 1] + _CUT
    end = len(line) - (at < len(text))
    shown = takewhile(lambda pair: pair[0] < at, found)
    ranges = [
        (places[first - start], min(places[last - start] if last < at else end, end))
        for first, last in shown
    ]
    return Snippet(line.rstrip(), _apart([pair for pair in ranges if pair[0] < pair[1]]))


def _one_line(text: str, start: int) -> tuple[str, Sequence[int]]:
    """A line from a place on, and where in it each character stands that was taken or dropped."""
    window = text[start : start + LENGTH - bool(start)]
    if window.isprintable() and "  " not in window and not window.startswith(" "):
        first = 1 if start else 0
        return _CUT * first + window, range(first, first + len(window))
    line = [_CUT] if start else []
    places: list[int] = []
    for character in text[start:]:
        if len(line) >= LENGTH:
            break
        places.append(len(line))
        if character.isspace():
            if line and line[-1] != " ":
                line.append(" ")
        elif character.isprintable():
            line.append(character)
    return "".join(line), places


def _apart(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join ranges that overlap."""
    apart: list[tuple[int, int]] = []
    for start, end in ranges:
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(apart[-1][1], end))
        else:
            apart.append((start, end))
    return apart
