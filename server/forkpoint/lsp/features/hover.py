"""`textDocument/hover`: what is this record, in words?"""

from __future__ import annotations

from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.described import Described, described
from forkpoint.inert import code, fenced
from forkpoint.lsp.documents import part_at
from forkpoint.lsp.editor import Editor


def hover(catalog: Catalog, params: lsp.HoverParams, editor: Editor) -> lsp.Hover | None:
    """Describe the record at a position, in Markdown if the editor shows that."""
    document = part_at(catalog, params.text_document.uri, params.position, editor.encoding)
    row = None if document is None else document.row_at(params.position)
    if document is None or row is None:
        return None
    line = document.shown.file.lines([row])[0]
    words = _said(described(document.shown.index, row, line, document.fate_of(row)), editor)
    if editor.shows_markdown:
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, as_markdown(words))
    else:
        content = lsp.MarkupContent(lsp.MarkupKind.PlainText, as_text(words))
    return lsp.Hover(content, _first_line(document.range_of(row)))


def _said(words: Described, editor: Editor) -> Described:
    """In the editor's language, before it is put together: then it is one text."""
    said = editor.language.said
    facts = [(said(name), said(value)) for name, value in words.facts]
    return Described(said(words.title), facts, words.words)


def as_markdown(words: Described) -> str:
    """Write it as Markdown in which nothing of the transcript acts: it all stands in code."""
    facts = [f"- {name}: {code(value)}" for name, value in words.facts]
    quoted = ["", *fenced(words.words, 1)[0]] if words.words else []
    return "\n".join([f"**{words.title}**", "", *facts, *quoted])


def as_text(words: Described) -> str:
    """Write it as plain text."""
    facts = [f"{name}: {value}" for name, value in words.facts]
    quoted = ["", words.words] if words.words else []
    return "\n".join([words.title, *facts, *quoted])


def _first_line(found: lsp.Range | None) -> lsp.Range | None:
    """An editor marks what a hover is about: not a whole turn."""
    if found is None or found.end.line == found.start.line:
        return found
    return lsp.Range(found.start, lsp.Position(found.start.line + 1, 0))
