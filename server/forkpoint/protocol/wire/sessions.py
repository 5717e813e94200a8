"""A session as a row of the list."""

from __future__ import annotations

from typing import NamedTuple

from forkpoint.catalog import Catalog
from forkpoint.counts import Counts
from forkpoint.disk import Reason
from forkpoint.layout import project_key
from forkpoint.lineage import Origin
from forkpoint.listing import SessionFile
from forkpoint.live import LiveClient
from forkpoint.prices import Prices
from forkpoint.projects import Place
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.common import iso_time, live_process, token_counts
from forkpoint.protocol.wire.session_cache import session_cache
from forkpoint.protocol.wire.unreadable import REASONS
from forkpoint.session_entry import SessionEntry
from forkpoint.sidecars import Sidecars
from forkpoint.summary import Summary, Title, title_of
from forkpoint.transcript_bytes import Flaw
from forkpoint.worded import counted, say

DAY_MS = 86_400_000


def place_of(catalog: Catalog, entry: SessionEntry, summary: Summary) -> Place:
    """Return the directory of a session."""
    return catalog.beside.places.place(entry.file.key, summary.relocated or summary.first_cwd)


class RowFacts(NamedTuple):
    """All that a row is written from: while it is equal, so is the row.

    Attributes:
        steps: of the transcript; a summary grows in its place.
        counted: None until the whole transcript is indexed.
        others: older files with the same id.
        shared: files that other running clients change, too.
    """

    file: SessionFile
    config_dir: str | None
    summary: Summary
    steps: int
    own_summary: str | None
    sidecars: Sidecars
    place: Place
    counted: Counts | None
    origin: Origin | None
    live: LiveClient | None
    shared: list[types.SharedFile]
    retention: int | None
    prices: Prices
    problem: Reason | None
    flaw: Flaw | None
    others: list[SessionFile]


def row_facts(catalog: Catalog, entry: SessionEntry, summary: Summary) -> RowFacts:
    """Gather what is known of a session for its row."""
    live = catalog.live.get(entry.session_id)
    return RowFacts(
        file=entry.file,
        config_dir=None if entry.root in catalog.usual_roots else str(entry.root),
        summary=summary,
        steps=entry.main.steps,
        own_summary=catalog.facts.own_summary(entry),
        sidecars=catalog.beside.sidecars(entry),
        place=place_of(catalog, entry, summary),
        counted=catalog.counts(entry),
        origin=catalog.origin(entry),
        live=live,
        shared=_shared_files(catalog, entry) if live else [],
        retention=catalog.beside.retention_days(entry.root),
        prices=catalog.prices,
        problem=entry.problem,
        flaw=entry.main.flaw,
        others=entry.others,
    )


def session_row(facts: RowFacts) -> types.SessionSummary:
    """Return a row; numbers that need the whole transcript are null until it is indexed."""
    file, summary, counted = facts.file, facts.summary, facts.counted
    modified = file.stat.mtime_ns / 1e6
    return types.SessionSummary(
        session_id=file.session_id,
        resume_id=file.resume_id,
        agent=file.agent,
        transcript=file_uri(file.path),
        config_dir=facts.config_dir,
        project=project_of(file, facts.place),
        title=_title(summary, facts.own_summary, facts.sidecars),
        first_prompt=summary.first_prompt,
        tag=summary.tag,
        agent_name=summary.agent_name,
        git_branch=summary.git_branch,
        version=summary.version,
        models=counted.models if counted else [],
        created_at=summary.created,
        updated_at=summary.updated,
        modified_at=iso_time(modified),
        size_bytes=file.stat.size,
        prompt_count=counted.prompts if counted else None,
        inherited_prompt_count=(counted.inherited_prompts or None) if counted else None,
        response_count=counted.responses if counted else None,
        branch_count=counted.branches if counted else None,
        compaction_count=counted.compactions if counted else None,
        checkpoint_file_count=counted.checkpoint_files if counted else None,
        subagent_count=counted.subagents if counted else None,
        tokens=token_counts(counted.spending.own) if counted else None,
        subagent_tokens=token_counts(counted.spending.subagents) if counted else None,
        inherited_tokens=_inherited(counted),
        cost_usd=counted.spending.dollars if counted else None,
        context_tokens=counted.context if counted else None,
        cache=session_cache(counted.last_use, facts.prices) if counted else None,
        tip=counted.tip if counted else None,
        live=live_process(facts.live),
        shared_files=facts.shared,
        forked_from=_fork_origin(facts.origin),
        pull_requests=[
            types.PullRequest(number=pr.number, url=pr.url, repository=pr.repository)
            for pr in summary.pull_requests
        ],
        entrypoint=summary.entrypoint,
        archived=facts.sidecars.archived,
        expires_at=_expires(modified, facts.retention),
        problems=_problems(facts),
    )


def project_of(file: SessionFile, place: Place) -> types.Project:
    """Write where a session was started."""
    return types.Project(
        key=file.key or (project_key(place.cwd) if place.cwd else ""),
        cwd=place.cwd,
        name=place.name,
        worktree_of=place.worktree_of,
        exists=place.exists,
    )


def title_of_entry(catalog: Catalog, entry: SessionEntry, summary: Summary) -> types.Title:
    """Return what to call a session, files beside the transcript included."""
    return _title(summary, catalog.facts.own_summary(entry), catalog.beside.sidecars(entry))


def _title(summary: Summary, own_summary: str | None, sidecars: Sidecars) -> types.Title:
    title = title_of(summary, own_summary)
    if title.source != "custom" and sidecars.title is not None:
        by_person = sidecars.title_by == "user"
        if by_person or title.source != "ai":
            title = Title(sidecars.title, "custom" if by_person else "ai")
    return types.Title(text=title.text, source=title.source)


def _inherited(counted: Counts | None) -> types.TokenCounts | None:
    if counted is None or not counted.spending.inherited.responses:
        return None
    return token_counts(counted.spending.inherited)


def _fork_origin(origin: Origin | None) -> types.ForkOrigin | None:
    if origin is None:
        return None
    return types.ForkOrigin(session_id=origin.session_id, evidence=origin.evidence)


def _shared_files(catalog: Catalog, entry: SessionEntry) -> list[types.SharedFile]:
    others = [other for name in catalog.live if (other := catalog.find(name)) is not None]
    return [
        types.SharedFile(file=file_uri(path), session_ids=ids)
        for path, ids in catalog.histories.shared(entry, others)
    ]


def _expires(modified: float, days: int | None) -> str | None:
    return None if days is None else iso_time(modified + days * DAY_MS)


_FLAWS: dict[Flaw, str] = {
    "cut": say(
        "The compressed transcript unpacks to more than any conversation: only its beginning "
        "was read."
    ),
    "damaged": say(
        "The compressed transcript is damaged: only what stands before the damage was read."
    ),
}


def _with_rollouts(file: SessionFile) -> str:
    return say("in the archive") if file.archived else say("among the sessions")


def _problems(facts: RowFacts) -> list[types.Problem]:
    problems: list[types.Problem] = []
    if facts.problem is not None:
        sentence = say("The transcript could not be read: {reason}.", reason=REASONS[facts.problem])
        problems.append(types.Problem(code="unreadable", sentence=sentence))
    elif facts.flaw is not None:
        problems.append(types.Problem(code=facts.flaw, sentence=_FLAWS[facts.flaw]))
    for other in facts.others:
        where = (
            say("in the project folder {key}", key=other.key)
            if other.key
            else _with_rollouts(other)
        )
        sentence = say("An older file with the same id lies {where}.", where=where)
        problems.append(types.Problem(code="duplicateId", sentence=sentence))
    if facts.summary.foreign_sessions:
        count = len(facts.summary.foreign_sessions)
        sentence = counted(
            count,
            "The file holds records that name {count} other session.",
            "The file holds records that name {count} other sessions.",
        )
        problems.append(types.Problem(code="foreignRecords", sentence=sentence))
    return problems
