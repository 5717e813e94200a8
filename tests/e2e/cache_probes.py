"""What real clients did with the prefix of recorded sessions, as questions and answers.

A recording compares the first request of a resumed client with the last one before: what it sent,
not what a server kept. It knows no clock; each question is asked a minute after the last answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.e2e.recordings import rows
from tests.fixture_paths import REAL

Json = dict[str, Any]

CHANGED: dict[str, Json] = {
    "add_dir": {"addedDirectories": "changed"},
    "append": {"appendSystemPrompt": "changed"},
    "append_system_prompt": {"appendSystemPrompt": "changed"},
    # The file is part of the repository, whose status changes with it.
    "claude_md": {"projectFiles": "changed", "git": "changed"},
    "disallow": {"tools": "changed"},
    "effort_high": {"effort": "high"},
    "git_status": {"git": "changed"},
    "mcp_added": {"mcp": "changed"},
    "more_mcp": {"mcp": "changed"},
    "newest_tui": {"entrypoint": "cli"},
    "no_append": {"appendSystemPrompt": "changed"},
    "no_mcp": {"mcp": "changed"},
    "other_append": {"appendSystemPrompt": "changed"},
    "other_folder": {"cwd": "/home/dev/other"},
    "other_folder_path": {"cwd": "/home/dev/other"},
    "perm_plan": {"permissionMode": "changed"},
    "print": {"entrypoint": "sdk-cli"},
    "same_print": {"entrypoint": "sdk-cli"},
    "same_tui": {"entrypoint": "cli"},
    "snapshot_off": {"snapshot": "off"},
    "snapshot_off_append": {"snapshot": "off", "appendSystemPrompt": "changed"},
    "subfolder": {"cwd": "/home/dev/shop/lib"},
    "subfolder_path": {"cwd": "/home/dev/shop/lib"},
    "tools_less": {"tools": "changed"},
    "tui": {"entrypoint": "cli"},
}
"""Tag of a probe -> what the resumed client was started with."""

AS_BEFORE = {
    "after_20_days",
    "fork",
    "model",
    "next_day",
    "same",
    "same_append",
    "same_day",
    "same_mcp",
}
"""Tags of probes whose client was started like the one before, but for version and model."""

EDITED = {"v_2_0_76", "v_2_1_100", "v_2_1_263"}
"""Situations whose last process edited files of the repository: the next one finds it changed."""


class Outcome(NamedTuple):
    """A verdict, and the first part of the prompt that is lost; None = none is."""

    verdict: str
    first_lost: str | None


class Probe(NamedTuple):
    """A resume that was recorded.

    Attributes:
        situation: the folder of the recording.
        tag: the way of resuming.
        question: parameters of the request.
        truth: what the recording allows as the answer.
    """

    situation: str
    tag: str
    question: Json
    truth: tuple[Outcome, ...]

    @property
    def name(self) -> str:
        return f"{self.situation}-{self.tag}"


def probes() -> Iterator[Probe]:
    """All recorded resumes whose request can be compared with the one before."""
    for recording in sorted(REAL.glob("*/expected.json")):
        recorded = json.loads(recording.read_bytes())
        situation = recording.parent.name
        for resume in recorded["resumes"]:
            if "cache" in resume:
                session_id = (
                    recorded["session"] if resume["new_file"] else Path(resume["file"]).stem
                )
                question = _question(situation, session_id, resume)
                yield Probe(situation, resume["tag"], question, _truth(resume["cache"]))


def _question(situation: str, session_id: str, resume: Json) -> Json:
    [transcript] = REAL.glob(f"{situation}/projects/*/{session_id}.jsonl")
    model, answered = _last_answer(transcript)
    environment = {
        "provider": "anthropic",
        "account": "apiKey",
        "version": resume["client_version"],
        "now": (answered + timedelta(seconds=60)).isoformat(),
        **({"git": "changed"} if situation in EDITED else {}),
        **_changed(resume["tag"]),
    }
    if resume["model"] != model:
        environment["model"] = resume["model"]
    action = "fork" if resume["tag"] == "fork" else "resume"
    return {"sessionId": session_id, "action": action, "environment": environment}


def _changed(tag: str) -> Json:
    if tag in AS_BEFORE or tag.startswith("version_"):
        return {}
    return CHANGED[tag]


@cache
def _last_answer(transcript: Path) -> tuple[str, datetime]:
    """The model and the time of the newest answer of the main conversation."""
    answers = [
        (datetime.fromisoformat(row["timestamp"]), row["message"]["model"])
        for row in rows(transcript)
        if row.get("type") == "assistant" and not row.get("isSidechain")
    ]
    time, model = max(answer for answer in answers if answer[1] != "<synthetic>")
    return model, time


def _truth(compared: Json) -> tuple[Outcome, ...]:
    if not (compared["model_same"] and compared["tools_same"]):
        return (Outcome("cold", "tools"),)
    if not compared["system_same"]:
        return (Outcome("cold", "system"),)
    if compared["share"] == 1.0:
        return (Outcome("warm", None),)
    # A message changed; the recording does not tell whether it holds project files or talk.
    return (Outcome("partial", "project"), Outcome("partial", "conversation"))
