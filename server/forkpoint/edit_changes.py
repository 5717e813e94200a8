"""How many lines an edit changed, as far as its call and the result tell."""

from __future__ import annotations

from forkpoint.line_changes import Changes, line_changes
from forkpoint.records.edits import Edit, edit_in, patch_in


def changes_of(call: bytes, call_id: str, result: bytes) -> Changes | None:
    """Count the lines of an edit that succeeded; None where nothing tells.

    Args:
        call: the record that makes the call.
        call_id: which of its calls.
        result: the record with the result. A subagent's says nothing of the change; then the texts
            of the call have to do, which is less than the truth where it replaces several places.
    """
    patch, edit = patch_in(result), edit_in(call, call_id)
    if patch is None:
        return None if edit is None else _by_its_texts(edit)
    if patch.made_file and edit is not None and edit.content is not None:
        return _between("", edit.content)
    added = sum(line.startswith("+") for line in patch.lines)
    return Changes(added, sum(line.startswith("-") for line in patch.lines))


def _by_its_texts(edit: Edit) -> Changes | None:
    if edit.content is not None or any(each.everywhere for each in edit.replacements):
        return None
    counted = [_between(each.old, each.new) for each in edit.replacements]
    found = [each for each in counted if each is not None]
    if len(found) < len(counted):
        return None
    return Changes(sum(each.added for each in found), sum(each.removed for each in found))


def _between(before: str, after: str) -> Changes | None:
    return line_changes(before.encode("utf-8", "replace"), after.encode("utf-8", "replace"))
