"""What the API's counts mean (format.md section 17): of one response, and of many at once."""

from __future__ import annotations

from collections.abc import Sequence

from forkpoint.records.shapes import UsageShape


def numbers_of(usage: UsageShape) -> tuple[int, int, int, int, int, int]:
    """Return the fields of a `Usage`, in their order."""
    split, short, long = usage.cache_creation, usage.cache_creation_input_tokens, 0
    if split:
        long = split.ephemeral_1h_input_tokens
        if split.ephemeral_5m_input_tokens + long != 0:
            short = max(short - long, 0)
    last = usage.iterations[-1] if usage.iterations else usage
    return (
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_input_tokens,
        max(short, 0),
        long,
        last.input_tokens
        + last.cache_read_input_tokens
        + last.cache_creation_input_tokens
        + last.output_tokens,
    )


def in_fast_mode(usage: UsageShape) -> bool:
    """Say whether a response came in fast mode, which has prices of its own."""
    return usage.speed == "fast"


def columns_of(usages: Sequence[UsageShape]) -> list[list[int]] | None:
    """Return the same fields of many but the last, which is the sum of the others.

    Returns:
        None if it is not of each of them, or may be not; where one is below zero, `numbers_of`
        tells, too.
    """
    if any([usage.iterations for usage in usages]):
        return None
    written = [usage.cache_creation_input_tokens for usage in usages]
    long = [
        split.ephemeral_1h_input_tokens if (split := usage.cache_creation) else 0
        for usage in usages
    ]
    if any(long):
        splits = [usage.cache_creation for usage in usages]
        if min([split.ephemeral_5m_input_tokens if split else 0 for split in splits]) < 0:
            return None
        written = [both - one for both, one in zip(written, long, strict=True)]
    return [
        [usage.input_tokens for usage in usages],
        [usage.output_tokens for usage in usages],
        [usage.cache_read_input_tokens for usage in usages],
        written,
        long,
    ]
