"""Questions about a next request: where a conversation stands, and what it goes on with.

`asked(was(version="2.1.240"), minutes=3, model=SONNET)` is a session whose last request was sent at
`SENT` by 2.1.240, and which goes on 3 minutes later with another model. What is left out is worked
example 1 of the rule book: Opus 5.5, 2.1.332, an hour's lifetime, a recorded prompt, print mode.
"""

from __future__ import annotations

from typing import Any

from forkpoint.cache.idle import Moment
from forkpoint.cache.next_request import Change, NextRequest
from forkpoint.cache.outcome import Asked
from forkpoint.cache.requests import CacheRequest
from forkpoint.cache.standing import Compacted, RecordedPrompt, Standing
from forkpoint.prices import Price, Prices
from forkpoint.records.cache_notes import Answer
from forkpoint.records.record import Usage

OPUS, OLDER_OPUS = "claude-opus-5-5", "claude-opus-4-8"
SONNET, OLDER_SONNET = "claude-sonnet-5-5", "claude-sonnet-4-6"
FABLE = "claude-fable-5-1"
HAIKU = "claude-haiku-5-5"

SENT = 1_790_000_000_000
HOUR = 60.0
"""Minutes."""
ONE = "3/141200/0/1850/620"
"""Of worked example 1: input/read/written for five minutes/written for an hour/output."""
TOOLS = ("Bash", "Edit", "Read", "ToolSearch")
UP_FRONT = ("Bash", "Edit", "Read", "mcp__shop__stock")
IN_TERMINAL = (*TOOLS, "AskUserQuestion")
CHANGED = Change("changed", "seen")
BY_TIME = Change("changed", "a file is newer", sure=False)


def request(numbers: str = ONE, model: str | None = OPUS, **fields: Any) -> CacheRequest:
    """An answered request by its numbers (see `ONE`)."""
    sent, read, short, hour, output = map(int, numbers.split("/"))
    usage = Usage(
        input=sent,
        output=output,
        cache_read=read,
        cache_write_5m=short,
        cache_write_1h=hour,
        context=sent + read + short + hour + output,
    )
    plain = {"response": 0, "row": 1, "before": None, "compacted": False, "own": True}
    return CacheRequest(usage=usage, model=model, lifetime=None, **{**plain, **fields})


def answer(version: str | None = "2.1.332", **fields: Any) -> Answer:
    """What the rows of the last answer say."""
    plain: dict[str, Any] = {
        "cwd": "/home/dev/shop",
        "git_branch": "main",
        "entrypoint": "sdk-cli",
        "effort": None,
        "fast": False,
        "request_id": None,
        "diagnosis": None,
        "cleared": False,
        "uncounted": False,
    }
    return Answer(version=version, **{**plain, **fields})


def was(
    numbers: str = ONE,
    *,
    model: str | None = OPUS,
    version: str | None = "2.1.332",
    tools: tuple[str, ...] | None = TOOLS,
    recorded: bool = True,
    entrypoint: str = "sdk-cli",
    effort: str | None = None,
    took: float = 0,
    **fields: Any,
) -> Standing:
    """Where a conversation stands.

    Args:
        numbers: of the last request (see `ONE`).
        model: that answered it.
        version: of the client that sent it.
        tools: that the recorded prompt offers; None = they are not told.
        recorded: there is a recorded prompt.
        entrypoint: of the program, `cli` is a terminal.
        effort: its level.
        took: minutes before `SENT` in which the request may have been sent as well.
        fields: of the standing, instead of the usual ones.
    """
    one = request(numbers, model)
    plain: dict[str, Any] = {
        "request": one,
        "blocks": (1,),
        "answer": answer(version, entrypoint=entrypoint, effort=effort),
        "used": Moment(SENT - round(took * 60_000), SENT),
        "lifetime": "1h",
        "lifetime_source": "promptCacheRequested",
        "was_longer": False,
        "cached_before": one.usage.cache_read + one.written > 0,
        "prompt": RecordedPrompt(tools, 0) if recorded else None,
        "defers_tools": False,
        "edited": False,
        "edited_before": False,
        "images": 0,
        "summarized": False,
        "compacted": None,
        "first": one,
    }
    return Standing(**{**plain, **fields})


def compacted(tokens: int | None = 12_400, **fields: Any) -> Standing:
    """A conversation whose newest row is a compaction, asked for at `SENT`."""
    return was(compacted=Compacted(tokens, Moment(SENT, SENT)), summarized=True, **fields)


NOTHING = was(
    request=None,
    blocks=(),
    answer=None,
    used=None,
    lifetime=None,
    lifetime_source="",
    cached_before=False,
    recorded=False,
    first=None,
)
"""Before the first answer."""


def asked(
    leaf: Standing | None = None,
    action: str = "resume",
    minutes: float = 12,
    *,
    point: Standing | None = None,
    behind_boundary: bool = False,
    of_agent: bool = False,
    price: Price | None = None,
    **after: Any,
) -> Asked:
    """What comes next, so many minutes after `SENT`.

    Args:
        leaf: where the conversation stands; None = `was()`.
        action: what is done.
        minutes: after `SENT`.
        point: where a rewind goes on; None = the leaf.
        behind_boundary: the point lies before the newest compaction.
        of_agent: it is a subagent's conversation.
        price: of all models; None = as listed.
        after: of the next request.
    """
    leaf = leaf or was()
    now = SENT + round(minutes * 60_000)
    following = NextRequest(action=action, now=now, **after)  # type: ignore[arg-type]
    last = leaf.request.model if leaf.request else None

    def price_of(size: int) -> Price | None:
        return price or Prices().for_size(following.model or last, size, following.fast)

    return Asked(
        leaf=leaf,
        point=point or leaf,
        next=following,
        price_of=price_of,
        behind_boundary=behind_boundary,
        of_agent=of_agent,
    )
