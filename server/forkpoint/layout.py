"""Where things lie: the names both agents give to their folders and files.

Nothing here touches a disk. The facts were watched with Claude Code 1.0.128 to 2.1.332 on Linux.
"""

from __future__ import annotations

import hashlib
import ntpath
import posixpath
import re
import unicodedata
from collections.abc import Mapping
from pathlib import PurePath
from types import ModuleType
from typing import Literal, TypeAlias

Agent: TypeAlias = Literal["claude-code", "codex"]
"""Whose transcripts they are."""

PROJECTS = "projects"
"""Below a Claude config folder: one folder per project key."""
SUBAGENTS = "subagents"
"""Below a session's own folder: its subagents' transcripts."""
WORKFLOWS = "workflows"
"""Below `SUBAGENTS`: one folder per workflow run, with the transcripts of its agents."""
TOOL_RESULTS = "tool-results"
"""Below a session's own folder: tool output too long for the transcript."""
AGENT_START = "agent-"
"""How the names of a subagent's files begin."""
CUSTOM_TITLE = "custom-title.json"
"""In a session's own folder: the title given with /rename or /branch."""
ARCHIVED = "archived.json"
"""In a session's own folder: that the session was put away."""
FILE_HISTORY = "file-history"
"""Below a Claude config folder: one folder of backups per session id."""
AGENTS = "agents"
"""Below a Claude config folder, and below a project's own: one file per agent, and folders."""
OF_PROJECT = ".claude"
"""In a project: its own settings and agents."""
SETTINGS = ("settings.json", "settings.local.json")
"""In a project's own folder, the second one not shared; below a config folder the first only."""
MANAGED_SETTINGS = ("managed-settings.json", "managed-settings.d")
"""In the system's folder of an organisation: its settings, and a folder with parts of them."""
PROJECT_SERVERS = ".mcp.json"
"""In a project: the MCP servers that it names."""
INSTRUCTIONS = ("CLAUDE.md", "CLAUDE.local.md", f"{OF_PROJECT}/CLAUDE.md")
"""In a project and the folders above it, and the first one below a config folder."""
LIVE_SESSIONS = "sessions"
"""Below a Claude config folder: `<pid>.json` per running client; a `*.key` there is a secret."""

NATIVE_COMMAND = ".local/bin/claude"
"""Below the home folder: a link to what the client's own installer keeps, one file per version."""
NPM_COMMAND = ".claude/local/claude"
"""Below the home folder: a script that starts the npm package beside it."""
NPM_PACKAGE = "@anthropic-ai/claude-code"
"""The client's npm package."""
EXTENSION_FOLDERS = (
    ".vscode/extensions",
    ".vscode-insiders/extensions",
    ".vscode-server/extensions",
    ".vscode-server-insiders/extensions",
    ".cursor/extensions",
    ".cursor-server/extensions",
    ".windsurf/extensions",
    ".local/share/code-server/extensions",
)
"""Below the home folder: where editors keep their extensions, a folder for each."""
OBSOLETE_EXTENSIONS = ".obsolete"
"""Beside the folders of extensions: which of them are only waiting to be deleted."""

_KEY_LIMIT = 200
_NAME_LIMIT = 255
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_SESSION_ID = re.compile(_UUID)
_SESSION_FILE = re.compile(rf"({_UUID})\.jsonl")
_AGENT_FILE = re.compile(rf"{AGENT_START}([^/\\\0]+)\.jsonl")
_BACKUP = re.compile(r"([0-9a-f]{16})@v([1-9][0-9]*)")
_MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode",
    "win32": r"C:\Program Files\ClaudeCode",
}
_VERSION = r"\d{1,9}\.\d{1,9}\.\d{1,9}"
_NATIVE = re.compile(
    rf"/claude/versions/({_VERSION})(?:\.exe)?\Z|/Caskroom/claude-code(?:@[a-z]+)?/({_VERSION})/"
)
_EXTENSION = re.compile(rf"anthropic\.claude-code-({_VERSION})(?:-[a-z0-9-]+)?", re.IGNORECASE)
_DRIVE_KEY = re.compile(r"[A-Za-z]--")
_WINDOWS_PATH = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_NOT_KEPT = re.compile(r"[^A-Za-z0-9]")
_BASE_36 = "0123456789abcdefghijklmnopqrstuvwxyz"


def config_dirs(environ: Mapping[str, str], home: str) -> tuple[str, ...]:
    """Claude config folders to look into when the user names none.

    Args:
        environ: Environment variables; an empty value counts as not set.
        home: The user's home folder.
    """
    return (environ.get("CLAUDE_CONFIG_DIR") or str(PurePath(home) / ".claude"),)


def managed_folder(platform: str) -> str:
    """Folder of an organisation's settings, by `sys.platform`; the documented ones of 2.1.332.

    On Windows nothing is read from `ProgramData` any more.
    """
    return _MANAGED.get(platform, "/etc/claude-code")


def is_version(text: str) -> bool:
    """Whether it is a version of the client: three numbers."""
    return re.fullmatch(_VERSION, text) is not None


def native_version(path: str) -> str | None:
    """Version of a program of the client, by where it lies; None where the path does not say.

    The client's own installer names the file for it (`claude/versions/2.1.332`), Homebrew a folder
    (`Caskroom/claude-code/2.1.332/claude`).
    """
    match = _NATIVE.search(path.replace("\\", "/"))
    return (match[1] or match[2]) if match else None


def extension_version(folder: str) -> str | None:
    """Version of the official extension, by its folder's name; None for any other extension."""
    match = _EXTENSION.fullmatch(folder)
    return match[1] if match else None


def project_key(cwd: str) -> str:
    """Name of the project folder of a working directory, as Claude Code 2.1.332 makes it.

    Every UTF-16 unit that is no ASCII letter or digit becomes a dash. Above 200 units the rest is
    replaced by a hash of the whole path. Neither reversible nor unique.

    Args:
        cwd: Absolute path in native spelling, links resolved; its Unicode form is left alone.
    """
    key = _NOT_KEPT.sub(_dashes, cwd)
    if len(key) <= _KEY_LIMIT:
        return key
    return f"{key[:_KEY_LIMIT]}-{_path_hash(cwd)}"


def project_keys(cwd: str) -> tuple[str, ...]:
    """All keys a directory's sessions may lie under, the current client's first.

    Clients that ran on Node (seen in 2.1.100) composed the path to NFC before encoding it.
    """
    return tuple(dict.fromkeys((project_key(cwd), project_key(unicodedata.normalize("NFC", cwd)))))


def same_key(a: str, b: str) -> bool:
    """Whether two keys name one folder; keys of Windows drives compare without case.

    Keys of UNC paths keep their case: `--srv-share` may as well come from a POSIX path.
    Two keys over the limit that differ only in the hash may still belong to one directory (clients
    have used different hashes), but only the `cwd` in the records can tell.
    """
    if _DRIVE_KEY.match(a) and _DRIVE_KEY.match(b):
        return a.lower() == b.lower()
    return a == b


def is_session_id(text: str) -> bool:
    """Whether it is a UUID in any case: the name of a session's own folder."""
    return _SESSION_ID.fullmatch(text) is not None


def session_id_of(name: str) -> str | None:
    """Session id, spelled as in the file name; None when it names no session's transcript."""
    match = _SESSION_FILE.fullmatch(name)
    return match[1] if match else None


def agent_id_of(name: str) -> str | None:
    """Id in `agent-<id>.jsonl`; None for any other file name.

    The id is hex in most releases, but also `acompact-…` and other words: taken as it is.
    """
    match = _AGENT_FILE.fullmatch(name)
    return match[1] if match else None


def agent_meta_name(agent_id: str) -> str:
    """Name of the file beside a subagent's transcript with its type and the call it serves."""
    return f"{AGENT_START}{agent_id}.meta.json"


def backup_name(path: str, version: int) -> str:
    """Name under which the content of a file is kept; the same in every session.

    Args:
        path: Absolute path in native spelling.
        version: From 1.
    """
    return f"{hashlib.sha256(_utf8(path)).hexdigest()[:16]}@v{version}"


def parse_backup_name(name: str) -> tuple[str, int] | None:
    """Hash of the path and version of a backup; None for a name that must not be opened.

    Like Claude Code 2.1.332 it takes nothing but 16 lower-case hex digits, `@v` and a version. A
    name too long for any file system is refused as well.
    """
    match = _BACKUP.fullmatch(name) if len(name) <= _NAME_LIMIT else None
    return (match[1], int(match[2])) if match else None


def is_windows_path(path: str) -> bool:
    """Whether an absolute path is spelled with a drive or as a share."""
    return _WINDOWS_PATH.match(path) is not None


def is_absolute(path: str) -> bool:
    """Whether a path as the client wrote it is absolute, on whichever system that was."""
    return path.startswith("/") or is_windows_path(path)


def tracked_file(key: str, start: str | None) -> str:
    """Absolute path of a file that a session tracks, without `.` and `..`.

    Args:
        key: As written: relative to the starting directory if inside it, else absolute.
        start: The session's starting directory; without one a relative key is given as it is.
    """
    if is_absolute(key):
        return _flavour(key).normpath(key)
    if not start:
        return key
    flavour = _flavour(start)
    return flavour.normpath(flavour.join(start, key))


def below(path: str, folder: str) -> bool:
    """Whether an absolute path lies in a folder or deeper; drives compare without case."""
    flavour = _flavour(folder)
    inner, outer = (
        flavour.normcase(flavour.normpath(path)),
        flavour.normcase(flavour.normpath(folder)),
    )
    return inner.startswith(outer.rstrip(flavour.sep) + flavour.sep)


def path_key(path: str) -> str:
    """The same for all spellings of one absolute path: Windows minds neither case nor slashes."""
    flavour = _flavour(path)
    return flavour.normcase(flavour.normpath(path))


def joined(folder: str, name: str) -> str:
    """A path below a folder, in the folder's spelling."""
    return _flavour(folder).join(folder, name)


def last_part(path: str) -> str:
    """The name of a file or folder in its own folder."""
    return _flavour(path).basename(path)


def parent_of(path: str) -> str:
    """The folder of a file."""
    return _flavour(path).dirname(path)


def _flavour(path: str) -> ModuleType:
    return ntpath if is_windows_path(path) else posixpath


def _dashes(character: re.Match[str]) -> str:
    return "--" if character[0] > "\uffff" else "-"


def _path_hash(path: str) -> str:
    """JavaScript's usual 31-fold string hash over UTF-16 units: signed 32 bits, sign dropped."""
    units = memoryview(path.encode("utf-16-le", "surrogatepass"))
    value = 0
    for low, high in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + low + (high << 8)) & 0xFFFF_FFFF
    return _base_36(min(value, 0x1_0000_0000 - value))


def _base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _BASE_36[digit] + digits
    return digits or "0"


def _utf8(text: str) -> bytes:
    """UTF-8 as the client hashes it: a lone surrogate becomes U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
