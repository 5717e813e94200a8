"""Which versions of a file are kept, over all sessions?

Sessions are joined by the place where the file really lies. A version that a fork copied from
another session stands once, under the session that made it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Literal, NamedTuple, Protocol

from forkpoint import at_path
from forkpoint.backups import Copy
from forkpoint.checkpoints import Version
from forkpoint.contents import EMPTY, Contents, Replaced, Source
from forkpoint.disk import Unreadable
from forkpoint.layout import backup_name, path_key
from forkpoint.line_changes import Changes
from forkpoint.lineage import Origin
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.rebuilt import RebuiltVersion
from forkpoint.recorded import RecordedFile, RecordedVersion
from forkpoint.session_entry import SessionEntry

READ_FOR_AN_ANSWER = 32 * 1024 * 1024
"""Bytes of transcripts that are read for a question about a file, newest first. What was not read
by then follows in the background, and answers say that reading goes on."""

MOST_ORIGINS = 20
"""A fork of a fork of a fork: where to stop looking for a copy."""

State = Literal["present", "pruned", "absent"]
Kind = Literal["first", "edited", "created", "deleted", "unchanged", "pruned"]


class Sessions(Protocol):
    """What is asked of the catalog."""

    contents: Contents

    def entries(self) -> list[SessionEntry]:
        """Return all sessions found, newest file first."""
        ...

    def find(self, session_id: str) -> SessionEntry | None:
        """Return a session by its id, if it is known."""
        ...

    def read(self, entry: SessionEntry) -> object:
        """Read a session's transcript as it is now; raises `Unreadable`."""
        ...

    def recorded(self, entry: SessionEntry) -> list[RecordedFile] | None:
        """Return the files whose states a session recorded; None until it is read."""
        ...

    def origin(self, entry: SessionEntry) -> Origin | None:
        """Return the session that one was copied from."""
        ...


class KeptVersion(NamedTuple):
    """A version as it can be shown.

    Attributes:
        entry: the session that names it.
        owner: id of the session in whose folder its copy lies, else of the one that names it.
        source: its content; None where the copy is gone or must not be read.
        changes: against the version before; None where unknown.
        previous: its place among the versions of the nearest older one that has content.
        rebuilt: what patches tell of it; None = the agent kept it.
        rolled_back: the turn with its patch was rolled back.
    """

    entry: SessionEntry
    owner: str
    recorded: RecordedVersion
    state: State
    kind: Kind
    source: Source | None
    changes: Changes | None
    previous: int | None
    rebuilt: RebuiltVersion | None = None
    rolled_back: bool = False


class Tracker(NamedTuple):
    """A session, and a file as it tracks it."""

    entry: SessionEntry
    file: RecordedFile


class History(NamedTuple):
    """A file and its versions, oldest first.

    Attributes:
        path: as the caller, else the first session, spells it.
        files: the same file as each session tracks it.
        left_out: there are older patches of the file that were not looked at.
    """

    path: str
    files: list[Tracker]
    versions: list[KeptVersion]
    left_out: bool = False


class _Found(NamedTuple):
    """A version before it is compared with its neighbours."""

    entry: SessionEntry
    recorded: RecordedVersion
    state: State
    source: Source | None


class FileHistories:
    """Histories by file, computed anew for each question from what is remembered of its parts."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._expected: set[str] = set()
        self._unmeasured: dict[str, None] = {}
        self._trackers_of: list[tuple[SessionEntry, list[RecordedFile]]] = []
        self._trackers: dict[str, list[Tracker]] = {}

    # --- questions ---

    def of_file(self, path: str) -> History:
        """Return all versions of one file."""
        self._read_what_is_small()
        self._sessions.contents.begin()
        known = self._by_key()
        keys = dict.fromkeys((path_key(path), path_key(at_path.real_path(path))))
        groups = {id(known[key]): known[key] for key in keys if key in known}
        return self._history(path, [tracker for group in groups.values() for tracker in group])

    def of_session(self, entry: SessionEntry, path: str | None = None) -> list[History]:
        """Return the versions that one session names, of one file or of all that it tracks."""
        self._sessions.contents.begin()
        files = self._sessions.recorded(entry) or []
        if path is not None:
            keys = {path_key(path), path_key(at_path.real_path(path))}
            files = [file for file in files if keys & file.keys]
        return [self._history(path or file.path, [Tracker(entry, file)]) for file in files]

    def tracked(self) -> list[list[Tracker]]:
        """Return by file who tracks it: sessions may reach one file by different paths."""
        self._read_what_is_small()
        return _groups(self._by_key())

    def shared(
        self, entry: SessionEntry, others: Sequence[SessionEntry]
    ) -> Iterator[tuple[str, list[str]]]:
        """Yield the files that other sessions track as well, with the ids of those sessions."""
        tracked = [
            (other.session_id, file)
            for other in others
            if other.session_id != entry.session_id
            for file in self._sessions.recorded(other) or ()
        ]
        for file in self._sessions.recorded(entry) or ():
            ids = [session_id for session_id, other in tracked if other.keys & file.keys]
            if ids:
                yield file.path, ids

    def forget(self) -> None:
        """Keep nothing of sessions that are gone; who tracks what is made out anew when asked."""
        self._trackers_of, self._trackers = [], {}

    def source(self, entry: SessionEntry, path: str, recorded: RecordedVersion) -> Source | None:
        """Return where the content of a recorded version is; None where it is gone."""
        version = recorded.version
        if version.is_absent:
            return EMPTY
        if recorded.replaced is not None:
            return Replaced(entry.session_id, recorded.replaced)
        return self._copy(entry, path, version)

    # --- one history ---

    def _by_key(self) -> dict[str, list[Tracker]]:
        """Who tracks the file that a key stands for; made anew when a session recorded more."""
        now = [
            (entry, files)
            for entry in self._sessions.entries()
            if (files := self._sessions.recorded(entry))
        ]
        same = len(now) == len(self._trackers_of) and all(
            entry is known and files is recorded
            for (entry, files), (known, recorded) in zip(now, self._trackers_of, strict=True)
        )
        if not same:
            self._trackers_of, self._trackers = now, _grouped(now)
        return self._trackers

    def _history(self, path: str, trackers: Sequence[Tracker]) -> History:
        files = sorted(trackers, key=lambda item: (self._depth(item.entry), _began(item.file)))
        found: list[tuple[int, _Found]] = []
        places: dict[tuple[object, ...], int] = {}
        for entry, file in files:
            latest = NO_TIME
            for version in self._found(entry, file):
                latest = max(latest, milliseconds(version.recorded.version.time))
                same = _identity(version.recorded.version)
                place = places.get(same) if version.recorded.version.prompt else None
                if place is None:
                    places[same] = len(found)
                    found.append((latest, version))
                elif found[place][1].source is None:
                    # A fork's copy is a file of its own, which may outlive the original's.
                    time, first = found[place]
                    kept = first._replace(state=version.state, source=version.source)
                    found[place] = (time, kept)
        found.sort(key=lambda item: item[0])
        return History(path, files, self._compared([version for _, version in found]))

    def _found(self, entry: SessionEntry, file: RecordedFile) -> list[_Found]:
        found: list[_Found] = []
        for recorded in [*file.versions, *self._unrecorded(entry, file)]:
            source = self.source(entry, file.path, recorded)
            state: State = "absent" if recorded.version.is_absent else "present"
            found.append(_Found(entry, recorded, state if source is not None else "pruned", source))
        if len(found) > len(file.versions):
            found.sort(key=lambda version: version.recorded.version.number)
        return found

    def _unrecorded(self, entry: SessionEntry, file: RecordedFile) -> Iterator[RecordedVersion]:
        """Copies of the file that no line names: a client may end before it writes one."""
        digest = backup_name(file.path, 1).partition("@")[0]
        named = {recorded.version.backup for recorded in file.versions}
        backups = self._sessions.contents.backups
        for number, name in backups.versions(entry.root, entry.session_id, digest):
            if name not in named:
                version = _unrecorded(number, name)
                yield RecordedVersion(version, None, on_active_path=False)

    def _copy(self, entry: SessionEntry, path: str, version: Version) -> Copy | None:
        if version.backup is None:
            return None
        backups = self._sessions.contents.backups
        copy = Copy(entry.root, entry.session_id, version.backup)
        if backups.stat(copy) is not None:
            return copy
        for origin in self._origins(entry):
            if not self._names(origin, path, version):
                return None
            copy = Copy(origin.root, origin.session_id, version.backup)
            if backups.stat(copy) is not None:
                return copy
        return None

    def _origins(self, entry: SessionEntry) -> Iterator[SessionEntry]:
        """The session that one was copied from, the one that that was copied from, and so on."""
        seen = {entry.session_id}
        for _ in range(MOST_ORIGINS):
            origin = self._sessions.origin(entry)
            found = self._sessions.find(origin.session_id) if origin else None
            if found is None or found.session_id in seen:
                return
            seen.add(found.session_id)
            yield (entry := found)

    def _depth(self, entry: SessionEntry) -> int:
        """How many sessions a session goes back to: what both name was the first one's."""
        return sum(1 for _ in self._origins(entry))

    def _names(self, entry: SessionEntry, path: str, version: Version) -> bool:
        """Whether a session names this very version: its later ones are not the fork's."""
        with suppress(Unreadable):
            if self._sessions.recorded(entry) is None:
                self._sessions.read(entry)
        same = _identity(version)
        return any(
            _identity(recorded.version) == same
            for file in self._sessions.recorded(entry) or ()
            if file.path == path
            for recorded in file.versions
        )

    def _compared(self, found: Sequence[_Found]) -> list[KeptVersion]:
        versions: list[KeptVersion] = []
        previous: int | None = None
        for number, version in enumerate(found):
            before = found[number - 1] if number else None
            changes = None
            if before is not None and before.source is not None and version.source is not None:
                changes = self._sessions.contents.changes(before.source, version.source)
            source = version.source
            owner = source.session_id if isinstance(source, Copy) else version.entry.session_id
            versions.append(
                KeptVersion(
                    entry=version.entry,
                    owner=owner,
                    recorded=version.recorded,
                    state=version.state,
                    kind=_kind(version, before, changes),
                    source=source,
                    changes=changes,
                    previous=previous,
                )
            )
            previous = previous if source is None else number
        return versions

    # --- reading ahead ---

    def _read_what_is_small(self) -> None:
        left = READ_FOR_AN_ANSWER
        for entry in self._sessions.entries():
            if entry.main.is_indexed or entry.main.failed:
                continue
            left -= entry.file.stat.size if entry.main.conversation is None else 0
            if left < 0:
                return
            with suppress(Unreadable):
                self._sessions.read(entry)

    def expect(self, entry: SessionEntry) -> None:
        """Note that a session was read: what it tracks is measured when there is time."""
        self._expected.add(entry.session_id)

    def measure_next(self) -> bool:
        """Count lines between the versions of one more file; False when none is left."""
        if self._expected:
            for group in _groups(self._by_key()):
                if any(tracker.entry.session_id in self._expected for tracker in group):
                    self._unmeasured.update(dict.fromkeys(group[0].file.keys))
            self._expected = set()
        if not self._unmeasured:
            return False
        # Names only wait here: who tracks a file may be gone when its turn comes.
        key, _ = self._unmeasured.popitem()
        group = self._trackers.get(key, [])
        for tracker in group:
            for other in tracker.file.keys:
                self._unmeasured.pop(other, None)
        if not group:
            return True
        self._sessions.contents.begin()
        for version in self._history(group[0].file.path, group).versions:
            if version.source is not None:
                self._sessions.contents.measure(version.source)
        return True


def _grouped(
    recorded: Iterable[tuple[SessionEntry, list[RecordedFile]]],
) -> dict[str, list[Tracker]]:
    """Trackers by key; keys that a file of some session shares have one list."""
    groups: dict[str, list[Tracker]] = {}
    for entry, files in recorded:
        for file in files:
            known = next((groups[key] for key in file.keys if key in groups), None)
            group: list[Tracker] = [] if known is None else known
            group.append(Tracker(entry, file))
            for key in file.keys:
                groups.setdefault(key, group)
    return groups


def _groups(by_key: dict[str, list[Tracker]]) -> list[list[Tracker]]:
    return list({id(group): group for group in by_key.values()}.values())


def _began(file: RecordedFile) -> int:
    """When a session began to track a file; what a fork copied has the times of the original."""
    times = (milliseconds(recorded.version.time) for recorded in file.versions)
    return min(times, default=NO_TIME)


def _unrecorded(number: int, name: str) -> Version:
    return Version(
        number=number,
        backup=name,
        is_absent=False,
        is_unknown=False,
        first=number == 1,
        time=None,
        prompt=None,
        real_parent=None,
    )


def _identity(version: Version) -> tuple[object, ...]:
    return version.number, version.backup, version.time, version.prompt, version.is_absent


def _kind(version: _Found, before: _Found | None, changes: Changes | None) -> Kind:
    if version.state == "pruned":
        return "pruned"
    if version.recorded.version.first:
        return "first"
    if version.state == "absent":
        return "unchanged" if before is not None and before.state == "absent" else "deleted"
    if before is not None and before.state == "absent":
        return "created"
    return "unchanged" if changes == Changes(0, 0) else "edited"
