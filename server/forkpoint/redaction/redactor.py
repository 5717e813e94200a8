"""Texts and records without what is nobody else's business.

A secret is often told by what stands before it, and later stands alone. So all is looked at first,
by `Finder`, and then taken out wherever it stands, by `Redactor`. A text must be given whole: of
one that was cut before, half a secret could be left (see `Redactor.cut_text`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

import msgspec

from forkpoint.records.compact_json import is_bytes
from forkpoint.redaction.people import People
from forkpoint.redaction.secrets import secrets_in


class What(msgspec.Struct, frozen=True):
    """What is to be taken out.

    Attributes:
        secrets: keys, tokens and passwords.
        paths: the owner's name in home folders.
        names: users, hosts, mail addresses, authors.
    """

    secrets: bool = False
    paths: bool = False
    names: bool = False

    def __bool__(self) -> bool:
        return self.secrets or self.paths or self.names


PLACEHOLDER = re.compile(r"\[(?:secret \d+: [\w-]+|(?:user|host|email|name) \d+)\]")
"""What stands for what was taken out; one found in a text is left as it is."""

_BATCH = 64 * 1024
_BETWEEN = "\n\0\n"
"""Stands between texts that are searched at once: no rule reaches over it."""
_CONTEXT = 300
"""Characters of a value that is looked at with its key before it."""


class Finder:
    """Looks at all that will be shown, and knows afterwards what has to go.

    Attributes:
        people: names that are known already may be given to it.
    """

    def __init__(self, what: What) -> None:
        self._what = what
        self.people = People(paths=what.paths, names=what.names)
        self._waiting: list[str] = []
        self._size = 0
        self._secrets: dict[str, str] = {}
        self._count = 0

    def look(self, value: object) -> None:
        """Look at a text, or at all texts of a value as JSON has it."""
        for text in _texts(value):
            self._waiting.append(text)
            self._size += len(text)
            if self._size >= _BATCH:
                self._flush()

    def _flush(self) -> None:
        text = _BETWEEN.join(self._waiting)
        self._waiting.clear()
        self._size = 0
        self.people.look(text)
        if not self._what.secrets:
            return
        for secret in secrets_in(PLACEHOLDER.sub("\0", text)):
            if secret.value not in self._secrets:
                self._count += 1
                placeholder = f"[secret {self._count}: {secret.kind}]"
                for value in (secret.value, *secret.parts):
                    self._secrets.setdefault(value, placeholder)

    def done(self) -> Redactor:
        """Return what takes out all that was found."""
        self._flush()
        return Redactor(self._secrets, self.people)


class Redactor:
    """Takes out what a `Finder` found.

    Attributes:
        distinct: how many secrets there are, whether or not they stand in what was shown.
    """

    def __init__(self, secrets: dict[str, str], people: People) -> None:
        self.distinct = len(set(secrets.values()))
        self._secrets = secrets
        self._people = people
        self._pattern = _any_of(secrets)
        self._counts: dict[str, int] = {}

    @property
    def counts(self) -> dict[str, int]:
        """How often each kind was taken out so far; a secret's kind begins with `secret:`."""
        return {**self._counts, **self._people.counts}

    def text(self, text: str) -> str:
        """Return a whole text with placeholders."""
        if self._pattern is not None:
            text = self._pattern.sub(self._secret, text)
        return self._people.without(text)

    def cut_text(self, text: str, whole: int) -> str:
        """Return a text that somebody else cut: if it has `whole` characters, its last word goes.

        What is left of a secret there is known by no rule.
        """
        if len(text) >= whole or text.endswith("…"):
            words = text.split()
            text = text.rstrip().removesuffix(words[-1] if words else "") + "…"
        return self.text(text)

    def value(self, value: object) -> object:
        """Return a value as JSON has it with placeholders in all its texts and keys."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in cast("list[object]", value)]
        if isinstance(value, dict):
            fields = cast("dict[str, object]", value)
            return {
                self.text(name): item if _is_picture(name, item) else self.value(item)
                for name, item in fields.items()
            }
        return value

    def _secret(self, match: re.Match[str]) -> str:
        placeholder = self._secrets[match[0]]
        kind = f"secret:{placeholder.partition(': ')[2][:-1]}"
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return placeholder


def _any_of(secrets: dict[str, str]) -> re.Pattern[str] | None:
    """Longer ones first: a part must not be taken out of a whole."""
    if not secrets:
        return None
    return re.compile("|".join(map(re.escape, sorted(secrets, key=len, reverse=True))))


def _texts(value: object, key: str = "") -> Iterator[str]:
    """All texts of a value, a short one with the key that says what it is."""
    if isinstance(value, str):
        yield f'{key}="{value}"' if key and len(value) <= _CONTEXT else value
    elif isinstance(value, list):
        before = ""
        for item in cast("list[object]", value):
            # A command's words: what follows an option belongs to it.
            option = before if before.startswith("-") else key
            yield from _texts(item, option)
            before = item if isinstance(item, str) else ""
    elif isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        for name, item in fields.items():
            if not _is_picture(name, item):
                yield name
                yield from _texts(item, name)


def _is_picture(name: str, value: object) -> bool:
    """Bytes are told by their size only, and are not looked into."""
    return name in ("data", "base64") and isinstance(value, str) and is_bytes(value)
