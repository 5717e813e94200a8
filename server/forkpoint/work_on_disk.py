"""What does the disk say of the agent, the folders and the servers that a session worked with?

Settings, `.mcp.json` and agents' files are the user's: of each only the names asked about are read,
and a file that is odd counts as not there. Nothing is opened but regular files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Raw

from forkpoint import at_path, disk
from forkpoint.disk import Unreadable
from forkpoint.layout import (
    AGENTS,
    OF_PROJECT,
    PROJECT_SERVERS,
    SETTINGS,
    is_absolute,
    joined,
    path_key,
    tracked_file,
)
from forkpoint.settings_files import read_fields
from forkpoint.work_state import Found

BUILT_IN_AGENTS = frozenset(
    {"claude", "claude-code-guide", "Explore", "general-purpose", "Plan", "statusline-setup"}
)
"""Agents that 2.1.332 lists as its own."""
MOST_AGENT_FILES = 500
"""Agents' files read in one folder; of more, the rest stays unknown."""
_HEAD = 16 * 1024
_NAME = re.compile(r"^name:[ \t]*[\"']?([^\"'\r\n]+?)[\"']?[ \t]*\r?$", re.MULTILINE)


class _Permissions(msgspec.Struct):
    additionalDirectories: list[str] = []


class _Settings(msgspec.Struct):
    permissions: _Permissions = msgspec.field(default_factory=_Permissions)


class _Servers(msgspec.Struct):
    mcpServers: dict[str, Raw] = {}


def folder_found(path: str | None) -> Found:
    """Say whether a folder that a session names is there, links followed."""
    if path is None or not is_absolute(path):
        return "unknown"
    try:
        return "there" if Path(path).is_dir() else "gone"
    except OSError:
        return "unknown"


def agent_found(name: str, root: Path, cwd: str | None) -> Found:
    """Say whether an agent is defined: in the project, in the config folder, or by the client.

    The project's folders are that of the session's directory and those above it, up to the
    repository's. Agents of plugins (`plugin:agent`) lie elsewhere and are not looked for.

    Args:
        name: as the session names it.
        root: the config folder.
        cwd: the session's directory.
    """
    if name in BUILT_IN_AGENTS:
        return "there"
    is_here = cwd is not None and folder_found(cwd) == "there"
    above = [str(parent) for parent in _up_to_repository(cwd)] if cwd and is_here else []
    places = [(str(root / AGENTS), str(root))]
    places += [(joined(joined(parent, OF_PROJECT), AGENTS), parent) for parent in above]
    found = [_agent_in(folder, home, name) for folder, home in places]
    if "there" in found:
        return "there"
    return "unknown" if "unknown" in found or ":" in name or not is_here else "gone"


def set_folders(root: Path, cwd: str | None, folders: Sequence[str]) -> frozenset[str]:
    """Return those of the folders that a settings file adds at every start."""
    files = [str(root / SETTINGS[0])]
    if cwd is not None:
        files += [joined(joined(cwd, OF_PROJECT), name) for name in SETTINGS]
    added = {
        path_key(tracked_file(folder, cwd))
        for file in files
        for folder in read_fields(file, _Settings).permissions.additionalDirectories
    }
    return frozenset(folder for folder in folders if path_key(folder) in added)


def set_servers(cwd: str | None) -> frozenset[str]:
    """Return the MCP servers that the project's `.mcp.json` names."""
    if cwd is None:
        return frozenset()
    return frozenset(
        map(_tool_prefix, read_fields(joined(cwd, PROJECT_SERVERS), _Servers).mcpServers)
    )


def _tool_prefix(server: str) -> str:
    """A server's name as it stands in its tools' names, where the API allows no other signs."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", server)


def _up_to_repository(cwd: str) -> Iterator[Path]:
    """A directory and those above it, up to the one with `.git`; itself alone outside of one."""
    folders = [Path(cwd), *Path(cwd).parents]
    depth = next((n for n, folder in enumerate(folders) if at_path.exists(folder / ".git")), 0)
    yield from folders[: depth + 1]


def _agent_in(folder: str, home: str, name: str) -> Found:
    """Look in one folder; unknown where it holds more than is read: links, folders, too much."""
    paths = [joined(folder, file) for file in disk.list_names(folder, home)]
    files = [path for path in paths if at_path.mode_of(path) is not None]
    if any(_agent_name(path) == name for path in files[:MOST_AGENT_FILES]):
        return "there"
    is_elsewhere = at_path.exists(folder) and not disk.lies_within(folder, home)
    is_all = len(files) == len(paths) <= MOST_AGENT_FILES
    return "gone" if is_all and not is_elsewhere else "unknown"


def _agent_name(path: str) -> str | None:
    """The name in the head of an agent's file, which alone counts, not the file's."""
    try:
        head = disk.read_small(path, _HEAD).decode("utf-8", "replace")
    except Unreadable:
        return None
    found = _NAME.search(head.partition("\n---")[0]) if head.startswith("---") else None
    return found[1] if found else None
