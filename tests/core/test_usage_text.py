"""Sums as a text and as CSV: what is not known is said, and nothing that was written acts."""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.ledger import Dimension
from forkpoint.lsp.usage_text import money, usage_csv, usage_text
from forkpoint.protocol.types import (
    Indexing,
    Problem,
    Title,
    TokenCounts,
    UsageAmount,
    UsageProject,
    UsageResult,
    UsageRow,
    UsageSums,
)


def amount(responses: int = 0, cost: float | None = None, unpriced: int = 0) -> UsageAmount:
    times = TokenCounts(
        input=1 * responses,
        output=20 * responses,
        cache_read=3_000 * responses,
        cache_write_5m=40 * responses,
        cache_write_1h=500 * responses,
    )
    return UsageAmount(responses=responses, tokens=times, cost_usd=cost, unpriced=unpriced)


def row(responses: int, cost: float | None, **names: Any) -> UsageRow:
    unnamed = dict.fromkeys(
        ("session_id", "title", "day", "month", "project", "model", "agent", "subagent_id")
    )
    both = amount(responses, cost)
    sums = {"sessions": 1, "both": both, "own": both, "subagents": amount()}
    return UsageRow(**sums, **{**unnamed, **names})  # type: ignore[arg-type]


def result(rows: list[UsageRow], *sentences: str) -> UsageResult:
    whole = amount(sum(each.both.responses for each in rows), 2.5)
    total = UsageSums(sessions=len(rows), both=whole, own=whole, subagents=amount(1, 0.004, 1))
    notes = [Problem(code="n", sentence=sentence) for sentence in sentences]
    indexing = Indexing(done=1, total=1)
    return UsageResult(rows=rows, total=total, notes=notes, text=None, indexing=indexing)


@pytest.mark.parametrize(
    ("responses", "cost", "unpriced", "said"),
    [
        (0, 0.0, 0, "-"),
        (0, None, 0, "-"),
        (2, None, 2, "no price"),
        (2, 0.0, 0, "$0.00"),
        (2, 0.0099, 0, "<$0.01"),
        (2, 0.01, 0, "$0.01"),
        (2, 1234.5, 1, "$1,234.50+"),
        (2, 0.001, 1, "<$0.01+"),
    ],
)
def test_money(responses: int, cost: float | None, unpriced: int, said: str) -> None:
    assert money(amount(responses, cost, unpriced)) == said


def test_nothing_was_spent() -> None:
    text = usage_text(result([], "A note."), ["day"], "2026-11-01", None)
    assert text.split("\n") == [
        *("Usage by day from 2026-11-01", ""),
        *("Nothing was spent, as far as transcripts tell.", "", "- A note.", ""),
    ]


def test_the_total_alone() -> None:
    summed = result([row(2, 1.5)])
    alone = UsageResult(rows=[], total=summed.total, notes=[], text=None, indexing=summed.indexing)
    assert usage_text(alone, [], None, "2026-11-30").split("\n") == [
        *("Usage to 2026-11-30", ""),
        "       Responses  Input  Output  Cache write  Cache read   Cost  By subagents",
        "-----  ---------  -----  ------  -----------  ----------  -----  ------------",
        "Total          2      2      40        1,080       6,000  $2.50       <$0.01+",
        *("", ""),
    ]


def test_a_row_for_each_that_occurs_together() -> None:
    rows = [
        row(2, 2.0, day="2026-11-30", model="claude-opus-5-5"),
        row(1, None, day=None, model=None),
        row(1, 0.5, day="2026-11-29", model="\x1b[2J"),
    ]
    assert usage_text(result(rows), ["day", "model"], None, None).split("\n") == [
        *("Usage by day and model", ""),
        "Day         Model            Responses  Input  Output  Cache write  Cache read      Cost"
        "  By subagents",
        "----------  ---------------  ---------  -----  ------  -----------  ----------  --------"
        "  ------------",
        "2026-11-30  claude-opus-5-5          2      2      40        1,080       6,000     $2.00"
        "             -",
        "(no time)   (not named)              1      1      20          540       3,000  no price"
        "             -",
        "2026-11-29  \ufffd[2J                     1      1      20          540       3,000"
        "     $0.50             -",
        "----------  ---------------  ---------  -----  ------  -----------  ----------  --------"
        "  ------------",
        "Total                                4      4      80        2,160      12,000     $2.50"
        "       <$0.01+",
        *("", ""),
    ]


SHOP = UsageProject(path="/home/dev/shop", name="shop")
TITLE = Title(text="Add a discount " * 4, source="ai")
NAMED: list[tuple[Dimension, dict[str, Any], str, list[str]]] = [
    (
        "session",
        {"session_id": "5e551010-0000", "title": TITLE},
        "5e551010  Add a discount Add a discount Add a disc",
        ["5e551010-0000", TITLE.text],
    ),
    ("session", {"session_id": "5e551010-0000"}, "5e551010", ["5e551010-0000", ""]),
    ("month", {"month": "2026-11"}, "2026-11", ["2026-11"]),
    ("month", {}, "(no time)", [""]),
    ("project", {"project": SHOP}, "shop", ["shop", "/home/dev/shop"]),
    ("project", {}, "(none)", ["", ""]),
    ("agent", {"agent": "codex"}, "codex", ["codex"]),
    ("agent", {}, "(none)", [""]),
    ("subagent", {"subagent_id": "a1"}, "a1", ["a1"]),
    ("subagent", {}, "(conversation)", [""]),
    ("model", {"model": "=1+1"}, "=1+1", ["'=1+1"]),
]


@pytest.mark.parametrize(("by", "names", "said", "cells"), NAMED)
def test_what_a_row_is_called(
    by: Dimension, names: dict[str, Any], said: str, cells: list[str]
) -> None:
    summed = result([row(1, 0.25, **names)])
    line = usage_text(summed, [by], None, None).split("\n")[4]
    assert line.startswith(said + "  ")
    assert line.split()[-7:] == ["1", "1", "20", "540", "3,000", "$0.25", "-"]
    headings, values, end = usage_csv(summed, [by]).split("\r\n")
    assert end == ""
    assert values.split(",") == [
        *cells,
        *("1", "1", "1", "20", "3000", "40", "500", "0.250000", "0"),
        *("0", "0", "0", "0", "0", "0", "", "0"),
    ]
    assert len(headings.split(",")) == len(values.split(","))


def test_csv_of_the_total_alone() -> None:
    headings, values, _ = usage_csv(result([row(2, 2.0)]), []).split("\r\n")
    assert headings.split(",")[:3] == ["sessions", "responses", "input"]
    assert values.split(",")[:3] == ["1", "2", "2"]
