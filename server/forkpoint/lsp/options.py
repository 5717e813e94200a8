"""What a client can set: where the agents' folders are.

The same keys come as `initializationOptions` and as the settings section `forkpoint`; the section
wins. Both come from people, so what does not fit is a sentence for them, never a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from attrs import evolve, frozen

SECTION = "forkpoint"
"""Name of the settings section."""


@frozen(kw_only=True)
class Options:
    """Where to look; None = as the environment says."""

    claude_config_dirs: tuple[Path, ...] | None = None
    """Config folders of Claude Code; None = `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""


def options_with(base: Options, given: object) -> tuple[Options, list[str]]:
    """Lay the given settings over others.

    Args:
        base: What holds where nothing is given.
        given: Settings as decoded from JSON. What is null, empty or missing leaves `base` as it is
            (editors send an empty list for a setting nobody touched); other keys are ignored.

    Returns:
        The outcome, and a sentence for each setting that does not fit and was left out.
    """
    if given is None:
        return base, []
    if not isinstance(given, dict):
        return base, [f"The settings of {SECTION} must be an object."]
    changes: dict[str, Any] = {}
    sentences: list[str] = []
    for key, value in cast("dict[str, object]", given).items():
        if value in (None, "", []) or key not in _READERS:
            continue
        field, read = _READERS[key]
        try:
            changes[field] = read(value)
        except ValueError as misfit:
            sentences.append(f"{SECTION}.{key} must be {misfit}; it is ignored.")
    return evolve(base, **changes), sentences


def _folders(value: object) -> tuple[Path, ...]:
    if not isinstance(value, list):
        raise ValueError("a list of folders")
    return tuple(_folder(each) for each in cast("list[object]", value))


def _folder(value: object) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("the absolute path of a folder")
    try:
        folder = Path(value).expanduser()
    except RuntimeError as error:
        raise ValueError("the path of a folder whose home folder is known") from error
    if not folder.is_absolute():
        raise ValueError("the absolute path of a folder")
    return folder


_READERS: Mapping[str, tuple[str, Callable[[object], Any]]] = {
    "claudeConfigDirs": ("claude_config_dirs", _folders),
}
