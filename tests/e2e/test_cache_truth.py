"""Forecasts for recorded sessions, against what real clients sent when they resumed them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.cache_notes import first_lost, must_be_sound, untold_server
from tests.e2e.cache_probes import Outcome, Probe, probes
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.fixture_paths import REAL

PROBES = list(probes())

COLD_BY_TOOLS, COLD_BY_SYSTEM = Outcome("cold", "tools"), Outcome("cold", "system")

EXCEPTIONS: dict[tuple[str, str], tuple[Outcome, str]] = {
    ("v_2_0_76", "same_print"): (
        COLD_BY_SYSTEM,
        "rows of this version do not tell in what their client ran, so that print mode, which has"
        " other tools, is no change; the git state is",
    ),
    ("v_2_1_263", "same_tui"): (
        COLD_BY_SYSTEM,
        "the text of one tool was another at the second start of the same client; no row tells why",
    ),
    ("x_cache_1_0_128", "tools_less"): (
        COLD_BY_TOOLS,
        "this version had no flag that takes tools away; the rule that was given instead stood in"
        " its system prompt",
    ),
}
"""What is answered instead of the recorded outcome, and why nothing tells the truth."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkpointServer]:
    with untold_server(tmp_path_factory.mktemp("empty")) as server:
        yield server


def note_of(server: ForkpointServer, probe: Probe, **unknown: object) -> Json:
    """The answer to a probe's question, with keys in it that nobody knows."""
    _open(server, REAL / probe.situation)
    environment = {**probe.question["environment"], **unknown}
    return server.result("cacheImpact", **{**probe.question, "environment": environment})


def _open(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    server.listed()


def test_there_are_as_many_as_were_recorded() -> None:
    assert len(PROBES) == 152


def test_exceptions_are_of_probes_and_contradict_them() -> None:
    truths = {(probe.situation, probe.tag): probe.truth for probe in PROBES}
    for of_probe, (answered, _) in EXCEPTIONS.items():
        assert answered not in truths[of_probe], of_probe


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_the_forecast_is_what_happened(server: ForkpointServer, probe: Probe) -> None:
    note = note_of(server, probe)
    must_be_sound(note)
    exception = EXCEPTIONS.get((probe.situation, probe.tag))
    expected = probe.truth if exception is None else (exception[0],)
    assert Outcome(note["verdict"], first_lost(note)) in expected, note["causes"]


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_what_a_later_client_would_add_changes_nothing(
    server: ForkpointServer, probe: Probe
) -> None:
    unknown = {"futureKey": {"a": [1]}, "0": None, "Model": "other", "model_": 5}
    assert note_of(server, probe, **unknown) == note_of(server, probe)
