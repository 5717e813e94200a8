"""The numbers of a session that only its whole transcript tells."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from forkpoint.cache.last_use import LastUse, last_use
from forkpoint.index import TranscriptIndex
from forkpoint.prices import Prices
from forkpoint.session import Conversation
from forkpoint.spending import Spending, models_of
from forkpoint.tip import Tip


class Counts(msgspec.Struct, frozen=True):
    """Counts over all branches, and how the active path ends.

    Attributes:
        branches: abandoned ones.
        checkpoint_files: files with at least one checkpoint.
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


def counts_of(
    main: Conversation,
    agents: Sequence[TranscriptIndex | None],
    copied: Collection[str],
    version: str | None,
    prices: Prices,
) -> Counts:
    """Count a session.

    Args:
        main: its own transcript.
        agents: its subagents' transcripts; None for one that is not read yet.
        copied: message ids that it has from the session it was copied from.
        version: the client version that would resume.
        prices: what a response costs.
    """
    index = main.index
    read = [agent for agent in agents if agent is not None]
    spending = main.spending(copied, prices)
    for agent in read:
        spending.add_subagent(agent)
    return Counts(
        prompts=main.prompt_count(),
        responses=main.response_count(),
        branches=len(main.other_tips(version)),
        compactions=len(index.compactions),
        checkpoint_files=len(main.checkpoints().versions),
        subagents=len(agents) + len(main.sidechain_roots()),
        models=models_of([index, *read]),
        spending=spending,
        context=main.context(version),
        last_use=last_use(main, version),
        tip=main.path(version).tip,
    )
