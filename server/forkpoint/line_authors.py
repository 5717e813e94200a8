"""Who wrote each line of a file as it is now?"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple

from forkpoint.line_map import LineMaps
from forkpoint.line_origins import Step, WayBack
from forkpoint.text_lines import Lines


class Author(NamedTuple):
    """Whoever wrote a line.

    Attributes:
        by: agent = a call; outside = nothing that is recorded; older = it stood there before all
            that is recorded.
        key: names the call; None where none wrote it.
        since, until: of a line from outside, when it was not there yet, and when it was first seen
            (ms since 1970); None otherwise, and where it is seen in the file now only.
    """

    by: Literal["agent", "outside", "older"]
    key: Hashable | None = None
    since: int | None = None
    until: int | None = None


class Authors(NamedTuple):
    """The author of each line; `unknown` counts edits whose text cannot be told."""

    lines: list[Author]
    unknown: int


def authors_of(now: Lines, steps: Sequence[Step], maps: LineMaps) -> Authors:
    """Return who wrote the lines of a file; `steps` come newest first."""
    lines = [Author("older")] * len(now)
    until: int | None = None
    unknown = 0
    for step, side, lost in WayBack(now, steps, maps).go():
        unknown += side == "unknown"
        author = Author("agent", step.key)
        if side == "after":
            author = Author("outside", since=step.time, until=until)
        for line in lost:
            lines[line] = author
        if side in ("after", "before"):
            until = step.time
    return Authors(lines, unknown)
