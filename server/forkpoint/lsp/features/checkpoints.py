"""`forkpoint/checkpoints`: which versions of a file are kept?"""

from __future__ import annotations

from forkpoint.catalog import Catalog
from forkpoint.protocol import types
from forkpoint.protocol.errors import InvalidParams
from forkpoint.protocol.uri import path_of
from forkpoint.protocol.wire.checkpoints import file_history


def checkpoints(catalog: Catalog, params: types.CheckpointsParams) -> types.CheckpointsResult:
    """Give the history of a file over all sessions, or those of one session."""
    path = None if params.file is None else path_of(params.file)
    if params.session_id is not None:
        catalog.conversation(params.session_id)
        found = catalog.histories.of_session(catalog.entry(params.session_id), path)
    elif path is not None:
        found = [catalog.histories.of_file(path)]
    else:
        raise InvalidParams("sessionId or file is required")
    done, total = catalog.indexing()
    return types.CheckpointsResult(
        files=[file_history(catalog, history) for history in found if history.versions],
        indexing=types.Indexing(done=done, total=total),
    )
