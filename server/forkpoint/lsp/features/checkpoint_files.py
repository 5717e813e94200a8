"""`forkpoint/checkpointFiles`: which files have checkpoints at all?"""

from __future__ import annotations

from forkpoint import at_path
from forkpoint.catalog import Catalog
from forkpoint.file_histories import Tracker
from forkpoint.layout import below
from forkpoint.lsp.features.sessions import page
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri, path_of
from forkpoint.recorded import RecordedFile


def checkpoint_files(
    catalog: Catalog, params: types.CheckpointFilesParams
) -> types.CheckpointFilesResult:
    """List files with the number of versions in the session that touched them last."""
    folder = None if params.folder is None else path_of(params.folder)
    rows = [
        _row(tracking, path)
        for tracking in catalog.histories.tracked()
        if (path := _path(tracking, folder)) is not None
    ]
    rows.sort(key=lambda row: row.file)
    done, total = catalog.indexing()
    return types.CheckpointFilesResult(
        files=page(rows, params.offset, params.limit),
        total=len(rows),
        indexing=types.Indexing(done=done, total=total),
    )


def _path(tracking: list[Tracker], folder: str | None) -> str | None:
    """The file as it is spelled below the asked folder; None where it does not lie there.

    Sessions write folders with links resolved, an editor may have opened one by a link.
    """
    path = tracking[0].file.path
    if folder is None or below(path, folder):
        return path
    real = at_path.real_path(folder)
    return folder + path[len(real) :] if below(path, real) else None


def _row(tracking: list[Tracker], path: str) -> types.CheckpointFile:
    entry, newest = max(tracking, key=lambda tracker: _touched(tracker.file))
    return types.CheckpointFile(
        file=file_uri(path),
        session_id=entry.session_id,
        versions=len(newest.versions),
        sessions=len(tracking),
    )


def _touched(file: RecordedFile) -> int:
    times = (milliseconds(recorded.version.time) for recorded in file.versions)
    return max(times, default=NO_TIME)
