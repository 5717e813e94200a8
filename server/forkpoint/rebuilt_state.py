"""The states of a file that is rebuilt: each says what it was made from, few keep their text.

Ten thousand patches of one file make as many texts. Those of every so many states are kept, so that
what was left out is made again by few patches.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from forkpoint.patch_backward import undone
from forkpoint.patch_forward import Done, applied
from forkpoint.records.file_changes import FileChange

KEPT_AT_MOST = 16 * 1024 * 1024
"""Characters of texts that are kept."""

Obtained: TypeAlias = Literal["recorded", "forward", "backward", "unknown"]
Known: TypeAlias = Done | None
"""A content, or none that is known."""


class State(msgspec.Struct):
    """A file after a step, or before the first.

    Attributes:
        step: number of the step that led to it; None = the file before the first.
        is_found: it is the file as that step found it, which is not what the step before left.
        obtained: how its content is known.
        why: a sentence on that.
        content: the content, where it is kept.
        source: the state that it is made from by a change, forward or backward.
        change: that change.
        patches: how many changes lie between it and what was recorded, or the file on disk.
        from_disk: it was made from the file on disk.
        found_by: number of the step that found the file so, where its own does not tell; that of
            no step for the file on disk.
        exists: whether there was a file; None = unknown.
        size: bytes of its content.
        was_changed: something else changed the file before the next step, or before it was looked
            at; None = nothing tells.
    """

    step: int | None
    is_found: bool = False
    obtained: Obtained = "unknown"
    why: str = ""
    content: Known = None
    source: State | None = None
    change: FileChange | None = None
    patches: int = 0
    from_disk: bool = False
    found_by: int | None = None
    exists: bool | None = None
    size: int | None = None
    was_changed: bool | None = None

    @property
    def is_known(self) -> bool:
        """Say whether its content can be told."""
        return self.obtained != "unknown"

    def know(self, obtained: Obtained, content: Done, why: str = "") -> None:
        """Set its content, and how it is known."""
        self.obtained, self.content, self.why = obtained, content, why
        self.exists = content.text is not None
        self.size = None if content.text is None else len(content.text.encode("utf-8", "replace"))


def content_of(state: State) -> Known:
    """Return the content of a state, made anew where it is not kept."""
    waiting: list[State] = []
    at: State | None = state
    while at is not None and at.content is None:
        waiting.append(at)
        at = at.source
    content = None if at is None else at.content
    for each in reversed(waiting):
        if content is None or each.change is None:
            return None
        make = applied if each.obtained == "forward" else undone
        made = make(each.change, content.text)
        content = made if isinstance(made, Done) else None
    return content


class Keeper:
    """Keeps some of the texts of states that can be made anew."""

    def __init__(self, at_most: int = KEPT_AT_MOST) -> None:
        self._at_most = at_most
        self._kept: list[tuple[int, State]] = []
        self._number = 0
        self._every = 1
        self._length = 0

    def keep(self, state: State) -> None:
        """Take in a state whose text is no longer at hand elsewhere."""
        self._number += 1
        if self._number % self._every:
            state.content = None
            return
        self._kept.append((self._number, state))
        self._length += _length(state)
        while self._length > self._at_most and len(self._kept) > 1:
            self._every *= 2
            for number, other in self._kept:
                if number % self._every:
                    self._length -= _length(other)
                    other.content = None
            self._kept = [each for each in self._kept if each[0] % self._every == 0]


def _length(state: State) -> int:
    return len(state.content.text or "") if state.content is not None else 0
