"""What lies beside transcripts: small files of the client, and the directories of the work.

Each is looked up once, until everything is looked up anew.
"""

from __future__ import annotations

from pathlib import Path

from forkpoint.projects import Places
from forkpoint.retention import Retention, retention_of
from forkpoint.session_entry import SessionEntry
from forkpoint.sidecars import NOTHING, Sidecars, sidecars_of


class Beside:
    """Answers for one catalog.

    Attributes:
        places: what is known of directories.
    """

    def __init__(self) -> None:
        self.places = Places()
        self._sidecars: dict[str, Sidecars] = {}
        self._retention: dict[Path, Retention] = {}

    def forget(self) -> None:
        """Look everything up anew."""
        self._sidecars.clear()
        self._retention.clear()
        self.places.forget()

    def forget_session(self, session_id: str) -> None:
        """Look up anew what lies beside one session."""
        self._sidecars.pop(session_id, None)

    def sidecars(self, entry: SessionEntry) -> Sidecars:
        """Return what the client keeps beside a session's transcript."""
        if entry.session_id not in self._sidecars:
            found = sidecars_of(entry.file.folder) if entry.file.has_sidecars else NOTHING
            self._sidecars[entry.session_id] = found
        return self._sidecars[entry.session_id]

    def retention(self, root: Path) -> Retention:
        """Return how long the client keeps transcripts below a root."""
        if root not in self._retention:
            self._retention[root] = retention_of(root)
        return self._retention[root]

    def retention_days(self, root: Path) -> int | None:
        """Return after how many days the client deletes transcripts below a root."""
        return self.retention(root).days
