"""Where do secrets stand that our own rules know?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from forkpoint.redaction.ordinary import LEAST_ENTROPY, is_meant
from forkpoint.redaction.rules import EDGE, GENERAL, REST, SHAPES, TOKENS, Rule

_KEY_OF = re.compile(
    r"(?:api|access|account|auth|secret|private|encryption|signing|master|admin|client|service"
    r"|storage|shared|webhook|deploy|subscription)[_-]?\Z",
    re.IGNORECASE,
)
_FURTHEST = 16
"""A key alone is one of a table; only these are secrets."""

_EDGE = re.compile(EDGE)


class Found(NamedTuple):
    """Where a secret begins, and of what kind it is."""

    place: int
    value: str
    kind: str


def tokens_in(text: str) -> Iterator[Found]:
    """Yield what is a secret by itself."""
    for rule in TOKENS:
        pattern = _compiled(rule.pattern)
        for anchor in rule.anchors.split():
            end = 0
            for at in _places(text, anchor):
                if at >= end and _EDGE.match(text, at) and (match := pattern.match(text, at)):
                    end = match.end()
                    yield _found(rule, match)
    for rule in SHAPES:
        if rule.anchors in text:
            yield from (_found(rule, match) for match in _compiled(rule.pattern).finditer(text))


def assigned_in(text: str) -> Iterator[Found]:
    """Yield what the words before it call a secret, and no name or id that stands there instead."""
    lower = lowered(text)
    for rule in GENERAL:
        for anchor in rule.anchors.split():
            end = 0
            for at in _places(lower, anchor):
                found = _assigned_at(rule, text, at) if at >= end else None
                if found is not None:
                    # Behind it another parameter of an address may stand.
                    end = found.place + len(found.value.partition("&")[0])
                    yield found


def _assigned_at(rule: Rule, text: str, at: int) -> Found | None:
    if rule.anchors == "key" and not _KEY_OF.search(text, max(at - _FURTHEST, 0), at):
        return None
    match = _compiled(rule.pattern, re.IGNORECASE).match(text, at)
    if match is None:
        return None
    found = _found(rule, match)
    if rule.kind not in LEAST_ENTROPY:
        return found if is_meant(found.kind, found.value) else None
    # A sentence goes on behind it.
    value = found.value.rstrip(_ENDS)
    if not is_meant(found.kind, value):
        return None
    if match.end() > found.place + len(found.value):
        # It is quoted.
        return found
    rest = _REST.match(text, match.end())
    value = found.value + (rest[0] if rest else "")
    behind = found.place + len(value)
    return (
        None if text[behind : behind + 1] in _PROGRAM else found._replace(value=value.rstrip(_ENDS))
    )


_ENDS = ".:!?&"
_REST = re.compile(REST, re.ASCII)
_PROGRAM = ("(", "[", "{", "$")
"""What follows the name of something that a program asks."""


def lowered(text: str) -> str:
    """Return a text in lower case in which everything keeps its place."""
    # The one character that becomes two.
    return text.replace("\u0130", "I").lower()


def _places(text: str, anchor: str) -> Iterator[int]:
    """Yield where an anchor stands."""
    at = text.find(anchor)
    while at >= 0:
        yield at
        at = text.find(anchor, at + len(anchor))


@cache
def _compiled(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    # Letters of other scripts end a token.
    return re.compile(pattern, re.ASCII | flags)


def _found(rule: Rule, match: re.Match[str]) -> Found:
    group = match.lastindex or 0
    return Found(match.start(group), match[group], rule.kind)
