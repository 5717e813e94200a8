"""The text of a context curve: sentences, then a chart, whatever is known of it."""

from __future__ import annotations

from forkpoint.lsp.curve_text import curve_text
from forkpoint.protocol.types import ContextCompaction, ContextCurveResult, ContextPoint

AT = "2026-05-28T10:20:30.000Z"


def curve(
    tokens: list[int], *compactions: ContextCompaction, window: int | None = None
) -> list[str]:
    points = [ContextPoint(ordinal=n, uuid=f"{n}", at=None, tokens=t) for n, t in enumerate(tokens)]
    result = ContextCurveResult(
        points=points, compactions=compactions, window_tokens=window, text=None
    )
    return curve_text(result).split("\n")


def compaction(before: int, at: str | None = AT, **known: object) -> ContextCompaction:
    fields = {"trigger": None, "tokens_before": None, "tokens_after": None, **known}
    return ContextCompaction(ordinal=9, uuid="b", at=at, before=before, **fields)  # type: ignore[arg-type]


def test_nothing_is_known() -> None:
    assert curve([]) == [
        *("Context window", ""),
        *("No response on this path says how large its context was.", ""),
    ]


def test_one_response_in_a_window() -> None:
    assert curve([250], window=1_000) == [
        *("Context window", ""),
        "One response: the context began with 250 tokens, was largest with 250 (response 1) and",
        "  has 250 at the end, 25% of a window of 1,000.",
        *("", "Chart (left to right: the responses; ▲: a compaction)", ""),
        *("1k │", *["   │"] * 5, "   │████", " 0 │████", "", ""),
    ]


def test_a_compaction_between_responses_without_a_window() -> None:
    said = curve(
        [400, 800, 100],
        compaction(2, trigger="auto", tokens_before=790, tokens_after=90),
    )
    assert said == [
        *("Context window", ""),
        "3 responses: the context began with 400 tokens, was largest with 800 (response 2) and",
        "  has 100 at the end.",
        "Compaction (auto) behind response 2, 2026-05-28 10:20 UTC: 790 tokens before, 90 after,",
        "  100 with the next response.",
        "How large the model's window is, nothing on disk tells.",
        *("", "Chart (left to right: the responses; ▲: a compaction)", ""),
        "800 │    ████",
        *["    │    ████"] * 3,
        *["    │████████"] * 3,
        "  0 │████████████",
        "             ▲",
        "",
    ]


def test_a_compaction_behind_all_that_says_nothing() -> None:
    said = curve([10, 20], compaction(2, at=None), window=20)
    assert "Compaction behind response 2: no size is written." in said
    assert said[-2].index("▲") == said[-3].index("│") + 8, "at the last response"


def test_a_trigger_and_a_time_that_act_are_signs() -> None:
    said = curve([10], compaction(1, at="\x1b[2J", trigger="\x1b]0;x\x07"), window=20)
    assert "\x1b" not in "".join(said)


def test_of_many_compactions_the_newest_are_told() -> None:
    said = curve([10] * 30, *[compaction(n, at=None, trigger=f"{n}") for n in range(1, 24)])
    told = [line for line in said if line.startswith("Compaction")]
    assert "3 compactions came before these:" in said
    assert [line.split("(")[1].split(")")[0] for line in told] == [str(n) for n in range(4, 24)]


def test_many_responses_are_drawn_one_beside_the_other() -> None:
    said = curve([5] * 500, window=5)
    assert said[-10].endswith("│" + "█" * 72)
