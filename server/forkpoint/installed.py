"""Which versions of the client are installed, told by where they lie: none of them is started.

A start could write into the user's config folder, and takes its time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from forkpoint import at_path, disk
from forkpoint.layout import (
    EXTENSION_FOLDERS,
    NATIVE_COMMAND,
    NPM_COMMAND,
    NPM_PACKAGE,
    OBSOLETE_EXTENSIONS,
    extension_version,
    is_version,
    is_windows_path,
    joined,
    native_version,
)
from forkpoint.settings_files import read_fields

MOST_FOLDERS = 200
"""Folders of PATH that are looked into."""
_COMMANDS = ("claude",)
_WINDOWS_COMMANDS = ("claude.exe", "claude.cmd")
_MANIFEST = "package.json"
_PACKAGE = f"/node_modules/{NPM_PACKAGE}"


class Installed(msgspec.Struct, frozen=True):
    """A version of the client, or of the official extension.

    Attributes:
        path: the command as it is called, or the extension's folder.
        on_path: whether a shell with this PATH starts it by its name.
    """

    version: str
    path: str
    on_path: bool = True


class _Manifest(msgspec.Struct):
    name: str = ""
    version: str = ""


def command(environ: Mapping[str, str], home: Path) -> Installed | None:
    """Return the client that `claude` starts; None if there is none or its version is not told.

    The first on PATH counts, whatever else is installed. Without one it is where the client's
    installers put it: editors are often started with a shorter PATH than a terminal has.
    """
    first = next(_on_path(environ), None)
    if first is not None:
        version = _version_at(first)
        return Installed(version, first) if version is not None else None
    for name in (NATIVE_COMMAND, NPM_COMMAND):
        path = joined(str(home), name)
        version = _version_at(path)
        if version is not None:
            return Installed(version, path, on_path=False)
    return None


def extensions(environ: Mapping[str, str], home: Path) -> list[Installed]:
    """Return the official extension of each editor, the newest version first.

    A bundled client has the extension's version.
    """
    folders = [joined(str(home), name) for name in EXTENSION_FOLDERS]
    chosen = environ.get("VSCODE_EXTENSIONS")
    if chosen and Path(chosen).is_absolute():
        folders.append(chosen)
    found = [extension for folder in dict.fromkeys(folders) for extension in _extensions_in(folder)]
    return sorted(found, key=lambda one: _order(one.version), reverse=True)


def _on_path(environ: Mapping[str, str]) -> Iterator[str]:
    """The commands that a shell would find, in its order."""
    folders = [folder for folder in environ.get("PATH", "").split(os.pathsep) if folder]
    for folder in folders[:MOST_FOLDERS]:
        names = _WINDOWS_COMMANDS if is_windows_path(folder) else _COMMANDS
        paths = (joined(folder, name) for name in names if Path(folder).is_absolute())
        yield from (path for path in paths if _is_command(path))


def _is_command(path: str) -> bool:
    mode = at_path.mode_of(at_path.real_path(path))
    return mode is not None and (is_windows_path(path) or mode & 0o111 != 0)


def _version_at(path: str) -> str | None:
    """The version of a command, links resolved: by its own place, or by its package's."""
    if not _is_command(path):
        return None
    real = at_path.real_path(path)
    return native_version(real) or _package_version(path, real)


def _package_version(path: str, real: str) -> str | None:
    """The npm package that a command lies in, or that a script beside it starts."""
    beside = str(Path(path).parent / "node_modules" / NPM_PACKAGE)
    within = [str(folder) for folder in Path(real).parents if folder.as_posix().endswith(_PACKAGE)]
    for folder in (*within, beside):
        manifest = read_fields(joined(folder, _MANIFEST), _Manifest)
        if manifest.name == NPM_PACKAGE and is_version(manifest.version):
            return manifest.version
    return None


def _extensions_in(folder: str) -> Iterator[Installed]:
    obsolete = read_fields(joined(folder, OBSOLETE_EXTENSIONS), dict[str, bool])
    for name in disk.list_names(folder, folder):
        version = extension_version(name)
        if version is not None and not obsolete.get(name):
            yield Installed(version, joined(folder, name))


def _order(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
