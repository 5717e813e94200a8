"""The functions that answer: from the catalog and typed parameters to a wire value.

No feature knows the transport; the server and the command line use the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from forkpoint.catalog import Catalog
from forkpoint.disk import Reason, Unreadable
from forkpoint.languages import Language
from forkpoint.lsp.editor import Editor
from forkpoint.lsp.features.abandoned import abandoned
from forkpoint.lsp.features.active_path import active_path
from forkpoint.lsp.features.branch_tree import branch_tree
from forkpoint.lsp.features.cache_history import cache_history
from forkpoint.lsp.features.cache_impact import cache_impact
from forkpoint.lsp.features.checkpoint_changes import checkpoint_changes
from forkpoint.lsp.features.checkpoint_content import checkpoint_content
from forkpoint.lsp.features.checkpoint_files import checkpoint_files
from forkpoint.lsp.features.checkpoints import checkpoints
from forkpoint.lsp.features.code_lens import code_lens
from forkpoint.lsp.features.context_curve import context_curve
from forkpoint.lsp.features.definition import definition
from forkpoint.lsp.features.diagnostic import diagnostic
from forkpoint.lsp.features.document_content import document_content
from forkpoint.lsp.features.document_link import document_link
from forkpoint.lsp.features.document_symbol import document_symbol
from forkpoint.lsp.features.export import export
from forkpoint.lsp.features.family import family
from forkpoint.lsp.features.folding_range import folding_range
from forkpoint.lsp.features.health import health
from forkpoint.lsp.features.hover import hover
from forkpoint.lsp.features.kept_answers import kept
from forkpoint.lsp.features.line_history import line_history
from forkpoint.lsp.features.locate import locate
from forkpoint.lsp.features.records import records
from forkpoint.lsp.features.references import references
from forkpoint.lsp.features.rewind_preview import rewind_preview
from forkpoint.lsp.features.search import search
from forkpoint.lsp.features.sessions import sessions, sessions_as_sent
from forkpoint.lsp.features.subagents import subagents
from forkpoint.lsp.features.tool_calls import tool_calls
from forkpoint.lsp.features.transcript import transcript
from forkpoint.lsp.features.transcript_image import transcript_image
from forkpoint.lsp.features.transcript_place import transcript_place
from forkpoint.lsp.features.usage import usage
from forkpoint.lsp.features.watch import unwatch, watch
from forkpoint.lsp.features.work_state import work_state
from forkpoint.lsp.features.workspace_symbol import resolve, workspace_symbol
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.wire.unreadable import REASONS
from forkpoint.roster import Unknown
from forkpoint.worded import say

Handler = Callable[[Catalog, Any], object]

_REASONS: dict[Reason, str] = {
    "gone": say("it is no longer there"),
    "denied": say("reading it is not allowed"),
    "notRegular": say("it is no regular file"),
    "io": say("the system could not read it"),
    "damaged": say("it is compressed, and damaged"),
    "notUnpackable": say("it is compressed (zstd), and nothing is installed that unpacks it"),
}


def _told(handler: Handler) -> Handler:
    """Turn the core's two failures into the wire's, with a sentence and without a path."""

    def answer(catalog: Catalog, params: Any) -> object:
        try:
            return handler(catalog, params)
        except Unknown as unknown:
            raise RequestFailed("unknownSession", unknown.sentence) from None
        except Unreadable as failure:
            sentence = say(
                "The transcript could not be read: {reason}.", reason=REASONS[failure.reason]
            )
            raise RequestFailed("unreadable", sentence) from None

    return answer


HANDLERS: Mapping[str, Handler] = {
    "forkpoint/sessions": _told(sessions),
    "forkpoint/activePath": _told(active_path),
    "forkpoint/branchTree": _told(branch_tree),
    "forkpoint/records": _told(records),
    "forkpoint/checkpoints": _told(checkpoints),
    "forkpoint/checkpointContent": _told(checkpoint_content),
    "forkpoint/checkpointFiles": _told(checkpoint_files),
    "forkpoint/checkpointChanges": _told(checkpoint_changes),
    "forkpoint/rewindPreview": _told(rewind_preview),
    "forkpoint/toolCalls": _told(tool_calls),
    "forkpoint/locate": _told(locate),
    "forkpoint/lineHistory": _told(line_history),
    "forkpoint/cacheImpact": _told(cache_impact),
    "forkpoint/cacheHistory": _told(cache_history),
    "forkpoint/subagents": _told(subagents),
    "forkpoint/workState": _told(work_state),
    "forkpoint/health": _told(health),
    "forkpoint/transcript": _told(transcript),
    "forkpoint/transcriptPlace": _told(transcript_place),
    "forkpoint/transcriptImage": _told(transcript_image),
    "forkpoint/export": _told(export),
    "forkpoint/watch": _told(watch),
    "forkpoint/unwatch": _told(unwatch),
    "forkpoint/search": _told(search),
    "forkpoint/abandoned": _told(abandoned),
    "forkpoint/family": _told(family),
    "forkpoint/usage": _told(usage),
    "forkpoint/contextCurve": _told(context_curve),
}

SERVED: Mapping[str, Handler] = {
    **HANDLERS,
    "forkpoint/sessions": _told(sessions_as_sent),
    "forkpoint/activePath": _told(kept("activePath", active_path)),
    "forkpoint/branchTree": _told(kept("branchTree", branch_tree)),
}
"""The same for a server, which may answer with JSON that is ready."""


@cache
def served_in(language: Language) -> Mapping[str, Handler]:
    """Return what takes the place of those of `SERVED` that keep English sentences."""
    return {"forkpoint/activePath": _told(kept("activePath", active_path, language))}


StandardHandler = Callable[[Catalog, Any, Editor], object]


def _about_document(handler: StandardHandler) -> StandardHandler:
    """A file that cannot be read any more has nothing to show; an editor asks without a person."""

    def answer(catalog: Catalog, params: Any, editor: Editor) -> object:
        try:
            return handler(catalog, params, editor)
        except Unreadable:
            return None

    return answer


def _for_any(handler: Handler) -> StandardHandler:
    """An answer that is the same for all editors."""
    return lambda catalog, params, _: handler(catalog, params)


STANDARD_HANDLERS: Mapping[str, StandardHandler] = {
    "workspace/textDocumentContent": _for_any(_told(document_content)),
    "textDocument/documentSymbol": _about_document(document_symbol),
    "textDocument/hover": _about_document(hover),
    "textDocument/definition": _about_document(definition),
    "textDocument/references": _about_document(references),
    "textDocument/foldingRange": _about_document(folding_range),
    "textDocument/documentLink": _about_document(document_link),
    "textDocument/codeLens": _about_document(code_lens),
    "textDocument/diagnostic": diagnostic,
    "workspace/symbol": workspace_symbol,
    "workspaceSymbol/resolve": resolve,
}
"""Of LSP's own requests, which take and give the types of lsprotocol, or plain JSON of the same
shape. What the editor can show is a part of the question."""
