"""A clock that jumps, files of any time, and records that go backwards never make a wrong claim.

`now` is what the machine's clock says; what nobody sets (`time.monotonic`) goes on all the while.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forkpoint.catalog import Catalog
from forkpoint.lsp.handlers import HANDLERS
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.protocol.encode import encode
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.params import decode_params
from tests.builders import Fields, transcript
from tests.core.cache_questions import OPUS
from tests.disk.checkpoint_home import A, B, CheckpointHome

ROWS = "!u1(a.py@1) u1 a1 t1 r1 a2 !u2(a.py@2) u2 a3"
USAGE = {
    "input_tokens": 3,
    "cache_read_input_tokens": 20_000,
    "cache_creation_input_tokens": 900,
    "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 900},
    "output_tokens": 40,
}
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""A file system whose files may have any time; others take the nearest that they know."""
HOUR, DAY = 3600.0, 86_400.0
NOW = datetime(2026, 3, 29, 0, 59, 50, tzinfo=UTC).timestamp()
"""Ten seconds before clocks in Europe go from two to three."""
JUMPS = [0.0, 10, -HOUR, HOUR, -DAY, DAY, -NOW, 5 * 365 * DAY, 400 * 365 * DAY]

instants = st.sampled_from(
    [
        *(
            NOW + jump
            for jump in (0, -1, 1, -90, 90, -HOUR, HOUR, -DAY, DAY, -45 * DAY, 4000 * DAY)
        ),
        *(0.0, -1.0, -400 * DAY),
    ]
)
odd_times = st.sampled_from(
    [
        *("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999-23:59", "9999-12-31T23:59:59.999Z"),
        *("1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2026-03-29T02:30:00+01:00"),
        *("2026-10-25T02:30:00", "yesterday", "", None, 5),
    ]
)
stamps = instants.map(lambda at: stamp(at)) | odd_times
mtimes = instants | st.sampled_from([float(2**33), 3e11, -6e10])
"""Those at the end are behind the year 9999 and before the year 1, where the disk takes them."""


def stamp(at: float) -> str:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=at)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def timed(times: Sequence[object]) -> bytes:
    """The rows with these times, one after the other, and with what the cache served."""
    rows: list[Fields] = [json.loads(text) for text in transcript(ROWS).splitlines()]
    for number, row in enumerate(row for row in rows if "uuid" in row):
        row["timestamp"] = times[number % len(times)]
        if row["type"] == "assistant":
            row["message"] |= {"usage": USAGE, "model": OPUS}
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


@contextmanager
def clock_at(now: float) -> Generator[None]:
    with (
        patch.object(time, "time", lambda: now),
        patch.object(time, "time_ns", lambda: int(now * 1e9)),
    ):
        yield


def asked(catalog: Catalog, method: str, **params: Any) -> Any:
    """The answer; a refusal is one, too."""
    name = f"forkpoint/{method}"
    try:
        return encode(HANDLERS[name](catalog, decode_params(name, params)))
    except RequestFailed as failure:
        return failure.kind


def everything(catalog: Catalog) -> dict[str, Any]:
    """What is told of a home, by the question."""
    catalog.rescan()
    while catalog.index_next():
        pass
    answers = {
        "sessions": asked(catalog, "sessions", includeProgrammatic=True),
        "expiring": asked(catalog, "sessions", expiring=7),
        "health": asked(catalog, "health"),
        "usage": asked(catalog, "usage", by=["day"], timeZone="Europe/Berlin"),
        "abandoned": asked(catalog, "abandoned"),
        "search": asked(catalog, "search", query="a1"),
    }
    for session in (A, B):
        for action in ("resume", "compact", "clear"):
            note = asked(catalog, "cacheImpact", sessionId=session, action=action)
            answers[f"{action} {session}"] = note
        for method in (
            *("cacheHistory", "activePath", "branchTree", "toolCalls", "checkpointFiles"),
            *("contextCurve", "transcript", "workState", "family", "records"),
        ):
            answers[f"{method} {session}"] = asked(catalog, method, sessionId=session)
    return answers


def made(
    folder: str, times: Sequence[Sequence[object]], written: Sequence[float]
) -> CheckpointHome:
    home = CheckpointHome(Path(folder))
    for session, of_rows, at in zip((A, B), times, written, strict=True):
        path = home.session(session, timed(of_rows))
        os.utime(path, (at, at))
        home.copy(session, "a.py", 1, "one\n")
        home.copy(session, "a.py", 2, "two\n")
    return home


def seconds(text: str) -> float:
    return (datetime.fromisoformat(text) - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(seconds=1)


def told_time(at: float) -> str:
    """A file's time as it is told: years of four digits alone have a spelling."""
    try:
        return stamp(at)
    except OverflowError:
        return "0001-01-01T00:00:00.000Z" if at < 0 else "9999-12-31T23:59:59.999Z"


homes = given(
    times=st.tuples(*[st.lists(stamps, min_size=1, max_size=9)] * 2),
    written=st.tuples(mtimes, mtimes),
    jump=st.sampled_from(JUMPS),
)
patient = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])


@homes
@patient
def test_no_claim_is_wrong(
    times: Sequence[Sequence[object]], written: Sequence[float], jump: float
) -> None:
    now = NOW + jump
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder, clock_at(now):
        home = made(folder, times, written)
        kept = {session: home.transcript(session).stat().st_mtime for session in (A, B)}
        answers = everything(home.catalog())
    rows = answers["sessions"]["sessions"]
    assert {row["sessionId"]: row["modifiedAt"] for row in rows} == {
        session: told_time(at) for session, at in kept.items()
    }
    lasts = [milliseconds_of(row) for row in rows]
    assert lasts == sorted(lasts, reverse=True)
    soon = {session for session, at in kept.items() if at + 30 * DAY <= now + 7 * DAY}
    assert {row["sessionId"] for row in answers["expiring"]["sessions"]} == soon
    assert answers["health"]["retention"]["soon"] == len(soon)
    for session in (A, B):
        for action in ("resume", "compact", "clear"):
            check_cache(answers[f"{action} {session}"], now)


def milliseconds_of(row: Fields) -> float:
    """By what a row stands where it stands."""
    updated = milliseconds(row["updatedAt"])
    return milliseconds(row["modifiedAt"]) if updated == NO_TIME else updated


def check_cache(note: Fields, now: float) -> None:
    """By a clock that stands before the last request nothing can be said of the time since."""
    if note["lastRequestAt"] is None:
        assert note["expiresAt"] is note["expiresBy"] is None
    elif seconds(note["lastRequestAt"]) > now:
        assert note["expiresAt"] is note["expiresBy"] is None
        assert note["verdict"] != "warm"
        assert {cause["code"] for cause in note["causes"]} & {"warm", "expired"} == set()


@homes
@patient
def test_the_clock_changes_nothing_but_what_is_about_it(
    times: Sequence[Sequence[object]], written: Sequence[float], jump: float
) -> None:
    about_it = ("expiring", "resume", "compact", "clear")
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        catalog = made(folder, times, written).catalog()
        told: list[Fields] = []
        for now in (NOW, NOW + jump):
            with clock_at(now):
                answers = everything(catalog)
            for about_it_too in ("retention", "report"):
                del answers["health"][about_it_too]
            told.append(
                {key: each for key, each in answers.items() if not key.startswith(about_it)}
            )
    assert told[0] == told[1]


@homes
@patient
def test_who_lived_through_a_jump_says_what_a_newcomer_says(
    times: Sequence[Sequence[object]], written: Sequence[float], jump: float
) -> None:
    """Meanwhile a copy goes, and a session goes on."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        home = made(folder, times, written)
        catalog = home.catalog()
        with clock_at(NOW):
            everything(catalog)
        home.place(A, "a.py", 1).unlink()
        home.session(B, timed(times[0]) + transcript("| a3 u3 a4", start=200))
        later = time.monotonic() + HOUR
        with clock_at(NOW + jump), patch.object(time, "monotonic", lambda: later):
            assert everything(catalog) == everything(home.catalog())
