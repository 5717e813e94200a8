"""What do the settings files ask for that matters to the next request, and which file wins?

Only the keys and variables named here are decoded; the rest of a file is skipped unseen, since it
may hold secrets. A file that is odd counts as empty, a value of another type as not set.
"""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Raw

from forkpoint import at_path, disk
from forkpoint.disk import Unreadable
from forkpoint.git_facts import main_checkout
from forkpoint.layout import (
    MANAGED_SETTINGS,
    OF_PROJECT,
    SETTINGS,
    is_windows_path,
    joined,
    managed_folder,
    path_key,
)

MANAGED = managed_folder(sys.platform)
"""Where an organisation's settings lie on this system."""
MOST_PARTS = 100
"""Files that are read of a folder with parts of an organisation's settings."""

_Text = Annotated[str, Meta(min_length=1, max_length=200)]
_Lifetime = Literal["5m", "1h"]
_Effort = Literal["low", "medium", "high", "xhigh"]
_KEYS: dict[str, Any] = {
    "promptCacheTtl": _Lifetime,
    "subagentPromptCacheTtl": _Lifetime,
    "model": _Text,
    "effortLevel": _Effort,
    "ultracode": bool,
    "alwaysThinkingEnabled": bool,
    "fastMode": bool,
    "fastModePerSessionOptIn": bool,
    "outputStyle": _Text,
}
"""Keys with one value, and its type, as the settings reference of 2.1.260 and later gives them."""

_Shape = TypeVar("_Shape")


class SettingsFile(msgspec.Struct, frozen=True, kw_only=True):
    """A settings file that is there.

    Attributes:
        path: as the client would name it, links not resolved.
        changed_at: ms since 1970; that of the file that a link leads to.
        values: of the keys with one value, those that are set, by name.
        env: environment variables that it sets, of those asked for; an empty one counts as unset.
        efforts: effort levels by the model's name (2.1.251 and later: where /effort writes).
        denied: rules against tools, as written.
        plugins: which plugins are switched on or off, by name.
    """

    path: str
    changed_at: int
    values: dict[str, str | bool] = {}
    env: dict[str, str] = {}
    efforts: dict[str, str] = {}
    denied: tuple[str, ...] = ()
    plugins: dict[str, bool] = {}


def settings_files(
    root: Path, cwd: str | None, home: Path, variables: Collection[str], managed: str = MANAGED
) -> tuple[SettingsFile, ...]:
    """Return the settings files of a session, the one that wins first: a key's first value counts.

    The order is the documented one: the organisation's, the project's own of this machine, the
    project's shared one, the user's. What is set by flags and by an organisation's server is not
    known.

    Args:
        root: the config folder.
        cwd: the directory that the client is started in.
        home: the user's home folder.
        variables: names of the environment variables to look for.
        managed: the folder of an organisation's settings.
    """
    paths = [*organisation_files(managed), *project_files(cwd, home), str(root / SETTINGS[0])]
    each_once = {path_key(path): path for path in paths}
    files = [_settings_file(path, variables) for path in each_once.values()]
    return tuple(file for file in files if file is not None)


def read_fields(path: str, shape: type[_Shape]) -> _Shape:
    """Read the named fields of a small JSON file; an empty shape if the file is odd.

    A link is followed: people keep their settings in a repository of their own.
    """
    decoded = _decoded(_content(at_path.real_path(path)), shape)
    return shape() if decoded is None else decoded


def organisation_files(folder: str) -> Iterator[str]:
    """Yield an organisation's files, the one that wins first.

    Parts are laid over the first file by name, so the last wins.
    """
    file, parts = (joined(folder, name) for name in MANAGED_SETTINGS)
    names = sorted(name for name in disk.list_names(parts, parts) if _is_part(name))
    yield from (joined(parts, name) for name in reversed(names[:MOST_PARTS]))
    yield file


def _is_part(name: str) -> bool:
    return name.endswith(".json") and not name.startswith(".")


def project_files(cwd: str | None, home: Path) -> Iterator[str]:
    """Yield a project's files, the unshared ones first.

    Since 2.1.211 the unshared one lies in the repository's main checkout, also for a directory
    below it and for a linked worktree; not on Windows, and not when that is the home folder. One
    in the starting directory is still read, and loses.
    """
    if cwd is None:
        return
    shared, unshared = SETTINGS
    checkout = None if is_windows_path(cwd) else main_checkout(Path(cwd))
    if checkout is not None and path_key(str(checkout)) != path_key(str(home)):
        yield joined(joined(str(checkout), OF_PROJECT), unshared)
    yield joined(joined(cwd, OF_PROJECT), unshared)
    yield joined(joined(cwd, OF_PROJECT), shared)


def _settings_file(path: str, variables: Collection[str]) -> SettingsFile | None:
    real = at_path.real_path(path)
    changed_at = at_path.changed_at(real)
    if changed_at is None:
        return None
    fields = _fields(_content(real))
    values = {key: _decoded(fields.get(key), shape) for key, shape in _KEYS.items()}
    return SettingsFile(
        path=path,
        changed_at=changed_at,
        values={key: value for key, value in values.items() if value is not None},
        env=_environment(_fields(fields.get("env")), variables),
        efforts=_efforts(_fields(fields.get("modelSettings"))),
        denied=_rules(_fields(fields.get("permissions")).get("deny")),
        plugins=_switches(_fields(fields.get("enabledPlugins"))),
    )


def _environment(fields: dict[str, Raw], variables: Collection[str]) -> dict[str, str]:
    """Variables as the client sets them: from numbers and switches it makes texts."""
    asked = {name: _decoded(fields.get(name), str | bool | int) for name in variables}
    return {name: _as_text(value) for name, value in asked.items() if value is not None}


def _as_text(value: str | bool | int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _efforts(fields: dict[str, Raw]) -> dict[str, str]:
    levels = {
        name: _decoded(_fields(raw).get("effortLevel"), _Effort) for name, raw in fields.items()
    }
    return {name: level for name, level in levels.items() if level is not None}


def _rules(field: Raw | None) -> tuple[str, ...]:
    rules: list[Raw] = _decoded(field, list[Raw]) or []
    texts = [_decoded(rule, _Text) for rule in rules]
    return tuple(text for text in texts if text is not None)


def _switches(fields: dict[str, Raw]) -> dict[str, bool]:
    switches = {name: _decoded(raw, bool) for name, raw in fields.items()}
    return {name: switch for name, switch in switches.items() if switch is not None}


def _fields(content: bytes | Raw | None) -> dict[str, Raw]:
    """The members of an object, none of them decoded."""
    return _decoded(content, dict[str, Raw]) or {}


def _content(path: str) -> bytes | None:
    # Looked at first: to open a device can do something.
    if at_path.changed_at(path) is None:
        return None
    try:
        return disk.read_small(path).removeprefix(BOM_UTF8)
    except Unreadable:
        return None


def _decoded(content: bytes | Raw | None, shape: Any) -> Any:
    """A value of a shape; None if it is not one, is no JSON, or is nested too deep to say."""
    if content is None:
        return None
    try:
        return msgspec.json.decode(content, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
