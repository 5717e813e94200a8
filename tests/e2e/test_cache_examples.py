"""All worked examples of the rule book of the prompt cache, over the wire."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.cache_action_examples import PAST_EXAMPLES
from tests.e2e.cache_examples import EXAMPLES
from tests.e2e.cache_expectations import Example, PastExample
from tests.e2e.cache_homes import MAIN, Files
from tests.e2e.cache_notes import must_be_sound, untold_server
from tests.e2e.forkpoint_server import ForkpointServer, Json


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkpointServer]:
    with untold_server(tmp_path_factory.mktemp("empty")) as server:
        yield server


def open_home(server: ForkpointServer, home: Path, files: Files) -> None:
    """Write a config folder, and have the server read all of it."""
    for name, data in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(data)
    server.open(home)
    server.listed()


def to_the_cent(costs: Json) -> Json:
    return {name: cost if cost is None else round(cost, 2) for name, cost in costs.items()}


def part_of(note: Json, expected: Json) -> Json:
    """Those fields of a note that are expected, costs to the cent."""
    found: dict[str, Any] = {name: note[name] for name in expected}
    if "costUsd" in expected:
        costs = to_the_cent(note["costUsd"])
        found["costUsd"] = {name: costs[name] for name in expected["costUsd"]}
    return found


def unsaid(sentence: str, patterns: tuple[str, ...]) -> list[str]:
    """Patterns that a sentence has nothing of."""
    return [pattern for pattern in patterns if not re.search(pattern, sentence)]


def test_none_is_left_out() -> None:
    numbers = [int(example.number.split()[0]) for example in [*EXAMPLES, *PAST_EXAMPLES]]
    assert sorted(set(numbers)) == list(range(1, 34))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.number)
def test_what_will_be(server: ForkpointServer, home: Path, example: Example) -> None:
    open_home(server, home, example.files)
    note = server.result("cacheImpact", **example.asked)
    must_be_sound(note)
    assert part_of(note, example.note) == example.note
    codes = [cause["code"] for cause in note["causes"]]
    assert example.first in (None, codes[0])
    assert set(example.also) <= set(codes)
    assert unsaid(note["sentence"], example.says) == [], note["sentence"]


@pytest.mark.parametrize("example", PAST_EXAMPLES, ids=lambda example: example.number)
def test_what_was(server: ForkpointServer, home: Path, example: PastExample) -> None:
    open_home(server, home, example.files)
    broken = server.result("cacheHistory", sessionId=MAIN)["requests"][1]["break"]
    if example.broken is None:
        assert broken is None
    else:
        assert {**broken, "costUsd": round(broken["costUsd"], 2)} == {
            **example.broken,
            "sentence": broken["sentence"],
        }
        assert unsaid(broken["sentence"], example.says) == [], broken["sentence"]
