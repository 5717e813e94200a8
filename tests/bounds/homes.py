"""Homes that are too large, each made of its size."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.builders import CWD, SESSION, line, row, text_block, transcript, user
from tests.rollouts import THREAD

MEGABYTE = 1 << 20


class Bound(NamedTuple):
    """What a home of a size may take, beside what the server takes without any.

    Attributes:
        make: writes the home, given its size.
        size: of the bound as README has it.
        small: of the same in the gate; None: that has a test of its own (`test_transcript_bytes`).
        bytes_each: of memory for each line, byte or session.
    """

    make: Callable[[Path, int], None]
    size: int
    small: int | None
    bytes_each: float


def _lines(home: Path, count: int) -> None:
    """A conversation of so many records, of which each third is a call's result."""
    path = _transcript(home)
    texts = ("a question of some words", "an answer of some more words than that", "ok")
    with path.open("wb") as file:
        above = None
        for number in range(count):
            name = f"{number:012}"
            fields = {
                "uuid": f"00000000-0000-4000-8000-{name}",
                "parentUuid": above,
                "sessionId": SESSION,
                "cwd": CWD,
                "timestamp": f"2026-05-28T{number // 3600 % 24:02}:{number // 60 % 60:02}:00.000Z",
                "isSidechain": False,
            }
            above = fields["uuid"]
            kind = "assistant" if number % 3 == 1 else "user"
            content = [text_block(texts[number % 3])] if number % 3 else texts[0]
            message = {"id": f"msg_{number}", "role": kind, "content": content}
            file.write(json.dumps({**fields, "type": kind, "message": message}).encode() + b"\n")


def _long_line(home: Path, size: int) -> None:
    """A prompt of so many bytes between others."""
    long = line(**row("u2", "a1", 20, user("word " * (size // 5))))
    _transcript(home).write_bytes(transcript("u1 a1") + long + transcript("u3"))


def _bomb(home: Path, size: int) -> None:
    """A rollout whose packed bytes give so many, a ten-thousandth of it packed."""
    import zstandard

    day = home / "codex" / "sessions" / "2026" / "09" / "01"
    day.mkdir(parents=True)
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    zeros = b'{"type":"event_msg","payload":{"type":"' + b"0" * MEGABYTE
    with (day / f"rollout-2026-09-01T09-00-00-{THREAD}.jsonl.zst").open("wb") as file:
        for _ in range(size // MEGABYTE):
            file.write(packer.compress(zeros))
        file.write(packer.flush())


def _sessions(home: Path, count: int) -> None:
    """So many small sessions in fifty projects."""
    data = transcript("u1 a1 u2 a2")
    for number in range(count):
        session_id = f"5e551010-0000-4000-8000-{number:012}"
        folder = home / "projects" / f"-home-dev-shop-{number % 50}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{session_id}.jsonl").write_bytes(
            data.replace(SESSION.encode(), session_id.encode())
        )


def _transcript(home: Path) -> Path:
    path = home / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    return path


BOUNDS = {
    "lines": Bound(_lines, 1_000_000, 10_000, 500),
    "long line": Bound(_long_line, 100 * MEGABYTE, 4 * MEGABYTE, 8),
    "bomb": Bound(_bomb, 1024 * MEGABYTE, None, 6),
    "sessions": Bound(_sessions, 20_000, 500, 12_000),
}
LEAST = 160 * MEGABYTE
"""Memory of a process that has answered about a home of three lines, and some air."""
