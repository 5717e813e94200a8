"""What will the next request be sent with?"""

from __future__ import annotations

from typing import Literal

import msgspec

from forkpoint.cache.requests import Lifetime

Action = Literal["resume", "rewind", "compact", "clear", "fork", "model"]
Provider = Literal["anthropic", "bedrock", "vertex", "foundry", "gateway", "unknown"]
Account = Literal["subscription", "apiKey", "unknown"]
Sameness = Literal["same", "changed", "unknown"]


class Change(msgspec.Struct, frozen=True):
    """Whether something is as it was at the last request.

    Attributes:
        evidence: what was seen, in a few words; empty where nothing was.
        sure: a parameter or a comparison says it, not a file's time alone.
    """

    how: Sameness = "unknown"
    evidence: str = ""
    sure: bool = True

    def __bool__(self) -> bool:
        return self.how == "changed"


class ToolSet(msgspec.Struct, frozen=True):
    """The tools that the next client would send in full, held against the recorded ones.

    Attributes:
        how: unknown where that client was not seen with this model.
        names: tools that only one of the two has.
    """

    how: Sameness
    names: tuple[str, ...] = ()
    evidence: str = ""


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What the asker knows of the next request; None = it is to be looked for.

    Attributes:
        now: milliseconds since 1970 UTC.
        caching, snapshot: `on` or `off`.
    """

    now: int
    provider: Provider | None = None
    account: Account | None = None
    version: str | None = None
    entrypoint: str | None = None
    cwd: str | None = None
    model: str | None = None
    effort: str | None = None
    caching: str | None = None
    snapshot: str | None = None
    append_system_prompt: Sameness | None = None
    tools: Sameness | None = None
    mcp: Sameness | None = None
    git: Sameness | None = None
    project_files: Sameness | None = None
    added_directories: Sameness | None = None
    permission_mode: Sameness | None = None
    thinking: Sameness | None = None
    fast_mode: Sameness | None = None


class NextRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The next request, as far as it is known.

    Attributes:
        now: milliseconds since 1970 UTC.
        version, model, effort: of the client that sends it; None = as the last request.
        entrypoint: its client runs in another program (terminal, SDK) than the last one's.
        in_terminal: its client runs in a terminal.
        gateway: where requests go when that is not the maker's own address.
        caching_off: where the cache is switched off; None = it is on.
        caching_on: it is known to be on.
        fast: the request is sent in fast mode.
        fast_before: one of the conversation was.
        replays: recorded prompts are sent again, as is usual.
        lifetime: that settings ask for; None = the usual.
        live: a client has the session open.
        denied: tools that settings deny as a whole.
        tool_search_off: all tools are sent in full.
        moved: the session was moved to another directory in mid-conversation.
        agent_gone: the agent that the session runs as is no longer defined.
        floor: tokens of tools and system prompt that other sessions share.
    """

    action: Action
    now: int
    version: str | None = None
    model: str | None = None
    effort: str | None = None
    provider: Provider = "unknown"
    account: Account = "unknown"
    gateway: str | None = None
    caching_off: str | None = None
    caching_on: bool = False
    replays: bool = True
    lifetime: Lifetime | None = None
    live: bool = False
    entrypoint: Change = Change()
    in_terminal: bool = False
    cwd: Change = Change()
    git: Change = Change()
    project_files: Change = Change()
    append_system_prompt: Change = Change()
    added_directories: Change = Change()
    tools: Change = Change()
    mcp: Change = Change()
    permission_mode: Change = Change()
    thinking: Change = Change()
    fast_mode: Change = Change()
    fast: bool = False
    fast_before: bool = False
    output_style: Change = Change()
    moved: Change = Change()
    denied: tuple[str, ...] = ()
    tool_search_off: bool = False
    tool_set: ToolSet = ToolSet("unknown")
    agent_gone: str | None = None
    floor: int = 0
