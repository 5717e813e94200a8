"""Where does a call's edit lie in the file as it is now?"""

from __future__ import annotations

from lsprotocol import types as lsp

from forkpoint import at_path
from forkpoint.catalog import Catalog
from forkpoint.lsp.documents import Shown
from forkpoint.lsp.positions import span
from forkpoint.protocol.uri import path_of
from forkpoint.protocol.wire.common import uri_to_open
from forkpoint.tool_calls import ToolCall


def place_of_call(catalog: Catalog, shown: Shown, call: ToolCall) -> lsp.Location | None:
    """Return the beginning of the file that a call names; None without one, or if it is gone."""
    uri = file_of_call(shown, call)
    if uri is None or not at_path.exists(path_of(uri)):
        return None
    return lsp.Location(uri, span((0, 0), (0, 0)))


def file_of_call(shown: Shown, call: ToolCall) -> str | None:
    """Return the address of the file that a call names; None where it must not be followed."""
    return None if call.file is None else uri_to_open(call.file, shown.index.summary.first_cwd)
