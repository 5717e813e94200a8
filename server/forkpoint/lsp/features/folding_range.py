"""`textDocument/foldingRange`: what can be put out of sight?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.fold_ranges import Fold, Folded, laid_inside
from forkpoint.lsp.documents import Document, RawDocument, ReadableDocument, document_at
from forkpoint.lsp.editor import Editor
from forkpoint.page import BEFORE
from forkpoint.row_names import kind_name
from forkpoint.turns import runs_of


def folding_range(
    catalog: Catalog, params: lsp.FoldingRangeParams, editor: Editor
) -> list[lsp.FoldingRange] | None:
    """Give turns, what a compaction replaced, thinking, results and what was injected."""
    document = document_at(catalog, params.text_document.uri, editor.encoding)
    if document is None:
        return None
    return [
        lsp.FoldingRange(fold.start, fold.end, kind=_KINDS.get(fold.what))
        for fold in laid_inside(folds_of(document), editor.most_folds)
    ]


_KINDS: dict[Folded, lsp.FoldingRangeKind] = {
    "part": lsp.FoldingRangeKind.Region,
    "thinking": lsp.FoldingRangeKind.Comment,
    "context": lsp.FoldingRangeKind.Comment,
}
"""By which editors fold many at once: all comments, all regions."""


def folds_of(document: Document) -> Iterator[Fold]:
    """Yield what folds in a document, in no order; some may cross."""
    if isinstance(document, RawDocument):
        lines = document.lines
        for first, last, what in runs_of(document.shown.index.nodes):
            yield Fold(lines[first], lines[last], what)
    elif isinstance(document, ReadableDocument):
        yield from _summarized(document)
        for section in document.sections:
            what = "turn" if section.level == 0 else _INSIDE.get(section.role or "", "run")
            if kind_name(document.shown.index, section.ordinal) == "Thinking":
                what = "thinking"
            yield Fold(section.line, section.end_line, what)


_INSIDE: dict[str, Folded] = {
    "toolResult": "result",
    "injected": "context",
    "attachment": "context",
    "compactSummary": "context",
}


def _summarized(document: ReadableDocument) -> Iterator[Fold]:
    """The parts that a compaction replaced, each with the heading above it."""
    numbered = enumerate(document.sections)
    for fate, run in groupby(numbered, lambda item: item[1].fate):
        if fate != "summarized":
            continue
        places = [at for at, _ in run]
        first = document.sections[places[0]].line
        above = range(max(first - _ABOVE, 0), first)
        heading = next((line for line in above if document.lines[line] == BEFORE), first)
        yield Fold(heading, _own_end(document, places[-1]), "part")


_ABOVE = 4
"""Lines above a record in which the heading of its part stands."""


def _own_end(document: ReadableDocument, at: int) -> int:
    """The last line of a section's own words: a turn reaches further, maybe into the next part."""
    section, lines = document.sections[at], document.lines
    behind = document.sections[at + 1].line if at + 1 < len(document.sections) else len(lines)
    end = min(section.end_line, behind - 1)
    while end > section.line and (not lines[end] or lines[end].startswith(("# ", "### "))):
        end -= 1
    return end
