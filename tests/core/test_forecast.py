"""Does each row of the rule book's decision table speak, and say what the rule book says?"""

from __future__ import annotations

import re

import msgspec
import pytest

from forkpoint.cache.forecast import forecast
from forkpoint.cache.next_request import Change, ToolSet
from forkpoint.cache.outcome import Asked
from forkpoint.records.record import Usage
from tests.core import forecast_request_rows, forecast_rows
from tests.core.cache_questions import (
    CHANGED,
    NOTHING,
    OLDER_OPUS,
    SONNET,
    asked,
    compacted,
    request,
    was,
)
from tests.core.forecast_case import Row

ROWS = [*forecast_rows.ROWS, *forecast_request_rows.ROWS]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.row)
def test_row(row: Row) -> None:
    found = forecast(row.asked)
    first, *others = [ruling.code for ruling in found.rulings]
    first_expected, *others_expected = row.codes.split()
    layers = " ".join("?" if layer == "unknown" else layer for layer in found.layers)
    answer = f"{found.verdict} {found.confidence}: {layers}"
    assert (answer, first) == (row.answer, first_expected)
    assert sorted(others) == sorted(others_expected)


def test_every_row_is_in_the_table() -> None:
    told = {int(number) for row in ROWS if (number := re.match(r"\d+", row.row)[0])}  # type: ignore[index]
    assert told | set(forecast_request_rows.NOT_SEEN) == set(range(1, 44))


# --- numbers -----------------------------------------------------------------------------------

FIRST = request("3/21400/0/9000/50")
"""Of 30,403 tokens."""
MANY_STEPS = was(request=msgspec.structs.replace(request(), usage=Usage(
    input=10, output=500, cache_read=200_000, cache_write_1h=4000, context=120_500,
)))  # fmt: skip
POINT = was("4/58300/0/1200/900")
NUMBERS: dict[str, tuple[Asked, tuple[int | None, ...]]] = {
    # worked example: context, read, written, dropped
    "1": (asked(), (143_673, 143_050, 623, None)),
    "2": (asked(minutes=180, floor=21_400), (143_673, 0, 143_673, None)),
    "3": (asked(minutes=60), (143_673, None, None, None)),
    "14": (asked(model=SONNET), (143_673, 0, 143_673, None)),
    "19": (asked(action="rewind", point=POINT), (60_404, 59_500, 904, 83_269)),
    "19 late": (asked(action="rewind", minutes=70, point=POINT), (60_404, 0, 60_404, 83_269)),
    "21": (asked(compacted(), floor=21_400), (12_400, 21_400, 12_400, None)),
    "21 late": (asked(compacted(), minutes=70, floor=21_400), (12_400, 0, 33_800, None)),
    "21 no size": (asked(compacted(None), floor=21_400), (None, None, None, None)),
    "22": (asked(action="compact"), (143_673, 143_050, 623, None)),
    "24": (
        asked(was("3/139000/900/3000/620", lifetime="mixed"), minutes=20),
        (143_523, 142_000, 1523, None),
    ),
    "25": (asked(caching_off="env"), (143_673, 0, 143_673, None)),
    "nothing cached": (asked(was("9000/0/0/0/50")), (9050, None, None, None)),
    "no answer": (asked(NOTHING), (None, None, None, None)),
    "many images": (asked(was(images=95)), (143_673, None, None, None)),
    "server-side steps": (asked(MANY_STEPS), (120_500, 120_000, 500, None)),
    # A new conversation is about as large as the first request was.
    "31": (asked(was(first=FIRST), "clear", floor=20_000), (30_403, 20_000, 10_403, None)),
    "31 small": (asked(was(first=FIRST), "clear", floor=40_000), (30_403, 30_403, 0, None)),
    "31 unknown": (asked(NOTHING, "clear", floor=20_000), (None, None, None, None)),
    "to the first prompt": (
        asked(was(first=FIRST), "rewind", point=NOTHING, floor=20_000),
        (30_403, 20_000, 10_403, 143_673),
    ),
}


@pytest.mark.parametrize(("question", "numbers"), NUMBERS.values(), ids=NUMBERS)
def test_numbers(question: Asked, numbers: tuple[int | None, ...]) -> None:
    found = forecast(question)
    assert (found.context, found.read, found.written, found.dropped) == numbers


EXPECTED: dict[str, tuple[Asked, float | None]] = {
    "1": (asked(), 0.03),
    "2": (asked(minutes=180, floor=21_400), 1.15),
    "3": (asked(minutes=60), None),
    "21": (asked(compacted(), floor=21_400), 0.10),
    "21 all cold": (asked(compacted(), minutes=70, floor=21_400), 0.27),
    "22": (asked(action="compact"), 0.09),
    "22 late": (asked(action="compact", minutes=180), 0.78),
    # 142,000 read at 0.20, 1,523 written at 8.
    "24": (asked(was("3/139000/900/3000/620", lifetime="mixed"), minutes=20), 0.04),
    "25": (asked(caching_off="env"), 0.57),
    "33": (asked(fast=True, fast_mode=CHANGED), 2.30),
    "no price": (asked(was(model="claude-newer-9")), None),
}


@pytest.mark.parametrize(("question", "dollars"), EXPECTED.values(), ids=EXPECTED)
def test_what_is_expected_to_be_paid(question: Asked, dollars: float | None) -> None:
    expected = forecast(question).expected
    assert (None if expected is None else round(expected, 2)) == dollars


def test_the_end_alone_is_written_again() -> None:
    costs = forecast(asked(was("3/139000/900/3000/620", lifetime="mixed"), minutes=20)).costs
    # Opus 5.5: 0.20 read, 8 written for an hour.
    assert costs.partly == pytest.approx((142_000 * 0.20 + 1523 * 8) / 1_000_000)


# --- words of the rulings ----------------------------------------------------------------------

# What a cause has to name: `code` -> a pattern of its sentence.
REASONS: list[tuple[Asked, str, str]] = [
    (asked(caching_off="DISABLE_PROMPT_CACHING"), "cachingOff", r"off.*DISABLE_PROMPT_CACHING"),
    (asked(was(lifetime="off")), "cachingOff", r"last request asked for none"),
    (asked(was("9000/0/0/0/50")), "noCacheUse", r"provider reported no cache use"),
    (asked(NOTHING), "noCacheUse", r"No request .* answered"),
    (asked(minutes=180), "expired", r"Idle 3 h, longer than the 1 h"),
    (asked(was("6/88000/2400/0/410", lifetime="5m"), minutes=7), "expired", r"7 min.* 5 min"),
    (asked(minutes=60), "expiresNow", r"expires about now"),
    (asked(minutes=-1), "expiresNow", r"future of this clock"),
    (asked(was(used=None)), "expiresNow", r"No record tells when"),
    (asked(), "warm", r"12 min ago, within the 1 h"),
    (asked(was(version="2.1.260")), "warm", r"builds the system prompt at each start"),
    (
        asked(was("3/139000/900/3000/620", lifetime="mixed"), minutes=20),
        "expired",
        r"end .* 5 min lifetime, the rest an hour",
    ),
    (
        asked(was(version="2.1.240", recorded=False), version="2.1.332"),
        "versionNoSnapshot",
        r"2\.1\.240 to 2\.1\.332.* no recorded system prompt",
    ),
    (
        asked(was(version="2.1.300"), version="2.1.240"),
        "versionNoSnapshot",
        r"2\.1\.300 to 2\.1\.240.* anew",
    ),
    (
        asked(
            was(version="2.1.300"),
            version="2.1.332",
            tool_set=ToolSet("changed", ("Monitor", "Watch", "Wait", "Zap")),
        ),
        "toolSetDiffers",
        r"2\.1\.332 .*\(Monitor, Watch, Wait\)$",
    ),
    (asked(version="2.1.340"), "toolSetUnknown", r"2\.1\.340 may offer .* 2\.1\.332"),
    (
        asked(git=CHANGED, cwd=CHANGED, project_files=CHANGED),
        "snapshotReplayed",
        r"^The git state, CLAUDE\.md and the working directory changed, but .* replayed",
    ),
    (asked(append_system_prompt=CHANGED), "snapshotReplayed", r"only after a compaction"),
    (
        asked(append_system_prompt=CHANGED, git=CHANGED),
        "snapshotReplayed",
        r"^The appended system prompt and the git state changed",
    ),
    (
        asked(was(version="2.1.260", recorded=False), git=CHANGED),
        "promptInputsChanged",
        r"^The git state changed since",
    ),
    (asked(was(recorded=False), git=CHANGED), "promptInputsChanged", r"no system prompt was rec"),
    (asked(git=CHANGED, replays=False), "snapshotOff", r"rebuilt in this mode"),
    (asked(denied=("Edit", "WebFetch")), "toolDenied", r"^Denying Edit removes"),
    (asked(model=SONNET), "modelChanged", r"^Each model.*claude-sonnet-5-5"),
    (asked(was(model=OLDER_OPUS, effort="high"), effort="low"), "effortChanged", r"opus-4-8"),
    (asked(action="rewind", model=SONNET), "rewindAcrossModel", r"belongs to claude-opus-5-5"),
    (
        asked(action="rewind", minutes=40, behind_boundary=True),
        "rewindBehindBoundary",
        r"40 min ago, before .* compacted",
    ),
    (
        asked(action="rewind", minutes=-40, behind_boundary=True),
        "rewindBehindBoundary",
        r"was last sent, before .* compacted",
    ),
    (asked(minutes=-40), "expiresNow", r"in the future of this clock"),
    (asked(compacted()), "boundaryNewest", r"compacted to about 12k tokens"),
    (asked(compacted(None)), "boundaryNewest", r"compacted$"),
    (asked(action="compact", minutes=180), "compactCold", r"process all 144k tokens"),
    (asked(action="compact"), "compactWarm", r"reads the cache.* only the summary"),
    (asked(gateway="a gateway (env)"), "gateway", r"through a gateway \(env\)"),
    (asked(agent_gone="reviewer"), "agentChanged", r"agent reviewer is gone"),
    (asked(agent_gone="a\nb"), "agentChanged", r"agent a b is gone"),
]


@pytest.mark.parametrize(("question", "code", "pattern"), REASONS)
def test_reason(question: Asked, code: str, pattern: str) -> None:
    [reason] = [each.reason for each in forecast(question).rulings if each.code == code]
    assert re.search(pattern, reason), reason
    assert not reason.endswith(".")
    assert "\n" not in reason


def test_a_summary_of_which_the_end_is_over_is_still_read() -> None:
    question = asked(was("3/139000/900/3000/620", lifetime="mixed"), "compact", 20)
    assert forecast(question).rulings[0].certainty == "likely"


def test_evidence_names_all_that_changed() -> None:
    inputs = {"git": Change("changed", "HEAD moved"), "cwd": Change("changed", "/a before")}
    [replayed] = [r for r in forecast(asked(**inputs)).rulings if r.code == "snapshotReplayed"]
    assert replayed.evidence == "HEAD moved; /a before"
