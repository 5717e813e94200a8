"""Rebuilt versions of a file as versions of its history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from forkpoint.checkpoints import Version
from forkpoint.contents import Contents
from forkpoint.file_histories import History, KeptVersion, Kind, State
from forkpoint.line_changes import Changes
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.patch_histories import RebuiltFile
from forkpoint.rebuilt import RebuiltVersion
from forkpoint.recorded import RecordedVersion

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def patched_history(
    each: RebuiltFile, path: str | None = None, session_id: str | None = None
) -> History:
    """Return a rebuilt file as a history.

    Args:
        each: the file.
        path: as the caller spells it; None = as the newest patch does.
        session_id: leave out what other sessions' patches left or found.
    """
    numbers: dict[str, int] = {}
    versions: list[KeptVersion] = []
    before: RebuiltVersion | None = None
    for place, version in enumerate(each.rebuilt.versions):
        owner = each.patch_of(version).entry.session_id
        numbers[owner] = numbers.get(owner, 0) + 1
        if session_id in (None, owner):
            versions.append(_kept(each, place, before, numbers[owner]))
        before = version
    return History(path or each.file.path, [], _linked(versions), left_out=each.left_out > 0)


def joined_history(contents: Contents, kept: History, patched: History) -> History:
    """Return one history of what copies and what patches tell of a file, in the order of time."""
    versions = sorted(
        [*kept.versions, *patched.versions],
        key=lambda each: milliseconds(each.recorded.version.time),
    )
    pairs = zip([None, *versions], versions, strict=False)
    counted = [_counted(contents, before, version) for before, version in pairs]
    return History(kept.path, kept.files, _linked(counted), left_out=patched.left_out)


def _counted(contents: Contents, before: KeptVersion | None, version: KeptVersion) -> KeptVersion:
    """The version with what changed since the one before, where that is the other agent's."""
    if before is None or (before.rebuilt is None) == (version.rebuilt is None):
        return version
    if version.rebuilt is not None and version.changes is not None:
        return version  # what its own patch changed
    changes = None
    if before.source is not None and version.source is not None:
        changes = contents.changes(before.source, version.source)
    return version._replace(changes=changes)


def _linked(versions: Sequence[KeptVersion]) -> list[KeptVersion]:
    """The versions, each with its nearest older one that has content."""
    made: list[KeptVersion] = []
    previous: int | None = None
    for number, version in enumerate(versions):
        made.append(version._replace(previous=previous))
        previous = previous if version.source is None else number
    return made


def _kept(each: RebuiltFile, place: int, before: RebuiltVersion | None, number: int) -> KeptVersion:
    version = each.rebuilt.versions[place]
    patch = each.patch_of(version)
    recorded = Version(
        number=number,
        backup=None,
        is_absent=version.exists is False,
        is_unknown=False,
        first=version.step is None,
        time=_iso(patch.step.time),
        prompt=patch.step.prompt,
        real_parent=None,
    )
    return KeptVersion(
        entry=patch.entry,
        owner=patch.entry.session_id,
        recorded=RecordedVersion(recorded, patch.preview, patch.on_active_path),
        state=_state(version),
        kind=_kind(each, version, before),
        source=each.content_at(place),
        changes=version.changes,
        previous=None,
        rebuilt=version,
        rolled_back=patch.step.rolled_back,
    )


def _iso(time: int) -> str | None:
    if time == NO_TIME:
        return None
    at = _EPOCH + timedelta(milliseconds=time)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _state(version: RebuiltVersion) -> State:
    if version.exists is None:
        return "pruned"
    return "present" if version.exists else "absent"


def _kind(each: RebuiltFile, version: RebuiltVersion, before: RebuiltVersion | None) -> Kind:
    if version.exists is None:
        return "pruned"
    if version.step is None:
        return "first"
    if not version.exists:
        return "deleted"
    change = each.patches[version.step].step.change
    is_added = change is not None and change.kind == "add" and not version.is_found
    if is_added and (before is None or not before.exists):
        return "created"
    return "unchanged" if version.changes == Changes(0, 0) else "edited"
