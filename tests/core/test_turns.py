"""The turns of a file, and what folds in it."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given

from forkpoint.turns import runs_of, turn_starts
from tests.builders import index_of, name_of, transcript
from tests.strategies import files

# Turns in brackets, runs in parentheses, parts in braces.
FILES: dict[str, str] = {
    "": "",
    "a1 h1": "a1 h1",
    "u1": "u1",
    "u1 a1 u2 a2": "[u1 a1] [u2 a2]",
    "h1 h2 h3 u1 a1": "(h1 h2 h3) [u1 a1]",
    "u1 t1 r1 t2 r2 a1": "[u1 (t1 r1 t2 r2) a1]",
    "u1 t1 r1 a1": "[u1 t1 r1 a1]",
    "u1 h1 h2 s1 a1 u2": "[u1 (h1 h2 s1) a1] u2",
    "u1 k1 k2 a1": "[u1 (k1 k1.a k2 k2.a) a1]",
    "u1 a1 b1 c1 u2 a2": "{[u1 a1]} [b1 c1] [u2 a2]",
    "h1 u1 b1 c1 u2 b2 c2": "{h1 u1} {[b1 c1] u2} [b2 c2]",
    "u1 q1 a1": "u1 [q1 a1]",
    "u1 i1 u2": "[u1 i1] u2",
}


@pytest.mark.parametrize(("text", "expected"), FILES.items())
def test_folds(text: str, expected: str) -> None:
    assert picture(transcript(text)) == expected


def test_a_repeated_prompt_begins_one_turn() -> None:
    index = index_of(transcript("u1 a1 u1 a2"))
    assert turn_starts(index.nodes) == [0]


@given(files)
def test_runs_hold_each_other_or_lie_apart(data: bytes) -> None:
    nodes = index_of(data).nodes
    runs = runs_of(nodes)
    assert all(0 <= run.first < run.last < len(nodes) for run in runs)
    for one, other in combinations(runs, 2):
        assert one.first <= other.first
        assert other.first > one.last or other.last <= one.last


def picture(data: bytes) -> str:
    index = index_of(data)
    runs = runs_of(index.nodes)
    words: list[str] = []
    for row in range(len(index.nodes)):
        opened = [MARKS[run.what][0] for run in runs if run.first == row]
        closed = [MARKS[run.what][1] for run in reversed(runs) if run.last == row]
        words.append("".join([*opened, name_of(index.nodes.uuid(row) or ""), *closed]))
    return " ".join(words)


MARKS = {"part": "{}", "turn": "[]", "run": "()"}
