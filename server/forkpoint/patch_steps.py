"""What patches of Codex did to a file, as steps of its past (see `file_steps`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from forkpoint.line_origins import Step
from forkpoint.patch_calls import FilePatch
from forkpoint.patch_histories import PatchHistories, RebuiltFile
from forkpoint.records.file_changes import FileChange
from forkpoint.records.outcomes import Hunk, Outcome
from forkpoint.text_lines import KnownLines

READ_AT_MOST = 32 * 1024 * 1024
"""Characters of texts that are made for one question; older steps have their hunks alone."""


class PatchedStep(NamedTuple):
    """A step, and the call that made it."""

    step: Step
    patch: FilePatch


def patched_steps(
    patches: PatchHistories, paths: Sequence[str], lines: KnownLines, since: int | None
) -> tuple[list[PatchedStep], bool]:
    """Return the patches of a file, newest first, and whether these are all.

    Args:
        patches: of all sessions.
        paths: that the file has or had.
        lines: makes equal states one object.
        since: leave out what was before that time (ms since 1970); None = nothing.
    """
    found = {id(each.file): each for path in paths if (each := patches.of_file(path)) is not None}
    steps = [step for each in found.values() for step in _steps(each, lines, since)]
    return steps, patches.is_whole and not any(each.left_out for each in found.values())


def _steps(each: RebuiltFile, lines: KnownLines, since: int | None) -> Iterator[PatchedStep]:
    versions, left = each.rebuilt.versions, READ_AT_MOST
    for number in range(len(versions) - 1, -1, -1):
        version = versions[number]
        change = None if version.step is None else each.patches[version.step].step.change
        if version.is_found or change is None:
            continue
        patch = each.patch_of(version)
        if since is not None and patch.step.time < since:
            return
        before, after = (
            None if left < 0 or at < 0 else _text(each, at) for at in (number - 1, number)
        )
        left -= len(before or "") + len(after or "")
        outcome = Outcome(before, after, None, _hunks(change))
        yield PatchedStep(
            Step(
                patch.index.joins.call_ids[patch.call.number],
                patch.step.time,
                None if before is None else lines.of(before),
                None if after is None else lines.of(after),
                outcome,
            ),
            patch,
        )


def _text(each: RebuiltFile, number: int) -> str | None:
    """The text of a version; of no file an empty one."""
    version = each.rebuilt.versions[number]
    if version.exists is None:
        return None
    return (each.rebuilt.content(number) or "").removeprefix("\ufeff")


def _hunks(change: FileChange) -> tuple[Hunk, ...]:
    """The hunks as they stand in the text after the change, where that tells."""
    return tuple(
        Hunk(max((hunk.new_start or 1) - 1, 0), _plain(hunk.old), _plain(hunk.new))
        for hunk in change.hunks
    )


def _plain(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line.removesuffix("\r") for line in lines)
