"""Which sessions go soon, and which settings say so? Asked for with the health of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from forkpoint.catalog import Catalog
from forkpoint.lsp.expiring import expiring
from forkpoint.protocol import types
from forkpoint.protocol.wire.retention import retention, setting_below, setting_of_project
from forkpoint.retention import shorter_in_projects
from forkpoint.session_entry import SessionEntry

MOST_ENTRIES = 2000
"""Newest sessions by which projects are found."""
FRESH_SECONDS = 60.0
"""How long it is believed what was read of projects' settings."""


class RetentionAsked:
    """Answers for one catalog."""

    def __init__(self) -> None:
        self._projects: tuple[float, list[types.RetentionSetting]] | None = None

    def of_one(
        self, catalog: Catalog, entry: SessionEntry, days: int, now: float
    ) -> types.Retention:
        """Return whether one session goes soon; `now` is in seconds since 1970."""
        # Codex deletes none by itself, and has no setting for it.
        roots = [entry.root] if entry.agent == "claude-code" else []
        settings = [setting_below(root, catalog.beside.retention(root)) for root in roots]
        going = expiring(catalog, [entry], days, now * 1000)
        return retention(days, going, settings, now * 1000)

    def of_all(
        self, catalog: Catalog, entries: Sequence[SessionEntry], days: int, now: float
    ) -> types.Retention:
        """Return which of all sessions go soon."""
        below = [setting_below(root, catalog.beside.retention(root)) for root in catalog.roots]
        going = expiring(catalog, entries, days, now * 1000)
        settings = [*below, *self._said_in_projects(catalog, entries, now)]
        return retention(days, going, settings, now * 1000)

    def _said_in_projects(
        self, catalog: Catalog, entries: Sequence[SessionEntry], now: float
    ) -> list[types.RetentionSetting]:
        known = self._projects
        if known is None or not 0 <= now - known[0] < FRESH_SECONDS:
            known = self._projects = (now, [*_look_into_projects(catalog, entries)])
        return known[1]


def _look_into_projects(
    catalog: Catalog, entries: Sequence[SessionEntry]
) -> Iterator[types.RetentionSetting]:
    for root in catalog.roots:
        started: dict[str, str] = {}
        for entry in entries[:MOST_ENTRIES]:
            summary = catalog.known_summary(entry) if entry.root == root else None
            cwd = (summary.relocated or summary.first_cwd) if summary else None
            if cwd is not None:
                started.setdefault(cwd, entry.session_id)
        usual = catalog.beside.retention(root)
        for cwd, said in shorter_in_projects(started, usual, Path.home()):
            yield setting_of_project(root, said, started[cwd])
