"""What the session list showed last, to be shown again while all of it is as it was.

Most lists are asked for when little or nothing happened since the one before.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

from forkpoint import disk
from forkpoint.beside import Beside
from forkpoint.roster import Roster
from forkpoint.session_entry import SessionEntry

T = TypeVar("T")

MOST = 2000
"""Rows that are kept; one takes about 4 KB."""


class Kept(Generic[T]):
    """Values by name, each with the state that it was worked out of."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[Hashable, tuple[object, T]] = {}

    def get(self, name: Hashable, state: object) -> T | None:
        """Return what was put under a name if the state is still the same."""
        known = self._kept.get(name)
        return known[1] if known is not None and known[0] == state else None

    def put(self, name: Hashable, state: object, value: T) -> T:
        """Keep a value, and return it; when there are too many, all others are let go of."""
        if len(self._kept) >= self._most and name not in self._kept:
            self._kept.clear()
        self._kept[name] = (state, value)
        return value


class Shown:
    """What a catalog's list showed; what that is, those say who ask.

    Attributes:
        orders: all that a question means, in order, by the question; a few.
        rows: by session id.
    """

    def __init__(self, roster: Roster, beside: Beside) -> None:
        self._roster = roster
        self._beside = beside
        self._listed_at = -1
        self._with_sidecars: list[SessionEntry] = []
        self.orders: Kept[object] = Kept(4)
        self.rows: Kept[object] = Kept(MOST)

    def state(self) -> object:
        """Return what is another value whenever some session may show something else.

        Where a directory and how long a file is kept, each row asks for itself.
        """
        roster = self._roster
        if self._listed_at != roster.generation:
            self._listed_at = roster.generation
            self._with_sidecars = [each for each in roster.known() if each.file.has_sidecars]
        sidecars = [self._beside.sidecars(entry) for entry in self._with_sidecars]
        names = self._beside.names_state()
        return roster.generation, roster.steps.count, roster.live, roster.version, sidecars, names

    def all_can_be_read(self) -> bool:
        """Say whether no transcript is known to be unreadable; one that is may be readable now."""
        return all([entry.problem is None for entry in self._roster.known()])

    def agents_are_as_listed(self, entries: Iterable[SessionEntry]) -> bool:
        """Say whether the files of these sessions' subagents are those that were looked at last."""
        return all(
            [
                disk.is_as(agent.file.path, agent.file.stat)
                for entry in entries
                for agent in entry.agents.values()
            ]
        )
