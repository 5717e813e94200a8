"""Of hits that are copies of each other the oldest session's is shown: which are the others?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

from forkpoint.catalog import Catalog
from forkpoint.copies import Copies, copies_of
from forkpoint.disk import Unreadable
from forkpoint.search_find import Finds, Key
from forkpoint.session_entry import SessionEntry

AlsoIn = Mapping[Key, Sequence[str]]
"""By a hit that is shown, the sessions that have copies of it."""

MOST_ABOVE = 16
"""Sessions above one that are looked at: a longer line of forks is no family."""


def without_copies(
    catalog: Catalog, finds: Finds, entries: Collection[SessionEntry]
) -> tuple[Finds, AlsoIn]:
    """Leave out what is a copy of another hit.

    A copy whose original is no hit stays: it may lie outside of what was asked about, be gone, or
    be an answer to another question, as what was abandoned in one session is not in the other.

    Args:
        catalog: of all sessions.
        finds: what was found.
        entries: the sessions that were asked about.
    """
    keys = finds.places()
    there = {path for path, _, _ in keys}
    copies = {
        entry.main.path: (entry, found)
        for entry in entries
        if entry.main.path in there and catalog.origin(entry) is not None
        if (found := [*_copies(catalog, entry, there)])
    }
    if not copies:
        return finds, {}
    known = frozenset(keys)
    also_in: dict[Key, list[str]] = {}
    wanted = [True] * len(keys)
    for place, (path, row, number) in enumerate(keys):
        if path not in copies:
            continue
        entry, above = copies[path]
        original = _original(above, row, number, known)
        if original is not None:
            wanted[place] = False
            also_in.setdefault(original, []).append(entry.session_id)
    return finds.only(wanted), also_in


def _original(
    above: Sequence[tuple[str, Copies]], row: int, number: int, known: Collection[Key]
) -> Key | None:
    """The hit in the oldest session that a hit is a copy of."""
    for path, copies in reversed(above):
        original = copies.original_of(row)
        if original is not None and (path, original, number) in known:
            return path, original, number
    return None


def _copies(
    catalog: Catalog, entry: SessionEntry, there: Collection[str]
) -> Iterator[tuple[str, Copies]]:
    """What a session has from each of those above it, the nearest first."""
    seen, above = {entry.session_id}, entry
    for step in range(MOST_ABOVE):
        origin = catalog.origin(above)
        found = catalog.find(origin.session_id) if origin is not None else None
        if found is None or found.session_id in seen:
            return
        above = found
        seen.add(above.session_id)
        if above.main.path not in there:
            continue
        with suppress(Unreadable):
            index, original = catalog.read(entry).index, catalog.read(above).index
            copies = catalog.facts.copies(entry) if step == 0 else copies_of(index, original)
            yield above.main.path, copies
