"""`textDocument/definition`: where does this come from?

From a call that is the place it works on, from any other record its parent. In a raw file an id
under the cursor leads to the record, or to the call, that it names.
"""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.lsp.documents import Document, RawDocument, Shown, location_of, part_at
from forkpoint.lsp.editor import Editor
from forkpoint.lsp.features.call_place import place_of_call
from forkpoint.lsp.positions import index_at
from forkpoint.row_names import calls_in


def definition(
    catalog: Catalog, params: lsp.DefinitionParams, editor: Editor
) -> lsp.Location | None:
    """Lead to what a position names, else to the file of its call, else to its parent."""
    document = part_at(catalog, params.text_document.uri, params.position, editor.encoding)
    row = None if document is None else document.row_at(params.position)
    if document is None or row is None:
        return None
    if (named := _named(document, row, params.position)) is not None:
        return location_of(document, named)
    shown = document.shown
    node = shown.index.nodes.first_of.get(row, row)
    for call in calls_in(shown.index, node):
        if (place := place_of_call(catalog, shown, call)) is not None:
            return place
    parent = shown.index.nodes.parent[node]
    return location_of(document, parent) if parent >= 0 else None


_LONGEST = 1024 * 1024
"""Bytes of a line in which the word under the cursor is looked for."""
_WORD = re.compile(r"[\w-]{1,80}")
"""What an id of a record or a call is made of."""


def _named(document: Document, row: int, position: lsp.Position) -> int | None:
    """The other row that an id under the cursor names; a readable text shows no ids."""
    shown = document.shown
    length = shown.index.nodes.length[row]
    if not isinstance(document, RawDocument) or length > _LONGEST:
        return None
    line = shown.file.lines([row])[0].decode("utf-8", "replace")
    unit = max(position.character - document.start_of(row)[1], 0)
    at = index_at(line, unit, shown.encoding)
    for word in _WORD.finditer(line, max(at - 80, 0), at + 80):
        if word.start() <= at <= word.end():
            found = _row_named(shown, word[0])
            return None if found == shown.index.nodes.first_of.get(row, row) else found
    return None


def _row_named(shown: Shown, word: str) -> int | None:
    index = shown.index
    number = index.joins.number(word)
    if number is not None and index.joins.call_row[number] >= 0:
        return index.joins.call_row[number]
    return index.nodes.find(word)
