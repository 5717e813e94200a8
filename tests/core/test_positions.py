"""Positions in the units of a client."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.lsp.positions import Encoding, index_at, units

LENGTHS: list[tuple[str, int, int, int]] = [
    ("", 0, 0, 0),
    ("abc", 3, 3, 3),
    ("é", 2, 1, 1),
    ("店", 3, 1, 1),
    ("🙂", 4, 2, 1),
    ("a🙂é", 7, 4, 3),
    ("\ud83d", 3, 1, 1),
]


@pytest.mark.parametrize(("text", "utf_8", "utf_16", "utf_32"), LENGTHS)
def test_lengths(text: str, utf_8: int, utf_16: int, utf_32: int) -> None:
    assert [units(text, each) for each in ENCODINGS] == [utf_8, utf_16, utf_32]


PLACES: list[tuple[str, int, Encoding, int]] = [
    ("a🙂b", 0, "utf-16", 0),
    ("a🙂b", 1, "utf-16", 1),
    ("a🙂b", 2, "utf-16", 1),
    ("a🙂b", 3, "utf-16", 2),
    ("a🙂b", 99, "utf-16", 3),
    ("a🙂b", 4, "utf-8", 1),
    ("a🙂b", 5, "utf-8", 2),
    ("a🙂b", 2, "utf-32", 2),
    ("ab", 9, "utf-32", 2),
]


@pytest.mark.parametrize(("text", "unit", "encoding", "expected"), PLACES)
def test_places(text: str, unit: int, encoding: Encoding, expected: int) -> None:
    assert index_at(text, unit, encoding) == expected


@given(st.text(), st.integers(0, 20))
def test_there_and_back(text: str, at: int) -> None:
    at = min(at, len(text))
    for encoding in ENCODINGS:
        assert index_at(text, units(text[:at], encoding), encoding) == at


@given(st.binary())
def test_there_are_never_more_units_than_bytes(data: bytes) -> None:
    for encoding in ("utf-16", "utf-32"):
        assert units(data.decode("utf-8", "replace"), encoding) <= len(data)


ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
