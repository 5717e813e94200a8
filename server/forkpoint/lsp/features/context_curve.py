"""`forkpoint/contextCurve`: how did the context fill up, and what emptied it?"""

from __future__ import annotations

import os
from bisect import bisect_left
from pathlib import Path

import attrs

from forkpoint.catalog import Catalog
from forkpoint.context_curve import Curve, curve_of
from forkpoint.index import TranscriptIndex
from forkpoint.lsp.curve_text import curve_text
from forkpoint.lsp.features.active_path import row_named
from forkpoint.nodes import NO_TIME
from forkpoint.protocol import types
from forkpoint.protocol.wire.common import iso_time
from forkpoint.status_line import status_line_cache, status_line_folder


def context_curve(catalog: Catalog, params: types.ContextCurveParams) -> types.ContextCurveResult:
    """Follow the context along the active path, or the path to a record."""
    conversation = catalog.conversation(params.session_id, params.agent_id)
    to = row_named(conversation, params.leaf)
    curve = curve_of(conversation, catalog.resuming_version, to)
    result = types.ContextCurveResult(
        points=[_point(conversation.index, row, tokens) for row, tokens in curve.points],
        compactions=_compactions(conversation.index, curve),
        window_tokens=_window(catalog, params),
        text=None,
    )
    return attrs.evolve(result, text=curve_text(result)) if params.with_text else result


def _point(index: TranscriptIndex, row: int, tokens: int) -> types.ContextPoint:
    return types.ContextPoint(
        ordinal=row, uuid=index.nodes.uuid(row) or "", at=_time(index, row), tokens=tokens
    )


def _compactions(index: TranscriptIndex, curve: Curve) -> list[types.ContextCompaction]:
    rows = [row for row, _ in curve.points]
    return [
        types.ContextCompaction(
            ordinal=boundary,
            uuid=index.nodes.uuid(boundary) or "",
            at=_time(index, boundary),
            before=bisect_left(rows, boundary),
            trigger=index.compactions[boundary].trigger,
            tokens_before=index.compactions[boundary].tokens_before,
            tokens_after=index.compactions[boundary].tokens_after,
        )
        for boundary in curve.boundaries
    ]


def _time(index: TranscriptIndex, row: int) -> str | None:
    time = index.nodes.time[row]
    return None if time == NO_TIME else iso_time(time)


def _window(catalog: Catalog, params: types.ContextCurveParams) -> int | None:
    """Only the status line is told of it, and only of the conversation itself."""
    if not catalog.status_line_cache or params.agent_id is not None:
        return None
    said = status_line_cache(params.session_id, status_line_folder(os.environ, Path.home()))
    return None if said is None else said.window_tokens
