"""Which first copies were made too late, and what did the file hold before?

Clients of 2.0.x copied a file beside their first edit of it: sometimes the copy is the file after
the edit (seen in one of two runs of 2.0.76). The edit's own result tells what it replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from forkpoint.client_rules import rules_for
from forkpoint.layout import tracked_file
from forkpoint.records.edits import original_in
from forkpoint.session import Conversation
from forkpoint.tool_calls import is_edit


def late_copies(
    conversation: Conversation,
    bodies: Callable[[Sequence[int]], Sequence[bytes]],
    copy_of: Callable[[str], bytes | None],
) -> dict[str, int]:
    """Return, by absolute path, the record whose result tells more than the first copy.

    Args:
        conversation: the session's own transcript.
        bodies: reads records by ordinal.
        copy_of: reads a copy by its name; None where it is gone or too large.
    """
    index = conversation.index
    if (
        index.agent != "claude-code"
        or not rules_for(index.summary.first_version or "0.0.0").copies_late
    ):
        return {}
    firsts = {
        path: version.backup
        for path, versions in conversation.checkpoints().versions.items()
        for version in versions[:1]
        if version.first and version.backup
    }
    found: dict[str, int] = {}
    for call in index.tools.all(index.joins):
        path = tracked_file(call.file or "", index.summary.first_cwd)
        backup = firsts.pop(path, None) if is_edit(call) else None
        if backup is None or call.result is None:
            continue
        original = original_in(bodies([call.result])[0])
        if original is not None and _differs(original, copy_of(backup)):
            found[path] = call.result
    return found


def _differs(original: str, copy: bytes | None) -> bool:
    """The result's text has no byte order mark and LF only, whatever the file has."""
    if copy is None:
        return True
    text = copy.decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n") != original.replace("\r\n", "\n")
