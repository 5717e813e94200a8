"""Tokens of a rollout, each response counted once (format.md section 19).

`token_count` tells what the session used so far, mostly twice in a row: a response is over where
that moved. Where it became smaller, the client began to count anew. Later clients (2026) also write
a `token_usage_record` for each response; what both tell counts once.
"""

from __future__ import annotations

from forkpoint.records.codex import Item
from forkpoint.records.record import Record, Usage
from forkpoint.records.rollout_shapes import CountsShape, TokenInfoShape
from forkpoint.rollout_rows import name_of, state_row
from forkpoint.rollout_state import RolloutState

_FEW = 4
"""Responses of which the two ways may differ at a time."""
_MOST = 2**53
"""A number above it is a broken file's."""


def read_tokens(state: RolloutState, item: Item) -> Record:
    """Read what the last response used, if it is told for the first time."""
    record = state_row(state, item)
    info = item.says.info
    used = None if info is None else _used(state, info)
    if info is None or used is None or not _is_news(used, state.counted, state.recorded):
        return record
    return _paid(state, record, used, info.model)


def read_usage_record(state: RolloutState, item: Item) -> Record:
    """Read what one response used."""
    record, used = state_row(state, item), item.says.usage
    if used is None or not _is_news(used, state.recorded, state.counted):
        return record
    return _paid(state, record, used, None)


def _is_news(used: CountsShape, told: list[CountsShape], elsewhere: list[CountsShape]) -> bool:
    """Say whether the other of the two ways did not tell it already; note that this one did."""
    if used in elsewhere:
        elsewhere.remove(used)
        return False
    told.append(used)
    del told[:-_FEW]
    return True


def _paid(state: RolloutState, record: Record, used: CountsShape, model: str | None) -> Record:
    """Let a line tell what the last response used."""
    record.usage = usage_of(used)
    record.model = model or state.model
    state.context = record.usage.context
    state.reasoning += _number(used.reasoning_output_tokens)
    paid = state.message_id or state.unpaid
    state.message_id = state.unpaid = None
    if paid is not None:
        record.used_by = paid
    else:
        # No row of this response was written down: this line stands for it.
        said = f"{used.input_tokens} {used.output_tokens} {state.tip}"
        record.message_id = name_of("response", state.origin, state.responses, said)
        state.responses += 1
    return record


def _used(state: RolloutState, info: TokenInfoShape) -> CountsShape | None:
    """What was used since the total was told last; None where it did not move."""
    before, now, last = state.total, info.total_token_usage, info.last_token_usage
    if now is None:
        return last
    if now == before:
        return None
    state.total = now
    return last or _difference(before, now)


def _difference(before: CountsShape | None, now: CountsShape) -> CountsShape:
    if before is None or now.total_tokens < before.total_tokens:
        return now
    return CountsShape(
        now.input_tokens - before.input_tokens,
        now.cached_input_tokens - before.cached_input_tokens,
        now.output_tokens - before.output_tokens,
        now.reasoning_output_tokens - before.reasoning_output_tokens,
        now.total_tokens - before.total_tokens,
    )


def usage_of(used: CountsShape) -> Usage:
    """Return tokens as the index counts them: cached ones apart from the input."""
    given, output = _number(used.input_tokens), _number(used.output_tokens)
    cached = min(_number(used.cached_input_tokens), given)
    return Usage(input=given - cached, output=output, cache_read=cached, context=given + output)


def _number(number: int) -> int:
    return max(0, min(number, _MOST))
