"""The branch tree's segments."""

from __future__ import annotations

from forkpoint.index import TranscriptIndex
from forkpoint.nodes import NO_TIME
from forkpoint.protocol import types
from forkpoint.protocol.wire.common import iso_time, resolved_uri, token_counts
from forkpoint.records.record import Role
from forkpoint.segments import Segment
from forkpoint.session import Conversation
from forkpoint.tool_calls import is_edit


def branch_tree_of(conversation: Conversation, version: str | None) -> types.BranchTreeResult:
    """Return the whole tree: parents first, among siblings the active one first."""
    index = conversation.index
    segments = conversation.segments(version)
    end = conversation.path(version).end
    edits = _edited_files(index, segments)
    return types.BranchTreeResult(
        segments=[
            _segment(index, segments, number, edits[number]) for number in _reading_order(segments)
        ],
        active_leaf=None if end is None else index.nodes.uuid(end),
        total=sum(len(segment.rows) for segment in segments),
    )


def _reading_order(segments: list[Segment]) -> list[int]:
    """File order, but an active segment stands before its older siblings and all below them."""
    children: dict[int | None, list[int]] = {}
    for number, segment in enumerate(segments):
        children.setdefault(segment.parent, []).append(number)
    order: list[int] = []
    waiting: list[int] = _active_first(segments, children.get(None, []))
    while waiting:
        order.append(waiting.pop())
        waiting += _active_first(segments, children.get(order[-1], []))
    return order


def _active_first(segments: list[Segment], numbers: list[int]) -> list[int]:
    """Siblings in reverse, so that the last one is taken first."""
    return sorted(numbers, key=lambda number: (not segments[number].active, number), reverse=True)


def _segment(
    index: TranscriptIndex, segments: list[Segment], number: int, edited: list[str]
) -> types.Segment:
    segment = segments[number]
    nodes = index.nodes
    first, last = segment.rows[0], segment.rows[-1]
    times = [nodes.time[row] for row in segment.rows if nodes.time[row] != NO_TIME]
    responses = {
        index.joins.response[row] for row in segment.rows if row == index.joins.siblings(row)[-1]
    }
    return types.Segment(
        id=nodes.uuid(first) or "",
        parent=_id(index, segments, segment.parent),
        first_ordinal=first,
        last_uuid=nodes.uuid(last) or "",
        last_ordinal=last,
        record_count=len(segment.rows),
        prompt_count=sum(nodes.role[row] == Role.PROMPT for row in segment.prompts),
        label=_label(index, segment),
        started_at=iso_time(min(times)) if times else None,
        ended_at=iso_time(max(times)) if times else None,
        active=segment.active,
        reason=segment.reason,
        resend_of=_id(index, segments, segment.resend_of),
        edited_files=edited,
        tokens=token_counts(index.usage.total(responses)),
    )


def _label(index: TranscriptIndex, segment: Segment) -> str | None:
    """The first prompt, or where there is none the first command or shell line."""
    asked = [row for row in segment.prompts if index.nodes.role[row] == Role.PROMPT]
    first = (asked or segment.prompts)[:1]
    return index.summary.prompts[first[0]] if first else None


def _id(index: TranscriptIndex, segments: list[Segment], number: int | None) -> str | None:
    return None if number is None else index.nodes.uuid(segments[number].rows[0])


def _edited_files(index: TranscriptIndex, segments: list[Segment]) -> list[list[str]]:
    number_of = {row: number for number, segment in enumerate(segments) for row in segment.rows}
    files: list[dict[str, None]] = [{} for _ in segments]
    for call in index.tools.all(index.joins):
        number = number_of.get(call.row)
        if number is not None and call.file is not None and is_edit(call):
            files[number][resolved_uri(call.file, index.summary.first_cwd)] = None
    return [list(edited) for edited in files]
