"""Numbers of the cache in words."""

from __future__ import annotations

from forkpoint.worded import say

_CENT = 0.01


def tokens(count: int) -> str:
    """`143k tokens`; `620 tokens`."""
    return say("{count} tokens", count=thousands(count))


def thousands(count: int) -> str:
    """`143k`; `620`."""
    return str(count) if count < 1000 else f"{(count + 500) // 1000}k"


def dollars(amount: float) -> str:
    """`$1.15`; what rounds to nothing is less than a cent."""
    return f"${amount:.2f}" if amount >= _CENT / 2 else say("less than $0.01")


def about_dollars(amount: float) -> str:
    """`about $1.15`; `less than $0.01`."""
    return (
        dollars(amount) if amount < _CENT / 2 else say("about {dollars}", dollars=dollars(amount))
    )


def dollar_range(low: float, high: float) -> str:
    """`about $0.98 to $1.15`; one amount where both round to the same."""
    most = dollars(high)
    return about_dollars(high) if dollars(low) == most else f"{about_dollars(low)} to {most}"


def duration(seconds: float) -> str:
    """`48 min`, `3 h`, `2 days`; never nothing."""
    minutes = max(1, round(seconds / 60))
    if minutes < 120:
        return say("{minutes} min", minutes=minutes) if minutes != 60 else say("{hours} h", hours=1)
    hours = round(minutes / 60)
    return (
        say("{hours} h", hours=hours) if hours < 48 else say("{days} days", days=round(hours / 24))
    )
