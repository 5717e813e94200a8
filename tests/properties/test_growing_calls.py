"""Calls that are gone on with are those of an index that is asked at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forkpoint.growing_calls import calls_of
from forkpoint.session import Conversation
from tests.builders import result_block, transcript
from tests.fixture_paths import REAL
from tests.properties.test_growth import conversations, grown
from tests.strategies import files

RECORDINGS = sorted(
    path for path in REAL.glob("*/projects/*/*.jsonl") if path.stat().st_size < 300_000
)


def check(data: bytes, *, torn: bool, every: int = 1) -> None:
    growing: Conversation | None = None
    for number, index in enumerate(grown(data, torn=torn)):
        growing = growing or Conversation(index)
        if number % every == 0:
            assert list(calls_of(growing)) == index.tools.all(index.joins)


@settings(max_examples=100)
@given(files | conversations(), st.booleans(), st.sampled_from([1, 3]))
def test_anything(data: bytes, torn: bool, every: int) -> None:
    check(data, torn=torn, every=every)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: f"{path.parents[2].name} {path.name}")
def test_recordings(path: Path) -> None:
    check(path.read_bytes(), torn=False)


@pytest.mark.parametrize(
    "text",
    [
        "u1 t1 i1 u2 t2",  # an interrupt names no call
        "u1 t1 u2 r1",  # answered late
        "r1 | - u1 t2 r2 t1",  # answered before it is made
        "u1 t1+t2 r2 i1 r1",
    ],
)
def test_what_changes_a_call_that_was_there(text: str) -> None:
    failed = {"message": {"content": [result_block("1", is_error=True)]}}
    fields = {"r1": failed} if "r1" in text else {}
    check(transcript(text, fields=fields), torn=True)


def test_a_result_that_is_repeated_with_another_end() -> None:
    failed = {"message": {"content": [result_block("1", is_error=True)]}}
    check(transcript("u1 t1 r1") + transcript("r1", fields={"r1": failed}), torn=True)
