"""How a record's time reads."""

from __future__ import annotations

import re

from forkpoint.inert import inline
from forkpoint.records.words import one_line

_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z")


def time_of(timestamp: str | None) -> str:
    """Return a time to the minute, an odd one as it is written; empty where there is none."""
    if not timestamp:
        return ""
    match = _TIME.fullmatch(timestamp)
    return f"{match[1]} {match[2]} UTC" if match else f"Time: {inline(one_line(timestamp))}"
