"""Which sessions does the agent's own clean-up delete soon?"""

from __future__ import annotations

from collections.abc import Iterable

from forkpoint.catalog import Catalog
from forkpoint.retention import DAY_MS
from forkpoint.session_entry import SessionEntry


def ends_at(catalog: Catalog, entry: SessionEntry) -> float | None:
    """Return from when on a session may be deleted (ms since 1970); None = never."""
    modified = entry.file.stat.mtime_ns / 1e6
    return catalog.beside.retention(entry.root).ends(modified)


MOST_DAYS = 1_000_000
"""What is asked of more days is asked of so many: numbers of any size come over the wire."""


def goes_within(catalog: Catalog, entry: SessionEntry, days: int, now_ms: float) -> bool:
    """Say whether a session may be deleted within so many days from now."""
    ends = ends_at(catalog, entry)
    return ends is not None and ends <= now_ms + min(days, MOST_DAYS) * DAY_MS


def expiring(
    catalog: Catalog, entries: Iterable[SessionEntry], days: int, now_ms: float
) -> list[tuple[float, SessionEntry]]:
    """Return those sessions that go within so many days, with the time, the first one first.

    As in the list, one without any message is none, and one that nobody has read yet counts.
    """
    found: list[tuple[float, SessionEntry]] = []
    for entry in entries:
        ends = ends_at(catalog, entry)
        if ends is None or not goes_within(catalog, entry, days, now_ms):
            continue
        summary = catalog.known_summary(entry)
        if summary is None or summary.talk or entry.problem is not None:
            found.append((ends, entry))
    return sorted(found, key=lambda each: (each[0], each[1].session_id))
