"""Which prompt led to a row, and the how manieth of its conversation is it?

Prompts are counted as they are read: along the active path, and along its own past for a row of
another branch.
"""

from __future__ import annotations

from typing import NamedTuple

from forkpoint.records.record import Flag
from forkpoint.session import Conversation


class AskedBy(NamedTuple):
    """A prompt.

    Attributes:
        row: its ordinal; None where the row stands behind none.
        number: from 1; 0 where there is none.
        on_active_path: whether the row that was asked about lies there.
    """

    row: int | None
    number: int
    on_active_path: bool


class PromptNumbers:
    """Answers for one transcript as it is now."""

    def __init__(self, conversation: Conversation, version: str | None) -> None:
        """Count the prompts of the active path, as a client of a version sees it."""
        self._chain = conversation.chain(version)
        self._flags = conversation.index.nodes.flags
        self._last: dict[int, tuple[int | None, int]] = {}
        prompt, number = None, 0
        for row in conversation.path(version).entries.rows:
            if self._flags[row] & Flag.TYPED:
                prompt, number = row, number + 1
            self._last[row] = prompt, number

    def of(self, row: int) -> AskedBy:
        """Return the prompt that led to a row; a prompt led to itself."""
        if row in self._last:
            return AskedBy(*self._last[row], on_active_path=True)
        prompts: list[int] = []
        before: tuple[int | None, int] = None, 0
        for above in self._chain.unpruned.up(row):
            if above in self._last:
                before = self._last[above]
                break
            if self._flags[above] & Flag.TYPED:
                prompts.append(above)
        prompt = prompts[0] if prompts else before[0]
        return AskedBy(prompt, before[1] + len(prompts), on_active_path=False)
