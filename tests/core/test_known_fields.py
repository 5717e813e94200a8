"""Which fields nobody knows, and of which records one looks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forkpoint.odd_fields import LONGEST, OddField, Sample, fields_in, rows_of_sample
from forkpoint.records.claude_code import KNOWN_TYPES
from forkpoint.records.codex import EVENTS, ITEMS, KNOWN_LINES
from forkpoint.records.known_fields import KNOWN_FIELDS, OddRecord, odd_record
from forkpoint.records.rollout_fields import KNOWN_FIELDS as ROLLOUT_FIELDS
from forkpoint.records.rollout_fields import odd_item
from forkpoint.records.rollout_shapes import PayloadShape
from forkpoint.records.shapes import LineShape
from tests.builders import line
from tests.fixture_paths import FIXTURES, PUBLIC, REAL


def recorded(folder: Path) -> Iterator[bytes]:
    for path in sorted(folder.glob("**/projects/**/*.jsonl")):
        yield from path.read_bytes().split(b"\n")


@pytest.mark.parametrize("folder", [REAL, FIXTURES / "demo"], ids=lambda path: path.name)
def test_all_fields_of_recordings_are_known(folder: Path) -> None:
    assert fields_in(recorded(folder), None).fields == {}


def rollouts(folder: Path) -> list[Path]:
    found = folder.rglob("rollout-*.jsonl")
    return [path for path in found if "codex" in path.relative_to(folder).parts]


def odd_in(paths: Sequence[Path]) -> dict[tuple[str, str], OddField]:
    lines = (line for path in paths for line in path.read_bytes().split(b"\n"))
    return fields_in(lines, None, odd_item).fields


def test_all_fields_of_rollouts_are_known() -> None:
    paths = rollouts(FIXTURES)
    assert len(paths) > 9
    assert odd_in(paths) == {}


@pytest.mark.skipif(not PUBLIC.is_dir(), reason=f"no published sessions at {PUBLIC}")
def test_all_fields_of_published_rollouts_are_known() -> None:
    paths = rollouts(PUBLIC / "madshn-localpush-codex")
    assert len(paths) == 5
    assert odd_in(paths) == {}


def test_each_field_of_a_rollout_that_is_read_is_known() -> None:
    """But for those of events of which the table says nothing."""
    known = {field for fields in ROLLOUT_FIELDS.values() for field in fields}
    read = {field.name for field in msgspec.structs.fields(PayloadShape)}
    untold = {"aggregated_output", "command", "exit_code", "item", "new_thread_id"}
    assert read - known - untold == {"receiver_thread_id"}


@pytest.mark.parametrize("name", ROLLOUT_FIELDS)
def test_only_known_items_and_events_have_known_fields(name: str) -> None:
    line, _, inner = name.partition("/")
    assert line in KNOWN_LINES
    assert not inner or inner in (ITEMS if line == "response_item" else EVENTS)


def envelope(kind: str, payload: object, **more: object) -> bytes:
    return json.dumps({"timestamp": "t", "type": kind, "payload": payload, **more}).encode()


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (envelope("event_msg", {"type": "agent_reasoning", "text": "x"}, ordinal=4), None),
        (
            envelope("event_msg", {"type": "agent_reasoning", "mood": 1}),
            OddRecord("event_msg/agent_reasoning", None, ["mood"]),
        ),
        (
            envelope("turn_context", {"model": "x", "zeal": 1}, aura=1),
            OddRecord("turn_context", None, ["aura", "zeal"]),
        ),
        (
            envelope("response_item", {"role": "user", "content": [], "zeal": 1}),
            OddRecord("response_item/message", None, ["zeal"]),
        ),
        (envelope("event_msg", {"type": "hologram", "zeal": 1}), None),
        (envelope("hologram", {"zeal": 1}), None),
        (envelope("event_msg", {"type": 7, "zeal": 1}), None),
        (envelope("event_msg", [1]), None),
        (
            b'{"type":"message","role":"user","content":[],"zeal":1}',
            OddRecord("response_item/message", None, ["zeal"]),
        ),
        (
            b'{"id":"x","timestamp":"t","instructions":null,"zeal":1}',
            OddRecord("session_meta", None, ["zeal"]),
        ),
        (b'{"record_type":"state","zeal":1}', OddRecord("state", None, ["zeal"])),
        (b'{"zeal":1}', None),
        (b"[1]", None),
        (b"{", None),
        (b"", None),
        (b'{"type":"compacted","payload":{"\xff":1}}', None),
    ],
)
def test_what_of_a_rollouts_line_nobody_knows(record: bytes, expected: OddRecord | None) -> None:
    assert odd_item(record) == expected


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
