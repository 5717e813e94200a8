"""The agent's public Python SDK: how it gets here, and the jobs it does for comparison.

It is built from its source archive of 0.4 MB, since its wheels bring a program of 400 MB with them.
It stays out of the environment of the tests: a folder in the cache holds it and what it imports.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.cached import REPOSITORY, from_cache, run

REQUIREMENTS = REPOSITORY / "requirements-bench.txt"


def environment(home: Path) -> dict[str, str]:
    """What a worker needs to find the SDK and to have it read a config folder.

    Raises `NotInstalled` when it cannot be installed.
    """
    return {"PYTHONPATH": str(installed()), "CLAUDE_CONFIG_DIR": str(home)}


def installed() -> Path:
    """The folder with the SDK; pip fills it at the first call."""

    def install(folder: Path) -> None:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # Its build backend is among the packages of development, so that none is downloaded.
        how = ["--no-deps", "--no-build-isolation", "--target", folder]
        run("Public SDK for comparison", [*pip, *how, "-r", REQUIREMENTS])

    content = REQUIREMENTS.read_bytes() + sys.version.encode()
    return from_cache(f"bench-sdk-{hashlib.sha256(content).hexdigest()[:16]}", install)


def sessions(limit: int | None = None) -> int:
    """List sessions; gives their number."""
    return len(_sdk().list_sessions(limit=limit))


def messages(session_id: str) -> list[str]:
    """Read what a session would go on with; gives the uuids."""
    return [message.uuid for message in _sdk().get_session_messages(session_id)]


def load() -> None:
    """Pay for the import."""
    _sdk()


def _sdk() -> Any:
    return importlib.import_module("claude_agent_sdk")


JOBS: dict[str, Callable[..., object]] = {"load": load, "sessions": sessions, "messages": messages}
