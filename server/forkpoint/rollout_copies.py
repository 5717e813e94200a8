"""Where does what a fork of Codex copied end?

A fork begins with its own header and then writes the other thread's lines anew, under new times
and in one go (format.md sections 12 and 19). Only a subagent's header may say where that ends. Else
it is told by the thread's own header once more; by a turn whose id (a UUID of version 7, which has
the time in it) is not older than the thread's; or, where turns have no ids, by a pause.
"""

from __future__ import annotations

from forkpoint.nodes import NO_TIME, milliseconds

PAUSE_MS = 1000
"""What is written later than this behind the header was not copied with it."""


def is_own_turn(turn_id: str | None, thread_id: str) -> bool | None:
    """Say whether a turn is a thread's own; None where its id does not tell."""
    turn, thread = _moment(turn_id), _moment(thread_id)
    return None if turn is None or thread is None else turn >= thread


def is_pause(begun: str | None, now: str | None) -> bool:
    """Say whether a line came so late that it was not copied; the times are as written."""
    times = milliseconds(begun), milliseconds(now)
    return NO_TIME not in times and times[1] - times[0] > PAUSE_MS


def _moment(uuid: str | None) -> int | None:
    """Milliseconds since 1970 of a UUID of version 7."""
    if uuid is None or len(uuid) != 36 or uuid[14] != "7":
        return None
    try:
        return int(uuid[:8] + uuid[9:13], 16)
    except ValueError:
        return None
