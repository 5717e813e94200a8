"""`forkpoint/usage`: what was spent, by what?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import cast

import attrs

from forkpoint.accounts import accounts_of
from forkpoint.catalog import Catalog
from forkpoint.ledger import Account, Dimension, Group, Ledger, Period, Spent, ledger_of
from forkpoint.lsp.features.sessions import in_scope
from forkpoint.lsp.usage_notes import notes_of
from forkpoint.lsp.usage_text import usage_text
from forkpoint.protocol import types
from forkpoint.protocol.errors import InvalidParams
from forkpoint.protocol.wire.common import token_counts
from forkpoint.protocol.wire.sessions import place_of, title_of_entry
from forkpoint.session_entry import SessionEntry
from forkpoint.summary import Summary
from forkpoint.zones import UnknownZone, days_in, zone_of

Projects = dict[str, types.UsageProject]
"""Projects by what they are told apart by."""


def usage(catalog: Catalog, params: types.UsageParams) -> types.UsageResult:
    """Sum up what is read by now; a session that is asked about by its id is read for it."""
    zone = _zone(params.time_zone)
    _catch_up(catalog, params.session_id)
    projects: Projects = {}
    accounts = accounts_of(catalog, lambda entry: _project(catalog, entry, projects))
    by: Sequence[Dimension] = [*dict.fromkeys(params.by or ())]
    meant = [account for account in accounts if _is_meant(catalog, account, params)]
    ledger = ledger_of(meant, by, days_in(zone), Period(params.since, params.until))
    return _result(catalog, params, by, ledger, meant, projects)


def _zone(name: str | None) -> tzinfo | None:
    if name is None:
        return None
    try:
        return zone_of(name)
    except UnknownZone:
        raise InvalidParams("timeZone must be a zone that is known here, as UTC") from None


def _catch_up(catalog: Catalog, session_id: str | None) -> None:
    if session_id is not None:
        catalog.conversation(session_id)
        catalog.read_agents(catalog.entry(session_id))
        return
    catalog.rescan()
    for entry in catalog.entries():
        catalog.catch_up(entry)


# --- what is meant -----------------------------------------------------------------------------


def _is_meant(catalog: Catalog, account: Account, params: types.UsageParams) -> bool:
    if params.agent not in (None, account.agent):
        return False
    if params.session_id is not None:
        return account.session_id.lower() == params.session_id.lower()
    entry = catalog.find(account.session_id)
    return entry is not None and in_scope(catalog, entry, _summary(entry), params)


def _summary(entry: SessionEntry) -> Summary:
    conversation = entry.main.conversation
    return Summary() if conversation is None else conversation.index.summary


def _project(catalog: Catalog, entry: SessionEntry, projects: Projects) -> str:
    """Name a project by its main checkout, else its directory, else the agent's folder for it."""
    place, key = place_of(catalog, entry, _summary(entry)), entry.file.key
    path = place.worktree_of or place.cwd
    name = path or key
    if name not in projects:
        shown = place if path is None else catalog.beside.places.place(key, path)
        projects[name] = types.UsageProject(path=path, name=shown.name)
    return name


# --- the answer --------------------------------------------------------------------------------


def _result(
    catalog: Catalog,
    params: types.UsageParams,
    by: Sequence[Dimension],
    ledger: Ledger,
    accounts: Sequence[Account],
    projects: Projects,
) -> types.UsageResult:
    done, total = catalog.indexing()
    result = types.UsageResult(
        rows=[_row(catalog, by, group, projects) for group in ledger.groups],
        total=_sums(ledger.total),
        notes=notes_of(catalog, ledger.total, accounts),
        text=None,
        indexing=types.Indexing(done=done, total=total),
    )
    if not params.with_text:
        return result
    return attrs.evolve(result, text=usage_text(result, by, params.since, params.until))


def _row(
    catalog: Catalog, by: Sequence[Dimension], group: Group, projects: Projects
) -> types.UsageRow:
    key: Mapping[Dimension, str | None] = dict(zip(by, group.key, strict=True))
    session_id, project = key.get("session"), key.get("project")
    entry = None if session_id is None else catalog.find(session_id)
    return types.UsageRow(
        session_id=session_id,
        title=None if entry is None else title_of_entry(catalog, entry, _summary(entry)),
        day=key.get("day"),
        month=key.get("month"),
        project=None if project is None else projects[project],
        model=key.get("model"),
        agent=cast("types.Agent | None", key.get("agent")),
        subagent_id=key.get("subagent"),
        sessions=len(group.sessions),
        both=_amount(group.both()),
        own=_amount(group.own),
        subagents=_amount(group.subagents),
    )


def _sums(group: Group) -> types.UsageSums:
    return types.UsageSums(
        sessions=len(group.sessions),
        both=_amount(group.both()),
        own=_amount(group.own),
        subagents=_amount(group.subagents),
    )


def _amount(spent: Spent) -> types.UsageAmount:
    return types.UsageAmount(
        responses=spent.tokens.responses,
        tokens=token_counts(spent.tokens),
        cost_usd=spent.dollars,
        unpriced=spent.unpriced,
    )
