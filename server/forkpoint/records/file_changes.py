"""What a patch of Codex says of files: which change, and which lines take the place of which.

A patch's own text and the event that tells what was applied say the same in two ways; both become
these values. Nothing here raises: what cannot be read is said in `Patch.problem`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

ChangeKind = Literal["add", "delete", "update"]


class Hunk(msgspec.Struct, frozen=True):
    """Lines that are next to each other, and what takes their place.

    Attributes:
        old: the lines as they were, those that only say where included, without LF. A CR that
            stands before an LF is part of the line where the source has it.
        new: the lines as they became.
        context: a line that stands before them, where the patch names one.
        at_end: the old lines are the last of the file.
        old_start: number of the first old line, from 1 (of no lines: of the line before them);
            None where the source has no numbers.
        new_start: the same for the new lines.
        old_ends: False = the last of the old lines has no LF behind it.
        new_ends: the same for the new lines.
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    context: str | None = None
    at_end: bool = False
    old_start: int | None = None
    new_start: int | None = None
    old_ends: bool = True
    new_ends: bool = True


class FileChange(msgspec.Struct, frozen=True):
    """What a patch does to one file.

    Attributes:
        kind: a file is written anew, whether or not there was one; deleted; or changed in places.
        path: as the patch spells it; relative paths count from the folder that the call is run in.
        moved_to: the path that an update moves the file to.
        content: all that an added file holds, or what a deleted one held; None = not told.
        hunks: of an update, in the order of the patch.
    """

    kind: ChangeKind
    path: str
    moved_to: str | None = None
    content: str | None = None
    hunks: tuple[Hunk, ...] = ()

    @property
    def is_located(self) -> bool:
        """Say whether every hunk has line numbers: then it was made from the file itself."""
        numbers = [number for each in self.hunks for number in (each.old_start, each.new_start)]
        return None not in numbers


class Patch(msgspec.Struct, frozen=True):
    """What a call does to files.

    Attributes:
        changes: in the order of the patch; of one with a problem, those before it.
        problem: what keeps the patch from being read; the client refuses such a one as a whole.
    """

    changes: tuple[FileChange, ...] = ()
    problem: str | None = None
