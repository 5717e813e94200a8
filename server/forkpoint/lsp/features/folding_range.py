"""`textDocument/foldingRange`: what can be put out of sight?"""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.fold_ranges import Fold, Folded, laid_inside
from forkpoint.lsp.documents import Document, RawDocument, ReadableDocument, document_at
from forkpoint.lsp.editor import Editor
from forkpoint.protocol import types
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
        for fold in document.folds:
            yield Fold(fold.line, fold.end_line, _NAMED[fold.kind])
        for section in document.all_sections:
            what = "turn" if section.level == 0 else _INSIDE.get(section.kind, "run")
            yield Fold(section.line, section.end_line, what)


_NAMED: dict[types.FoldKind, Folded] = {
    "thinking": "thinking",
    "context": "context",
    "attachments": "context",
    "output": "result",
    "summarized": "part",
    "elsewhere": "part",
}
_INSIDE: dict[types.TranscriptKind, Folded] = {
    "thinking": "thinking",
    "result": "result",
    "context": "context",
    "attachment": "context",
    "summary": "context",
}
