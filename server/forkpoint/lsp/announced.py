"""What the server says of itself in answer to `initialize`, in the words that pygls finds for it.

It is known here so that it can be said before pygls is there; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from forkpoint import __version__

ENCODINGS = ("utf-8", "utf-16", "utf-32")
"""Units of positions that pygls counts in."""


def initialize_result(params: object, content_schemes: Sequence[str]) -> dict[str, Any] | None:
    """Answer a client, or give None when only LSP's own types can tell whether its words fit.

    Args:
        params: Those of `initialize`, as decoded from JSON.
        content_schemes: Schemes of the documents whose content the server gives.
    """
    try:
        client = _object(_object(params)["capabilities"])
        general = _optional(client, "general")
        synchronization = _optional(_optional(client, "textDocument"), "synchronization")
        capabilities: dict[str, Any] = {
            "positionEncoding": _encoding(general.get("positionEncodings")),
            "textDocumentSync": _synchronization(synchronization),
            **_ABOUT_DOCUMENTS,
            "executeCommandProvider": {"commands": []},
            "workspace": {
                "workspaceFolders": {"supported": True, "changeNotifications": True},
                "fileOperations": {},
                "textDocumentContent": {"schemes": list(content_schemes)},
            },
        }
    except (TypeError, KeyError):
        return None
    return {
        "capabilities": capabilities,
        "serverInfo": {"name": "forkpoint", "version": __version__},
    }


_ABOUT_DOCUMENTS: dict[str, Any] = {
    "hoverProvider": True,
    "definitionProvider": True,
    "referencesProvider": True,
    "documentSymbolProvider": {"label": "Transcript"},
    "codeLensProvider": {"resolveProvider": False},
    "documentLinkProvider": {"resolveProvider": False},
    "workspaceSymbolProvider": {"resolveProvider": True},
    "foldingRangeProvider": True,
    "diagnosticProvider": {
        "interFileDependencies": False,
        "workspaceDiagnostics": False,
        "identifier": "forkpoint",
    },
}
"""What can be asked of a document, and of all sessions."""


def _encoding(wanted: object) -> str:
    """The first that both know; pygls' own choice when the client says nothing."""
    if wanted is None:
        return "utf-16"
    if not isinstance(wanted, list):
        raise TypeError
    named = [each for each in cast("list[object]", wanted) if isinstance(each, str)]
    if len(named) < len(cast("list[object]", wanted)):
        raise TypeError
    return next((each for each in named if each in ENCODINGS), "utf-16")


def _synchronization(client: dict[str, Any]) -> dict[str, Any]:
    """Give pygls' words: no to what a client says anything about, and nothing to the rest."""
    asked = [name for name in ("willSave", "willSaveWaitUntil") if client.get(name) is not None]
    if not all(isinstance(client[name], bool) for name in asked):
        raise TypeError
    return {"openClose": True, "change": 0, **dict.fromkeys(asked, False), "save": False}


def _optional(parent: dict[str, Any], key: str) -> dict[str, Any]:
    found = parent.get(key)
    return {} if found is None else _object(found)


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError
    return cast("dict[str, Any]", value)
