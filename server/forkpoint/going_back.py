"""What would going back to a prompt drop from the conversation?"""

from __future__ import annotations

from typing import NamedTuple

from forkpoint.records.record import Flag, Kind, Role
from forkpoint.session import Conversation, Fate


class GoingBack(NamedTuple):
    """Prompts and responses of the active path before and after.

    Attributes:
        fate: the prompt's on the active path; None where it does not lie there. The agent offers
            prompts of the path, unless they are summarized.
        tokens_now: context at the tip; None where no response tells.
        tokens_after: context before the prompt; None where no response stands there.
    """

    fate: Fate | None
    prompts: int
    responses: int
    prompts_kept: int
    responses_kept: int
    tokens_now: int | None
    tokens_after: int | None


def going_back(conversation: Conversation, prompt: int, version: str | None) -> GoingBack:
    """Compare the active path with the one before a prompt.

    Args:
        conversation: the session's own transcript.
        prompt: the prompt's ordinal.
        version: of the client that would resume.
    """
    active = dict(conversation.path(version).entries)
    parent = conversation.index.nodes.parent[prompt]
    before = conversation.path(version, parent) if parent >= 0 else None
    kept = {row for row, _ in before.entries if row in active} if before else set[int]()
    dropped = set(active) - kept
    return GoingBack(
        fate=active.get(prompt),
        prompts=_prompts(conversation, dropped),
        responses=_responses(conversation, dropped),
        prompts_kept=_prompts(conversation, kept),
        responses_kept=_responses(conversation, kept),
        tokens_now=conversation.context(version),
        tokens_after=conversation.context(version, parent) if before else None,
    )


def _prompts(conversation: Conversation, rows: set[int]) -> int:
    role = conversation.index.nodes.role
    return sum(
        row in conversation.index.summary.prompts and role[row] == Role.PROMPT for row in rows
    )


def _responses(conversation: Conversation, rows: set[int]) -> int:
    index = conversation.index
    answers = (
        row
        for row in rows
        if index.nodes.kind[row] == Kind.ASSISTANT and not index.nodes.has(row, Flag.SYNTHETIC)
    )
    return len({index.joins.response[row] for row in answers})
