"""A user's own prices: those of `initialize`, and others that the settings bring later."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders import SESSION, transcript
from tests.e2e.forkpoint_server import ForkpointServer, end
from tests.e2e.stdio_client import eventually

OPUS = {"input": 100, "output": 200, "cacheRead": 0, "cacheWrite5m": 0, "cacheWrite1h": 0}
OTHER = {**OPUS, "input": 1000}
BY_LIST = (10 * 4 + 5 * 20) / 1e6
"""An answer of Opus 5.5 with ten tokens of input and five of output, as the builder makes it."""

QUIET_SECONDS = 0.5
"""After this time the server has told all that earlier questions brought; it takes 0.1 s."""


@pytest.fixture
def asked(home: Path) -> Iterator[ForkpointServer]:
    """A server of the test's own, over one session."""
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    fields = {"a1": {"message": {"model": "claude-opus-5-5"}}}
    (folder / f"{SESSION}.jsonl").write_bytes(transcript("u1 a1", fields=fields))
    with ForkpointServer(home, options={"prices": {"opus-5-5": OPUS}}) as server:
        yield server
        end(server)


def push(server: ForkpointServer, section: dict[str, Any]) -> None:
    server.notify("workspace/didChangeConfiguration", {"settings": {"forkpoint": section}})


def cost(server: ForkpointServer) -> float | None:
    return server.listed()[SESSION]["costUsd"]


def told(server: ForkpointServer) -> list[list[str]]:
    """Which sessions the server said have changed, time after time."""
    news = [m for m in server.heard if m.get("method") == "forkpoint/didChangeCatalog"]
    return [message["params"]["changed"] for message in news]


def test_own_prices_change_what_a_session_cost(asked: ForkpointServer) -> None:
    assert cost(asked) == pytest.approx((10 * 100 + 5 * 200) / 1e6)
    [request] = asked.result("cacheHistory", sessionId=SESSION)["requests"]
    assert request["costUsd"] == pytest.approx((10 * 100 + 5 * 200) / 1e6)


def test_settings_bring_other_prices_and_the_client_is_told(asked: ForkpointServer) -> None:
    cost(asked)
    time.sleep(QUIET_SECONDS)
    before = len(told(asked))
    push(asked, {"prices": {"claude-opus-5-5": OTHER}})
    eventually(lambda: [SESSION] in told(asked)[before:])
    assert cost(asked) == pytest.approx((10 * 1000 + 5 * 200) / 1e6)


def test_a_price_that_does_not_fit_is_said_and_the_list_counts(asked: ForkpointServer) -> None:
    push(asked, {"prices": {"opus-5-5": {"input": 1}, "sonnet-5-5": OPUS}})
    assert cost(asked) == pytest.approx(BY_LIST)
    said = asked.wait_for(lambda m: m.get("method") == "window/showMessage")
    assert said["params"]["message"].startswith("forkpoint.prices.opus-5-5 must be an object")
