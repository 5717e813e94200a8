"""Rollouts in a Codex home, for the tests of what is found there and told of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import zstandard

A = "0199c755-4df4-7aab-bc99-b0e66ce27052"
B = "01993312-d080-7d3b-a841-08103f6f290e"
C = "0199a92d-b86c-7ae8-acca-f7fb98e3825d"
CWD = "/home/dev/shop"
DAY = "2026-08-01"


def rollout(*prompts: str, thread_id: str = A, cwd: str = CWD, **meta: Any) -> bytes:
    """A rollout with a turn per prompt; `meta` goes into its first line."""
    head = {
        "id": thread_id,
        "timestamp": f"{DAY}T09:00:00.000Z",
        "cwd": cwd,
        "originator": "codex_cli_rs",
        "cli_version": "0.146.0",
        "source": "cli",
        "git": {"branch": "main"},
        **meta,
    }
    lines = [_line(0, "session_meta", head)]
    for number, prompt in enumerate(prompts):
        lines += turn(prompt, number)
    return b"".join(lines)


def turn(prompt: str, number: int = 0) -> list[bytes]:
    """The lines of a prompt and its answer."""
    begin = 60 + 60 * number
    events: Iterable[tuple[str, dict[str, Any]]] = [
        ("task_started", {"model_context_window": 272000}),
        ("user_message", {"message": prompt}),
        ("agent_message", {"message": f"Done: {prompt}"}),
        ("task_complete", {"last_agent_message": f"Done: {prompt}"}),
    ]
    return [
        _line(begin + after, "event_msg", {"type": kind, **payload})
        for after, (kind, payload) in enumerate(events)
    ]


def _line(seconds: int, kind: str, payload: dict[str, Any]) -> bytes:
    time = datetime.fromisoformat(f"{DAY}T09:00:00") + timedelta(seconds=seconds)
    at = time.isoformat(timespec="milliseconds") + "Z"
    return json.dumps({"timestamp": at, "type": kind, "payload": payload}).encode() + b"\n"


def place(thread_id: str = A, *, packed: bool = False, archived: bool = False) -> str:
    """Where a rollout lies below a home."""
    folder = "archived_sessions" if archived else f"sessions/{DAY.replace('-', '/')}"
    return f"{folder}/rollout-{DAY}T09-00-00-{thread_id}.jsonl{'.zst' * packed}"


def put(home: Path, path: str, data: bytes) -> Path:
    """Write a rollout, packed if its name says so."""
    file = home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(packed(data) if path.endswith(".zst") else data)
    return file


def packed(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def compress(file: Path) -> Path:
    """Do as the client does with what was left alone: beside it, whole, then away with the old."""
    target = file.with_name(f"{file.name}.zst")
    half = target.with_name(f"{target.name}.tmp")
    half.write_bytes(packed(file.read_bytes()))
    facts = file.stat()
    os.utime(half, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    half.replace(target)
    file.unlink()
    return target


def name(home: Path, *names: tuple[str, str]) -> None:
    """Append namings of threads."""
    with (home / "session_index.jsonl").open("ab") as file:
        for thread_id, thread_name in names:
            line = {"id": thread_id, "thread_name": thread_name, "updated_at": f"{DAY}T10:00:00Z"}
            file.write(json.dumps(line).encode() + b"\n")
