"""`forkpoint/subagents`: whom did the agent send out?"""

from __future__ import annotations

from forkpoint.agents import AgentTranscript, State, notes_of
from forkpoint.catalog import Catalog
from forkpoint.disk import Unreadable
from forkpoint.index import TranscriptIndex
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.common import token_counts
from forkpoint.records.blocks import ToolUse
from forkpoint.records.content import content_of
from forkpoint.records.decode import decode_object
from forkpoint.records.preview import own_words
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.tool_calls import ToolCall
from forkpoint.transcript_file import TranscriptFile
from forkpoint.usage import Tokens


def subagents(catalog: Catalog, params: types.SubagentsParams) -> types.SubagentsResult:
    """List all subagents of a session, first started first."""
    main = catalog.conversation(params.session_id)
    entry = catalog.entry(params.session_id)
    catalog.read_agents(entry)
    callers = _Callers(entry, main)
    found = [_with_file(entry, agent, callers) for agent in entry.agents.values()]
    below = main.below_each(main.sidechain_roots())
    found += [_in_main_file(entry, main, rows, callers) for rows in below.values()]
    found.sort(key=lambda item: item[0])
    return types.SubagentsResult(agents=[agent for _, agent in found])


class _Callers:
    """The spawning calls of a session and of its subagents."""

    def __init__(self, entry: SessionEntry, main: Conversation) -> None:
        self.calls: list[tuple[TranscriptFile, TranscriptIndex, str | None, ToolCall]] = []
        self._collect(entry.main, main.index, None)
        for agent_id, agent in entry.agents.items():
            if agent.transcript.conversation is not None:
                self._collect(agent.transcript, agent.transcript.conversation.index, agent_id)

    def _collect(self, file: TranscriptFile, index: TranscriptIndex, by: str | None) -> None:
        for call in index.tools.all(index.joins):
            if call.starts_agent:
                self.calls.append((file, index, by, call))

    def find(self, call_id: str | None, agent_id: str, prompt: str) -> _Caller | None:
        """The call that started an agent: by its id, by what its result names, by its prompt."""
        for file, index, by, call in self.calls:
            known_id = index.joins.call_ids[call.number]
            if known_id == call_id or (call_id is None and call.agent_id == agent_id):
                return _Caller(file, index, by, call)
        if call_id is None and prompt:
            return self._by_prompt(prompt)
        return None

    def _by_prompt(self, prompt: str) -> _Caller | None:
        for file, index, by, call in self.calls:
            caller = _Caller(file, index, by, call)
            if caller.input("prompt", "message") == prompt:
                return caller
        return None


class _Caller:
    def __init__(
        self, file: TranscriptFile, index: TranscriptIndex, by: str | None, call: ToolCall
    ) -> None:
        self.by, self.call = by, call
        self.call_id = index.joins.call_ids[call.number]
        self._input = _input_of(_body(file, call.row), self.call_id)
        self.ended = index.tools.ended_agents

    def input(self, *fields: str) -> str | None:
        """Return a text of the call's input, from the first of some fields that has one."""
        values = (self._input.get(field) for field in fields)
        return next((value for value in values if isinstance(value, str)), None)


def _input_of(line: bytes, call_id: str) -> dict[str, object]:
    for block in content_of(line).blocks:
        if isinstance(block, ToolUse) and block.call_id == call_id:
            return decode_object(block.input_text.encode()) or {}
    return {}


def _with_file(
    entry: SessionEntry, agent: AgentTranscript, callers: _Callers
) -> tuple[float, types.Subagent]:
    conversation = agent.transcript.conversation
    notes = notes_of(agent.file)
    agent_id = agent.file.agent_id
    prompt, started = _first_words(agent.transcript, conversation, 0)
    caller = callers.find(notes.toolUseId, agent_id, prompt)
    index = conversation.index if conversation else None
    models = index.usage.models if index else []
    tokens = index.usage.total(range(len(index.joins.message_ids))) if index else Tokens()
    return started, types.Subagent(
        agent_id=agent_id,
        parent_agent_id=notes.parentAgentId or (caller.by if caller else None),
        tool_use_id=notes.toolUseId or (caller.call_id if caller else None),
        type=notes.agentType or (caller.input("subagent_type", "agent_type") if caller else None),
        description=notes.description or (caller.input("description") if caller else None),
        model=models[-1] if models else notes.model,
        tokens=token_counts(tokens),
        state=_state(caller, agent_id, _finished(conversation, notes.finished)),
        transcript=file_uri(agent.file.path),
    )


def _in_main_file(
    entry: SessionEntry, main: Conversation, rows: list[int], callers: _Callers
) -> tuple[float, types.Subagent]:
    """A subagent of a 1.x client: its rows hang below one sidechain root of the session's file."""
    index, root = main.index, rows[0]
    prompt, started = _first_words(entry.main, main, root)
    caller = callers.find(None, "", prompt)
    responses = {index.joins.response[row] for row in rows}
    models = [model for number in responses if (model := index.usage.model_of(number))]
    return started, types.Subagent(
        agent_id=index.nodes.uuid(root) or "",
        parent_agent_id=None,
        tool_use_id=caller.call_id if caller else None,
        type=caller.input("subagent_type") if caller else None,
        description=caller.input("description") if caller else None,
        model=models[-1] if models else None,
        tokens=token_counts(index.usage.total(responses)),
        state=_state(caller, "", None),
        transcript=None,
    )


def _first_words(
    file: TranscriptFile, conversation: Conversation | None, row: int
) -> tuple[str, float]:
    """The text and time of a subagent's first row; its prompt in the words of the call."""
    if conversation is None or row >= len(conversation.index.nodes):
        return "", 0.0
    rows = range(row, len(conversation.index.nodes))
    first = next((r for r in rows if conversation.index.nodes.is_node(r)), row)
    body = content_of(_body(file, first))
    return own_words(body.blocks), float(conversation.index.nodes.time[first])


def _body(file: TranscriptFile, row: int) -> bytes:
    """A row's line; empty if the file is gone: what was read of it before still answers."""
    try:
        return file.bodies([row])[0]
    except Unreadable:
        return b""


def _finished(conversation: Conversation | None, told: bool | None) -> bool | None:
    """Whether a subagent is done; of a thread of Codex its own last turn says it."""
    thread = None if conversation is None else conversation.index.rollout
    if thread is None or not thread.has_turns or not thread.nodes:
        return told
    return not thread.asked


def _state(caller: _Caller | None, agent_id: str, finished: bool | None) -> State:
    if caller is None:
        return "completed" if finished else "unknown"
    if caller.call.state == "error":
        return "failed"
    if caller.call.state in ("denied", "interrupted"):
        return "stopped"
    if caller.call.state == "pending":
        return "runningOrLost"
    if not caller.call.in_background:
        return "completed"
    return _background_state(caller.ended.get(agent_id), finished)


def _background_state(ended: str | None, finished: bool | None) -> State:
    if ended is None:
        return "completed" if finished else "runningOrLost"
    return _ENDED.get(ended, "completed")


_ENDED: dict[str, State] = {"failed": "failed", "killed": "stopped", "stopped": "stopped"}
"""Status words of a task notification; `completed` is the usual one (2.1.332)."""
