"""`forkpoint/workState`: what of the work would a resume bring back?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

WorkItemKind = Literal[
    "agent",
    "model",
    "permissionMode",
    "mode",
    "worktree",
    "cwd",
    "fileReads",
    "fileHistory",
    "title",
    "tag",
    "addedDirectories",
    "mcpServers",
    "backgroundTasks",
]
"""What an item is about. Of the last three, and of files that are not as Claude knows them, there
is an item each."""

AtResume = Literal["restored", "fallback", "notRestored", "unknown"]
"""What becomes of it at a resume that is started in the session's directory. restored = it is as it
was; fallback = something else takes its place; notRestored = it is lost, or what Claude knows of it
is out of date; unknown = neither the transcript nor the disk can tell."""


@frozen(kw_only=True)
class WorkStateParams:
    """Whose work is asked about."""

    session_id: str
    """The session's id."""


@frozen(kw_only=True)
class WorkItem:
    """One thing that the transcript says of how the work stood."""

    what: WorkItemKind
    """What it is."""
    value: str
    """Its name, path, or first words, as the agent wrote them. Of `fileHistory`, and of the files
    that are as Claude knows them, their number."""
    at_resume: AtResume
    """What becomes of it."""
    sentence: str
    """The same in words, for people."""
    at: str | None
    """uuid of the record that says so; null = the line has none, or several say so."""


@frozen(kw_only=True)
class WorkStateResult:
    """What would be there again and what not."""

    items: Sequence[WorkItem]
    """Grouped by kind; none of a kind that the transcript does not speak of."""
