"""What moved in a transcript between two looks at it?"""

from __future__ import annotations

from typing import NamedTuple

from forkpoint.checkpoints import file_of
from forkpoint.records.record import Role
from forkpoint.session import Conversation
from forkpoint.tip import Tip
from forkpoint.tool_calls import ToolCall

_OTHER_WAYS = ("rewind", "resend", "twoWriters")


class Place(NamedTuple):
    """Where a transcript stood.

    Attributes:
        conversation: another one stands for a file that was read anew.
        rows: how many records it had.
        entries: how many states of files they held.
        leaf: uuid of the active leaf; None where the next prompt begins anew.
        tip: how the active path ended.
        running: calls on it that are not over.
        ways: how many ways left another one.
    """

    conversation: Conversation
    rows: int
    entries: int
    leaf: str | None
    tip: Tip
    running: list[ToolCall]
    ways: int


class Moved(NamedTuple):
    """The difference between two places.

    Attributes:
        first_new, last_new: ordinals; None without new records.
        reread: the file was cut or replaced: all records count as new.
        new_branch: the conversation went another way than before.
        files: absolute paths of files whose state the new records hold.
    """

    first_new: int | None
    last_new: int | None
    reread: bool
    leaf_moved: bool
    new_branch: bool
    files: list[str]

    @property
    def is_any(self) -> bool:
        """Say whether there is a difference at all."""
        return self.first_new is not None or self.reread or self.leaf_moved


def place_of(conversation: Conversation, version: str | None) -> Place:
    """Return where a transcript stands for a client of some version."""
    path = conversation.path(version)
    index = conversation.index
    segments = conversation.segments(version)
    return Place(
        conversation=conversation,
        rows=len(index.nodes),
        entries=index.checkpoints.backup_count,
        leaf=None if path.end is None else index.nodes.uuid(path.end),
        tip=path.tip,
        running=running_calls(conversation, version),
        ways=sum(segment.reason in _OTHER_WAYS for segment in segments),
    )


def between(before: Place, now: Place) -> Moved:
    """Compare a place with a later one."""
    reread = before.conversation is not now.conversation
    first, entries = (0, 0) if reread else (before.rows, before.entries)
    is_longer = now.rows > first
    return Moved(
        first_new=first if is_longer else None,
        last_new=now.rows - 1 if is_longer else None,
        reread=reread,
        leaf_moved=before.leaf != now.leaf,
        new_branch=now.ways > before.ways,
        files=_files(now.conversation, entries),
    )


def appeared(now: Place) -> Moved:
    """Return what a transcript brings that was not there before."""
    last = now.rows - 1 if now.rows else None
    first = None if last is None else 0
    return Moved(first, last, False, now.leaf is not None, False, _files(now.conversation, 0))


def _files(conversation: Conversation, first: int) -> list[str]:
    folders = list(conversation.index.summary.cwds)
    checkpoints = conversation.index.checkpoints
    backups = checkpoints.backups[first:] if checkpoints.backup_count > first else []
    return list(dict.fromkeys(file_of(backup, folders) for backup in backups))


def running_calls(conversation: Conversation, version: str | None) -> list[ToolCall]:
    """Return the calls on the active path that are not over.

    Those of its last response that have no result, then those whose subagent works on in the
    background.
    """
    index = conversation.index
    background = index.tools.in_background(index.joins)
    if background:
        on_path = set(conversation.path(version).entries.rows)
        background = [call for call in background if call.row in on_path]
    return _without_result(conversation, version) + background


def _without_result(conversation: Conversation, version: str | None) -> list[ToolCall]:
    index = conversation.index
    for row, _ in reversed(conversation.path(version).entries):
        if index.nodes.role[row] == Role.PROMPT:
            return []
        if index.nodes.role[row] == Role.RESPONSE:
            siblings = index.joins.siblings(row)
            numbers = [number for each in siblings for number in index.joins.tools(each)]
            calls = [index.tools.of(number, index.joins) for number in dict.fromkeys(numbers)]
            return [call for call in calls if call.state == "pending"]
    return []
