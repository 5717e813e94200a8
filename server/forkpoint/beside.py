"""What lies beside transcripts: small files of the client, and the directories of the work.

Each is looked up once, until everything is looked up anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from forkpoint.projects import Places
from forkpoint.retention import FOR_EVER, Retention, retention_of
from forkpoint.session_entry import SessionEntry
from forkpoint.sidecars import NOTHING, PUT_AWAY, Sidecars, sidecars_of
from forkpoint.thread_names import ThreadNames


class Beside:
    """Answers for one catalog.

    Attributes:
        places: what is known of directories.
    """

    def __init__(self, codex_homes: Iterable[Path] = ()) -> None:
        self.places = Places()
        self._names = {home: ThreadNames(home) for home in codex_homes}
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
        if entry.agent == "codex":
            return self._of_thread(entry)
        if entry.session_id not in self._sidecars:
            found = sidecars_of(entry.file.folder) if entry.file.has_sidecars else NOTHING
            self._sidecars[entry.session_id] = found
        return self._sidecars[entry.session_id]

    def retention(self, root: Path) -> Retention:
        """Return how long transcripts below a root are kept; Codex deletes none by itself."""
        if root in self._names:
            return FOR_EVER
        if root not in self._retention:
            self._retention[root] = retention_of(root)
        return self._retention[root]

    def retention_days(self, root: Path) -> int | None:
        """Return after how many days the client deletes transcripts below a root."""
        return self.retention(root).days

    def look_at_names(self) -> set[str]:
        """Return the threads, in lower case, that are called otherwise than at the last look."""
        return {thread_id for names in self._names.values() for thread_id in names.look()}

    def names_in(self, home: Path) -> tuple[str, list[str]] | None:
        """Return the file with names of threads, and the threads that have one, in lower case."""
        names = self._names.get(home)
        return None if names is None else (names.path, names.threads())

    def names_state(self) -> object:
        """Return what is another value whenever some thread may be called otherwise."""
        return [names.looks for names in self._names.values()]

    def _of_thread(self, entry: SessionEntry) -> Sidecars:
        names = self._names.get(entry.root)
        title = names.name(entry.file.resume_id) if names is not None else None
        if title is None:
            return PUT_AWAY if entry.file.archived else NOTHING
        return Sidecars(title=title, title_by="user", archived=entry.file.archived)
