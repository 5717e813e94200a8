"""What becomes of every record of a transcript: sent, summarized, not sent, or left behind."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from forkpoint.active_line import NOT_SENT, SENT, SUMMARIZED
from forkpoint.records.record import Flag
from forkpoint.session import Conversation

ABANDONED = max(NOT_SENT, SENT, SUMMARIZED) + 1
"""Not on the active path. The other fates are those of `active_line`."""


class Fates:
    """Answers for the transcripts that were asked about, a byte per record."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Conversation, tuple[object, bytes]] = WeakKeyDictionary()

    def of(self, conversation: Conversation, version: str | None, *, of_agent: bool) -> bytes:
        """Return the fate of each row, for a client of a version.

        Args:
            conversation: the transcript.
            version: None = the newest known client.
            of_agent: it is a subagent's, where all records are beside the main line.
        """
        state = (len(conversation.index.nodes), version)
        known = self._known.get(conversation)
        if known is None or known[0] != state:
            known = (state, fates_of(conversation, version, of_agent=of_agent))
            self._known[conversation] = known
        return known[1]


def fates_of(conversation: Conversation, version: str | None, *, of_agent: bool) -> bytes:
    """Return the fate of each row; see `Fates.of`."""
    nodes = conversation.index.nodes
    fates = bytearray([ABANDONED]) * len(nodes)
    if not of_agent:
        # Subagents' rows among the others (clients of 1.x) were never part of its requests.
        for row, flags in enumerate(nodes.flags):
            if flags & Flag.SIDECHAIN:
                fates[row] = NOT_SENT
    for row in conversation.before_gap(version):
        fates[row] = NOT_SENT
    entries = conversation.path(version).entries
    for row, fate in zip(entries.rows, entries.fates, strict=True):
        fates[row] = fate
    for row, first in nodes.first_of.items():
        fates[row] = fates[first]
    return bytes(fates)
