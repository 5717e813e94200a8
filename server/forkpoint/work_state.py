"""What does a resume bring back of how the work stood, what does it fall back on, what is lost?

The rules are those of 2.1.332 (format.md section 18): documented, and measured for the agent,
titles and file history. A resume that is started in the session's directory is taken for granted.
What neither the transcript nor the disk can tell is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from forkpoint.records.words import one_line
from forkpoint.worded import counted, say

What = Literal[
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
AtResume = Literal["restored", "fallback", "notRestored", "unknown"]
Found = Literal["there", "gone", "unknown"]
"""Whether the disk has it; unknown = it may not be looked at, or lies where nobody looked."""
Knowledge = Literal["same", "changed", "gone", "unknown"]
"""A file against what Claude knows of it."""


class Said(NamedTuple):
    """A value, and the node that says it."""

    value: str
    row: int


class Task(NamedTuple):
    """What ran on in the background when it was last spoken of."""

    kind: Literal["command", "subagent"]
    label: str
    row: int


class Recorded(NamedTuple):
    """What a transcript says last of each thing; None and nothing where it does not speak of it.

    Attributes:
        model: of the newest answer on the active path.
        worktree: the worktree's folder.
        cwd: the session's directory.
        known_files: absolute path -> node of the call that read or edited it last.
        tracked_files: how many files have checkpoints.
        added_folders: folders beside the working one.
        servers: MCP servers whose tools were offered.
    """

    agent: str | None = None
    model: Said | None = None
    permission_mode: str | None = None
    mode: str | None = None
    worktree: str | None = None
    cwd: str | None = None
    known_files: Mapping[str, int] = {}
    tracked_files: int = 0
    title: str | None = None
    tag: str | None = None
    added_folders: tuple[Said, ...] = ()
    servers: tuple[Said, ...] = ()
    tasks: tuple[Task, ...] = ()


class OnDisk(NamedTuple):
    """What the disk says of it now.

    Attributes:
        agent, worktree, cwd: whether each is there.
        files: absolute path -> how it stands against what Claude knows.
        has_copies: whether any of the copies that checkpoints speak of is there, or none is needed.
        folders: each added folder.
        set_folders: added folders that a settings file names as well.
        set_servers: MCP servers that the project names.
    """

    agent: Found = "unknown"
    worktree: Found = "unknown"
    cwd: Found = "unknown"
    files: Mapping[str, Knowledge] = {}
    has_copies: bool = True
    folders: Mapping[str, Found] = {}
    set_folders: frozenset[str] = frozenset()
    set_servers: frozenset[str] = frozenset()


class Item(NamedTuple):
    """One thing and what becomes of it.

    Attributes:
        value: the thing by name, path or number.
        row: the node that tells of it; None where a state line does, which has no uuid.
    """

    what: What
    value: str
    at_resume: AtResume
    sentence: str
    row: int | None = None


def work_items(recorded: Recorded, disk: OnDisk) -> list[Item]:
    """Return an item for each thing that the transcript speaks of."""
    return [
        *_settings(recorded, disk),
        *_places(recorded, disk),
        *_files(recorded, disk),
        *_names(recorded),
        *_added_folders(recorded, disk),
        *_servers(recorded, disk),
        *map(_task, recorded.tasks),
    ]


# --- how the client was set --------------------------------------------------------------------

NOT_KEPT = frozenset({"plan", "bypassPermissions"})
"""Permission modes that no resume brings back."""
USUAL_MODE = "normal"
"""What clients write at every start (all recordings of 2.1.216 to 2.1.332)."""


def _settings(recorded: Recorded, disk: OnDisk) -> Iterator[Item]:
    if recorded.agent is not None:
        yield _agent(recorded.agent, disk.agent)
    if recorded.model is not None:
        sentence = say("The model of the last answer goes on, unless the command names another.")
        yield Item("model", recorded.model.value, "restored", sentence, recorded.model.row)
    if recorded.permission_mode is not None:
        yield _permission_mode(recorded.permission_mode)
    if recorded.mode is not None:
        yield _mode(recorded.mode)


def _agent(name: str, found: Found) -> Item:
    if found == "there":
        return Item("agent", name, "restored", say("The agent {name} is still defined.", name=name))
    if found == "gone":
        sentence = say(
            "No file defines the agent {name} any more: the current settings apply.", name=name
        )
        return Item("agent", name, "fallback", sentence)
    sentence = say("Whether the agent {name} is still defined cannot be seen from here.", name=name)
    return Item("agent", name, "unknown", sentence)


def _permission_mode(mode: str) -> Item:
    if mode in NOT_KEPT:
        sentence = say(
            "No resume brings back the permission mode {mode}: choose it again.", mode=mode
        )
        return Item("permissionMode", mode, "notRestored", sentence)
    return Item(
        "permissionMode", mode, "restored", say("The permission mode {mode} comes back.", mode=mode)
    )


def _mode(mode: str) -> Item:
    if mode == USUAL_MODE:
        return Item("mode", mode, "restored", say("The mode is the one in which Claude starts."))
    sentence = say("Whether a resume brings back the mode {mode} is not known.", mode=mode)
    return Item("mode", mode, "unknown", sentence)


# --- where it worked ---------------------------------------------------------------------------


def _places(recorded: Recorded, disk: OnDisk) -> Iterator[Item]:
    if recorded.worktree is not None:
        yield _worktree(recorded.worktree, disk.worktree)
    if recorded.cwd is not None:
        yield _cwd(recorded.cwd, disk.cwd)


def _worktree(path: str, found: Found) -> Item:
    if found == "there":
        return Item("worktree", path, "restored", say("Claude goes back into this worktree."))
    if found == "gone":
        sentence = say("This worktree is gone: Claude works in the folder in which it is started.")
        return Item("worktree", path, "fallback", sentence)
    return Item("worktree", path, "unknown", say("Whether this worktree is there cannot be seen."))


def _cwd(path: str, found: Found) -> Item:
    if found == "there":
        sentence = say(
            "A resume started in this folder works there; elsewhere, Claude works elsewhere."
        )
        return Item("cwd", path, "restored", sentence)
    if found == "gone":
        sentence = say("This folder is gone: Claude works in the folder in which it is started.")
        return Item("cwd", path, "fallback", sentence)
    return Item("cwd", path, "unknown", say("Whether this folder is there cannot be seen."))


# --- files -------------------------------------------------------------------------------------

_STALE: dict[Knowledge, tuple[AtResume, str]] = {
    "changed": ("notRestored", say("This file changed since Claude read or edited it.")),
    "gone": ("notRestored", say("This file is gone since Claude read or edited it.")),
    "unknown": ("unknown", say("Whether this file is as Claude read or edited it cannot be told.")),
}


def _files(recorded: Recorded, disk: OnDisk) -> Iterator[Item]:
    states: list[tuple[str, Knowledge]] = [
        (path, disk.files.get(path, "unknown")) for path in recorded.known_files
    ]
    same = sum(state == "same" for _, state in states)
    if same:
        one = "{count} file is as the last call left Claude knowing."
        many = "{count} files are as the last call left Claude knowing."
        sentence = counted(same, one, many)
        yield Item("fileReads", str(same), "restored", sentence)
    for path, state in states:
        if state != "same":
            yield Item("fileReads", path, *_STALE[state], recorded.known_files[path])
    if recorded.tracked_files:
        yield _file_history(recorded.tracked_files, disk.has_copies)


def _file_history(count: int, has_copies: bool) -> Item:
    if has_copies:
        one, many = (
            "The checkpoints of {count} file come back.",
            "The checkpoints of {count} files come back.",
        )
        sentence = counted(count, one, many)
        return Item(
            "fileHistory",
            str(count),
            "restored",
            sentence,
        )
    sentence = say("All copies are gone from the file history, so no checkpoint can be restored.")
    return Item("fileHistory", str(count), "notRestored", sentence)


# --- names -------------------------------------------------------------------------------------


def _names(recorded: Recorded) -> Iterator[Item]:
    if recorded.title is not None:
        yield Item("title", recorded.title, "restored", say("The session keeps its title."))
    if recorded.tag is not None:
        yield Item("tag", recorded.tag, "restored", say("The session keeps its tag."))


# --- what the command line gave, and what ran --------------------------------------------------


def _added_folders(recorded: Recorded, disk: OnDisk) -> Iterator[Item]:
    for path, row in recorded.added_folders:
        found = disk.folders.get(path, "unknown")
        at_resume: AtResume = "notRestored"
        sentence = say("A resume does not bring back --add-dir: give this folder again.")
        if found == "gone":
            sentence = say("A resume does not bring back --add-dir, and this folder is gone.")
        elif path in disk.set_folders:
            at_resume, sentence = "restored", say("The settings name this folder at every start.")
        yield Item("addedDirectories", path, at_resume, sentence, row)


def _servers(recorded: Recorded, disk: OnDisk) -> Iterator[Item]:
    for name, row in recorded.servers:
        if name in disk.set_servers:
            sentence = say("The project's .mcp.json names this MCP server at every start.")
            yield Item("mcpServers", name, "restored", sentence, row)
        else:
            sentence = say(
                "The project does not name this MCP server: your settings or a plugin bring it "
                "back, --mcp-config has to be given again."
            )
            yield Item("mcpServers", name, "unknown", sentence, row)


def _task(task: Task) -> Item:
    label = one_line(task.label)
    if task.kind == "command":
        sentence = say("No end of this command is recorded; a resume does not start it again.")
        return Item("backgroundTasks", label, "notRestored", sentence, task.row)
    sentence = say(
        "No end of this subagent is recorded; whether a resume goes on with it is not known."
    )
    return Item("backgroundTasks", label, "unknown", sentence, task.row)
