"""Which files did patches change, whatever they are called now?

A file that is moved keeps its past. What lay where it is moved to ends there; what is written where
it lay before is another file. A file that is only read is none of them; what was read before the
first patch belongs to it.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from forkpoint.layout import path_key
from forkpoint.rebuilt import PatchStep


class PatchedFile(msgspec.Struct):
    """A file with all that was done to it.

    Attributes:
        path: absolute, as the last change spells it.
        paths: all that it was called, the newest last.
        steps: what was done to it, in order.
        is_replaced: another file was moved to its place since.
    """

    path: str
    paths: list[str]
    steps: list[PatchStep]
    is_replaced: bool = False


def patched_files(steps: Iterable[tuple[str, str | None, PatchStep]]) -> list[PatchedFile]:
    """Return the files, first change first.

    Args:
        steps: the path of a file, absolute; where the step moves it to, if it does; and the step.
            In the order of time, over all files.
    """
    found: list[PatchedFile] = []
    by_key: dict[str, PatchedFile] = {}
    only_read: dict[str, list[PatchStep]] = {}
    for path, moved_to, step in steps:
        file = by_key.get(path_key(path))
        if file is None and step.change is None:
            only_read.setdefault(path_key(path), []).append(step)
            continue
        if file is None:
            file = PatchedFile(path, [path], only_read.pop(path_key(path), []))
            by_key[path_key(path)] = file
            found.append(file)
        file.steps.append(step)
        if moved_to is None or step.succeeded is not True or path_key(moved_to) == path_key(path):
            continue
        only_read.pop(path_key(moved_to), None)
        replaced = by_key.get(path_key(moved_to))
        if replaced is not None:
            replaced.is_replaced = True
        del by_key[path_key(path)]
        by_key[path_key(moved_to)] = file
        file.path = moved_to
        file.paths.append(moved_to)
    return found


def file_at(files: Iterable[PatchedFile], path: str) -> PatchedFile | None:
    """Return the file that lies at a path, else the last one that lay there."""
    key = path_key(path)
    there = [file for file in files if key in map(path_key, file.paths)]
    now = [file for file in there if path_key(file.path) == key and not file.is_replaced]
    return (now or there or [None])[-1]
