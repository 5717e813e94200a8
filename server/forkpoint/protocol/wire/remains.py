"""What is left of sessions that are gone, as it goes over the wire."""

from __future__ import annotations

from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.health import id_of
from forkpoint.remains import Remain, Weight
from forkpoint.worded import counted, say

_WHAT: dict[types.RemainKind, str] = {
    "folderWithoutTranscript": say("The folder of a session without its transcript"),
    "orphanedSubagent": say("The transcript of a subagent without its session's"),
    "backupsWithoutTranscript": say("Copies of files without the transcript that names them"),
    "namesWithoutThreads": say("Names of threads without their rollouts"),
}


def remain(found: Remain, weight: Weight | None) -> types.Remain:
    """Write what is left; `weight` is None where it was not counted."""
    what = _names(found.names) if found.names else _WHAT[found.kind]
    return types.Remain(
        kind=found.kind,
        agent="codex" if found.kind == "namesWithoutThreads" else "claude-code",
        path=file_uri(found.path),
        session_id=found.session_id,
        agent_id=None if found.agent_id is None else id_of(found.agent_id),
        files=weight.files if weight else None,
        size_bytes=weight.size if weight else None,
        is_lower_bound=weight is not None and not weight.is_whole,
        subagents=weight.subagents if weight else None,
        sentence=say("{what}{weight}.", what=what, weight=_how_much(weight)),
    )


def _names(count: int) -> str:
    return counted(
        count,
        "The name of a thread without its rollout",
        "Names of {count} threads without their rollouts",
    )


def _how_much(weight: Weight | None) -> str:
    if weight is None:
        return ""
    size = size_in_words(weight.size)
    if not weight.is_whole:
        return counted(
            weight.files,
            ": at least {count} file, {size}",
            ": at least {count} files, {size}",
            size=size,
        )
    return counted(weight.files, ": {count} file, {size}", ": {count} files, {size}", size=size)


def size_in_words(size: int) -> str:
    """Return a size as people read it."""
    units = ("bytes", "KB", "MB", "GB", "TB")
    value, unit = float(size), 0
    while value >= 1000 and unit < len(units) - 1:
        value, unit = value / 1000, unit + 1
    return (
        f"{value:.0f} {units[unit]}" if unit == 0 or value >= 10 else f"{value:.1f} {units[unit]}"
    )
