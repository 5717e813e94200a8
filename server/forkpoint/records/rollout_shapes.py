"""The shapes of Codex's rollout lines, as far as the index reads them; all else is skipped unread.

Field names are the agent's own (format.md section 19): as the open source of the client writes
them, and real files of 0.104. Files of mid-2025 have the payload's fields on the line itself.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw


class CountsShape(msgspec.Struct, frozen=True, gc=False):
    """Tokens; `cached_input_tokens` are part of the input, reasoning is part of the output."""

    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    reasoning_output_tokens: int = 0
    total_tokens: int = 0


class TokenInfoShape(msgspec.Struct, gc=False):
    """`info` of a `token_count`: what the session used so far, and what its last request used."""

    total_token_usage: CountsShape | None = None
    last_token_usage: CountsShape | None = None
    model_context_window: int | None = None
    model: str | None = None


class GitShape(msgspec.Struct, gc=False):
    """`git` of a header."""

    branch: str | None = None


class HistoryBaseShape(msgspec.Struct, gc=False):
    """`history_base` of a paginated rollout: the one that it goes on from, and up to where.

    The id is that of a rollout, not of a thread; the offset counts the unpacked bytes of its file.
    """

    thread_id: str | None = None
    end_byte_offset: int | None = None


class PartShape(msgspec.Struct, gc=False):
    """A piece of a message's content, or of a summary of what was thought."""

    type: str | None = None
    text: str | None = None
    image_url: str | None = None


class DoneItemShape(msgspec.Struct, gc=False):
    """`item` of an `item_completed`: what has neither an item of the model's nor an older event."""

    type: str | None = None
    id: str | None = None
    text: str | None = None


class InvocationShape(msgspec.Struct, gc=False):
    """`invocation` of a call of an MCP server's tool."""

    server: str | None = None
    tool: str | None = None
    arguments: Raw = Raw()


class MessageShape(msgspec.Struct, gc=False):
    """A message in a `replacement_history`."""

    type: str | None = None
    role: str | None = None
    content: Raw = Raw()


class PayloadShape(msgspec.Struct, gc=False):
    """What a line of any type says."""

    type: str | None = None
    # Headers
    id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    cli_version: str | None = None
    originator: str | None = None
    source: Raw = Raw()
    model_provider: str | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    history_base: HistoryBaseShape | None = None
    subagent_history_start_ordinal: int | None = None
    git: GitShape | None = None
    agent_nickname: str | None = None
    agent_role: str | None = None
    # Turns
    turn_id: str | None = None
    model: str | None = None
    num_turns: int | None = None
    reason: str | None = None
    # Items
    role: str | None = None
    content: Raw = Raw()
    summary: Raw = Raw()
    encrypted_content: str | None = None
    name: str | None = None
    namespace: str | None = None
    call_id: str | None = None
    arguments: Raw = Raw()
    input: Raw = Raw()
    action: Raw = Raw()
    output: Raw = Raw()
    status: str | None = None
    # Events
    message: str | None = None
    text: str | None = None
    info: TokenInfoShape | None = None
    response_id: str | None = None
    usage: CountsShape | None = None
    success: bool | None = None
    changes: Raw = Raw()
    invocation: InvocationShape | None = None
    result: Raw = Raw()
    query: str | None = None
    command: list[str] | None = None
    exit_code: int | None = None
    stdout: str | None = None
    stderr: str | None = None
    aggregated_output: str | None = None
    images: list[str] | None = None
    replacement_history: Raw = Raw()
    thread_name: str | None = None
    event_id: str | None = None
    agent_thread_id: str | None = None
    new_thread_id: str | None = None
    receiver_thread_id: str | None = None
    item: DoneItemShape | None = None


class RolloutShape(PayloadShape, gc=False):
    """A line: an envelope around a payload, or a payload by itself."""

    payload: PayloadShape | None = None
    ordinal: int | None = None
    record_type: str | None = None
