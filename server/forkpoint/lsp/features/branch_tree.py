"""`forkpoint/branchTree`: which ways did the conversation go?"""

from __future__ import annotations

from forkpoint.catalog import Catalog
from forkpoint.inherited import Inherited, before_path
from forkpoint.lsp.features.active_path import inherited_paths
from forkpoint.protocol import types
from forkpoint.protocol.wire.segments import branch_tree_of


def branch_tree(catalog: Catalog, params: types.BranchTreeParams) -> types.BranchTreeResult:
    """Tell the segments between branch points; nothing but the index is asked."""
    conversation = catalog.conversation(params.session_id, params.agent_id)
    version = params.for_version or catalog.resuming_version
    before: list[Inherited] = []
    if params.agent_id is None:
        rows = conversation.path(version).entries.rows
        before = before_path(catalog, catalog.entry(params.session_id), rows)
    end = None if params.limit is None else params.offset + params.limit
    return branch_tree_of(
        conversation,
        version,
        inherited_paths(catalog, before, version),
        slice(params.offset, end),
    )
