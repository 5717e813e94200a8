"""The health of all transcripts as a text that can be given away.

Numbers, versions, names of record types and of fields: no content, no id, no path, no name of a
project.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from forkpoint.protocol import types
from forkpoint.worded import counted


class Looked(NamedTuple):
    """What was looked at, and by whom.

    Attributes:
        program: this program and its version, its Python, and the operating system.
        sessions: by agent.
        lines: of all transcripts that were read.
        versions: client versions, each with the number of sessions that it wrote last.
    """

    program: str
    sessions: Mapping[str, int]
    lines: int
    versions: Mapping[str, int]


def report(health: types.HealthResult, looked: Looked) -> str:
    """Write a report in Markdown of an answer, apart from this text."""
    return "\n".join([*_head(health, looked), *_findings(health), *_rest(health)])


def _head(health: types.HealthResult, looked: Looked) -> Iterator[str]:
    yield "# Format health"
    yield ""
    yield f"- {looked.program}"
    sessions = ", ".join(f"{count} of {agent}" for agent, count in sorted(looked.sessions.items()))
    yield f"- sessions: {sessions or 'none'}"
    for problem in health.problems:
        yield f"- {problem.sentence}"
    done, total = health.indexing.done, health.indexing.total
    yield f"- {done} of {total} transcripts read, with {looked.lines} lines"
    copies = health.copies
    if copies.done < copies.total:
        yield f"- copies of files looked for: {copies.done} of {copies.total} sessions"
    if looked.versions:
        told = ", ".join(f"{version} ({count})" for version, count in looked.versions.items())
        yield f"- client versions, with sessions: {told}"
    yield f"- {health.sentence}"
    yield ""


def _findings(health: types.HealthResult) -> Iterator[str]:
    totals = health.totals
    kinds = kinds_of_findings(totals)
    rows = [(words.removeprefix(f"{count} "), count) for words, count in kinds if count]
    if rows:
        yield from _table(("Finding", "Count"), rows)
    if totals.unknown_types:
        of_types = [(each.type or "(none)", each.count, _all(each.versions)) for each in
                    totals.unknown_types]  # fmt: skip
        yield from _table(("Unknown record type", "Records", "Versions"), of_types)
    fields = health.unknown_fields.fields
    if fields:
        of_fields = [(f"{each.type}.{each.field}", each.count, _all(each.versions)) for each in
                     fields]  # fmt: skip
        yield from _table(("Unknown field", "Records", "Versions"), of_fields)
    yield health.unknown_fields.sentence
    yield ""
    reasons = Counter(line.reason for found in health.sessions for line in found.malformed)
    if reasons:
        yield from _table(("Malformed lines", "Count"), reasons.most_common())


def kinds_of_findings(totals: types.HealthTotals) -> list[tuple[str, int]]:
    """Return the kinds of findings, each in words with its number, and the number."""
    return [*_in_transcripts(totals), *_beside_them(totals)]


def _in_transcripts(totals: types.HealthTotals) -> Iterator[tuple[str, int]]:
    n = totals.malformed
    yield counted(n, "{count} malformed line", "{count} malformed lines"), n
    n = totals.torn_tails
    yield counted(n, "{count} unfinished last line", "{count} unfinished last lines"), n
    n = totals.broken_chains
    yield (
        counted(n, "{count} record without its parent", "{count} records without their parents"),
        n,
    )
    n = totals.loops
    yield counted(n, "{count} record in a loop", "{count} records in loops"), n
    n = totals.repeated_uuids
    yield (
        counted(n, "{count} record with a repeated uuid", "{count} records with repeated uuids"),
        n,
    )
    n = totals.glued_records
    yield counted(n, "{count} record behind another", "{count} records behind others on a line"), n


def _beside_them(totals: types.HealthTotals) -> Iterator[tuple[str, int]]:
    n = totals.missing_backups
    yield counted(n, "{count} copy of a file gone", "{count} copies of files gone"), n
    n = totals.transcripts_without_backups
    yield (
        counted(n, "{count} session without its copies", "{count} sessions without their copies"),
        n,
    )
    n = totals.duplicate_ids
    yield (
        counted(n, "{count} id with several transcripts", "{count} ids with several transcripts"),
        n,
    )
    n = totals.unreadable
    yield counted(n, "{count} unreadable file", "{count} unreadable files"), n


def _rest(health: types.HealthResult) -> Iterator[str]:
    kinds = Counter(each.kind for each in health.remains)
    if health.totals.remains:
        yield from _table(("Remains", "Count"), [(kind, kinds[kind]) for kind in sorted(kinds)])
    if health.totals.pruned_backups:
        yield f"The agent deleted {health.totals.pruned_backups} copies by its own rule."
        yield ""
    yield health.retention.sentence
    yield from [f"- {setting.sentence}" for setting in health.retention.settings]
    yield ""


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join('---' for _ in heads)} |"
    for row in rows:
        yield f"| {' | '.join(_cell(value) for value in row)} |"
    yield ""


def _cell(value: object) -> str:
    """Names are letters, digits and a few signs; those that Markdown would take are escaped."""
    return "".join(f"\\{sign}" if sign in "_*`|<>[]\\" else sign for sign in str(value))


def _all(versions: Sequence[str]) -> str:
    return ", ".join(versions) or "not written"
