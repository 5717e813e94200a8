"""Which texts fit a query, by the table alone: the newest first, up to a number of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import compress
from typing import NamedTuple

from forkpoint.records.searchable import Part
from forkpoint.search_file import SearchFile
from forkpoint.search_query import Phrase, Query
from forkpoint.search_table import BLOCK, ERROR, FAILURES, PART, NameKind, SearchTable
from forkpoint.tokens import tokens

MOST = 1_000
"""Texts that are looked at; of more the newest are, so that common words are no long wait."""
SECONDS = 0.5
"""After which the rest is not looked for."""


class Found(NamedTuple):
    """A text that fits, and where its record lies.

    `tool` and `file` are the numbers of their names; None = none, as of a time that is not written.
    """

    path: str
    row: int
    ordinal: int
    offset: int
    length: int
    number: int
    part: Part
    is_error: bool
    tool: int | None
    file: int | None
    at: int | None


Key = tuple[str, int, int]
"""Path of a transcript, ordinal of a record there, and the number of one of its texts."""


class Finds:
    """What fits, the best first.

    Attributes:
        is_whole: whether that is all of it.
    """

    def __init__(self, table: SearchTable | None, rows: list[_Row], *, is_whole: bool) -> None:
        self._table, self._rows, self.is_whole = table, rows, is_whole

    def __len__(self) -> int:
        return len(self._rows)

    def page(self, offset: int, limit: int | None = None) -> list[Found]:
        """Return some of it, without rows of a table that was damaged."""
        if self._table is None:
            return []
        rows = self._rows[offset:] if limit is None else self._rows[offset : offset + limit]
        found = [_found(self._table, row) for row in rows]
        return [each for each in found if each is not None]

    def places(self) -> list[Key]:
        """Return which text of which record each is."""
        blocks = self._table.blocks if self._table is not None else {}
        return [(blocks.get(row[0] >> BLOCK, ""), row[1], row[4]) for row in self._rows]

    def only(self, wanted: Sequence[bool]) -> Finds:
        """Return those that are wanted, by place."""
        return Finds(self._table, [*compress(self._rows, wanted)], is_whole=self.is_whole)

    @property
    def found(self) -> list[Found]:
        """All of it."""
        return self.page(0)


_Row = tuple[int, ...]


def find(
    file: SearchFile,
    query: Query,
    paths: Collection[str],
    *,
    most: int = MOST,
    is_unwanted: Callable[[], bool] = lambda: False,
) -> Finds:
    """Return what fits a query among some transcripts; `is_abandoned` is not looked at.

    Prompts come first, then answers, calls, outputs, thoughts and what the client added; of each
    the newest first. What is not wanted any more is not looked for to its end.
    """
    table = file.look()
    conditions = _conditions(table, query, paths) if table is not None else None
    if conditions is None:
        return Finds(None, [], is_whole=table is not None)
    rows: list[_Row] = []
    ends_at = time.monotonic() + SECONDS

    def is_enough() -> bool:
        return time.monotonic() > ends_at or is_unwanted()

    try:
        rows += file.ask(_sql(query, conditions, most + 1), is_enough)
    except FAILURES:
        return Finds(table, _ranked(rows), is_whole=False)
    return Finds(table, _ranked(rows[:most]), is_whole=len(rows) <= most)


def _found(table: SearchTable, row: Sequence[int]) -> Found | None:
    """A row of the answer; None where it is of a table that was damaged."""
    number, ordinal, offset, length, text, kind, tool, file, at = row
    path, part, is_error = table.blocks.get(number >> BLOCK), _PARTS.get(kind & PART), kind >= ERROR
    if path is None or part is None:
        return None
    return Found(path, number, ordinal, offset, length, text, part, is_error, tool, file, at)


_PARTS = {int(part): part for part in Part}


def _ranked(rows: list[_Row]) -> list[_Row]:
    return sorted(rows, key=lambda row: (row[_KIND] & PART, -(row[_AT] or 0), -row[0]))


_KIND, _AT = 5, 8
"""Places of columns in a row."""


# --- the question ------------------------------------------------------------------------------


def _sql(query: Query, conditions: list[str], most: int) -> str:
    columns = "p.id, p.ordinal, p.offset, p.length, p.number, p.kind, p.tool, p.file, p.at"
    if query.phrases:
        # Words have only letters and digits in them: nothing that SQL or FTS5 would obey.
        wanted = " AND ".join(map(_matched, query.phrases))
        source = "words CROSS JOIN pieces p ON p.id = words.rowid"
        conditions = [f"words MATCH '{wanted}'", *conditions]
        order = "words.rowid"
    else:
        source, order = "pieces p", "p.id"
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT {columns} FROM {source}{where} ORDER BY {order} DESC LIMIT {most}"


def _matched(phrase: Phrase) -> str:
    return f'"{" ".join(phrase.words)}"' + (" *" if phrase.is_prefix else "")


def _conditions(table: SearchTable, query: Query, paths: Collection[str]) -> list[str] | None:
    """What narrows a query beside its words; None where nothing can fit."""
    conditions: list[str] = []
    if query.parts:
        conditions.append(f"p.kind & {PART} IN ({_listed(query.parts)})")
    if query.is_error:
        conditions.append(f"p.kind & {ERROR}")
    if query.after is not None:
        conditions.append(f"p.at >= {query.after}")
    if query.before is not None:
        conditions.append(f"p.at < {query.before}")
    narrowed = [_in_paths(table, query, paths)]
    narrowed += [
        _named(table, "tool", query.tools),
        _named(table, "file", query.files),
        _named(table, "branch", query.branches),
        _named(table, "model", query.models),
    ]
    for more in narrowed:
        if more is None:
            return None
        conditions += more
    return conditions


def _in_paths(table: SearchTable, query: Query, paths: Collection[str]) -> list[str] | None:
    if frozenset(table.blocks.values()) <= frozenset(paths):
        return []
    blocks = table.blocks_of(paths)
    if not blocks:
        return None
    row = "words.rowid" if query.phrases else "p.id"
    within = f"{row} BETWEEN {min(blocks) << BLOCK} AND {(max(blocks) + 1 << BLOCK) - 1}"
    return [within] if len(blocks) == 1 else [within, f"p.id >> {BLOCK} IN ({_listed(blocks)})"]


def _named(table: SearchTable, kind: NameKind, phrases: tuple[Phrase, ...]) -> list[str] | None:
    if not phrases:
        return []
    numbers = _numbers(table, kind, phrases)
    return [f"p.{kind} IN ({_listed(numbers)})"] if numbers else None


def _numbers(table: SearchTable, kind: NameKind, phrases: tuple[Phrase, ...]) -> list[int]:
    """The numbers of the names in which one of the phrases stands."""
    numbers: list[int] = []
    for name, number in table.names[kind].items():
        words = tokens(name)
        if any(phrase.stands_in(words) for phrase in phrases):
            numbers.append(number)
    return numbers


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(str(int(number)) for number in numbers)
