"""Whether Forkpoint's answers about a corpus are the manifest's: fast and wrong is a failure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_SAME = (
    "chain",
    "activeLen",
    "leaf",
    "usage",
    "responses",
    "prompts",
    "tools",
    "title",
    "snapshots",
    "compactions",
)


def wrong_answers(facts: Mapping[str, Json], sessions: Sequence[Json], projects: Path) -> list[str]:
    """A line for each answer that is not the manifest's, over all sessions."""
    wrong: list[str] = []
    for session in sessions:
        ident = session["sessionId"]
        if ident not in facts:
            wrong.append(f"{ident}: not found")
            continue
        wanted = _wanted(session, projects / session["dir"] / f"{ident}.jsonl")
        found = {**facts[ident], "listed": _listed(facts[ident], session)}
        wrong += [
            f"{ident}: {name} is {found[name]!r}, not {value!r}"
            for name, value in wanted.items()
            if found[name] != value
        ]
    known = {session["sessionId"] for session in sessions}
    return wrong + [f"{ident}: there is no such session" for ident in facts.keys() - known]


def _wanted(session: Json, path: Path) -> Json:
    wanted = {name: session[name] for name in _SAME}
    if behind := _compacted_at_the_end(path):
        # The manifest's leaf is the stored pointer; who goes on does so behind the summary.
        wanted |= {"leaf": behind, "activeLen": 2}
    return {**wanted, "listed": session["title"], "lineIsOnPath": True}


def _listed(found: Json, session: Json) -> str | None:
    """The title in the list; a name that a person gave stands there rightly, too."""
    row = found["listed"]
    if row is None:
        return None
    return session["title"] if row["source"] == "custom" else row["text"]


def _compacted_at_the_end(path: Path) -> str | None:
    """The uuid of a summary that is the last record and stands behind the last pointer."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - (1 << 16)))
        lines = file.read().split(b"\n")[1:-1]
    last: Json = json.loads(lines[-1]) if lines else {}
    return last["uuid"] if last.get("isCompactSummary") else None
