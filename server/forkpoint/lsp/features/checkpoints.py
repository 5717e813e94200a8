"""`forkpoint/checkpoints`: which versions of a file are kept?"""

from __future__ import annotations

from collections.abc import Sequence

from forkpoint.catalog import Catalog
from forkpoint.file_histories import History
from forkpoint.patch_versions import joined_history, patched_history
from forkpoint.protocol import types
from forkpoint.protocol.errors import InvalidParams
from forkpoint.protocol.uri import path_of
from forkpoint.protocol.wire.checkpoints import NO_BACKUPS, file_history
from forkpoint.worded import joined, say


def checkpoints(catalog: Catalog, params: types.CheckpointsParams) -> types.CheckpointsResult:
    """Give the history of a file over all sessions, or those of one session."""
    path = None if params.file is None else path_of(params.file)
    if params.session_id is not None:
        catalog.conversation(params.session_id)
        entry = catalog.entry(params.session_id)
        if entry.agent == "codex":
            catalog.read_agents(entry)
        found = catalog.histories.of_session(entry, path)
        found += [
            patched_history(each, path, entry.session_id)
            for each in catalog.patches.of_session(entry, path)
        ]
        sentence = _sentence(catalog) if entry.agent == "codex" else None
    elif path is not None:
        found = [_of_file(catalog, path)]
        sentence = _sentence(catalog) if _is_patched(found) else None
    else:
        raise InvalidParams(say("sessionId or file is required"))
    done, total = catalog.indexing()
    return types.CheckpointsResult(
        files=[file_history(catalog, history) for history in found if history.versions],
        indexing=types.Indexing(done=done, total=total),
        sentence=sentence,
    )


def _of_file(catalog: Catalog, path: str) -> History:
    kept, patched = catalog.histories.of_file(path), catalog.patches.of_file(path)
    if patched is None:
        return kept
    return joined_history(catalog.contents, kept, patched_history(patched, path))


def _is_patched(histories: Sequence[History]) -> bool:
    return any(kept.rebuilt is not None for each in histories for kept in each.versions)


def _sentence(catalog: Catalog) -> str:
    older = say("Only patches of the newest sessions are known.")
    return joined([NO_BACKUPS, "" if catalog.patches.is_whole else older])
