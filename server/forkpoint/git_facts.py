"""On which branch is a directory, and when did its HEAD last move?

Git is not asked: a program in a directory from elsewhere may run what that directory says. A few
small files tell, and what they do not tell stays unknown (git's own layout: gitrepository-layout(5)
and git-worktree(1)).
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from forkpoint import at_path, disk
from forkpoint.disk import Unreadable

_GIT = ".git"
_SMALL = 4096
"""Bytes: more than any path or name of a branch."""
_TAIL = 16 * 1024
"""Bytes: more than the last line of a log, with the subject of a commit."""
_HASH = r"[0-9a-f]{40}(?:[0-9a-f]{24})?"
_ON_BRANCH = re.compile(r"ref: refs/heads/(\S+)")
_DETACHED = re.compile(_HASH)
_MOVE = re.compile(rf"{_HASH} {_HASH} [^<>]*<[^<>]*> (\d{{1,12}}) [+-]\d{{4}}")


class GitFacts(msgspec.Struct, frozen=True):
    """What is known of a directory's repository; both None outside of one.

    Attributes:
        branch: its short name; `HEAD` when none is checked out, as git and the client call it.
        moved_at_ms: when HEAD came to another commit or branch, ms since 1970.
    """

    branch: str | None
    moved_at_ms: int | None


def git_facts(directory: Path) -> GitFacts:
    """Say where HEAD of a directory's working tree stands, be it a linked one."""
    work_tree = _work_tree(directory)
    folder = _git_folder(work_tree) if work_tree is not None else None
    if folder is None:
        return GitFacts(None, None)
    return GitFacts(_branch(folder / "HEAD"), _moved_at(folder / "logs" / "HEAD"))


def main_checkout(directory: Path) -> Path | None:
    """Return the working tree that a repository began with; None outside of one.

    Of a linked working tree it is the one that it is linked to, of a submodule its own.
    """
    work_tree = _work_tree(directory)
    folder = _git_folder(work_tree) if work_tree is not None else None
    common = _text(folder / "commondir") if folder is not None else None
    if folder is None or common is None:
        return work_tree
    shared = Path(at_path.real_path(folder / common.strip()))
    return shared.parent if shared.name == _GIT else None


def _work_tree(directory: Path) -> Path | None:
    """The directory, or the nearest above it, that has `.git`."""
    if not directory.is_absolute():
        return None
    folders = [directory, *directory.parents]
    return next((folder for folder in folders if at_path.exists(folder / _GIT)), None)


def _git_folder(work_tree: Path) -> Path | None:
    """The folder with HEAD: `.git` itself, or where a file of that name leads."""
    git = work_tree / _GIT
    if at_path.changed_at(git) is None:
        return git
    key, _, path = (_text(git) or "").strip().partition(": ")
    # A path to another machine is not gone to because a file says so.
    is_local = not path.startswith(("//", "\\\\"))
    return work_tree / path if key == "gitdir" and path and is_local else None


def _branch(head: Path) -> str | None:
    text = (_text(head) or "").strip()
    on_branch = _ON_BRANCH.fullmatch(text)
    if on_branch is None:
        return "HEAD" if _DETACHED.fullmatch(text) else None
    # Repositories with a table of refs keep a HEAD that only says so.
    return None if on_branch[1] == ".invalid" else on_branch[1]


def _moved_at(log: Path) -> int | None:
    """Time of the last line: old and new commit, who, seconds, zone, why."""
    try:
        tail = disk.read_ends(log, _TAIL)[1].decode("utf-8", "replace")
    except Unreadable:
        return None
    move = _MOVE.match(tail.rstrip("\n").rpartition("\n")[2])
    return int(move[1]) * 1000 if move else None


def _text(path: Path) -> str | None:
    try:
        return disk.read_small(path, _SMALL).decode("utf-8", "replace")
    except Unreadable:
        return None
