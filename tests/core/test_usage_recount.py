"""Published session files, counted once more by nothing but `json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forkpoint.ledger import Spent, entries_of
from forkpoint.prices import Prices
from tests.builders import index_of
from tests.fixture_paths import PUBLIC

FILES = sorted(
    path
    for path in PUBLIC.rglob("*.jsonl")
    if b'"assistant"' in path.read_bytes() and "codex" not in str(path.relative_to(PUBLIC))
)
pytestmark = pytest.mark.skipif(
    not FILES, reason="Other projects' session files are not in this repository."
)

NAMES = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)


def recount(data: bytes) -> list[int]:
    """Responses, and tokens of each kind, by the last line of each message id."""
    found: dict[str, dict[str, Any]] = {}
    for line in data.split(b"\n"):
        try:
            row = json.loads(line)
        except ValueError:
            continue
        message = row.get("message") if isinstance(row, dict) else None
        if not isinstance(message, dict) or row.get("type") != "assistant":
            continue
        if message.get("model") != "<synthetic>" and isinstance(message.get("usage"), dict):
            found[message.get("id") or row.get("requestId")] = message["usage"]
    found.pop(None, None)  # type: ignore[call-overload]  # a response that nothing names
    return [
        len(found),
        *[sum(usage.get(name) or 0 for usage in found.values()) for name in NAMES],
    ]


@pytest.mark.parametrize("path", FILES or [Path("absent")], ids=lambda path: path.name)
def test_every_response_counts_once(path: Path) -> None:
    data = path.read_bytes()
    total = Spent()
    for entry in entries_of(index_of(data), (), Prices()).entries:
        total.add(entry.spent)
    tokens = total.tokens
    written = tokens.cache_write_5m + tokens.cache_write_1h
    assert [
        tokens.responses,
        tokens.input,
        tokens.output,
        tokens.cache_read,
        written,
    ] == recount(data)
