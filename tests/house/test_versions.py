"""One version everywhere: package, extension, their lock files, and what the server says."""

from __future__ import annotations

import json
import tomllib
from importlib.metadata import version

import pytest

import forkpoint
from tests.e2e.forkpoint_server import ForkpointServer
from tests.fixture_paths import REPOSITORY

CLIENT = REPOSITORY / "client-vscode"
PYPROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
MANIFEST = json.loads((CLIENT / "package.json").read_bytes())
LOCK = json.loads((CLIENT / "package-lock.json").read_bytes())


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("pyproject.toml", PYPROJECT["project"]["version"]),
        ("the installed package", version("forkpoint")),
        ("client-vscode/package.json", MANIFEST["version"]),
        ("client-vscode/package-lock.json", LOCK["version"]),
        ("its root package", LOCK["packages"][""]["version"]),
    ],
)
def test_the_version_agrees(place: str, found: str) -> None:
    assert found == forkpoint.__version__, place


def test_the_server_says_its_version(server_info: dict[str, str]) -> None:
    assert server_info == {"name": "forkpoint", "version": forkpoint.__version__}


@pytest.fixture
def server_info(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    with ForkpointServer(tmp_path_factory.mktemp("home")) as server:
        return server.answered["serverInfo"]


def test_python_is_asked_for_in_the_same_version() -> None:
    """The lowest Python of the package is the one that tools and README speak of."""
    lowest = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert f"Python {lowest}" in readme
    assert PYPROJECT["tool"]["pyright"]["pythonVersion"] == lowest
    assert PYPROJECT["tool"]["ruff"]["target-version"] == f"py{lowest.replace('.', '')}"
