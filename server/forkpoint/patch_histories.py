"""Versions of files that Codex patched, over all its sessions: rebuilt when somebody asks.

Codex keeps no file backups, so that what is told of a file depends on the file as it is on disk now
(see `rebuilt`). A file is rebuilt from the patches of all sessions, each version belongs to the
session whose patch left or found it.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from forkpoint import at_path, disk
from forkpoint.backups import LARGEST
from forkpoint.contents import EMPTY, Contents, Patched, Source
from forkpoint.disk import FileStat, Unreadable
from forkpoint.layout import path_key
from forkpoint.lineage import Origin
from forkpoint.patch_calls import FilePatch, PatchSource, file_patches, patch_bytes
from forkpoint.patched_files import PatchedFile, file_at, patched_files
from forkpoint.rebuilt import ABSENT, UNREAD, OnDisk, PatchStep, Rebuilt, RebuiltVersion, rebuilt
from forkpoint.session_entry import SessionEntry

READ_AT_MOST = 64 * 1024 * 1024
"""Bytes of lines with patches that are read and kept, of the newest sessions."""

MOST_STEPS = 20_000
"""Patches and reads of one file that are looked at, the newest."""
MOST_TEXT = 512 * 1024 * 1024
"""Characters that patches of one file may go through, each through all of it: some seconds."""
_FEWEST = 100

_KNOWN_AT_MOST = 8
"""Files whose versions are kept until the next question about them."""


class Sessions(Protocol):
    """What is asked of the catalog."""

    contents: Contents

    def entries(self) -> list[SessionEntry]:
        """Return all sessions found, newest file first."""
        ...

    def origin(self, entry: SessionEntry) -> Origin | None:
        """Return the session that one was copied from."""
        ...

    @property
    def resuming_version(self) -> str | None:
        """The client version that would resume."""
        ...


class RebuiltFile(NamedTuple):
    """A file, what was done to it, and its versions.

    Attributes:
        patches: of each step that was looked at the call.
        left_out: steps before those.
    """

    file: PatchedFile
    patches: list[FilePatch]
    rebuilt: Rebuilt
    left_out: int

    def patch_of(self, version: RebuiltVersion) -> FilePatch:
        """Return the call that left the file so, or found it."""
        return self.patches[version.step or 0]

    def source_of(self, version: RebuiltVersion) -> Patched:
        """Return where to read a version."""
        patch = self.patch_of(version)
        is_before = version.is_found or version.step is None
        return Patched(patch.entry.session_id, patch.path, patch.key, is_before)

    def content_at(self, number: int) -> Source | None:
        """Return where to read the version at a place; None where it is not known.

        Before one that a patch wrote whole there was no file as far as anything tells.
        """
        if number < 0:
            return EMPTY
        version = self.rebuilt.versions[number]
        if version.exists is None:
            return None
        return self.source_of(version) if version.exists else EMPTY


_Found = tuple[PatchedFile, list[FilePatch]]


class PatchHistories:
    """What Codex' sessions tell of files; kept as long as no transcript and no file changes.

    Attributes:
        is_whole: False where patches of older sessions were left out, as there are too many.
    """

    def __init__(self, sessions: Sessions) -> None:
        """Begin without anything; contents of versions are told through `Contents`."""
        self._sessions = sessions
        self.is_whole = True
        self._of_transcript: dict[str, tuple[object, list[FilePatch]]] = {}
        self._bytes: dict[str, tuple[object, int]] = {}
        self._files: tuple[object, list[_Found]] = (None, [])
        self._known: dict[int, tuple[object, RebuiltFile]] = {}
        sessions.contents.rebuild = self._content

    # --- questions ---

    def of_file(self, path: str) -> RebuiltFile | None:
        """Return a file by a path that it has or had; None where no patch is known of it."""
        found = self._at(path)
        return None if found is None else self._rebuilt(*found)

    def of_session(self, entry: SessionEntry, path: str | None = None) -> list[RebuiltFile]:
        """Return the files that a session patched, or one of them."""
        keys = None if path is None else {path_key(path), path_key(at_path.real_path(path))}
        return [
            self._rebuilt(file, patches)
            for file, patches in self._all()
            if any(patch.entry is entry and patch.step.change for patch in patches)
            and (keys is None or keys & set(map(path_key, file.paths)))
        ]

    def tracked(self) -> list[tuple[PatchedFile, list[FilePatch]]]:
        """Return the files that were patched, with the calls that did not fail."""
        found = [
            (file, [patch for patch in patches if _may_have_changed(patch)])
            for file, patches in self._all()
            if not file.is_replaced
        ]
        return [each for each in found if each[1]]

    def _content(self, source: Patched) -> bytes:
        found = self._at(source.path)
        each = None if found is None else self._rebuilt(*found)
        if each is None:
            raise Unreadable(source.path, "gone")
        for number, version in enumerate(each.rebuilt.versions):
            is_before = version.is_found or version.step is None
            if is_before is source.is_before and each.patch_of(version).key == source.key:
                text = each.rebuilt.content(number)
                if text is not None:
                    return text.encode("utf-8", "replace")
        raise Unreadable(source.path, "gone")

    # --- what is there ---

    def _at(self, path: str) -> _Found | None:
        files = self._all()
        for each in dict.fromkeys((path, at_path.real_path(path))):
            file = file_at((file for file, _ in files), each)
            if file is not None:
                return next(found for found in files if found[0] is file)
        return None

    def _all(self) -> list[_Found]:
        version = self._sessions.resuming_version
        sources = self._sources()
        state = [version, *(_state(source) for source in sources)]
        if self._files[0] == state:
            return self._files[1]
        paths = {source.transcript.path for source in sources}
        for gone in self._of_transcript.keys() - paths:
            del self._of_transcript[gone]
        patches: dict[str, FilePatch] = {}
        for source in sorted(
            sources, key=lambda each: self._sessions.origin(each.entry) is not None
        ):
            for patch in self._patches(source, version):
                patches.setdefault(f"{patch.key} {patch.path}", patch)
        ordered = sorted(patches.values(), key=lambda patch: patch.step.time)
        by_step = {id(patch.step): patch for patch in ordered}
        made: list[_Found] = []
        for file in patched_files((each.path, each.moved_to, each.step) for each in ordered):
            made.append((file, [by_step[id(step)] for step in file.steps]))
        self._files = (state, made)
        self._known.clear()
        return made

    def _sources(self) -> list[PatchSource]:
        """The transcripts that are read, newest session first, as long as they are not too much."""
        self.is_whole, left = True, READ_AT_MOST
        found: list[PatchSource] = []
        for entry in self._sessions.entries():
            if entry.agent != "codex":
                continue
            agents = ((agent_id, each.transcript) for agent_id, each in entry.agents.items())
            for agent_id, transcript in ((None, entry.main), *agents):
                source = PatchSource(entry, transcript, agent_id)
                left -= self._bytes_of(source)
                if left < 0:
                    self.is_whole = False
                    return found
                found.append(source)
        return found

    def _bytes_of(self, source: PatchSource) -> int:
        state = _state(source)
        known = self._bytes.get(source.transcript.path)
        if known is None or known[0] != state:
            known = self._bytes[source.transcript.path] = (state, patch_bytes(source))
        return known[1]

    def _patches(self, source: PatchSource, version: str | None) -> list[FilePatch]:
        state = (_state(source), version)
        known = self._of_transcript.get(source.transcript.path)
        if known is None or known[0] != state:
            known = (state, file_patches(source, version))
            self._of_transcript[source.transcript.path] = known
        return known[1]

    def _rebuilt(self, file: PatchedFile, patches: list[FilePatch]) -> RebuiltFile:
        state = None if file.is_replaced else _stat(file.path)
        known = self._known.get(id(file))
        if known is None or known[0] != state:
            now = UNREAD if file.is_replaced else _on_disk(file.path, state)
            while len(self._known) >= _KNOWN_AT_MOST:
                del self._known[next(iter(self._known))]
            out = max(len(patches) - _most_steps(file, now), 0)
            made = rebuilt(file.steps[out:], now)
            known = (state, RebuiltFile(file, patches[out:], made, out))
            self._known[id(file)] = known
        return known[1]


def _may_have_changed(patch: FilePatch) -> bool:
    return patch.step.change is not None and patch.step.succeeded is not False


def _state(source: PatchSource) -> tuple[object, ...]:
    """What tells whether more was read of a transcript since, or of its session."""
    read = (source.transcript.conversation, source.entry.main.conversation)
    counts = (0 if each is None else len(each.index.nodes) for each in read)
    return source.transcript.path, *map(id, read), *counts


def _most_steps(file: PatchedFile, now: OnDisk) -> int:
    """How many patches may be looked at: of a large file fewer."""
    told = (_told(step) for step in file.steps)
    largest = max([len(now.text or ""), *(len(text) for text in told if text is not None)])
    return max(_FEWEST, min(MOST_STEPS, MOST_TEXT // max(largest, 1)))


def _told(step: PatchStep) -> str | None:
    """A whole text that a step tells."""
    if step.change is not None:
        return step.change.content
    return None if step.seen is None else step.seen.text


def _stat(path: str) -> FileStat | str:
    try:
        return disk.stat(at_path.real_path(path))
    except Unreadable as failure:
        return failure.reason


def _on_disk(path: str, stat: FileStat | str | None) -> OnDisk:
    """The file as text; what is no text in UTF-8 Codex cannot have patched."""
    if not isinstance(stat, FileStat):
        return ABSENT if stat == "gone" else UNREAD
    if stat.size > LARGEST:
        return UNREAD
    try:
        data = disk.read_span(at_path.real_path(path), 0, stat.size)
        return OnDisk("text", data.decode())
    except (Unreadable, UnicodeDecodeError):
        return UNREAD
