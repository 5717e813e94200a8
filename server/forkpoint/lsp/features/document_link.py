"""`textDocument/documentLink`: which files does this transcript speak of?

A link leads to a file that a call names, to the whole output of a tool, or to the raw record of an
image: never to an address that stands in what somebody wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson
from lsprotocol import types as lsp

from forkpoint import disk
from forkpoint.catalog import Catalog
from forkpoint.layout import TOOL_RESULTS
from forkpoint.lsp.documents import (
    Document,
    RawDocument,
    ReadableDocument,
    Shown,
    document_at,
)
from forkpoint.lsp.editor import Editor
from forkpoint.lsp.features.call_place import file_of_call
from forkpoint.lsp.positions import index_at, span, units
from forkpoint.protocol.uri import file_uri
from forkpoint.records.blocks import ToolResult
from forkpoint.records.content import content_of
from forkpoint.records.record import Flag
from forkpoint.records.spill import spilled_path
from forkpoint.row_names import calls_in

MOST = 2000
"""Records of one document whose links are looked for, the newest."""
_LONGEST = 64 * 1024
"""Bytes of a line that is read for its links: spilled outputs and calls of files are shorter."""


def document_link(
    catalog: Catalog, params: lsp.DocumentLinkParams, editor: Editor
) -> list[lsp.DocumentLink] | None:
    """Give the links of a document, from the top."""
    document = document_at(catalog, params.text_document.uri, editor.encoding)
    if document is None:
        return None
    found = _in_text(document) if isinstance(document, ReadableDocument) else _in_lines(document)
    return sorted(found, key=lambda link: (link.range.start.line, link.range.start.character))


# --- raw ---------------------------------------------------------------------------------------


def _in_lines(document: Document) -> Iterator[lsp.DocumentLink]:
    if not isinstance(document, RawDocument):
        return
    shown = document.shown
    rows = _telling(shown, range(len(shown.index.nodes)))
    for row, line in zip(rows, shown.file.lines(rows), strict=True):
        at, start = document.start_of(row)
        for text, target in _targets(shown, row, line):
            where = line.find(text)
            if where < 0:
                continue
            # Within the quotes.
            first = start + _units(shown, line[: where + 1])
            last = first + _units(shown, text[1:-1])
            yield lsp.DocumentLink(span((at, first), (at, last)), target=target)


def _telling(shown: Shown, rows: Sequence[int]) -> list[int]:
    """The newest rows that may name a file, in file order."""
    nodes = shown.index.nodes
    told = [
        row
        for row in rows
        if nodes.length[row] <= _LONGEST and nodes.flags[row] & (Flag.CALL | Flag.RESULT)
    ]
    return told[-MOST:]


def _targets(shown: Shown, row: int, line: bytes) -> Iterator[tuple[bytes, str]]:
    """JSON strings in a line, and what they lead to."""
    for call in calls_in(shown.index, row):
        target = file_of_call(shown, call)
        if call.file is not None and target is not None:
            yield orjson.dumps(call.file), target
    # The client's word beside the result; the mark in its text has no quotes of its own.
    if (path := spilled_path(line)) is not None:
        for block in content_of(line).blocks:
            target = _spilled(shown, block.spilled) if isinstance(block, ToolResult) else None
            if target is not None:
                yield path, target


# --- readable ----------------------------------------------------------------------------------


def _in_text(document: ReadableDocument) -> Iterator[lsp.DocumentLink]:
    encoding = document.shown.encoding
    for link in document.links:
        text = document.lines[link.line]
        ends = [index_at(text, at, "utf-16") for at in (link.start, link.end)]
        first, last = (units(text[:end], encoding) for end in ends)
        yield lsp.DocumentLink(span((link.line, first), (link.line, last)), target=link.target)


# --- both --------------------------------------------------------------------------------------


def _spilled(shown: Shown, name: str | None) -> str | None:
    """The file with the whole output, if it is there and in its folder."""
    results = Path(shown.entry.file.folder) / TOOL_RESULTS
    if name is None or not disk.lies_within(results / name, results):
        return None
    return file_uri(str(results / name))


def _units(shown: Shown, data: bytes) -> int:
    return units(data.decode("utf-8", "replace"), shown.encoding)
