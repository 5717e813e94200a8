"""What lay in the working folder when each prompt was sent, by replaying the recorded edits.

Nothing of file history is read for it except which prompts have a checkpoint: the texts come from
the results of the agent's editing tools alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.e2e.recordings import rows

Files = Mapping[str, str | None]
"""Text of each file that the session edits at some time; None: the file is not there."""


class Moment(NamedTuple):
    """The files just before a prompt ran; `words` are the prompt's own."""

    prompt: str
    words: str
    files: Files


def moments(
    transcript: Path, cwd: str, in_between: Mapping[str, Callable[[list[Moment]], Files]]
) -> list[Moment]:
    """The prompts with a checkpoint, in file order.

    Args:
        transcript: a session's own.
        cwd: its working folder; files are named by their path below it.
        in_between: words of a prompt -> what something else than an edit had made of files before
            it was sent, given the moments before.
    """
    found: list[Moment] = []
    lines = rows(transcript)
    edits = [edit for row in lines if (edit := _edit(row, cwd)) is not None]
    files = {edit["path"]: edit["before"] for edit in reversed(edits)}
    with_checkpoint = {
        row["snapshot"]["messageId"] for row in lines if row["type"] == "file-history-snapshot"
    }
    for row in lines:
        edit = _edit(row, cwd)
        if edit is not None:
            assert files[edit["path"]] == edit["before"], "something else changed the file"
            files[edit["path"]] = edit["after"]
        elif row.get("uuid") in with_checkpoint:
            words = str(row["message"]["content"])
            if words in in_between:
                files.update(in_between[words](found))
            found.append(Moment(row["uuid"], words, dict(files)))
    return found


def _edit(row: Mapping[str, Any], cwd: str) -> dict[str, Any] | None:
    """The path, and the text before and after, of a row that is the result of an edit."""
    result = row.get("toolUseResult")
    if not isinstance(result, dict) or "originalFile" not in result:
        return None
    before, after = result["originalFile"], result.get("content")
    if after is None:
        assert result["oldString"] in before
        count = -1 if result["replaceAll"] else 1
        after = before.replace(result["oldString"], result["newString"], count)
    path = result["filePath"].removeprefix(cwd + "/")
    return {"path": path, "before": before, "after": after}
