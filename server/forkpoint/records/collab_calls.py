"""What calls of Codex's tools for subagents, and lines about them, say of threads.

`spawn_agent` begins a thread and returns at once; the others name threads that are there (codex-rs,
core/src/tools/handlers/multi_agents and multi_agents_v2, 2026). The first form names a thread by
its id, the second by a path such as `/root/look_around`; only an event tells which thread that is.
"""

from __future__ import annotations

import re

import msgspec

from forkpoint.records.as_told import fields_of, list_of, text_of
from forkpoint.records.rollout_calls import RolloutCall

SPAWNING = "spawn_agent"
_CLOSING = frozenset({"close_agent", "interrupt_agent"})
TALKING = _CLOSING | {
    "send_input",
    "send_message",
    "followup_task",
    "assign_task",
    "resume_agent",
    "wait",
    "wait_agent",
}
"""Tools that deal with subagents that are there, by the names they had."""
_NOTIFIED = re.compile(r"\s*<subagent_notification>(.*?)</subagent_notification>", re.DOTALL)
_THREAD = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ENDED = {"completed": "completed", "errored": "failed", "shutdown": "stopped"}
"""How a thread stands when nothing of it goes on, and the same in the words of the other agent."""


def plain_name(tool: str) -> str:
    """Return a tool's name without the group that later releases put before it."""
    return tool.rpartition(".")[2]


def threads_asked(call: RolloutCall) -> tuple[str, ...]:
    """Return the threads that a call deals with, as far as it names them by their ids."""
    if plain_name(call.name) not in TALKING:
        return ()
    given = fields_of(call.given)
    named = [given.get(name) for name in ("id", "agent_id", "target")]
    for several in ("ids", "targets"):
        named += list_of(given.get(several))
    return tuple(dict.fromkeys(each for name in named if (each := _thread(name)) is not None))


def thread_begun(output: str) -> str | None:
    """Return the thread that a spawning call began, by its output."""
    return _thread(_object(output).get("agent_id"))


def threads_ended(tool: str, threads: tuple[str, ...], output: str) -> tuple[tuple[str, str], ...]:
    """Return the threads that an output says are over, and how.

    Args:
        tool: that was called.
        threads: that the call named.
        output: of the call.
    """
    told = _object(output)
    status = told.get("status", told.get("previous_status"))
    if plain_name(tool) in _CLOSING and len(threads) == 1:
        return ((threads[0], _ended(status) or "stopped"),) if status is not None else ()
    each = fields_of(status).items()
    return tuple((name, end) for name, how in each if _thread(name) and (end := _ended(how)))


def thread_notified(text: str) -> tuple[tuple[str, str], ...]:
    """Return the thread that the client tells the model has ended, and how."""
    found = _NOTIFIED.match(text)
    told = _object("" if found is None else found[1])
    thread = _thread(told.get("agent_path")) or _thread(told.get("agent_id"))
    end = _ended(told.get("status"))
    return ((thread, end),) if thread and end else ()


def _ended(status: object) -> str | None:
    """A status is a word, or an object around one."""
    word = text_of(status) or next(iter(fields_of(status)), None)
    return _ENDED.get(word) if word is not None else None


def _thread(name: object) -> str | None:
    return name if isinstance(name, str) and _THREAD.fullmatch(name) else None


def _object(text: str) -> dict[str, object]:
    try:
        found: object = msgspec.json.decode(text.encode("utf-8", "replace"))
    except (msgspec.DecodeError, RecursionError):
        return {}
    return fields_of(found)
