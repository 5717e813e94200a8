"""The branch tree's segments."""

from __future__ import annotations

from collections.abc import Sequence

from forkpoint.index import TranscriptIndex
from forkpoint.protocol import types
from forkpoint.protocol.wire.common import iso_time, resolved_uri, token_counts
from forkpoint.segment_facts import SegmentFacts
from forkpoint.segments import Segment
from forkpoint.session import Conversation


def branch_tree_of(
    conversation: Conversation,
    version: str | None,
    inherited: Sequence[types.InheritedPath] = (),
    page: slice = slice(None),
) -> types.BranchTreeResult:
    """Return the tree, or a page of it: parents first, among siblings the active one first."""
    index = conversation.index
    segments, facts = conversation.segments(version), conversation.segment_facts(version)
    end = conversation.path(version).end
    return types.BranchTreeResult(
        segments=[
            _segment(index, segments, number, facts[number])
            for number in _reading_order(segments)[page]
        ],
        segment_count=len(segments),
        active_leaf=None if end is None else index.nodes.uuid(end),
        total=sum(len(segment.rows) for segment in segments),
        inherited=inherited,
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
    index: TranscriptIndex, segments: list[Segment], number: int, facts: SegmentFacts
) -> types.Segment:
    segment = segments[number]
    nodes, folder = index.nodes, index.summary.first_cwd
    first, last = segment.rows[0], segment.rows[-1]
    return types.Segment(
        id=nodes.uuid(first) or "",
        parent=_id(index, segments, segment.parent),
        first_ordinal=first,
        last_uuid=nodes.uuid(last) or "",
        last_ordinal=last,
        record_count=len(segment.rows),
        prompt_count=facts.prompts,
        label=facts.label,
        started_at=None if facts.started is None else iso_time(facts.started),
        ended_at=None if facts.ended is None else iso_time(facts.ended),
        active=segment.active,
        reason=segment.reason,
        resend_of=_id(index, segments, segment.resend_of),
        # A file may be written in several ways.
        edited_files=list(dict.fromkeys(resolved_uri(path, folder) for path in facts.edited)),
        tokens=token_counts(facts.tokens),
    )


def _id(index: TranscriptIndex, segments: list[Segment], number: int | None) -> str | None:
    return None if number is None else index.nodes.uuid(segments[number].rows[0])
