"""Which copies of files does a session name that are not there any more, and is that as usual?

The client deletes copies that it can no longer go back to: those of older checkpoints than the
newest hundred, first versions apart. What else is gone was taken away by somebody, or by the
client's clean-up, which goes by the age of files.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

from forkpoint.backups import Backups
from forkpoint.checkpoints import REACHABLE, Checkpoints
from forkpoint.layout import parse_backup_name
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry

MOST_AT_ONCE = 1000
"""Folders that are looked at for one question: some 50 ms."""


class GoneCopies(NamedTuple):
    """The copies that a session names.

    Attributes:
        named: how many there are.
        missing: names of those that are gone for no known reason.
        pruned: names of those that the client deleted by its own rule.
    """

    named: int
    missing: list[str]
    pruned: list[str]

    @property
    def are_all_gone(self) -> bool:
        """Say whether a session that needs copies has none at all."""
        return bool(self.missing) and len(self.missing) + len(self.pruned) == self.named


def within_reach(checkpoints: Checkpoints) -> set[str]:
    """Return the names of the copies that the client keeps, as far as its rule is known."""
    lines, backups = checkpoints.lines, checkpoints.backups
    bases = [number for number, line in enumerate(lines) if line.kind == "base"]
    start = bases[-REACHABLE] if len(bases) > REACHABLE else 0
    kept = {entry for line in lines[start:] for entry in line.entries}
    named = {backup.name for n, backup in enumerate(backups) if n in kept or backup.version == 1}
    return {name for name in named if name is not None and parse_backup_name(name) is not None}


def gone_copies(entry: SessionEntry, checkpoints: Checkpoints, backups: Backups) -> GoneCopies:
    """Compare what a session names with what lies in its folder, as `backups` saw that last."""
    named = checkpoints.backup_names()
    there = backups.names(entry.root, entry.session_id) or ()
    gone = named.difference(there)
    if not gone:
        return GoneCopies(len(named), [], [])
    kept = within_reach(checkpoints)
    return GoneCopies(len(named), sorted(gone & kept), sorted(gone - kept))


class CopiesLookedAt:
    """What was found out about the copies of sessions, each for a while."""

    FRESH_SECONDS = 60.0

    def __init__(self) -> None:
        self._found: WeakKeyDictionary[Conversation, tuple[int, float, GoneCopies]]
        self._found = WeakKeyDictionary()
        self._left = 0
        self._now = 0.0

    def begin(self, backups: Backups, now: float) -> None:
        """Begin a question about many sessions; `now` is in seconds, as `time.monotonic` has it."""
        backups.begin()
        self._left, self._now = MOST_AT_ONCE, now

    def of(self, entry: SessionEntry, backups: Backups) -> GoneCopies | None:
        """Return what is known of a session's copies; None where its turn has not come."""
        conversation = entry.main.conversation
        if conversation is None:
            return None
        checkpoints = conversation.index.checkpoints
        if not checkpoints.backup_count:
            return NONE_NAMED
        known = self._found.get(conversation)
        lines = checkpoints.line_count
        if known is not None and known[0] == lines and self._now < known[1] + self.FRESH_SECONDS:
            return known[2]
        if self._left <= 0:
            return None if known is None else known[2]
        self._left -= 1
        return self.look(entry, backups)

    def look(self, entry: SessionEntry, backups: Backups) -> GoneCopies:
        """Look at the copies of a session that was read, now."""
        conversation = entry.main.conversation
        if conversation is None:
            return NONE_NAMED
        checkpoints = conversation.index.checkpoints
        found = gone_copies(entry, checkpoints, backups)
        self._found[conversation] = (checkpoints.line_count, self._now, found)
        return found


NONE_NAMED = GoneCopies(0, [], [])
