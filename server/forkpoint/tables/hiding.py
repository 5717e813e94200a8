"""Which texts may be in the tables, and what is taken out of them?

Numbers, ids and times say nothing of what was talked about. Titles and paths do, and are written
because queries group by them; other texts only if they are asked for.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from forkpoint.records.words import PREVIEW
from forkpoint.redaction.redactor import Finder, Redactor, What
from forkpoint.tables.rows import Row
from forkpoint.tables.schema import SESSIONS, Column, Table


class Wanted(msgspec.Struct, frozen=True):
    """What is asked for.

    Attributes:
        names: titles, paths and whatever else people call things.
        words: first words of prompts, and calls in a line.
        redact: take secrets, home folders and people's names out of what is written.
    """

    names: bool = True
    words: bool = False
    redact: bool = False

    def has(self, column: Column) -> bool:
        """Say whether a column is filled."""
        return {"fact": True, "words": self.words}.get(column.content, self.names)


class Hiding:
    """Takes out of rows what must not be written.

    Attributes:
        wanted: what is asked for.
        redactions: how often each kind was taken out.
    """

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self._secrets: dict[str, int] = {}
        self._finder = Finder(What(secrets=True, paths=True, names=True))
        self._redactor: Redactor | None = None

    def look(self, table: Table, rows: Sequence[Row]) -> None:
        """Look at rows before the first is written: a name may be told of later than it stands."""
        people = self._finder.people
        if table is SESSIONS:
            people.know_folders([row["cwd"] for row in rows if row["cwd"]])
            people.know_folders([str(Path.home())])
            people.know_machine(Path.home().name, platform.node())
        for column in self._texts(table):
            for text in _texts_in(column, rows):
                self._finder.look(text)

    def hide(self, table: Table, rows: Sequence[Row]) -> None:
        """Empty what is not asked for, and take out of the rest what has to go, in place."""
        for column in table.columns:
            if not self.wanted.has(column):
                for row in rows:
                    row[column.name] = None
        if self.wanted.redact:
            # A session goes on while others are written: what came since has not been seen yet.
            self.look(table, rows)
            redactor = self._redactor = self._finder.done()
            for column in self._texts(table):
                for row in rows:
                    row[column.name] = _without(redactor, column, row[column.name])
            self._count(redactor)

    @property
    def redactions(self) -> dict[str, int]:
        """How often each kind was taken out so far."""
        return {**self._secrets, **self._finder.people.counts}

    def _count(self, redactor: Redactor) -> None:
        for kind, count in redactor.counts.items():
            if kind.startswith("secret:"):
                self._secrets[kind] = self._secrets.get(kind, 0) + count

    def _texts(self, table: Table) -> list[Column]:
        return [each for each in table.columns if each.content != "fact" and self.wanted.has(each)]


def _texts_in(column: Column, rows: Iterable[Row]) -> Iterable[str]:
    """A text that stands in many rows, once: most rows tell of the same few files."""
    found: dict[str, None] = {}
    for row in rows:
        value = row[column.name]
        found.update(dict.fromkeys(value if column.type == "texts" else [value]) if value else {})
    return found


def _without(redactor: Redactor, column: Column, value: Any) -> Any:
    if value is None:
        return None
    if column.type == "texts":
        return [redactor.text(each) for each in value]
    if column.content == "name":
        return redactor.text(value)
    return redactor.cut_text(value, PREVIEW)
