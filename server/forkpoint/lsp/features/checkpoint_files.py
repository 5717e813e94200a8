"""`forkpoint/checkpointFiles`: which files have checkpoints at all?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from forkpoint import at_path
from forkpoint.catalog import Catalog
from forkpoint.file_histories import Tracker
from forkpoint.layout import below
from forkpoint.lsp.features.sessions import page
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.patch_calls import FilePatch
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri, path_of
from forkpoint.recorded import RecordedFile


def checkpoint_files(
    catalog: Catalog, params: types.CheckpointFilesParams
) -> types.CheckpointFilesResult:
    """List files with the number of versions in the session that touched them last."""
    folder = None if params.folder is None else path_of(params.folder)
    kept = [
        _row(tracking, path)
        for tracking in catalog.histories.tracked()
        if (path := _path(tracking[0].file.path, folder)) is not None
    ]
    patched = [
        _patched_row(patches, path)
        for file, patches in catalog.patches.tracked()
        if (path := _path(file.path, folder)) is not None
    ]
    rows = sorted(_joined([*kept, *patched]), key=lambda row: row.file)
    done, total = catalog.indexing()
    return types.CheckpointFilesResult(
        files=page(rows, params.offset, params.limit),
        total=len(rows),
        indexing=types.Indexing(done=done, total=total),
    )


def _path(path: str, folder: str | None) -> str | None:
    """The file as it is spelled below the asked folder; None where it does not lie there.

    Sessions write folders with links resolved, an editor may have opened one by a link.
    """
    if folder is None or below(path, folder):
        return path
    real = at_path.real_path(folder)
    return folder + path[len(real) :] if below(path, real) else None


class _Row(NamedTuple):
    """A file that sessions of one agent have versions of, and when the newest one touched it."""

    file: str
    session_id: str
    versions: int
    sessions: int
    touched: int


def _row(tracking: list[Tracker], path: str) -> _Row:
    entry, newest = max(tracking, key=lambda tracker: _touched(tracker.file))
    versions, touched = len(newest.versions), _touched(newest)
    return _Row(file_uri(path), entry.session_id, versions, len(tracking), touched)


def _patched_row(patches: list[FilePatch], path: str) -> _Row:
    """As many versions as patches; what the first one found is one more where it can be told."""
    newest = patches[-1]
    sessions = {patch.entry.session_id for patch in patches}
    versions = sum(patch.entry is newest.entry for patch in patches)
    return _Row(file_uri(path), newest.entry.session_id, versions, len(sessions), newest.step.time)


def _joined(rows: list[_Row]) -> Iterator[types.CheckpointFile]:
    """One row per file, whichever agents touched it."""
    by_file: dict[str, list[_Row]] = {}
    for row in rows:
        by_file.setdefault(row.file, []).append(row)
    for file, same in by_file.items():
        newest = max(same, key=lambda row: row.touched)
        yield types.CheckpointFile(
            file=file,
            session_id=newest.session_id,
            versions=newest.versions,
            sessions=sum(row.sessions for row in same),
        )


def _touched(file: RecordedFile) -> int:
    times = (milliseconds(recorded.version.time) for recorded in file.versions)
    return max(times, default=NO_TIME)
