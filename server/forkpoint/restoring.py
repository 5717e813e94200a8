"""What would a restore of the code do, file by file, as the disk is now?

The client looks into the folder of the resumed session alone and takes each copy as it is; so does
this. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from forkpoint import at_path
from forkpoint.at_path import Facts
from forkpoint.backups import Copy
from forkpoint.checkpoints import Version
from forkpoint.contents import EMPTY, Contents, Source, Working
from forkpoint.disk import Unreadable
from forkpoint.layout import below, parent_of
from forkpoint.line_changes import Changes
from forkpoint.rewind import Kept, OnDisk, Outcome, outcome, together
from forkpoint.session_entry import SessionEntry


class RestoredFile(NamedTuple):
    """One file of a checkpoint.

    Attributes:
        version: what is recorded of it; None where nothing is known, so that it is left alone.
        source: what it would hold; None where the copy is gone.
        is_file: whether a regular file is there now.
        mode_changes: whether its permissions would become the copy's.
        changes: lines it would gain and lose; None where unknown.
    """

    path: str
    version: Version | None
    outcome: Outcome
    source: Source | None
    is_file: bool
    is_outside: bool
    mode_changes: bool
    changes: Changes | None


def restored_files(
    contents: Contents,
    entry: SessionEntry,
    state: Mapping[str, Version | None],
    folder: str | None,
) -> list[RestoredFile]:
    """Return what would become of each file.

    Args:
        contents: what copies and files hold.
        entry: the session that would be resumed.
        state: its files at the prompt, by absolute path.
        folder: where the client is started.
    """
    contents.begin()
    files = [_restored(contents, entry, path, version, folder) for path, version in state.items()]
    outcomes = together([file.outcome for file in files])
    return [file._replace(outcome=each) for file, each in zip(files, outcomes, strict=True)]


def _restored(
    contents: Contents,
    entry: SessionEntry,
    path: str,
    version: Version | None,
    folder: str | None,
) -> RestoredFile:
    facts, on_disk = _on_disk(path)
    copy = None
    if version is not None and version.backup is not None:
        copy = Copy(entry.root, entry.session_id, version.backup)
    is_file = on_disk.kind == "file"
    kept = _kept(contents, copy, path if is_file else None)
    source: Source | None = copy if kept.state == "present" else None
    if version is not None and version.is_absent:
        source = EMPTY
    result = outcome(version, on_disk, kept)
    stays = result.action in ("overwrite", "unchanged")
    return RestoredFile(
        path=path,
        version=version,
        outcome=result,
        source=source,
        is_file=is_file,
        is_outside=folder is None or not below(path, folder),
        mode_changes=stays and _mode_differs(copy, facts),
        changes=None
        if source is None
        else contents.changes(Working(path) if is_file else EMPTY, source),
    )


def _on_disk(path: str) -> tuple[Facts | None, OnDisk]:
    folder, way = parent_of(path), at_path.way_to(path)
    parent = at_path.real_path(folder) if at_path.exists(folder) else folder
    try:
        facts = at_path.look_at(path)
    except Unreadable:
        return None, OnDisk("file", False, parent, can_write=False, can_delete=way == "open")
    if facts is None and way == "noFolder":
        return None, OnDisk("other", False, parent, can_write=False, can_delete=False)
    if facts is None:
        kind = "dangling" if way == "dangling" else "nothing"
        return None, OnDisk(kind, False, parent, can_write=way == "open", can_delete=False)
    return facts, OnDisk(
        kind=facts.kind,
        is_hard_linked=facts.kind == "file" and facts.links > 1,
        parent=parent,
        can_write=at_path.is_writable(path),
        can_delete=way == "open",
    )


def _kept(contents: Contents, copy: Copy | None, path: str | None) -> Kept:
    """What is left of a copy, and whether the file at `path`, if there is one, holds the same."""
    if copy is None:
        return Kept("gone", is_same=False)
    if contents.backups.stat(copy) is None:
        # A link to nothing is a copy that is gone, everything else is something in its place.
        is_other = at_path.exists(copy.path)
        return Kept("notRegular" if is_other else "gone", is_same=False)
    if contents.measure(copy) is None:
        return Kept("unreadable", is_same=False)
    is_same = path is not None and contents.differ(copy, Working(path)) is False
    return Kept("present", is_same)


def _mode_differs(copy: Copy | None, facts: Facts | None) -> bool:
    mode = None if copy is None else at_path.mode_of(copy.path)
    return mode is not None and facts is not None and mode != facts.mode
