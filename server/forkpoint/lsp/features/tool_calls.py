"""`forkpoint/toolCalls`: what did the agent do?"""

from __future__ import annotations

from collections.abc import Sequence

from forkpoint.catalog import Catalog
from forkpoint.growing_calls import calls_of
from forkpoint.index import TranscriptIndex
from forkpoint.lsp.features.sessions import page
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri, path_of
from forkpoint.protocol.wire.common import resolved_uri
from forkpoint.records.blocks import ContentBlock, ToolUse
from forkpoint.records.content import content_of
from forkpoint.records.decode import timestamp_of
from forkpoint.tool_calls import ToolCall


def tool_calls(catalog: Catalog, params: types.ToolCallsParams) -> types.ToolCallsResult:
    """List calls in file order; bodies are read for the page alone."""
    conversation = catalog.conversation(params.session_id, params.agent_id)
    index = conversation.index
    calls = calls_of(conversation)
    if params.file is not None:
        calls = _on_file(index, calls, file_uri(path_of(params.file)))
    shown = page(calls, params.offset, params.limit)
    rows = conversation.path(catalog.resuming_version).entries.rows
    on_path = {call.row for call in shown}.intersection(rows)
    transcript = catalog.transcript(params.session_id, params.agent_id)
    bodies = transcript.bodies([call.row for call in shown])
    return types.ToolCallsResult(
        calls=[_wire(index, call, body, on_path) for call, body in zip(shown, bodies, strict=True)],
        total=len(calls),
    )


def _on_file(index: TranscriptIndex, calls: Sequence[ToolCall], wanted: str) -> list[ToolCall]:
    """The calls on a file; many calls name the same one in the same way."""
    named = {call.file for call in calls if call.file is not None}
    files = {file for file in named if resolved_uri(file, index.summary.first_cwd) == wanted}
    return [call for call in calls if call.file in files]


def _wire(index: TranscriptIndex, call: ToolCall, body: bytes, on_path: set[int]) -> types.ToolCall:
    use = next((b for b in content_of(body).blocks if _is_call(b, index, call)), None)
    call_id = index.joins.call_ids[call.number]
    return types.ToolCall(
        tool_use_id=call_id,
        name=call.name,
        uuid=index.nodes.uuid(call.row) or "",
        ordinal=call.row,
        at=timestamp_of(body),
        state=call.state,
        files=_files(index, call),
        summary=use.summary if isinstance(use, ToolUse) else "",
        subagent=types.StartedSubagent(agent_id=call.agent_id) if call.agent_id else None,
        on_active_path=call.row in on_path,
    )


def _is_call(block: ContentBlock, index: TranscriptIndex, call: ToolCall) -> bool:
    return isinstance(block, ToolUse) and block.call_id == index.joins.call_ids[call.number]


def _files(index: TranscriptIndex, call: ToolCall) -> list[str]:
    return [] if call.file is None else [resolved_uri(call.file, index.summary.first_cwd)]
