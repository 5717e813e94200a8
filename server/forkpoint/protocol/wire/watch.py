"""Followed sessions on the wire."""

from __future__ import annotations

from forkpoint.disk import Unreadable
from forkpoint.following import Move
from forkpoint.index import TranscriptIndex
from forkpoint.live import LiveClient
from forkpoint.moved import Place
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.common import live_process, resolved_uri
from forkpoint.records.blocks import ToolUse
from forkpoint.records.content import content_of
from forkpoint.session_entry import SessionEntry
from forkpoint.tool_calls import ToolCall
from forkpoint.transcript_file import TranscriptFile


def watch_result(entry: SessionEntry, place: Place, live: LiveClient | None) -> types.WatchResult:
    """Write where a session stands."""
    return types.WatchResult(
        total=place.rows,
        leaf=place.leaf,
        tip=place.tip,
        running=_running(place, entry.main),
        live=live_process(live),
    )


def did_change_session(move: Move) -> types.DidChangeSessionParams:
    """Write what happened to a transcript."""
    place, moved = move.place, move.moved
    return types.DidChangeSessionParams(
        session_id=move.entry.session_id,
        agent_id=move.agent_id,
        first_new=moved.first_new,
        last_new=moved.last_new,
        reread=moved.reread,
        gone=move.gone,
        leaf_moved=moved.leaf_moved,
        leaf=place.leaf,
        tip=place.tip,
        running=[] if move.gone else _running(place, move.transcript),
        new_branch=moved.new_branch,
        checkpoint_files=[file_uri(path) for path in moved.files],
        live=live_process(move.live),
    )


def _running(place: Place, transcript: TranscriptFile) -> list[types.RunningCall]:
    index = place.conversation.index
    if not place.running:
        return []
    try:
        bodies = transcript.bodies([call.row for call in place.running])
    except Unreadable:
        bodies = [b""] * len(place.running)
    return [_call(index, call, body) for call, body in zip(place.running, bodies, strict=True)]


def _call(index: TranscriptIndex, call: ToolCall, body: bytes) -> types.RunningCall:
    call_id = index.joins.call_ids[call.number]
    uses = [block for block in content_of(body).blocks if isinstance(block, ToolUse)]
    cwd = index.summary.first_cwd
    return types.RunningCall(
        tool_use_id=call_id,
        name=call.name,
        file=None if call.file is None else resolved_uri(call.file, cwd),
        summary=next((use.summary for use in uses if use.call_id == call_id), ""),
        in_background=call.in_background,
    )
