"""`forkpoint/locate` and `lineHistory` on every recorded edit, against a replay by other means."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from forkpoint.protocol.uri import file_uri
from tests.e2e.forkpoint_server import ForkpointServer
from tests.e2e.moved_recordings import Moved
from tests.e2e.recordings import rows
from tests.e2e.test_checkpoint_changes import STRAIGHT
from tests.e2e.test_rewind_preview import as_it_ended
from tests.fixture_paths import REAL

WITH_EDITS = sorted(
    home.name
    for home in REAL.iterdir()
    if (home / "cwd").exists()
    and any(b'"structuredPatch"' in path.read_bytes() for path in home.glob("projects/*/*.jsonl"))
)


class RecordedEdit(NamedTuple):
    """An edit as its result tells it."""

    session_id: str
    call_id: str
    path: str
    before: str
    after: str

    @property
    def new_lines(self) -> list[str]:
        """Lines that the text after has and the text before has not."""
        before = self.before.split("\n")
        return [line for line in self.after.split("\n") if line.strip() and line not in before]


def edits(home: Moved) -> Iterator[RecordedEdit]:
    """In the order of the files' rows; a fork's rows are as good as the original's."""
    for transcript in home.transcripts:
        for row in rows(transcript):
            told: Any = row.get("toolUseResult")
            if not _is_edit(told):
                continue
            before, after = told.get("originalFile") or "", told.get("content")
            if after is None:
                count = -1 if told["replaceAll"] else 1
                after = before.replace(told["oldString"], told["newString"], count)
            [block] = row["message"]["content"]
            call_id, path = block["tool_use_id"], told["filePath"]
            yield RecordedEdit(transcript.stem, call_id, path, before, after)


def _is_edit(told: Any) -> bool:
    return isinstance(told, dict) and "structuredPatch" in told


@pytest.mark.parametrize("name", WITH_EDITS)
def test_every_recorded_edit_is_found_or_its_loss_is_told(
    server: ForkpointServer, tmp_path: Path, name: str
) -> None:
    recording = as_it_ended(name, tmp_path)
    server.open(recording.home)
    asked = list(edits(recording))
    assert asked
    for edit in asked:
        answer = server.result("locate", sessionId=edit.session_id, toolUseId=edit.call_id)
        assert answer["file"] == file_uri(edit.path)
        now = Path(edit.path).read_text().split("\n") if Path(edit.path).exists() else []
        left = [at for at, line in enumerate(now) if line in edit.new_lines]
        shown = {
            line
            for each in answer["ranges"]
            for line in range(each["start"]["line"], each["end"]["line"] + 1)
        }
        assert set(left) <= shown
        is_whole = edit.new_lines and edit.new_lines == [now[at] for at in left]
        assert answer["confidence"] == ("exact" if is_whole else "moved" if left else "fileOnly")
        assert bool(left) == (answer["range"] is not None)


Who = str
"""A call's id, `older` or `outside`."""


def by_hand(edits: list[RecordedEdit], now: str) -> list[Who]:
    """Who wrote each line of a file, forward from the first edit, by the standard library."""
    text, who = edits[0].before, ["older"] * len(split(edits[0].before))
    for edit in edits:
        who = carried(text, edit.before, who, "outside")
        who = carried(edit.before, edit.after, who, edit.call_id)
        text = edit.after
    return carried(text, now, who, "outside")


def split(text: str) -> list[str]:
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []


def carried(before: str, after: str, who: list[Who], new: Who) -> list[Who]:
    old, lines = split(before), split(after)
    found = [new] * len(lines)
    for at, to, size in SequenceMatcher(None, old, lines, autojunk=False).get_matching_blocks():
        found[to : to + size] = who[at : at + size]
    return found


PUT_BACK = "c2_rewind_code"
"""A rewind put a file back; a forward look knows nothing of that."""


@pytest.mark.parametrize("name", [name for name in STRAIGHT if name != PUT_BACK])
def test_who_wrote_the_lines_of_a_recorded_folder(
    server: ForkpointServer, tmp_path: Path, name: str
) -> None:
    recording = as_it_ended(name, tmp_path)
    server.open(recording.home)
    by_file: dict[str, list[RecordedEdit]] = {}
    for edit in edits(recording):
        by_file.setdefault(edit.path, []).append(edit)
    for path, made in by_file.items():
        if Path(path).exists():
            answer = server.result("lineHistory", file=file_uri(path))
            assert authors(answer) == by_hand(made, Path(path).read_text())
            assert answer["sentence"] == ""


def authors(answer: dict[str, Any]) -> list[Who]:
    """The same of an answer; its runs must follow each other."""
    found: list[Who] = []
    for run in answer["runs"]:
        assert run["line"] == len(found)
        change = run["change"]
        assert (run["by"] == "agent") == (change is not None)
        who = run["by"] if change is None else answer["changes"][change]["toolUseId"]
        found += [who] * (run["endLine"] - run["line"] + 1)
    return found


def test_what_is_told_of_a_change(server: ForkpointServer, tmp_path: Path) -> None:
    recording = as_it_ended("b_edits", tmp_path)
    server.open(recording.home)
    [cart] = [path for path in recording.cwd.iterdir() if path.name == "cart.py"]
    answer = server.result("lineHistory", file=file_uri(str(cart)))
    [transcript] = recording.transcripts
    told = [
        (each["title"], each["promptNumber"], each["prompt"]["preview"], each["onActivePath"])
        for each in answer["changes"]
    ]
    assert told == [
        ("What does cart.py do?", 6, "Use the discount in cart", True),
        ("What does cart.py do?", 5, "Add a docstring to cart", True),
        ("What does cart.py do?", 2, "Round the total", True),
    ]
    by_uuid = {row["uuid"]: row for row in rows(transcript) if "uuid" in row}
    for each in answer["changes"]:
        row = by_uuid[each["uuid"]]
        assert each["at"] == row["timestamp"]
        assert each["toolUseId"] in {block["id"] for block in row["message"]["content"]}
        assert by_uuid[each["prompt"]["uuid"]]["message"]["content"] == each["prompt"]["preview"]


def test_a_file_that_a_rewind_put_back_is_as_old_as_before(
    server: ForkpointServer, tmp_path: Path
) -> None:
    recording = as_it_ended(PUT_BACK, tmp_path)
    server.open(recording.home)
    assert [each for each in edits(recording) if each.path.endswith("/tax.py")]
    answer = server.result("lineHistory", file=file_uri(str(recording.cwd / "tax.py")))
    assert set(authors(answer)) == {"older"}
