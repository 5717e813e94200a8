"""Rows of limits, what was measured against them, and how that is printed."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal, NamedTuple

from tests.bench.cached import NotInstalled
from tests.bench.server import NotThereYet
from tests.bench.stage import Stage
from tests.bench.worker import JobFailed


class Measured(NamedTuple):
    """A number, both sides of it for a reader, and what is missing where the row means more."""

    value: float
    sides: str = ""
    missing: str = ""


class Smaller(Enum):
    """What a limit says of a corpus below 1 GiB."""

    SAME = "same"
    """The ratio does not depend on the size."""
    SCALED = "scaled"
    """It grows with the largest session, since only one of its sides does."""
    INFORMATION = "information"
    """Nothing: fixed costs per file or process weigh more there."""


FULL_LARGEST = 184_000_000
"""Bytes of the largest session of the corpus that the limits are meant for."""


class Limit(NamedTuple):
    """`way` says on which side of a number good values are."""

    way: Literal["<=", ">="]
    must: float
    aim: float

    def holds(self, value: float, bound: float) -> bool:
        return value <= bound if self.way == "<=" else value >= bound

    def times(self, factor: float) -> Limit:
        return Limit(self.way, self.must * factor, self.aim * factor)


@dataclass(frozen=True)
class Row:
    """One ratio; without a limit it is printed for what it says about its neighbours."""

    name: str
    about: str
    measure: Callable[[Stage], Measured]
    limit: Limit | None
    smaller: Smaller = Smaller.SAME
    unit: Literal["", " ms", " %"] = ""


@dataclass(frozen=True)
class Result:
    """What became of a row."""

    row: Row
    limit: Limit | None
    value: float | None
    verdict: Literal["aim reached", "good", "MISSED", "NOT THERE YET", "FAILED", "information"]
    note: str = ""

    @property
    def is_bad(self) -> bool:
        return self.verdict in ("MISSED", "NOT THERE YET", "FAILED")


def result_of(row: Row, stage: Stage) -> Result:
    """Measure a row; whatever goes wrong is its result."""
    limit = _limit(row, stage)
    is_only_told = limit is None or (row.smaller is Smaller.INFORMATION and not stage.is_full)
    try:
        measured = row.measure(stage)
    except NotThereYet as missing:
        return Result(row, limit, None, "NOT THERE YET", str(missing))
    except NotInstalled as failure:
        return Result(row, limit, None, "information" if is_only_told else "FAILED", str(failure))
    except (JobFailed, OSError, AssertionError) as failure:
        traceback.print_exc()
        return Result(row, limit, None, "FAILED", f"{type(failure).__name__}: {failure}")
    value = measured.value
    if measured.missing and limit is not None:
        return Result(row, limit, value, "NOT THERE YET", f"{measured.missing}, {measured.sides}")
    if limit is None or is_only_told:
        return Result(row, limit, value, "information", measured.sides)
    if not limit.holds(value, limit.must):
        return Result(row, limit, value, "MISSED", measured.sides)
    reached = limit.holds(value, limit.aim)
    return Result(row, limit, value, "aim reached" if reached else "good", measured.sides)


def _limit(row: Row, stage: Stage) -> Limit | None:
    if row.limit is not None and row.smaller is Smaller.SCALED and not stage.is_full:
        return row.limit.times(stage.largest["bytes"] / FULL_LARGEST)
    return row.limit


def print_head(rows: Sequence[Row]) -> None:
    print(f"\n{'':{_width(rows)}} {'measured':>11} {'must':>12} {'aim':>12}", flush=True)


def print_result(result: Result, rows: Sequence[Row]) -> None:
    row, limit = result.row, result.limit
    value = "-" if result.value is None else _number(result.value, row.unit)
    must = "" if limit is None else f"{limit.way} {_number(limit.must, row.unit)}"
    aim = "" if limit is None else f"{limit.way} {_number(limit.aim, row.unit)}"
    verdict = f"{result.verdict}: {result.note}" if result.note else result.verdict
    name = f"{row.name}: {row.about}"
    print(f"{name:{_width(rows)}} {value:>11} {must:>12} {aim:>12}  {verdict}", flush=True)


def _width(rows: Sequence[Row]) -> int:
    return max(len(f"{row.name}: {row.about}") for row in rows)


def _number(value: float, unit: str) -> str:
    decimals = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    text = f"{value:,.{decimals}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + unit
