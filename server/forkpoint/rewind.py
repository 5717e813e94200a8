"""What going back to a prompt would do to files, given what lies on disk.

The rules are those of Claude Code 2.1.332, which fixtures/rewinds holds with what it really did.
Nothing is read or written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from forkpoint.checkpoints import Version

Action = Literal["overwrite", "delete", "create", "unchanged", "skip"]
SkipReason = Literal[
    "symlink",
    "hardLink",
    "pruned",
    "parentMoved",
    "notRegular",
    "unreadable",
    "notWritable",
    "keptBack",
]


class OnDisk(NamedTuple):
    """What lies where a file would be restored.

    Attributes:
        kind: "dangling" is nothing, below a link to nothing.
        is_hard_linked: the file has other names.
        parent: its folder with links resolved; as written where it is not there.
        can_write, can_delete: what the system would let us do.
    """

    kind: Literal["nothing", "dangling", "file", "link", "other"]
    is_hard_linked: bool
    parent: str
    can_write: bool
    can_delete: bool


class Kept(NamedTuple):
    """What is left of the copy to restore.

    Attributes:
        state: "gone" was pruned or has a name that must not be used; "notRegular" is a link, a
            folder or the like in its place.
        is_same: its content is what the file holds.
    """

    state: Literal["present", "gone", "unreadable", "notRegular"]
    is_same: bool


class Outcome(NamedTuple):
    """What would happen to a file, and why nothing would.

    Attributes:
        failed: what the client counts as a failure, not as passed over: after a failed write it
            deletes nothing.
    """

    action: Action
    reason: SkipReason | None = None
    failed: Literal["write", "delete"] | None = None


def outcome(version: Version | None, on_disk: OnDisk, kept: Kept) -> Outcome:
    """Decide about one file by itself.

    Args:
        version: its state at the prompt; None where nothing is known, so that it is left alone.
        on_disk: what is there now.
        kept: the copy; of no meaning where the file did not exist.
    """
    if version is None or version.is_unknown:
        return Outcome("unchanged")
    if (reason := _unsafe(version, on_disk)) is not None:
        return Outcome("skip", reason)
    return _deleted(on_disk) if version.is_absent else _restored(on_disk, kept)


def _unsafe(version: Version, on_disk: OnDisk) -> SkipReason | None:
    if on_disk.kind == "link":
        return "symlink"
    if on_disk.kind == "other":
        return "notRegular"
    if version.real_parent is not None and version.real_parent != on_disk.parent:
        return "parentMoved"
    return "hardLink" if on_disk.is_hard_linked else None


def _deleted(on_disk: OnDisk) -> Outcome:
    if on_disk.kind in ("nothing", "dangling"):
        return Outcome("unchanged")
    return Outcome("delete") if on_disk.can_delete else Outcome("skip", "notWritable", "delete")


def _restored(on_disk: OnDisk, kept: Kept) -> Outcome:
    match kept.state:
        case "gone":
            return Outcome("skip", "pruned", "write")
        case "unreadable":
            return Outcome("skip", "unreadable", "write")
        case "notRegular":
            return Outcome("skip", "notRegular")
        case _ if on_disk.kind == "dangling":
            return Outcome("skip", "symlink")
        case _ if not on_disk.can_write:
            return Outcome("skip", "notWritable", "write")
        case _ if on_disk.kind == "nothing":
            return Outcome("create")
        case _:
            return Outcome("unchanged" if kept.is_same else "overwrite")


def together(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Decide about all files: writes come first, and if one fails nothing is deleted."""
    if not any(each.failed == "write" for each in outcomes):
        return list(outcomes)
    return [
        Outcome("skip", "keptBack") if each.action == "delete" or each.failed == "delete" else each
        for each in outcomes
    ]


def is_refused(outcomes: Sequence[Outcome], modes_change: bool) -> bool:
    """Say whether the client would report an error: something failed, and nothing was restored.

    Args:
        outcomes: of all files, see `together`.
        modes_change: whether an unchanged file would get other permissions, which counts.
    """
    writes = any(each.action in ("overwrite", "create", "delete") for each in outcomes)
    return any(each.failed for each in outcomes) and not writes and not modes_change
