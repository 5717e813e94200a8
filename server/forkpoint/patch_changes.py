"""How many lines a patch of Codex changed in each of its files, as its call or its event tells."""

from __future__ import annotations

from forkpoint.line_changes import Changes
from forkpoint.rebuilt import changed_lines
from forkpoint.records.file_changes import FileChange
from forkpoint.records.patched_calls import patch_told_in
from forkpoint.records.rollout_calls import MOST_FILES, ids_of_files


def changes_in_patch(line: bytes) -> dict[str, Changes]:
    """Count the lines of a patch that succeeded.

    Args:
        line: that makes the call, or the event where no other line does.

    Returns:
        By the id of the call of each file (see `rollout_calls.ids_of`); a file of which the patch
        does not tell what it held, as one that it deletes, is not among them.
    """
    told = patch_told_in(line)
    if told is None:
        return {}
    by_path: dict[str, list[FileChange]] = {}
    for change in told.patch.changes:
        by_path.setdefault(change.path, []).append(change)
    counted = map(_sum, list(by_path.values())[:MOST_FILES])
    ids = ids_of_files(told.call_id, min(len(by_path), MOST_FILES))
    return {call_id: one for call_id, one in zip(ids, counted, strict=False) if one is not None}


def _sum(changes: list[FileChange]) -> Changes | None:
    counted = [one for change in changes if (one := changed_lines(change)) is not None]
    if len(counted) < len(changes):
        return None
    return Changes(sum(one.added for one in counted), sum(one.removed for one in counted))
