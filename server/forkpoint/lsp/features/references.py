"""`textDocument/references`: what goes on from this record?"""

from __future__ import annotations

from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.lsp.documents import location_of, part_at
from forkpoint.lsp.editor import Editor


def references(
    catalog: Catalog, params: lsp.ReferenceParams, editor: Editor
) -> list[lsp.Location] | None:
    """Give the records that name this one as their parent, in file order."""
    document = part_at(catalog, params.text_document.uri, params.position, editor.encoding)
    row = None if document is None else document.row_at(params.position)
    if document is None or row is None:
        return None
    nodes = document.shown.index.nodes
    node = nodes.first_of.get(row, row)
    rows = [*nodes.children(node)] if nodes.is_node(node) else []
    if params.context.include_declaration:
        rows = [node, *rows]
    return [location_of(document, each) for each in rows]
