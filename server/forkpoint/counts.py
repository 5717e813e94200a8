"""The numbers of a session that only its whole transcript tells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec

from forkpoint.cache.last_use import LastUse, last_use
from forkpoint.index import TranscriptIndex
from forkpoint.layout import path_key, tracked_file
from forkpoint.prices import Prices
from forkpoint.records.record import Flag, Role
from forkpoint.session import Conversation
from forkpoint.spending import Spending, models_of
from forkpoint.tip import Tip


class Copied(NamedTuple):
    """What a session has from older ones, where it counts.

    Attributes:
        message_ids: of responses.
        rows: ordinals.
    """

    message_ids: Collection[str]
    rows: Collection[int]


class Counts(msgspec.Struct, frozen=True):
    """Counts over all branches, and how the active path ends.

    Attributes:
        prompts, responses: without those that were copied.
        branches: abandoned ones.
        checkpoint_files: files with at least one checkpoint; of Codex, files that it patched.
        context: tokens in the context at the tip; None before the first response.
        last_use: of the prompt cache.
    """

    prompts: int
    responses: int
    branches: int
    compactions: int
    checkpoint_files: int
    subagents: int
    models: list[str]
    spending: Spending
    context: int | None
    last_use: LastUse | None
    tip: Tip
    inherited_prompts: int = 0


def counts_of(
    main: Conversation,
    agents: Sequence[TranscriptIndex | None],
    copied: Copied,
    version: str | None,
    prices: Prices,
) -> Counts:
    """Count a session.

    Args:
        main: its own transcript.
        agents: its subagents' transcripts; None for one that is not read yet.
        copied: what it has from older sessions.
        version: the client version that would resume.
        prices: what a response costs.
    """
    index = main.index
    read = [agent for agent in agents if agent is not None]
    spending = main.spending(copied.message_ids, prices)
    for agent in read:
        spending.add_subagent(agent)
    prompts, responses = _inherited(index, copied)
    return Counts(
        prompts=main.prompt_count() - prompts,
        responses=main.response_count() - responses,
        branches=len(main.other_tips(version)),
        compactions=len(index.compactions),
        checkpoint_files=_checkpoint_files(main),
        subagents=len(agents) + len(main.sidechain_roots()),
        models=models_of([index, *read]),
        spending=spending,
        context=main.context(version),
        last_use=last_use(main, version),
        tip=main.path(version).tip,
        inherited_prompts=prompts,
    )


def _inherited(index: TranscriptIndex, copied: Copied) -> tuple[int, int]:
    """How many prompts and responses of the main conversation were copied."""
    rows = frozenset(copied.rows)
    nodes, joins = index.nodes, index.joins
    prompts = sum(row in rows and nodes.role[row] == Role.PROMPT for row in index.summary.prompts)
    if not rows and not copied.message_ids:
        return prompts, 0
    unwanted = Flag.SIDECHAIN | Flag.SYNTHETIC
    responses = (
        number for number, row in enumerate(joins.first_row) if not nodes.has(row, unwanted)
    )
    return prompts, sum(
        joins.first_row[number] in rows or joins.message_ids[number] in copied.message_ids
        for number in responses
    )


def _checkpoint_files(main: Conversation) -> int:
    """Count files that have versions; those of Codex are rebuilt from calls that did not fail."""
    index = main.index
    if index.rollout is None:
        return len(main.checkpoints().versions)
    start = index.summary.first_cwd
    calls = (call for call in index.tools.all(index.joins) if call.state not in ("error", "denied"))
    return len({path_key(tracked_file(call.file, start)) for call in calls if call.file})
