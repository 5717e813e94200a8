"""What holds of every note about the prompt cache, and a server that its machine tells nothing."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import attrs
import pytest

from forkpoint.protocol import types
from forkpoint.protocol.names import camel_case
from tests.e2e.forkpoint_server import ForkpointServer, Json, end

# By names that begin like these an agent is told where it runs, whom it asks, and what is cached.
TELLING = ("ANTHROPIC_", "CLAUDE", "AWS_", "CLOUD_ML_", "DISABLE_", "ENABLE_", "FORCE_", "USE_",
           "XDG_CACHE_")  # fmt: skip
LAYERS = get_args(types.CacheLayerName)


@contextmanager
def untold_server(home: Path) -> Generator[ForkpointServer]:
    """A server whose surroundings say nothing about an agent; `home` is an empty folder."""
    with pytest.MonkeyPatch.context() as surroundings:
        for name in [name for name in os.environ if name.startswith(TELLING)]:
            surroundings.delenv(name)
        surroundings.setenv("HOME", str(home))
        surroundings.setenv("USERPROFILE", str(home))
        started = ForkpointServer(home)
    with started:
        yield started
        end(started)


def first_lost(note: Json) -> str | None:
    """The first part of the prompt that is not what was sent."""
    lost = (layer["layer"] for layer in note["layers"] if layer["survives"] == "no")
    return next(lost, None)


def must_be_sound(note: Json) -> None:
    """What no note may break, whatever the transcript holds."""
    assert set(note) == names_of(types.CacheNote)
    assert note["verdict"] in get_args(types.CacheVerdict)
    assert note["confidence"] in get_args(types.Confidence)
    must_be_sentence(note["sentence"])
    must_lose_from_one_layer_on(note["layers"])
    must_have_causes(note["causes"])
    must_have_sound_times(note)
    must_have_sound_tokens(note)
    must_have_sound_costs(note)
    assert note["basis"]
    for fact in note["basis"]:
        assert set(fact) == names_of(types.CacheFact)
        assert all(isinstance(said, str) and said for said in fact.values()), fact


def names_of(shape: type[Any]) -> set[str]:
    return {camel_case(field.name) for field in attrs.fields(shape)}


def must_be_sentence(text: str) -> None:
    assert text == text.strip() and text.endswith("."), text
    assert "\n" not in text
    for odd in ("None", "null", "nan", "inf ", "{", "}", "$-", "-$", "$0.00"):
        assert odd not in text, text


def must_lose_from_one_layer_on(layers: list[Json]) -> None:
    """A change loses its own part and all that follow."""
    assert [layer["layer"] for layer in layers] == list(LAYERS)
    survives = [layer["survives"] for layer in layers]
    assert set(survives) <= set(get_args(types.Survival))
    if "no" in survives:
        assert set(survives[survives.index("no") :]) == {"no"}, survives


def must_have_causes(causes: list[Json]) -> None:
    assert causes
    for cause in causes:
        assert set(cause) == names_of(types.CacheCause)
        assert cause["code"] in get_args(types.ImpactCode)
        assert cause["certainty"] in get_args(types.ImpactCertainty)
        must_be_sentence(cause["sentence"])
    codes = [cause["code"] for cause in causes]
    assert len(set(codes)) == len(codes), codes


def must_have_sound_times(note: Json) -> None:
    names = ("lastRequestAt", "lastRequestBy", "expiresAt", "expiresBy")
    times = [note[name] and datetime.fromisoformat(note[name]) for name in names]
    for earliest, latest in (times[:2], times[2:]):
        assert (earliest is None) == (latest is None)
        assert earliest is None or earliest <= latest
    sent, expires, lifetime = times[0], times[2], note["ttlSeconds"]
    assert lifetime in (None, 300, 3600)
    if expires is not None:
        assert sent is not None and lifetime is not None
        assert expires - sent == timedelta(seconds=lifetime)


def must_have_sound_tokens(note: Json) -> None:
    for name in ("contextTokens", "readTokens", "writeTokens", "droppedTokens"):
        assert note[name] is None or (type(note[name]) is int and note[name] >= 0), name
    assert (note["readTokens"] is None) == (note["writeTokens"] is None)
    if note["verdict"] == "unknown":
        assert note["readTokens"] is None


def must_have_sound_costs(note: Json) -> None:
    costs = note["costUsd"]
    assert set(costs) == names_of(types.ImpactCosts)
    if note["priceModel"] is None:
        assert set(costs.values()) == {None}
        assert "$" not in note["sentence"]
    if note["verdict"] == "unknown":
        assert costs["expected"] is None
    # A summary may be billed plainly, which can cost less than what its warm request writes.
    summed_up = {"compactWarm", "compactCold"} & {cause["code"] for cause in note["causes"]}
    names = ("coldLow", "coldHigh") if summed_up else ("warm", "coldLow", "coldHigh")
    rising = [costs[name] for name in names if costs[name] is not None]
    assert rising == sorted(rising)
    given = [cost for cost in costs.values() if cost is not None]
    assert all(cost >= 0 for cost in given)
    assert not given or max(given) == (costs["coldHigh"] or max(given))
