"""`forkpoint/watch`, `forkpoint/unwatch`: what moves while the agent works?"""

from __future__ import annotations

from forkpoint.catalog import Catalog
from forkpoint.protocol import types
from forkpoint.protocol.wire.watch import did_change_session, watch_result


def watch(catalog: Catalog, params: types.WatchParams) -> types.WatchResult:
    """Follow a session from now on."""
    catalog.conversation(params.session_id)
    entry = catalog.entry(params.session_id)
    place = catalog.following.begin(catalog, entry)
    return watch_result(entry, place, catalog.live.get(entry.session_id))


def unwatch(catalog: Catalog, params: types.WatchParams) -> types.UnwatchResult:
    """Follow a session no longer, be it gone meanwhile."""
    if params.session_id not in catalog.following:
        catalog.entry(params.session_id)
    catalog.following.end(params.session_id)
    return types.UnwatchResult(session_id=params.session_id)


def take_moves(catalog: Catalog) -> list[types.DidChangeSessionParams]:
    """Return what happened to the followed sessions since the last call."""
    return [did_change_session(move) for move in catalog.following.take_moves(catalog)]
