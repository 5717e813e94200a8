"""Copies of a transcript, written as each way of forking writes them (format.md section 12).

    branch       `/branch`: same uuids, each row says where it comes from
    forkSession  `--fork-session`: same uuids, nothing says so
    sdk          `forkSession` of an SDK: new uuids, each row says where it comes from, the last one
                 has the time of the fork; abandoned rows are copied too, sidechains are not
    old          older releases: new uuids, nothing says so

State lines are not copied. A new uuid is that of the row's name with an `x` behind it, and with one
more for each copy of a copy.
"""

from __future__ import annotations

import json
from typing import Any, Literal, get_args

from tests.builders import line, name_of, timestamp, uuid

Way = Literal["branch", "forkSession", "sdk", "old"]
WAYS: tuple[Way, ...] = get_args(Way)


def copied(
    data: bytes, way: Way, *, origin: str, session: str, up_to: str | None = None, now: float = 0
) -> bytes:
    """Return the rows of a copy.

    Args:
        data: the original.
        way: how it is copied.
        origin: id of the original's session.
        session: id of the copy's.
        up_to: name of the last row to copy; None = all.
        now: seconds at which it is done.
    """
    rows = [json.loads(each) for each in data.splitlines()]
    rows = [row for row in rows if row.get("uuid") and not row.get("isSidechain")]
    names = [name_of(row["uuid"]) for row in rows]
    if up_to is not None:
        rows = rows[: names.index(up_to) + 1]
    return b"".join(
        line(**_copy(row, way, origin, session, _time(rows, row, way, now))) for row in rows
    )


def _time(rows: list[Any], row: Any, way: Way, now: float) -> str:
    return timestamp(now) if way == "sdk" and row is rows[-1] else row["timestamp"]


def _copy(row: dict[str, Any], way: Way, origin: str, session: str, time: str) -> dict[str, Any]:
    copy = {**row, "sessionId": session, "timestamp": time}
    if way in ("branch", "sdk"):
        copy["forkedFrom"] = {"sessionId": origin, "messageUuid": row["uuid"]}
    if way in ("sdk", "old"):
        copy["uuid"], copy["parentUuid"] = renewed(row["uuid"]), renewed(row["parentUuid"])
    return copy


def renewed(old: str | None) -> str | None:
    """Return the uuid that a copy gets in place of an old one."""
    return None if old is None else uuid(f"{name_of(old)}x")
