"""Every question, asked of a home with one transcript of any bytes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from forkpoint.catalog import Catalog
from forkpoint.protocol.encode import encode, json_bytes
from forkpoint.protocol.errors import RequestFailed
from tests.builders import SESSION
from tests.properties import test_answers, test_rollout_answers
from tests.rollouts import THREAD

BOUND = 400
"""Bytes of all answers together by byte of the transcript, beside what each takes anyway."""
LEAST = 200_000


def answered_of_claude_code(data: bytes) -> None:
    """Everything is answered of a transcript of Claude Code."""
    _answered(data, f"projects/-home-dev-shop/{SESSION}.jsonl", _claude_code, test_answers.answers)


def answered_of_codex(data: bytes) -> None:
    """Everything is answered of a rollout of Codex."""
    place = f"sessions/2026/09/01/rollout-2026-09-01T09-00-00-{THREAD}.jsonl"
    _answered(data, place, _codex, test_rollout_answers.answers)


def _answered(
    data: bytes,
    place: str,
    opened: Callable[[Path], Catalog],
    answers: Callable[[Catalog], dict[str, Any]],
) -> None:
    path = _home() / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    try:
        given = answers(opened(_home()))
    except RequestFailed:
        return
    sizes = [len(json_bytes(encode(answer))) for answer in given.values()]
    assert sum(sizes) <= LEAST + BOUND * len(data)


def _claude_code(home: Path) -> Catalog:
    return Catalog([home])


def _codex(home: Path) -> Catalog:
    return Catalog([], codex_homes=[home])


@cache
def _home() -> Path:
    return Path(tempfile.mkdtemp(prefix="forkpoint-fuzz-"))
