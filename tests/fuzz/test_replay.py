"""What fuzzing began with, and what it found, asked again."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.lines import mutate
from tests.fuzz.targets import TARGETS

FINDS = Path(__file__).parent / "finds"
SEEDS = 12
"""Of a target, spread over all; a longer run takes all of them."""
finds = sorted(path for path in FINDS.rglob("*") if path.is_file())


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """What the server says of nonsense is of no use here, but others ask what was logged."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_begun_with_holds(name: str) -> None:
    target = TARGETS[name]
    seeds = list(target.seeds())
    assert seeds
    for seed in seeds[:: max(1, len(seeds) // SEEDS)]:
        target.check(seed)


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_and_nonsense_hold(name: str) -> None:
    for data in (b"", b"\n", b"\0", b"{", b"\xff\xfe", b"[" * 3000, b"1" * 5000, b'{"a":' * 2000):
        TARGETS[name].check(data)


@pytest.mark.parametrize("path", finds, ids=lambda path: f"{path.parent.name} {path.name}")
def test_what_was_found_holds(path: Path) -> None:
    TARGETS[path.parent.name].check(path.read_bytes())


def test_the_mutator_knows_any_bytes() -> None:
    random = Random(1)
    for seed in range(300):
        data = random.choice([b"", b"{}", b'{"a":[1]}\n{"b":2}', b"\xff\n[", b"[" * 3000])
        changed = mutate(data, 50, seed, lambda data, _: data[::-1])
        assert len(changed) <= max(50, len(data))
