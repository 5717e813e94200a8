"""For messages of LSP itself, our writing and pygls' own say the same JSON."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from forkpoint.lsp.rpc import ForkpointProtocol
from tests.e2e.stdio_client import read_body

RANGE = lsp.Range(lsp.Position(0, 0), lsp.Position(2, 7))
Send = Callable[[LanguageServerProtocol], object]


def result(value: object) -> Send:
    return lambda protocol: protocol._send_response(7, result=value)


def notification(method: str, params: object) -> Send:
    return lambda protocol: protocol.notify(method, params)


def request(method: str, params: object) -> Send:
    return lambda protocol: protocol.send_request(method, params, msg_id="s-1")


MESSAGES: dict[str, Send] = {
    "null": result(None),
    "plain JSON": result({"a": [1, 2.5, True, None], "snake_case": {"deep": "é 🙂"}}),
    "initialize": result(
        lsp.InitializeResult(
            capabilities=lsp.ServerCapabilities(
                position_encoding=lsp.PositionEncodingKind.Utf16,
                text_document_sync=lsp.TextDocumentSyncKind.None_,
                hover_provider=True,
                diagnostic_provider=lsp.DiagnosticOptions(
                    inter_file_dependencies=False, workspace_diagnostics=False
                ),
            ),
            server_info=lsp.ServerInfo(name="forkpoint", version=None),
        )
    ),
    "symbols": result(
        [
            lsp.DocumentSymbol(
                name="läden 店",
                kind=lsp.SymbolKind.Event,
                range=RANGE,
                selection_range=RANGE,
                tags=[lsp.SymbolTag.Deprecated],
                children=[lsp.DocumentSymbol("inner", lsp.SymbolKind.Key, RANGE, RANGE)],
            )
        ]
    ),
    "hover": result(lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, "**x**\n\u2028"))),
    "edits by file": result(
        lsp.WorkspaceEdit(changes={"file:///a_b": [lsp.TextEdit(RANGE, "new_text")]})
    ),
    "diagnostics": result(
        lsp.RelatedFullDocumentDiagnosticReport(
            items=[lsp.Diagnostic(RANGE, "dangling", lsp.DiagnosticSeverity.Warning, code=3)]
        )
    ),
    "a message to show": notification(
        lsp.WINDOW_SHOW_MESSAGE, lsp.ShowMessageParams(lsp.MessageType.Warning, "x")
    ),
    "progress": notification(
        lsp.PROGRESS,
        lsp.ProgressParams("t", lsp.WorkDoneProgressBegin(title="reading", percentage=0)),
    ),
    "the end of progress": notification(
        lsp.PROGRESS, lsp.ProgressParams("t", lsp.WorkDoneProgressEnd())
    ),
    "our own notification": notification("forkpoint/x", {"added": [], "some_key": None}),
    "a request": request(
        lsp.WINDOW_WORK_DONE_PROGRESS_CREATE, lsp.WorkDoneProgressCreateParams("t")
    ),
    "a request for settings": request(
        lsp.WORKSPACE_CONFIGURATION,
        lsp.ConfigurationParams([lsp.ConfigurationItem(section="forkpoint")]),
    ),
    "a registration": request(
        lsp.CLIENT_REGISTER_CAPABILITY,
        lsp.RegistrationParams(
            [lsp.Registration("i", "workspace/x", register_options={"section": "forkpoint"})]
        ),
    ),
}


def written(protocol_class: type[LanguageServerProtocol], send: Send) -> dict:
    protocol = LanguageServer("x", "1", protocol_cls=protocol_class).protocol
    stream = io.BytesIO()
    protocol.set_writer(stream)
    send(protocol)
    stream.seek(0)
    body = read_body(stream)
    assert stream.read() == b"", "Content-Length does not count the bytes"
    return json.loads(body)


@pytest.mark.parametrize("send", MESSAGES.values(), ids=MESSAGES.keys())
def test_same_json(send: Send):
    assert written(ForkpointProtocol, send) == written(LanguageServerProtocol, send)
