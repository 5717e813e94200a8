"""Answers as text for a terminal: a list, a tree and a path, the facts of one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from forkpoint.catalog import Catalog
from forkpoint.codex_layout import rollout_name
from forkpoint.export.shown import BUILT_IN_ALONE, READ_IT, is_built_in_alone
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.records.record import Kind, Role
from forkpoint.transcript_file import TranscriptFile


def full_id(catalog: Catalog, start: str) -> str:
    """Return the one session id that begins so; raises `RequestFailed` for none or several."""
    wanted = start.lower()
    found = [e.session_id for e in catalog.entries() if e.session_id.lower().startswith(wanted)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise RequestFailed("unknownSession", f"There is no session {start}.")
    names = ", ".join(found[:5])
    raise RequestFailed("unknownSession", f"Several sessions begin with {start}: {names}.")


# --- the list ----------------------------------------------------------------------------------


def session_list(result: types.SessionsResult, now: float) -> str:
    """Return one line per session: id, age, branch, size, title, and its counts."""
    if not result.sessions:
        return "No sessions found."
    rows = [_list_row(row, now) for row in result.sessions]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    lines = ["  ".join([*map(str.ljust, row, widths), row[-1]]).rstrip() for row in rows]
    rest = result.total - len(rows)
    return "\n".join([*lines, *([f"… and {rest} more (--limit)"] if rest > 0 else [])])


def _list_row(row: types.SessionSummary, now: float) -> list[str]:
    marks = [word for word in ("codex", "archived") if word in (row.agent, row.archived and word)]
    marks += [_TIPS[row.tip]] if row.tip in _TIPS else []
    if row.branch_count:
        marks.append(_count(row.branch_count, "abandoned branch", "abandoned branches"))
    if row.compaction_count:
        marks.append(_count(row.compaction_count, "compaction", "compactions"))
    if row.subagent_count:
        marks.append(_count(row.subagent_count, "subagent", "subagents"))
    marks += [problem.code for problem in row.problems]
    title = visible(row.title.text) or "(no title)"
    return [
        row.session_id[:8],
        age(row.updated_at or row.modified_at, now),
        visible(row.project.name)[:24],
        visible(row.git_branch or "")[:24],
        size(row.size_bytes),
        title[:80] + (f"  [{', '.join(marks)}]" if marks else ""),
    ]


_TIPS: dict[types.Tip | None, str] = {
    "awaitingAnswer": "no answer yet",
    "toolRunningOrLost": "tool running or lost",
    "stoppedAfterTool": "stopped after a tool",
    "interrupted": "interrupted",
    "apiError": "ended in an API error",
    "empty": "cleared",
}


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def age(time: str, now: float) -> str:
    """Return how long ago a time was, in its largest unit; of one in the future how far it is."""
    then = milliseconds(time)
    if then == NO_TIME:
        return "?"
    seconds = now - then / 1000
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if abs(seconds) >= length:
            passed = f"{int(abs(seconds) // length)} {unit}"
            return passed if seconds > 0 else f"in {passed}"
    return "now"


def size(number: float) -> str:
    """Return a size in bytes, in its largest unit."""
    for unit in ("B", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if number >= 10 or unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"


def visible(text: str) -> str:
    """Show control characters instead of obeying them: titles come from files."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


# --- one session -------------------------------------------------------------------------------


def session_page(
    session_id: str, tree: types.BranchTreeResult, path: types.ActivePathResult
) -> str:
    """Return the branch tree as indented text, then the active path, a line per record."""
    lines = [f"Session {session_id}", "", "Branches"]
    depth: dict[str | None, int] = {None: 0}
    for segment in tree.segments:
        depth[segment.id] = depth[segment.parent] + 1
        lines.append("  " * depth[segment.id] + _segment_line(segment))
    lines += ["", f"Active path: {path.leaf.sentence}"]
    before = [
        entry for entry in path.entries if entry.fate == "summarized" and entry.session_id is None
    ]
    if before:
        lines.append(f"  ({len(before)} records before the compaction are readable, not sent)")
    for older in path.inherited:
        title = visible(older.title)[:60]
        lines.append(f"  From {older.session_id}, which it goes on from: “{title}”")
        rows = [each for each in path.entries if each.session_id == older.session_id]
        lines += _path_lines(rows)
    if path.inherited:
        lines.append("  This session:")
    own = [entry for entry in path.entries if entry.session_id is None]
    lines += _path_lines([entry for entry in own if entry.fate != "summarized"])
    lines += [f"  ! {repair.sentence}" for repair in path.repairs]
    return "\n".join(lines)


def _segment_line(segment: types.Segment) -> str:
    mark = "*" if segment.active else "-"
    label = visible(segment.label or _REASONS.get(segment.reason, segment.reason))
    counts = _count(segment.prompt_count, "prompt", "prompts")
    counts += ", " + _count(segment.record_count, "record", "records")
    return f"{mark} {label[:70]}  ({segment.reason}; {counts})"


_REASONS = {"compaction": "Compaction", "start": "Start"}


def _path_lines(entries: list[types.PathEntry]) -> list[str]:
    """One line per record; runs of what the client added itself are one line."""
    lines: list[str] = []
    for aside, run in groupby(entries, lambda entry: entry.role in _ASIDE):
        rows = list(run)
        if aside and len(rows) > 1:
            names = ", ".join(dict.fromkeys(visible(row.preview) for row in rows))
            lines.append(f"         {len(rows)} notes of the client: {names}"[:110])
        else:
            lines += [_path_line(row) for row in rows]
    return lines


_ASIDE = frozenset({"attachment", "system", "injected"})


def _path_line(entry: types.PathEntry) -> str:
    text = visible(entry.preview)[:90]
    aside = "" if entry.fate == "sent" else "  (not sent)"
    return f"  {entry.ordinal:>5}  {entry.role:<15} {text}{aside}".rstrip()


# --- an export ---------------------------------------------------------------------------------


def export_notes(
    redactions: Mapping[str, int], secret_rules: Sequence[str], *, redacted: bool
) -> list[str]:
    """Return what to tell beside an export: what was taken out, and what that is worth."""
    if not redacted:
        return []
    counts = [f"{kind} {count}" for kind, count in sorted(redactions.items())]
    by_whom = [BUILT_IN_ALONE] if is_built_in_alone(secret_rules) else []
    return [f"Taken out: {', '.join(counts) or 'nothing'}.", *by_whom, READ_IT]


# --- one file ----------------------------------------------------------------------------------


def facts_of(path: Path) -> dict[str, Any]:
    """Return the facts of one transcript file, wherever it lies; raises `Unreadable`."""
    named = rollout_name(path.name)
    file = (
        TranscriptFile(str(path), path.stem)
        if named is None
        else TranscriptFile(str(path), named.rollout_id, agent="codex")
    )
    conversation = file.refresh()
    index = conversation.index
    active = conversation.path()
    kinds = Counter(Kind(kind).name.lower() for kind in index.nodes.kind)
    roles = Counter(Role(role).name.lower() for role in index.nodes.role if role)
    return {
        "file": str(path),
        "agent": file.agent,
        "sizeBytes": file.stat.size if file.stat else 0,
        "records": len(index.nodes),
        "kinds": dict(kinds),
        "roles": dict(roles),
        "version": index.summary.version,
        "firstTime": index.summary.created,
        "lastTime": index.summary.updated,
        "prompts": conversation.prompt_count(),
        "responses": conversation.response_count(),
        "toolCalls": len(index.tools.all(index.joins)),
        "compactions": len(index.compactions),
        "abandonedBranches": len(conversation.other_tips()),
        "activeLeaf": None if active.end is None else index.nodes.uuid(active.end),
        "leafRule": active.leaf.rule,
        "tip": active.tip,
        "sentRecords": sum(fate == "sent" for _, fate in active.entries),
        "malformedLines": len(index.malformed),
        "unknownTypes": {name: seen.count for name, seen in index.unknown_types.items()},
        "missingParents": len(index.nodes.missing),
        "tornTail": file.torn_tail,
        "flaw": file.flaw,
    }


def fact_sheet(facts: dict[str, Any]) -> str:
    """Return the facts of a file, one per line."""
    lines: list[str] = []
    for name, value in facts.items():
        label = "".join(f" {c.lower()}" if c.isupper() else c for c in name)
        lines.append(f"{label:<20} {_shown(value)}")
    return "\n".join(lines)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        counts = cast("dict[str, int]", value)
        shown = ", ".join(f"{name or '(none)'} {count}" for name, count in counts.items())
    elif isinstance(value, tuple):
        offset, length = cast("tuple[int, int]", value)
        shown = f"{length} bytes from {offset} on"
    else:
        shown = "" if value is None else str(value)
    return visible(shown) or "none"
