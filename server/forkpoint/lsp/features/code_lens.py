"""`textDocument/codeLens`: where does the conversation go on in other ways, too?"""

from __future__ import annotations

from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.forks import Fork
from forkpoint.lsp.documents import Document, document_at
from forkpoint.lsp.editor import SHOW_BRANCH, Editor
from forkpoint.worded import counted


def code_lens(
    catalog: Catalog, params: lsp.CodeLensParams, editor: Editor
) -> list[lsp.CodeLens] | None:
    """Mark the fork points that the document shows.

    An editor that has the command gets it, and one that has not a title that does nothing.
    """
    document = document_at(catalog, params.text_document.uri, editor.encoding)
    if document is None:
        return None
    shown = document.shown
    places = [
        (place, fork)
        for fork in shown.conversation.forks(shown.version)
        if (place := _place(document, fork)) is not None
    ]
    places.sort(key=lambda item: (item[0].start.line, item[0].start.character))
    return [lsp.CodeLens(place, _command(document, fork, editor)) for place, fork in places]


def _place(document: Document, fork: Fork) -> lsp.Range | None:
    """Where it is marked: at the row itself, or at the first beginning that is shown."""
    rows = fork.ways if fork.row is None else [fork.row]
    found = next((place for row in rows if (place := document.range_of(row)) is not None), None)
    return None if found is None else lsp.Range(found.start, found.start)


def _command(document: Document, fork: Fork, editor: Editor) -> lsp.Command:
    others = len(fork.ways) - 1
    if fork.row is None:
        title = counted(others, "{count} other beginning", "{count:,} other beginnings")
    else:
        title = counted(
            others, "{count} other branch from here", "{count:,} other branches from here"
        )
    if SHOW_BRANCH not in editor.commands:
        return lsp.Command(title, "")
    shown = document.shown
    uuids = [shown.index.nodes.uuid(row) for row in fork.ways]
    named = {"sessionId": shown.session_id, "agentId": shown.agent_id, "uuids": uuids}
    return lsp.Command(title, SHOW_BRANCH, arguments=[named])
