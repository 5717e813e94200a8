"""`textDocument/diagnostic`: what of this transcript is not as it should be?"""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.copies import goes_on_from, main_rows
from forkpoint.disk import Unreadable, read_spans
from forkpoint.faults import Code, Fault, faults_of
from forkpoint.lsp.documents import (
    Document,
    RawDocument,
    ReadableDocument,
    document_at,
    location_of,
)
from forkpoint.lsp.editor import Editor
from forkpoint.lsp.positions import span
from forkpoint.worded import say

SOURCE = "forkpoint"


def diagnostic(
    catalog: Catalog, params: lsp.DocumentDiagnosticParams, editor: Editor
) -> lsp.RelatedFullDocumentDiagnosticReport | lsp.RelatedUnchangedDocumentDiagnosticReport:
    """Tell the faults of the records that the document shows, if they may be others by now."""
    try:
        document = document_at(catalog, params.text_document.uri, editor.encoding)
        if document is None:
            return lsp.RelatedFullDocumentDiagnosticReport(items=[])
        goes_on = _goes_on(catalog, document)
        state = _state(document, goes_on)
        if params.previous_result_id == state:
            return lsp.RelatedUnchangedDocumentDiagnosticReport(result_id=state)
        return lsp.RelatedFullDocumentDiagnosticReport(
            items=[*_all(document, goes_on)], result_id=state
        )
    except Unreadable:
        return lsp.RelatedFullDocumentDiagnosticReport(items=[])


def _goes_on(catalog: Catalog, document: Document) -> int | None:
    """The row that hangs on one of another session's file, as with a resume by a 1.x client."""
    shown = document.shown
    if shown.agent_id is not None or goes_on_from(shown.index) is None:
        return None
    origin = catalog.origin(shown.entry)
    if origin is None or origin.evidence != "parentInOtherFile":
        return None
    return next(iter(main_rows(shown.index)), None)


def _state(document: Document, goes_on: int | None) -> str:
    """What the faults depend on: a transcript that was read anew is another one."""
    shown = document.shown
    rows = len(shown.index.nodes)
    facts = (document.uri, id(shown.conversation), rows, shown.file.torn_tail, goes_on)
    readable = None if isinstance(document, RawDocument) else document.range_of(0)
    return f"{hash((*facts, str(readable))):x}"


def _all(document: Document, goes_on: int | None) -> Iterator[lsp.Diagnostic]:
    shown = document.shown
    for fault in faults_of(shown.index, shown.file.lines):
        if fault.row == goes_on and fault.code == "danglingParent":
            continue  # nothing is missing: the text leads there
        place = document.range_of(fault.row)
        if place is not None and isinstance(document, ReadableDocument):
            # Waves below all of a long record would hide it.
            place = document.range_of_lines(place.start.line, place.start.line)
        if place is not None:
            yield _of(document, fault, place)
    if isinstance(document, RawDocument) and (torn := shown.file.torn_tail) is not None:
        yield _of_tail(document, *torn)


_SEVERITIES: dict[Code, lsp.DiagnosticSeverity] = {
    "malformed": lsp.DiagnosticSeverity.Warning,
    "danglingParent": lsp.DiagnosticSeverity.Warning,
    "cycle": lsp.DiagnosticSeverity.Warning,
    "duplicateUuid": lsp.DiagnosticSeverity.Information,
    "unknownType": lsp.DiagnosticSeverity.Information,
    "tornTail": lsp.DiagnosticSeverity.Information,
}


def _of(document: Document, fault: Fault, place: lsp.Range) -> lsp.Diagnostic:
    about = None
    if fault.about is not None:
        other = location_of(document, fault.about)
        about = [
            lsp.DiagnosticRelatedInformation(other, say("Record {number}", number=fault.about))
        ]
    return lsp.Diagnostic(
        range=place,
        message=fault.sentence,
        severity=_SEVERITIES[fault.code],
        code=fault.code,
        source=SOURCE,
        related_information=about,
    )


def _of_tail(document: RawDocument, offset: int, length: int) -> lsp.Diagnostic:
    shown = document.shown
    line = document.lines.line_at(
        offset, shown.index.nodes, lambda spans: read_spans(shown.file.path, spans)
    )
    return lsp.Diagnostic(
        range=span((line, 0), (line, length)),
        message=say("The last line is not finished: the agent is writing it, or was cut off."),
        severity=_SEVERITIES["tornTail"],
        code="tornTail",
        source=SOURCE,
    )
