"""`forkpoint/records`: what stands in the transcript, line by line?"""

from __future__ import annotations

from pathlib import Path

from forkpoint.catalog import Catalog
from forkpoint.layout import TOOL_RESULTS
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.wire.records import record_view
from forkpoint.session import Conversation


def records(catalog: Catalog, params: types.RecordsParams) -> types.RecordsResult:
    """Give a page of records, or the ones named by uuid, with their content."""
    conversation = catalog.conversation(params.session_id, params.agent_id)
    transcript = catalog.transcript(params.session_id, params.agent_id)
    total = len(conversation.index.nodes)
    if params.uuids is not None:
        ordinals = _named(conversation, list(params.uuids))
    else:
        start = params.offset or 0
        ordinals = list(range(start, min(total, start + (params.limit or PAGE))))
    results = Path(catalog.entry(params.session_id).file.folder) / TOOL_RESULTS
    lines = transcript.lines(ordinals)
    return types.RecordsResult(
        records=[
            record_view(conversation.index, ordinal, line, transcript.path, results)
            for ordinal, line in zip(ordinals, lines, strict=True)
        ],
        total=total,
    )


PAGE = 200
"""Records in an answer that names no limit: bodies are large."""


def _named(conversation: Conversation, uuids: list[str]) -> list[int]:
    """Ordinals of the named records; of a repeated uuid the line whose content counts."""
    nodes = conversation.index.nodes
    found: set[int] = set()
    for uuid in uuids:
        row = nodes.find(uuid)
        if row is None:
            raise RequestFailed("unknownRecord", f"There is no record {uuid} in this transcript.")
        found.add(nodes.body_of.get(row, row))
    return sorted(found)
