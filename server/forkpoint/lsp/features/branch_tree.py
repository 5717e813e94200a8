"""`forkpoint/branchTree`: which ways did the conversation go?"""

from __future__ import annotations

from forkpoint.catalog import Catalog
from forkpoint.protocol import types
from forkpoint.protocol.wire.segments import branch_tree_of


def branch_tree(catalog: Catalog, params: types.BranchTreeParams) -> types.BranchTreeResult:
    """Tell the segments between branch points; nothing but the index is asked."""
    conversation = catalog.conversation(params.session_id, params.agent_id)
    return branch_tree_of(conversation, params.for_version or catalog.resuming_version)
