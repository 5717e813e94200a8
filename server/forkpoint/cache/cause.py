"""Why did a request miss the cache?

The first question that the evidence answers decides (cache-rules.md section 8). Where none does,
the cause is unknown, and that is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

import msgspec

from forkpoint.cache.evidence import Evidence
from forkpoint.cache.request_log import keeps_across_efforts
from forkpoint.client_rules import cache_rules_for

Cause = Literal[
    "compaction",
    "clearing",
    "rewind",
    "model",
    "tools",
    "system",
    "messages",
    "thinking",
    "effort",
    "fast",
    "headers",
    "expired",
    "server",
    "upgrade",
    "upgradeTools",
    "cwd",
    "git",
    "resumeDefect",
    "unknown",
]
Certainty = Literal["certain", "likely", "unknowable"]

EXPECTED: frozenset[Cause] = frozenset({"compaction", "clearing", "rewind", "model"})
"""What somebody asked for: the prefix had to change."""


class Found(msgspec.Struct, frozen=True):
    """A cause, and how sure it is."""

    cause: Cause
    certainty: Certainty


def cause_of(evidence: Evidence) -> Found:
    """Name the cause."""
    for question in _QUESTIONS:
        found = question(evidence)
        if found is not None:
            return found
    return Found("unknown", "unknowable")


def _announced(evidence: Evidence) -> Found | None:
    if evidence.compacted:
        return Found("compaction", "certain")
    return Found("clearing", "certain") if evidence.cleared else None


def _kept_requests(evidence: Evidence) -> Found | None:
    """Both requests were kept as hashes: what differs is known, and if nothing does, that too."""
    difference = evidence.difference
    if difference == "nothing":
        return _gone(evidence, "certain")
    return None if difference is None else _layer(evidence, difference)


def _diagnosed(evidence: Evidence) -> Found | None:
    """The API compared the requests itself."""
    diagnosis = evidence.after.diagnosis
    if diagnosis == "same":
        return _gone(evidence, "likely")
    if diagnosis == "notFound":
        return Found("expired", "certain") if evidence.idle == "past" else None
    return None if diagnosis is None else _layer(evidence, diagnosis)


def _layer(evidence: Evidence, layer: Cause) -> Found:
    """After a rewind other messages are what was asked for."""
    if layer == "messages" and evidence.rewound:
        return Found("rewind", "certain")
    return Found(layer, "certain")


def _gone(evidence: Evidence, certainty: Certainty) -> Found:
    """Nothing differs, so the entry was gone: by its age, or for the server's reasons."""
    if evidence.idle == "past":
        return Found("expired", "certain")
    if evidence.idle == "within":
        return Found("server", certainty)
    return Found("expired" if evidence.idle == "around" else "unknown", "unknowable")


def _model(evidence: Evidence) -> Found | None:
    before, after = evidence.models
    differ = before is not None and after is not None and before != after
    return Found("model", "certain") if differ else None


def _idle(evidence: Evidence) -> Found | None:
    if evidence.idle == "past":
        return Found("expired", "certain")
    return Found("expired", "unknowable") if evidence.idle == "around" else None


def _recorded_prompt(evidence: Evidence) -> Found | None:
    before, after = evidence.prompts
    if before is None or after is None:
        return None
    if before.system and after.system and before.system != after.system:
        return Found("system", "certain")
    if before.tools and after.tools and before.tools != after.tools:
        return Found("tools", "certain")
    return None


def _upgrade(evidence: Evidence) -> Found | None:
    if not _differ(evidence.before.version, evidence.after.version):
        return None
    recorded = evidence.prompts[0] is not None
    return Found("upgradeTools", "likely") if recorded else Found("upgrade", "certain")


def _place(evidence: Evidence) -> Found | None:
    """Folder and branch stand in the system prompt of clients that build it anew."""
    before, after = evidence.before, evidence.after
    if not cache_rules_for(after.version).rebuilds_prompt:
        return None
    if _differ(before.cwd, after.cwd):
        return Found("cwd", "likely")
    return Found("git", "likely") if _differ(before.git_branch, after.git_branch) else None


def _settings(evidence: Evidence) -> Found | None:
    before, after = evidence.before, evidence.after
    if _differ(before.effort, after.effort) and not keeps_across_efforts(evidence.models[1]):
        return Found("effort", "likely")
    return Found("fast", "likely") if after.fast and not before.fast else None


def _rewind(evidence: Evidence) -> Found | None:
    return Found("rewind", "likely") if evidence.rewound else None


def _resume(evidence: Evidence) -> Found | None:
    """A client that was just started, of a kind that is known to lose the prefix."""
    started = evidence.restarted or _differ(evidence.before.entrypoint, evidence.after.entrypoint)
    known = cache_rules_for(evidence.after.version).loses_on_resume
    if started and (known or _LOSES_ON_RESUME.search(evidence.models[1] or "")):
        return Found("resumeDefect", "unknowable")
    return None


def _differ(before: str | None, after: str | None) -> bool:
    return before is not None and after is not None and before != after


_LOSES_ON_RESUME = re.compile(r"fable-5-1(?!\d)")
"""Models for which misses after a resume were reported."""

_QUESTIONS: tuple[Callable[[Evidence], Found | None], ...] = (
    _announced,
    _kept_requests,
    _diagnosed,
    _model,
    _idle,
    _recorded_prompt,
    _upgrade,
    _place,
    _settings,
    _rewind,
    _resume,
)
