"""`forkpoint/health`: what could not be read as it should be?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from forkpoint import at_path
from forkpoint.catalog import Catalog
from forkpoint.chain import Chain
from forkpoint.client_rules import parse_version
from forkpoint.index import TranscriptIndex, UnknownType
from forkpoint.layout import FILE_HISTORY
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.records.record import Flag
from forkpoint.session_entry import SessionEntry
from forkpoint.transcript_file import TranscriptFile


def health(catalog: Catalog, params: types.HealthParams) -> types.HealthResult:
    """Tell what is odd, of one session (which is read now) or of all that are indexed."""
    if params.session_id is None:
        entries = catalog.entries()
    else:
        entries = [catalog.entry(params.session_id)]
        catalog.conversation(params.session_id)
        catalog.read_agents(entries[0])
    found = [
        row
        for entry in entries
        for transcript, agent_id in _transcripts(entry)
        if (row := _transcript(entry, transcript, agent_id)) is not None
    ]
    done, total = catalog.indexing()
    return types.HealthResult(
        sessions=found if params.session_id is not None else [r for r in found if _is_odd(r)],
        totals=_totals(found),
        problems=_problems(catalog),
        indexing=types.Indexing(done=done, total=total),
    )


def _transcripts(entry: SessionEntry) -> Iterable[tuple[TranscriptFile, str | None]]:
    yield entry.main, None
    for agent_id, agent in entry.agents.items():
        yield agent.transcript, agent_id


def _transcript(
    entry: SessionEntry, transcript: TranscriptFile, agent_id: str | None
) -> types.TranscriptHealth | None:
    if transcript.conversation is None:
        return None
    index = transcript.conversation.index
    torn = transcript.torn_tail
    return types.TranscriptHealth(
        session_id=entry.session_id,
        agent_id=agent_id,
        transcript=file_uri(transcript.path),
        malformed=[
            types.MalformedLine(
                ordinal=ordinal,
                offset=index.nodes.offset[ordinal],
                length=index.nodes.length[ordinal],
                reason=reason,
            )
            for ordinal, reason in index.malformed.items()
        ],
        unknown_types=[
            types.UnknownType(type=name, count=seen.count, versions=_by_age(seen.versions))
            for name, seen in _most_first(index)
        ],
        torn_tail=types.TornTail(offset=torn[0], length=torn[1]) if torn else None,
        broken_chains=_broken_chains(transcript.conversation.chain(), index),
        missing_backups=_missing_backups(entry, index) if agent_id is None else [],
        problems=_session_problems(entry, index),
    )


def _missing_backups(entry: SessionEntry, index: TranscriptIndex) -> list[str]:
    """Names that snapshots speak of and that are not in the session's folder (any more)."""
    folder = entry.root / FILE_HISTORY / entry.session_id
    names = index.checkpoints.backup_names()
    return sorted(name for name in names if not at_path.exists(folder / name))


def _broken_chains(chain: Chain, index: TranscriptIndex) -> list[types.BrokenChain]:
    broken: list[types.BrokenChain] = []
    for row, parent in sorted(index.nodes.missing.items()):
        bridge = chain.bridge(row, {row})
        broken.append(
            types.BrokenChain(
                uuid=index.nodes.uuid(row) or "",
                ordinal=row,
                missing_parent=parent,
                bridged_to=None if bridge is None else index.nodes.uuid(bridge),
            )
        )
    return broken


def _session_problems(entry: SessionEntry, index: TranscriptIndex) -> list[types.Problem]:
    problems: list[types.Problem] = []
    if entry.problem is not None:
        sentence = f"The transcript could not be read the last time ({entry.problem})."
        problems.append(types.Problem(code="unreadable", sentence=sentence))
    rows = range(len(index.nodes))
    unread = sum(index.nodes.has(row, Flag.GLUED_REST) for row in rows)
    if unread:
        sentence = f"{unread} whole records stand behind something else on their line: a resume "
        sentence += "does not see them."
        problems.append(types.Problem(code="gluedRecords", sentence=sentence))
    return problems


def _is_odd(row: types.TranscriptHealth) -> bool:
    return bool(
        row.malformed
        or row.unknown_types
        or row.torn_tail
        or row.broken_chains
        or row.missing_backups
        or row.problems
    )


def _totals(rows: Sequence[types.TranscriptHealth]) -> types.HealthTotals:
    counts: Counter[str] = Counter()
    versions: dict[str, set[str]] = {}
    for row in rows:
        for unknown in row.unknown_types:
            counts[unknown.type] += unknown.count
            versions.setdefault(unknown.type, set()).update(unknown.versions)
    return types.HealthTotals(
        malformed=sum(len(row.malformed) for row in rows),
        unknown_types=[
            types.UnknownType(type=name, count=count, versions=_by_age(versions[name]))
            for name, count in counts.most_common()
        ],
        torn_tails=sum(row.torn_tail is not None for row in rows),
        broken_chains=sum(len(row.broken_chains) for row in rows),
        missing_backups=sum(len(row.missing_backups) for row in rows),
    )


def _most_first(index: TranscriptIndex) -> list[tuple[str, UnknownType]]:
    return sorted(index.unknown_types.items(), key=lambda item: -item[1].count)


def _by_age(versions: Iterable[str]) -> list[str]:
    return sorted(versions, key=lambda version: parse_version(version) or (0, 0, 0))


_LISTING = {
    "denied": "A folder or file may not be read.",
    "dangling": "A link leads nowhere.",
    "outside": "A link leads out of the agent's folder and is not followed.",
    "notRegular": "Something that is no regular file has a transcript's name.",
    "io": "The system could not list a folder.",
}


def _problems(catalog: Catalog) -> list[types.Problem]:
    counts = Counter(problem.reason for problem in catalog.problems)
    return [
        types.Problem(code=reason, sentence=f"{_LISTING[reason]} ({count} times)")
        for reason, count in counts.items()
    ]
