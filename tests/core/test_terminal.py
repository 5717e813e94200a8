"""Small texts of the terminal: ages, sizes, and characters that must not act."""

from __future__ import annotations

import pytest

from forkpoint.protocol.types import Indexing, SessionsResult
from forkpoint.terminal import age, fact_sheet, session_list, size, visible

NOON = 1_769_342_400.0
"""2026-01-25T12:00:00Z in seconds."""


@pytest.mark.parametrize(
    ("time", "text"),
    [
        ("2026-01-25T12:00:00.000Z", "now"),
        ("2026-01-25T11:59:00.001Z", "now"),
        ("2026-01-25T11:59:00.000Z", "1 min"),
        ("2026-01-25T11:00:00.001Z", "59 min"),
        ("2026-01-25T11:00:00Z", "1 h"),
        ("2026-01-24T12:00:01Z", "23 h"),
        ("2026-01-24T12:00:00Z", "1 d"),
        ("2026-01-24T12:00:00+02:00", "1 d"),
        ("2025-01-25T12:00:00Z", "365 d"),
        ("2026-01-25T12:00:59Z", "now"),
        ("2026-01-25T12:01:00Z", "in 1 min"),
        ("2027-01-25T12:00:00Z", "in 365 d"),
        ("yesterday", "?"),
        ("", "?"),
    ],
)
def test_ages(time: str, text: str) -> None:
    assert age(time, NOON) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (9_949, "9.9 kB"),
        (10_000, "10 kB"),
        (235_000, "235 kB"),
        (1_000_000, "1.0 MB"),
        (120_000_000, "120 MB"),
        (2_500_000_000, "2.5 GB"),
    ],
)
def test_sizes(number: int, text: str) -> None:
    assert size(number) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, größer, 店 🙂", "plain, größer, 店 🙂"),
        ("\x1b[31mred", "\ufffd[31mred"),
        ("a\nb\tc\rd\0e\x7f", "a\ufffdb\ufffdc\ufffdd\ufffde\ufffd"),
        ("\x9b31m", "\ufffd31m"),
        ("\u202eabc\u2066", "\ufffdabc\ufffd"),
        ("\ud800", "\ufffd"),
    ],
)
def test_what_would_act_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_an_empty_list_says_so() -> None:
    nothing = SessionsResult(sessions=[], total=0, indexing=Indexing(done=0, total=0))
    assert session_list(nothing, NOON) == "No sessions found."


def test_facts_stand_one_per_line() -> None:
    facts = {
        "sizeBytes": 5,
        "version": None,
        "kinds": {"user": 2, "state": 1},
        "unknownTypes": {},
        "tornTail": (100, 7),
        "tip": "evil\x1b[2J",
    }
    assert fact_sheet(facts).splitlines() == [
        "size bytes           5",
        "version              none",
        "kinds                user 2, state 1",
        "unknown types        none",
        "torn tail            7 bytes from 100 on",
        "tip                  evil\ufffd[2J",
    ]
