"""Which call of a session led to a subagent?"""

from __future__ import annotations

from forkpoint.agents import notes_of
from forkpoint.session_entry import SessionEntry, all_calls

MOST_ABOVE = 20
"""A subagent of a subagent of a subagent: where to stop looking for the session's own call."""


def started_by(entry: SessionEntry) -> dict[str, str]:
    """Return the call that started each subagent, as far as results name it."""
    started: dict[str, str] = {}
    for _, index, call in all_calls(entry):
        if call.agent_id is not None and not call.talks_to_agent:
            started.setdefault(call.agent_id, index.joins.call_ids[call.number])
    return started


def caller_of(entry: SessionEntry, agent_id: str) -> int | None:
    """Return the row of the session's own transcript whose call led to a subagent; None = unknown.

    Of a subagent's subagent it is the call that led to the first one.
    """
    main = entry.main.conversation
    wanted: str | None = agent_id
    for _ in range(MOST_ABOVE):
        agent = entry.agents.get(wanted or "")
        if main is None or agent is None:
            return None
        notes = notes_of(agent.file)
        call_id = notes.toolUseId or started_by(entry).get(agent.file.agent_id)
        joins = main.index.joins
        number = None if call_id is None else joins.number(call_id)
        if number is not None and joins.call_row[number] >= 0:
            return joins.call_row[number]
        wanted = notes.parentAgentId or _maker(entry, call_id)
    return None


def _maker(entry: SessionEntry, call_id: str | None) -> str | None:
    """The subagent whose transcript makes a call."""
    for agent_id, agent in entry.agents.items():
        conversation = agent.transcript.conversation
        if call_id is not None and conversation is not None:
            joins = conversation.index.joins
            number = joins.number(call_id)
            if number is not None and joins.call_row[number] >= 0:
                return agent_id
    return None
