"""Writes an export into the file that its user named: whole, or not at all.

Never below an agent's folder, and never over a file that is there unless that is asked for.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from forkpoint.cache_folder import lies_below


class NotWritten(Exception):
    """Nothing was written; the text is a sentence that says why."""


def write_export(
    target: Path, pieces: Iterable[str], agents: Iterable[Path], *, force: bool
) -> None:
    """Write pieces into a file beside the target, which then takes its place in one step.

    Args:
        target: the file to write.
        pieces: the text; it is not asked for before it is sure that it may be written.
        agents: folders below which nothing is written.
        force: whether a file that is there may be replaced.

    Raises:
        NotWritten: With nothing left behind.
    """
    folder = target.parent
    if lies_below(folder, agents):
        raise NotWritten(f"{target} lies below an agent's folder; nothing is written there.")
    if target.is_dir():
        raise NotWritten(f"{target} is a folder.")
    if os.path.lexists(target) and not force:
        raise NotWritten(f"{target} is there already; --force replaces it.")
    try:
        handle, name = tempfile.mkstemp(prefix=".", suffix=".partial", dir=folder)
    except (OSError, ValueError) as failure:
        raise NotWritten(sentence_of(target, failure)) from failure
    partial = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        put_in_place(partial, target, force=force)
    except (OSError, ValueError) as failure:
        raise NotWritten(sentence_of(target, failure)) from failure
    finally:
        partial.unlink(missing_ok=True)


def put_in_place(partial: Path, target: Path, *, force: bool) -> None:
    """Give a file its name; another that came meanwhile stays, where the system can say so."""
    if not force:
        try:
            target.hardlink_to(partial)
        except FileExistsError:
            raise
        except OSError:
            # No links on this disk.
            if os.path.lexists(target):
                raise FileExistsError(f"{target}") from None
        else:
            return
    partial.replace(target)


def sentence_of(target: Path, failure: OSError | ValueError) -> str:
    """Return why a file could not be written."""
    if isinstance(failure, FileExistsError):
        return f"{target} is there already; --force replaces it."
    reason = failure.strerror if isinstance(failure, OSError) else None
    return f"{target} could not be written ({reason or 'no such name'})."
