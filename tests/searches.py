"""Asking the search table of a catalog, as tests do."""

from __future__ import annotations

from forkpoint.catalog import Catalog
from forkpoint.records.searchable import Part
from forkpoint.search_find import find
from forkpoint.search_query import Query, parse

ALL = 1_000_000
Hit = tuple[str, int, Part]


def paths(catalog: Catalog) -> list[str]:
    return [file.path for entry in catalog.entries() for file in entry.transcripts()]


def fill(catalog: Catalog) -> None:
    while catalog.searching.filling.next():
        pass
    done, total = catalog.searching.filling.catch_up(
        [file for entry in catalog.entries() for file in entry.transcripts()]
    )
    assert done == total


def hits(catalog: Catalog, query: Query) -> list[Hit]:
    found = find(catalog.searching.filling.file, query, paths(catalog), most=ALL)
    assert found.is_whole
    return sorted((each.path, each.ordinal, each.part) for each in found.found)


def state(catalog: Catalog) -> list[tuple[object, ...]]:
    """All that is in the table, as far as a question can see it."""
    filling, everything = catalog.searching.filling, Query(parts=frozenset(Part))
    found = find(filling.file, everything, paths(catalog), most=ALL).found
    told = [
        (
            *(each.path, each.ordinal, each.offset, each.length, each.number, each.part),
            *(each.is_error, each.at),
            *(filling.name("tool", each.tool), filling.name("file", each.file)),
        )
        for each in found
    ]
    return sorted(told, key=repr)


def found(catalog: Catalog, question: str) -> list[int]:
    """The ordinals of what a question finds."""
    query = parse(question)
    assert isinstance(query, Query)
    return [ordinal for _, ordinal, _ in hits(catalog, query)]
