"""Writes several files into the folder that a user named: all of them whole, or none.

Never below an agent's folder, and never over a file that is there unless that is asked for.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from forkpoint.cache_folder import lies_below
from forkpoint.export_file import NotWritten, put_in_place, sentence_of


@contextmanager
def new_files(
    folder: Path, names: Sequence[str], agents: Iterable[Path], *, force: bool
) -> Generator[list[BinaryIO]]:
    """Give files to write to, which take their names when the context ends well.

    Args:
        folder: where they lie; it is made if it is not there.
        names: of the files.
        agents: folders below which nothing is written.
        force: whether files that are there may be replaced.

    Raises:
        NotWritten: With nothing left behind, be it because of an `OSError` in the context.
    """
    try:
        made = _make_room(folder, names, agents, force=force)
    except (OSError, ValueError) as failure:
        raise NotWritten(sentence_of(folder, failure)) from failure
    partials: list[Path] = []
    try:
        with ExitStack() as opened:
            files: list[BinaryIO] = []
            for _ in names:
                handle, name = tempfile.mkstemp(prefix=".", suffix=".partial", dir=folder)
                partials.append(Path(name))
                files.append(opened.enter_context(os.fdopen(handle, "wb")))
            yield files
        _put_all(partials, [folder / name for name in names], force=force)
        made = []
    except OSError as failure:
        raise NotWritten(sentence_of(folder, failure)) from failure
    finally:
        for partial in partials:
            partial.unlink(missing_ok=True)
        _remove(made)


def _make_room(
    folder: Path, names: Sequence[str], agents: Iterable[Path], *, force: bool
) -> list[Path]:
    """Find out whether the files may be written; returns the folders that were made for them."""
    if lies_below(folder, agents):
        raise NotWritten(f"{folder} lies below an agent's folder; nothing is written there.")
    if os.path.lexists(folder) and not folder.is_dir():
        raise NotWritten(f"{folder} is no folder.")
    for target in (folder / name for name in names):
        if target.is_dir():
            raise NotWritten(f"{target} is a folder.")
        if os.path.lexists(target) and not force:
            raise NotWritten(f"{target} is there already; --force replaces it.")
    missing = [each for each in (folder, *folder.parents) if not each.is_dir()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        _remove(missing)
        raise
    return missing


def _remove(folders: Sequence[Path]) -> None:
    """Remove folders, innermost first, that nobody has put anything into."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


def _put_all(partials: Sequence[Path], targets: Sequence[Path], *, force: bool) -> None:
    """Where one came meanwhile, those that have their names already lose them again."""
    placed: list[Path] = []
    try:
        for partial, target in zip(partials, targets, strict=True):
            try:
                put_in_place(partial, target, force=force)
            except OSError as failure:
                raise NotWritten(sentence_of(target, failure)) from failure
            placed.append(target)
    except NotWritten:
        if not force:
            for target in placed:
                target.unlink(missing_ok=True)
        raise
