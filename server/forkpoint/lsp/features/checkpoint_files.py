"""`forkpoint/checkpointFiles`: which files have checkpoints at all?"""

from __future__ import annotations

from forkpoint import disk
from forkpoint.catalog import Catalog
from forkpoint.layout import below
from forkpoint.lsp.features.sessions import page
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri, path_of
from forkpoint.recorded import RecordedFile
from forkpoint.session_entry import SessionEntry


def checkpoint_files(
    catalog: Catalog, params: types.CheckpointFilesParams
) -> types.CheckpointFilesResult:
    """List files with the number of versions in the session that touched them last."""
    folders: list[str] = []
    if params.folder is not None:
        folder = path_of(params.folder)
        folders = list(dict.fromkeys((folder, disk.real_path(folder))))
    rows = [
        _row(tracking)
        for tracking in catalog.histories.tracked().values()
        if not folders or any(below(tracking[0][1].path, folder) for folder in folders)
    ]
    rows.sort(key=lambda row: row.file)
    done, total = catalog.indexing()
    return types.CheckpointFilesResult(
        files=page(rows, params.offset, params.limit),
        total=len(rows),
        indexing=types.Indexing(done=done, total=total),
    )


def _row(tracking: list[tuple[SessionEntry, RecordedFile]]) -> types.CheckpointFile:
    entry, newest = max(tracking, key=lambda item: _touched(item[1]))
    return types.CheckpointFile(
        file=file_uri(newest.path),
        session_id=entry.session_id,
        versions=len(newest.versions),
        sessions=len(tracking),
    )


def _touched(file: RecordedFile) -> int:
    times = (milliseconds(recorded.version.time) for recorded in file.versions)
    return max(times, default=NO_TIME)
