from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fixtures.demo.prepare import Demo, prepare
from tests.e2e.forkpoint_server import ForkpointServer, end

NOW = datetime(2027, 3, 9, 0, 20, 30, tzinfo=UTC)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkpointServer]:
    """One process for all tests; each opens the folders it asks about."""
    with ForkpointServer(tmp_path_factory.mktemp("empty")) as server:
        yield server
        end(server)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """The demo's config folder and workspace as of `NOW`; tests must not change them."""
    return prepare(tmp_path_factory.mktemp("demo"), NOW)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A new config folder of a test's own."""
    home = tmp_path / "home"
    home.mkdir()
    return home
