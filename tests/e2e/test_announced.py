"""What is said in answer to `initialize` before pygls is there is what pygls would say."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from forkpoint.lsp.announced import initialize_result
from forkpoint.lsp.opened_catalog import OpenedCatalog
from forkpoint.serving import CONTENT_SCHEMES, everything
from tests.e2e.stdio_client import read_body

Json = dict[str, Any]

VS_CODE: Json = {
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename"]},
        "configuration": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "workspaceFolders": True,
        "textDocumentContent": {"dynamicRegistration": True},
        "fileOperations": {
            "dynamicRegistration": True,
            "didCreate": True,
            "didRename": True,
            "didDelete": True,
            "willCreate": True,
            "willRename": True,
            "willDelete": True,
        },
    },
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}},
        "synchronization": {
            "dynamicRegistration": True,
            "willSave": True,
            "willSaveWaitUntil": True,
            "didSave": True,
        },
        "hover": {"dynamicRegistration": True, "contentFormat": ["markdown", "plaintext"]},
        "foldingRange": {"rangeLimit": 5000, "lineFoldingOnly": True},
    },
    "window": {"showMessage": {}, "showDocument": {"support": True}, "workDoneProgress": True},
    "general": {
        "staleRequestSupport": {"cancel": True, "retryOnContentModified": []},
        "regularExpressions": {"engine": "ECMAScript", "version": "ES2020"},
        "positionEncodings": ["utf-16"],
    },
    "notebookDocument": {"synchronization": {"executionSummarySupport": True}},
}

CLIENTS: dict[str, Json] = {
    "says nothing": {},
    "is VS Code": VS_CODE,
    "says null": {"general": None, "textDocument": None, "workspace": None},
    "says null inside": {
        "general": {"positionEncodings": None},
        "textDocument": {"synchronization": None},
    },
    "counts bytes": {"general": {"positionEncodings": ["utf-8"]}},
    "counts code points": {"general": {"positionEncodings": ["utf-32", "utf-8"]}},
    "likes another way of counting best": {
        "general": {"positionEncodings": ["graphemes", "utf-32", "utf-8"]}
    },
    "counts in no known way": {"general": {"positionEncodings": ["graphemes"]}},
    "has no way of counting": {"general": {"positionEncodings": []}},
    "tells before it saves": {"textDocument": {"synchronization": {"willSave": True}}},
    "does not tell before it saves": {"textDocument": {"synchronization": {"willSave": False}}},
    "waits before it saves": {"textDocument": {"synchronization": {"willSaveWaitUntil": True}}},
    "says null of saving": {"textDocument": {"synchronization": {"willSave": None}}},
    "has notebooks": {"notebookDocument": {"synchronization": {}}},
    "knows what nobody knows": {"future": {"x": [1]}, "experimental": {"y": None}},
}

ODD: dict[str, Any] = {
    "no parameters": None,
    "a list": [],
    "no capabilities": {"processId": None},
    "capabilities that are null": {"capabilities": None},
    "capabilities that are a list": {"capabilities": []},
    "a general that is none": {"capabilities": {"general": 5}},
    "encodings that are none": {"capabilities": {"general": {"positionEncodings": 5}}},
    "an encoding that is none": {"capabilities": {"general": {"positionEncodings": [["utf-8"]]}}},
    "documents that are none": {"capabilities": {"textDocument": []}},
    "saving that is neither": {
        "capabilities": {"textDocument": {"synchronization": {"willSave": "yes"}}}
    },
}
"""Parameters of which only LSP's own types can say what becomes of them."""


class NoCatalogAtAll:
    def adopt(self, **_: object) -> None: ...


def said_by_pygls(capabilities: Json) -> Json:
    server = everything(OpenedCatalog(lambda options: NoCatalogAtAll()))
    stream = io.BytesIO()
    server.rpc.set_writer(stream)
    params = {"processId": None, "rootUri": None, "capabilities": capabilities}
    server.rpc.handle_message({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    stream.seek(0)
    return json.loads(read_body(stream))["result"]


@pytest.mark.parametrize("capabilities", CLIENTS.values(), ids=CLIENTS)
def test_the_same_as_pygls(capabilities: Json) -> None:
    early = initialize_result({"capabilities": capabilities}, CONTENT_SCHEMES)
    assert early == said_by_pygls(capabilities)


@pytest.mark.parametrize("params", ODD.values(), ids=ODD)
def test_what_is_odd_is_left_to_pygls(params: object) -> None:
    assert initialize_result(params, CONTENT_SCHEMES) is None
