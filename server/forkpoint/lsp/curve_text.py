"""`forkpoint/contextCurve` as a text to read: in words first, then as a chart."""

from __future__ import annotations

from collections.abc import Sequence

from forkpoint.protocol import types
from forkpoint.text_chart import chart
from forkpoint.text_table import shown, wrapped
from forkpoint.times_read import time_of

_WIDTH, _HEIGHT, _WIDEST = 72, 8, 4


def curve_text(result: types.ContextCurveResult) -> str:
    """Return what the curve shows in sentences, and the chart of it."""
    if not result.points:
        return "Context window\n\nNo response on this path says how large its context was.\n"
    words = [_summary(result), *_compactions(result)]
    if result.window_tokens is None:
        words.append("How large the model's window is, nothing on disk tells.")
    picture = "Chart (left to right: the responses; ▲: a compaction)"
    lines = [line for sentence in words for line in wrapped(sentence, indent="  ")]
    return "\n".join(["Context window", "", *lines, "", picture, "", *_chart(result), ""])


def _summary(result: types.ContextCurveResult) -> str:
    tokens = [point.tokens for point in result.points]
    most = max(tokens)
    peak = tokens.index(most) + 1
    responses = "One response" if len(tokens) == 1 else f"{len(tokens):,} responses"
    window = result.window_tokens
    share = f", {tokens[-1] / window:.0%} of a window of {window:,}" if window else ""
    return (
        f"{responses}: the context began with {tokens[0]:,} tokens, was largest with {most:,} "
        f"(response {peak:,}) and has {tokens[-1]:,} at the end{share}."
    )


def _compactions(result: types.ContextCurveResult) -> list[str]:
    """The newest of them, in their order."""
    earlier = len(result.compactions) - _MOST
    more = [f"{earlier:,} compactions came before these:"] if earlier > 0 else []
    newest = result.compactions[max(earlier, 0) :]
    return [*more, *[_compaction(each, result.points) for each in newest]]


_MOST = 20


def _compaction(each: types.ContextCompaction, points: Sequence[types.ContextPoint]) -> str:
    trigger = f" ({shown(each.trigger)})" if each.trigger else ""
    time = time_of(each.at)
    sizes = [] if each.tokens_before is None else [f"{each.tokens_before:,} tokens before"]
    if each.tokens_after is not None:
        sizes.append(f"{each.tokens_after:,} after")
    if each.before < len(points):
        sizes.append(f"{points[each.before].tokens:,} with the next response")
    place = ", ".join([f"behind response {each.before:,}", *([time] if time else [])])
    return f"Compaction{trigger} {place}: {', '.join(sizes) or 'no size is written'}."


def _chart(result: types.ContextCurveResult) -> list[str]:
    tokens = [point.tokens for point in result.points]
    top = max(result.window_tokens or 0, *tokens)
    # Few responses are drawn wider, so that one sees them.
    wide = max(1, min(_WIDEST, _WIDTH // len(tokens)))
    values = [each for each in tokens for _ in range(wide)]
    marks = [each.before * wide for each in result.compactions]
    lines = chart(values, marks, top, width=_WIDTH, height=_HEIGHT)
    names = [_short(top), *[""] * (_HEIGHT - 2), "0", ""]
    width = max(map(len, names))
    axis = ["│"] * _HEIGHT + [" "]
    return [
        f"{name:>{width}} {edge}{line}".rstrip()
        for name, edge, line in zip(names, axis, lines, strict=True)
    ]


def _short(tokens: int) -> str:
    return f"{tokens / 1000:,.0f}k" if tokens >= _THOUSAND else str(tokens)


_THOUSAND = 1000
