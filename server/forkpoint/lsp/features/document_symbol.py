"""`textDocument/documentSymbol`: which turns does this transcript have, and what is in each?

The answer is plain JSON: fifty thousand records as LSP's own types take fifty times as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.lsp.documents import Document, RawDocument, ReadableDocument, document_at
from forkpoint.lsp.editor import Editor
from forkpoint.lsp.outline_names import outline_names
from forkpoint.protocol import types
from forkpoint.records.record import Kind, Role
from forkpoint.turns import turn_starts
from forkpoint.worded import say

Symbol = dict[str, Any]
"""A `DocumentSymbol` as JSON."""


def document_symbol(
    catalog: Catalog, params: lsp.DocumentSymbolParams, editor: Editor
) -> list[Symbol] | None:
    """Give each record one symbol; that of a turn's first record holds those of the others."""
    uri = params.text_document.uri
    document = document_at(catalog, uri, editor.encoding)
    if document is None:
        return None
    nested = symbols_of(document)
    return nested if editor.nests_symbols else [*_flat(nested, uri, None)]


def symbols_of(document: Document) -> list[Symbol]:
    """Return a document's symbols, nested."""
    if isinstance(document, ReadableDocument):
        return _of_sections(document)
    return _of_rows(document) if isinstance(document, RawDocument) else []


# --- raw ---------------------------------------------------------------------------------------


def _of_rows(document: RawDocument) -> list[Symbol]:
    index = document.shown.index
    names = outline_names(index, document.shown.file)
    fates = dict(iter(document.shown.conversation.path(document.shown.version).entries))
    lines, nodes = document.lines, index.nodes
    symbols: list[Symbol] = []
    for row, name in enumerate(names):
        line = lines[row]
        if row in lines.inside:
            place = _json(document.range_of(row))
        else:
            place = _place(line, 0, line, nodes.length[row])
        detail = _DETAILS.get(fates.get(row)) if nodes.is_node(row) else None
        symbols.append(_symbol(name, _kind(nodes.role[row], nodes.kind[row]), place, detail))
    starts = turn_starts(nodes)
    nested = symbols[: starts[0]] if starts else symbols
    for start, end in pairwise([*starts, len(symbols)]):
        turn = symbols[start]
        turn["kind"] = lsp.SymbolKind.Event.value
        turn["children"] = symbols[start + 1 : end]
        last = symbols[end - 1]["range"]["end"]
        turn["range"] = {"start": turn["range"]["start"], "end": last}
        nested.append(turn)
    return nested


_DETAILS = {
    "sent": "",
    "summarized": say("summarized"),
    "notSent": say("not sent"),
    None: say("not on the active path"),
}

_KINDS = {
    Role.RESPONSE: lsp.SymbolKind.String,
    Role.TOOL_RESULT: lsp.SymbolKind.Constant,
    Role.STATE: lsp.SymbolKind.Property,
    Role.ATTACHMENT: lsp.SymbolKind.Property,
    Role.SYSTEM: lsp.SymbolKind.Property,
    Role.INJECTED: lsp.SymbolKind.Property,
}


def _kind(role: int, kind: int) -> int:
    if kind in (Kind.MALFORMED, Kind.UNKNOWN):
        return lsp.SymbolKind.Null.value
    return _KINDS.get(Role(role), lsp.SymbolKind.String).value


# --- readable ----------------------------------------------------------------------------------


def _of_sections(document: ReadableDocument) -> list[Symbol]:
    nested: list[Symbol] = []
    turn: Symbol | None = None
    for section in document.all_sections:
        symbol = _of_section(document, section)
        if section.level == 0:
            turn = symbol
            nested.append(symbol)
        elif turn is not None:
            turn.setdefault("children", []).append(symbol)
        else:
            nested.append(symbol)
    return nested


def _of_section(document: ReadableDocument, section: types.TranscriptSection) -> Symbol:
    kind = lsp.SymbolKind.Event if section.level == 0 else lsp.SymbolKind.String
    place = _json(document.range_of_lines(section.line, section.end_line))
    symbol = _symbol(section.label, kind.value, place, _DETAILS[section.fate])
    first = document.range_of_lines(section.line, section.line)
    symbol["selectionRange"] = _json(first)
    return symbol


# --- JSON --------------------------------------------------------------------------------------


def _symbol(name: str, kind: int, place: dict[str, Any], detail: str | None) -> Symbol:
    start = place["start"]
    symbol: Symbol = {
        "name": name,
        "kind": kind,
        "range": place,
        "selectionRange": {"start": start, "end": start},
    }
    if detail:
        symbol["detail"] = detail
    return symbol


def _place(line: int, start: int, end_line: int, end: int) -> dict[str, Any]:
    return {
        "start": {"line": line, "character": start},
        "end": {"line": end_line, "character": end},
    }


def _json(found: lsp.Range) -> dict[str, Any]:
    start, end = found.start, found.end
    return _place(start.line, start.character, end.line, end.character)


def _flat(symbols: list[Symbol], uri: str, container: str | None) -> Iterator[Symbol]:
    """The same for an editor that takes no tree: each with the turn that holds it."""
    for symbol in symbols:
        flat: Symbol = {
            "name": symbol["name"],
            "kind": symbol["kind"],
            "location": {"uri": uri, "range": symbol["range"]},
        }
        yield flat if container is None else {**flat, "containerName": container}
        yield from _flat(symbol.get("children", []), uri, symbol["name"])
