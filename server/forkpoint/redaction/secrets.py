"""Which secrets stand in a text?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from forkpoint.redaction.library import known_to_library
from forkpoint.redaction.rules import OF_A_USER
from forkpoint.redaction.searching import Found, assigned_in, tokens_in


class Secret(NamedTuple):
    """A secret and its kind.

    Attributes:
        place: where it begins.
        parts: other texts that give it away: the lines of a key.
    """

    place: int
    value: str
    kind: str
    parts: tuple[str, ...] = ()


PRIVATE_KEY = "private-key"


def secrets_in(text: str) -> list[Secret]:
    """Return the secrets in a text, in its order; of one that two rules find only the first's."""
    known: dict[str, Secret] = {}
    for secret in _private_keys(text) if "PRIVATE KEY" in text else ():
        known.setdefault(secret.value, secret)
    for found in tokens_in(text):
        known.setdefault(found.value, Secret(*found))
    for found in known_to_library(text):
        if found.value not in known and not any(found.value in value for value in known):
            known[found.value] = Secret(*found)
    for found in assigned_in(text):
        value = _alone(found)
        known.setdefault(value, Secret(found.place, value, found.kind, _parts(value)))
    return sorted(known.values())


_LONG_ENOUGH = 8
"""Characters from which on a password is looked for alone; a shorter one occurs by chance."""


def _alone(found: Found) -> str:
    """A password without its user, if it is long enough to be looked for so."""
    password = found.value.partition(":")[2]
    is_of_user = found.kind in OF_A_USER and len(password) >= _LONG_ENOUGH
    return password if is_of_user else found.value


def _parts(value: str) -> tuple[str, ...]:
    """In an address another parameter follows a secret; in a file it may be a part of it."""
    first = value.partition("&")[0]
    return (first,) if first != value and len(first) >= _LONG_ENOUGH else ()


# --- private keys ------------------------------------------------------------------------------

_BEGIN = re.compile(r"-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----")
_MOST = 20_000
"""Characters of a key: one of 8,192 bits takes 6,400, and escapes and line numbers add to it."""
_ESCAPED_BREAK = re.compile(r"\\+[nrt]")
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{40,}")


def _private_keys(text: str) -> Iterator[Secret]:
    """A key without an end was cut, and goes as far as one can go."""
    begins = [match.start() for match in _BEGIN.finditer(text)]
    for at, begin in enumerate(begins):
        most = min([begin + _MOST, len(text), *begins[at + 1 : at + 2]])
        end = _END.search(text, begin, most)
        value = text[begin : end.end() if end else most]
        lines = _KEY_LINE.findall(_ESCAPED_BREAK.sub("\n", value))
        yield Secret(begin, value, PRIVATE_KEY, tuple(lines))
