"""Which fields nobody knows, and of which records one looks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.odd_fields import LONGEST, Sample, fields_in, rows_of_sample
from forkpoint.records.claude_code import KNOWN_TYPES
from forkpoint.records.known_fields import KNOWN_FIELDS, OddRecord, odd_record
from forkpoint.records.shapes import LineShape
from tests.builders import line
from tests.fixture_paths import FIXTURES, REAL


def recorded(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.glob("**/projects/**/*.jsonl")):
        yield from path.read_bytes().split(b"\n")


@pytest.mark.parametrize("folder", [REAL, FIXTURES / "demo"], ids=lambda path: path.name)
def test_all_fields_of_recordings_are_known(folder: Path) -> None:
    assert fields_in(recorded(folder), None).fields == {}


def test_each_field_that_is_read_is_known() -> None:
    known = {field for fields in KNOWN_FIELDS.values() for field in fields}
    assert {field.name for field in msgspec.structs.fields(LineShape)} <= known


def test_only_known_types_have_known_fields() -> None:
    assert KNOWN_FIELDS.keys() <= KNOWN_TYPES


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (line(type="user", uuid="u", message={"x": 1}), None),
        (
            line(type="user", zeal=1, aura={"x": 1}, version="2.9.9"),
            OddRecord("user", "2.9.9", ["aura", "zeal"]),
        ),
        (line(type="mode", mode="a", uuid="u"), OddRecord("mode", None, ["uuid"])),
        (line(type="mode", extra=1, version=5), OddRecord("mode", None, ["extra", "version"])),
        (line(type="hologram", extra=1), None),
        (line(type=5, extra=1), None),
        (line(extra=1), None),
        (b"[1]", None),
        (b"{", None),
        (b"", None),
        (b'{"type":"mode","\xff":1}', None),
        (b'{"type":"mode","a":' + b"[" * 5000 + b"]" * 5000 + b"}", None),
    ],
)
def test_the_unknown_fields_of_a_record(record: bytes, expected: OddRecord | None) -> None:
    assert odd_record(record.rstrip(b"\n")) == expected


lengths = st.lists(st.integers(0, 2 * LONGEST), max_size=60)
samples = st.builds(Sample, st.integers(1, 80), st.integers(1, 10 * LONGEST))


@given(lengths, samples)
def test_a_sample_is_as_small_as_it_must_be_and_in_order(rows: list[int], sample: Sample) -> None:
    chosen = rows_of_sample(rows, sample)
    assert chosen == sorted(set(chosen))
    assert len(chosen) <= sample.rows
    assert sum(rows[row] for row in chosen) <= sample.bytes
    assert all(rows[row] <= LONGEST for row in chosen)


@given(lengths)
def test_where_all_fit_all_are_taken(rows: list[int]) -> None:
    everything = Sample(len(rows) + 1, sum(rows) + 1)
    fitting = [row for row, length in enumerate(rows) if length <= LONGEST]
    assert rows_of_sample(rows, everything) == fitting


@given(st.integers(0, 10**6))
def test_how_much_a_sample_is_of_depends_on_the_size_alone(rows: int) -> None:
    sample = Sample(200, 1000, begins=1000)
    assert rows * 7 / 8 <= sample.of(rows) <= rows
    assert rows > 1000 or sample.of(rows) == rows
    assert Sample(200, 1000).of(rows) == rows


def test_a_sample_is_spread_over_the_file() -> None:
    assert rows_of_sample([10] * 100, Sample(4, 1000)) == [0, 25, 50, 75]


def test_fields_are_counted_with_who_wrote_them() -> None:
    lines = [
        line(type="user", aura=1, version="2.9.9"),
        line(type="user", aura=1),
        line(type="mode", mode="a"),
        json.dumps({"type": "mode", "aura": 1}).encode(),
    ]
    found = fields_in(lines, "2.1.1")
    assert {name: (met.count, met.versions) for name, met in found.fields.items()} == {
        ("user", "aura"): (2, {"2.9.9", "2.1.1"}),
        ("mode", "aura"): (1, {"2.1.1"}),
    }
    assert found.looked_at == 4
