"""`forkpoint/family`: which sessions are copies of each other, and where did they part?"""

from __future__ import annotations

from forkpoint.catalog import Catalog
from forkpoint.families import family as family_of
from forkpoint.protocol import types
from forkpoint.protocol.wire.family import family_members


def family(catalog: Catalog, params: types.FamilyParams) -> types.FamilyResult:
    """Show a session's family as a tree, with what shows it and where each member parted."""
    catalog.rescan()
    members = family_of(catalog, params.session_id)
    done, total = catalog.indexing()
    return types.FamilyResult(
        members=family_members(catalog, members),
        indexing=None if done == total else types.Indexing(done=done, total=total),
    )
