"""What is left of sessions that are gone, and what only seems to be."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from forkpoint.remains import MOST_WEIGHED, Remain, Remains, Weight, weigh
from tests.disk.planted_faults import (
    CLEAN_SESSION,
    KEY,
    backups_without_transcript,
    clean,
    folder_without_transcript,
    orphaned_subagent,
    session_id,
    write,
)
from tests.disk.test_health import findings_in, health
from tests.disk.trees import needs_posix


def below(root: Path, known: Remains, sessions: Iterable[str] = ()) -> list[Remain]:
    there = set(sessions)
    return [*known.below(root, there.__contains__, lambda _: False)]


def test_what_comes_and_goes_is_noticed(tmp_path: Path) -> None:
    known = Remains()
    assert below(tmp_path, known) == []
    folder_without_transcript(tmp_path, 1)
    [left] = below(tmp_path, known)
    assert (left.kind, left.session_id) == ("folderWithoutTranscript", session_id(1))
    assert below(tmp_path, known, [session_id(1)]) == []
    write(tmp_path / "projects" / KEY / f"{session_id(1)}.jsonl", b"{}\n")
    assert below(tmp_path, known) == []


def test_a_session_that_begins_meanwhile_leaves_nothing(tmp_path: Path) -> None:
    clean(tmp_path)
    backups_without_transcript(tmp_path, 1)
    assert len(findings_in(health(tmp_path))) == 1
    write(tmp_path / "projects" / KEY / f"{session_id(1)}.jsonl", b'{"type":"mode"}\n')
    assert findings_in(health(tmp_path)) == []


@needs_posix
def test_links_and_files_are_no_folders_that_are_left(tmp_path: Path) -> None:
    clean(tmp_path)
    projects = tmp_path / "projects" / KEY
    (projects / session_id(1)).symlink_to(projects)
    write(projects / session_id(2), b"a file")
    (projects / "agent-a1.jsonl").symlink_to("/etc/hostname")
    (tmp_path / "file-history" / session_id(3)).symlink_to("/etc")
    assert [each.kind for each in below(tmp_path, Remains(), [CLEAN_SESSION])] == []


def test_an_agents_transcript_of_2_0_beside_its_session_is_no_remain(tmp_path: Path) -> None:
    clean(tmp_path)
    orphaned_subagent(tmp_path, 1)
    [left] = findings_in(health(tmp_path))
    assert left[0] == "orphanedSubagent"


def test_how_much_is_left(tmp_path: Path) -> None:
    write(tmp_path / "left" / "subagents" / "agent-a1.jsonl", b"12345")
    write(tmp_path / "left" / "tool-results" / "x.txt", b"678")
    (tmp_path / "left" / "empty").mkdir()
    assert weigh(str(tmp_path / "left")) == Weight(2, 8, 1, is_whole=True)
    assert weigh(str(tmp_path / "nowhere")) == Weight(0, 0, 0, is_whole=True)


def test_of_very_much_only_a_part_is_counted(tmp_path: Path) -> None:
    for number in range(MOST_WEIGHED):
        write(tmp_path / "left" / str(number), b"1")
    found = weigh(str(tmp_path / "left"))
    assert found == Weight(MOST_WEIGHED - 1, MOST_WEIGHED - 1, 0, is_whole=False)
