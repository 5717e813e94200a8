"""What stands where a secret would, and is none: names, ids, folders, words of documents."""

from __future__ import annotations

import math
import re
from collections import Counter

from forkpoint.redaction.rules import OF_A_USER

LEAST_ENTROPY = {
    "assigned-secret": 3.0,
    "bearer-token": 3.0,
    "docker-login": 3.0,
    "npm-token": 3.0,
    "option": 3.0,
    "password": 2.0,
}
"""Of what may be a word as well: bits per character, and it has a digit."""
_STAND_IN_WORDS = """
password passwd passwort pass pwd pw secret token key apikey api_key yourpassword your-password
your_password mypassword changeme xxx xxxx xxxxx xxxxxxxx ... example
"""
_STAND_INS = frozenset(_STAND_IN_WORDS.split())
"""What documents write where a password would stand."""

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_CODE = re.compile(
    r"[A-Za-z_]\w*+(?:\??\.[A-Za-z_]\w*+)++|[a-z]++(?:_[a-z0-9]++)++|[A-Z]++(?:_[A-Z0-9]++)++"
)
_NAME = re.compile(r"[A-Za-z]{2,}+\d{0,3}+(?:[-_./:@]++(?:[A-Za-z]++\d{0,3}+|v?\d{1,4}+))*+")
_PATH = re.compile(r"(?:~|\.{1,2})?(?:/[a-z_.-]*+\d{0,3}+[a-z_.-]*+)++")
_TIME = re.compile(r"\d{4}-\d\d-\d\d.*")


def is_meant(kind: str, value: str) -> bool:
    """Whether it stands there for itself, and not for what it is called."""
    if kind in OF_A_USER:
        return value.partition(":")[2].lower() not in _STAND_INS
    if kind not in LEAST_ENTROPY:
        return _CODE.fullmatch(value) is None
    if not any(map(str.isdigit, value)) or is_something_else(value):
        return False
    if kind != "password" and (is_name(value) or not any(map(str.isalpha, value))):
        return False
    return entropy_of(value) > LEAST_ENTROPY[kind]


def is_something_else(value: str) -> bool:
    """Whether it is the id of a record, a name in a program, a folder, a time or an address."""
    return "://" in value or any(
        pattern.fullmatch(value) for pattern in (_UUID, _CODE, _PATH, _TIME)
    )


def is_name(value: str) -> bool:
    """Whether it is made of words, as names of things are."""
    return _NAME.fullmatch(value) is not None


def entropy_of(text: str) -> float:
    """Return the bits per character by how often each occurs (Shannon)."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values())
