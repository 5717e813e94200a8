"""Where does a call's edit lie in the file as it is now?"""

from __future__ import annotations

from lsprotocol import types as lsp

from forkpoint import at_path
from forkpoint.catalog import Catalog
from forkpoint.lsp.documents import Shown
from forkpoint.lsp.features.locate import locate
from forkpoint.lsp.positions import span
from forkpoint.protocol import types
from forkpoint.protocol.uri import path_of
from forkpoint.protocol.wire.common import uri_to_open
from forkpoint.tool_calls import ToolCall


def place_of_call(catalog: Catalog, shown: Shown, call: ToolCall) -> lsp.Location | None:
    """Return where an edit or a read begins, or the file's beginning where that is not known.

    None without a file, or if it is gone.
    """
    if file_of_call(shown, call) is None:
        return None
    wanted = types.LocateParams(
        session_id=shown.session_id,
        agent_id=shown.agent_id,
        tool_use_id=shown.index.joins.call_ids[call.number],
    )
    found = locate(catalog, wanted)
    if found.file is None or not at_path.exists(path_of(found.file)):
        return None
    line = 0 if found.range is None else found.range.start.line
    return lsp.Location(found.file, span((line, 0), (line, 0)))


def file_of_call(shown: Shown, call: ToolCall) -> str | None:
    """Return the address of the file that a call names; None where it must not be followed."""
    return None if call.file is None else uri_to_open(call.file, shown.index.summary.first_cwd)
