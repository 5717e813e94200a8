"""Requests that are gone on with are those of a transcript that is asked at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forkpoint.cache.requests import requests_of
from forkpoint.session import Conversation
from tests.builders import transcript
from tests.fixture_paths import CASES, REAL
from tests.properties.test_growth import conversations, grown
from tests.strategies import files

RECORDINGS = sorted(
    path
    for home in (REAL, CASES)
    for path in home.glob("*/projects/*/*.jsonl")
    if path.stat().st_size < 300_000
)


def check(data: bytes, *, torn: bool, every: int = 1) -> None:
    growing: Conversation | None = None
    for number, index in enumerate(grown(data, torn=torn)):
        growing = growing or Conversation(index)
        if number % every == 0:
            assert list(requests_of(growing, ())) == list(requests_of(Conversation(index), ()))


@settings(max_examples=200)
@given(files | conversations(), st.booleans(), st.sampled_from([1, 3]))
def test_anything(data: bytes, torn: bool, every: int) -> None:
    check(data, torn=torn, every=every)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: f"{path.parents[2].name} {path.name}")
def test_recordings(path: Path) -> None:
    check(path.read_bytes(), torn=False)


def test_a_gap_may_be_bridged_to_a_row_that_comes_later() -> None:
    """The client goes on behind a gap with the newest row that is not newer, wherever it stands."""
    check(transcript("u1 a1 | z1 a2 | - u3", times={"a2": 14, "u3": 13}), torn=False)


def test_what_is_copied_may_become_known_later() -> None:
    [*_, index] = grown(transcript("u1 a1 u2 a2"), torn=False)
    conversation = Conversation(index)
    for copied in ((), ("msg_a1",), ()):
        new = Conversation(index)
        assert list(requests_of(conversation, copied)) == list(requests_of(new, copied))
