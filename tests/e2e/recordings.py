"""The recorded files, read by nothing but `json` and `split`: what answers are compared with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.fixture_paths import CASES, REAL

HOMES = sorted([*REAL.iterdir(), *(case.parent for case in CASES.glob("*/projects"))])
"""Config folders: every recorded situation and every case that has a Claude part."""


class Transcript(NamedTuple):
    """A file, and how a request names it."""

    path: Path
    session_id: str
    agent_id: str | None = None

    @property
    def reference(self) -> dict[str, str]:
        agent = {} if self.agent_id is None else {"agentId": self.agent_id}
        return {"sessionId": self.session_id, **agent}


def transcripts(home: Path) -> Iterator[Transcript]:
    """The transcripts of a config folder: sessions, and subagents in both layouts."""
    for path in sorted(home.glob("projects/*/*.jsonl")):
        if path.stem.startswith("agent-"):
            yield Transcript(path, rows(path)[0]["sessionId"], path.stem.removeprefix("agent-"))
        elif path.stem.count("-") == 4:
            yield Transcript(path, path.stem)
    for path in sorted(home.glob("projects/*/*/subagents/**/agent-*.jsonl")):
        session_id = path.relative_to(home).parts[2]
        yield Transcript(path, session_id, path.stem.removeprefix("agent-"))


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines that are whole objects; broken ones left out."""
    lines = path.read_bytes().split(b"\n")
    found = (parsed(line.decode("utf-8-sig", "replace")) for line in lines)
    return [row for row in found if isinstance(row, dict)]


def parsed(line: str) -> Any:
    """The line's value; of one nested deeper than `json` can follow, the fields that link rows."""
    try:
        return json.loads(line)
    except RecursionError:
        return dict(re.findall(r'"(uuid|parentUuid|type)":"([^"]*)"', line)[::-1])
    except ValueError:
        return None


def types_by_uuid(path: Path) -> dict[str, str]:
    return {row["uuid"]: row["type"] for row in rows(path) if "uuid" in row}


def name_of(home: Path) -> str:
    """A home's name in the list of tests."""
    return home.resolve().name
