"""The health of a home with one fault of each kind, as a page for a terminal."""

from __future__ import annotations

import os
import time
from pathlib import Path

from forkpoint.lsp.features.health import health
from forkpoint.protocol.types import HealthParams
from forkpoint.terminal_health import health_page
from tests.disk.checkpoint_home import CheckpointHome
from tests.disk.planted_faults import PLANTERS, clean, dangling_link, session_id
from tests.disk.trees import needs_posix

FINDINGS = (
    "1 unknown record type, 1 malformed line, 1 unfinished last line, 1 record without its parent, "
    "1 record in a loop, 1 record with a repeated uuid, 1 record behind another, 1 copy of a file "
    "gone, 1 session without its copies, 1 id with several transcripts"
)


def page(root: Path) -> list[str]:
    """The newest session first: each is a minute older than the one before it."""
    now = time.time()
    for path in root.glob("projects/*/*.jsonl"):
        if path.is_file():
            at = now - 60 * int(path.stem[-2:], 16)
            os.utime(path, (at, at))
    answer = health(CheckpointHome(root).catalog(), HealthParams())
    return health_page(answer).replace(str(root), "ROOT").split("\n")


def test_nothing_is_odd(tmp_path: Path) -> None:
    clean(tmp_path)
    assert page(tmp_path) == [
        "Nothing odd in 2 transcripts.",
        "",
        "No session will be deleted within 7 days.",
        "  By the agent's own default (no setting cleanupPeriodDays): transcripts are deleted 30 "
        "days after their last change, when the agent is started.",
        "",
        "The fields of all 13 records of the newest session of each client version were looked at.",
    ]


def test_each_kind_below_its_heading(tmp_path: Path) -> None:
    for number, plant in enumerate(each for each in PLANTERS if each is not dangling_link):
        plant(tmp_path, number)
    said = page(tmp_path)
    assert said[:-2] == [
        f"11 findings in 11 transcripts: {FINDINGS}.",
        "",
        "Unknown types and fields",
        "  1 record of the type hologram-6, which no known client writes (version 2.1.332). Kept, "
        "and shown raw.",
        "  1 record of the type assistant with the field aura7, which no known client writes "
        "(version 2.2.7).",
        "",
        f"Session {session_id(0)}",
        "  line 3: This is no record: not JSON.",
        "",
        f"Session {session_id(1)}",
        "  line 3: The last line is not finished: the agent is writing it, or was cut off.",
        "",
        f"Session {session_id(2)}",
        "  line 3: The parent of this record is not in the file: a resume begins with it, and does "
        "not see what is older.",
        "",
        f"Session {session_id(3)}",
        "  line 2: The parents of this record lead back to it.",
        "",
        f"Session {session_id(4)}",
        "  line 3: The uuid of this record stands on record 0, too.",
        "",
        f"Session {session_id(5)}",
        "  1 whole record stands behind something else on the line, unseen by a resume.",
        "",
        f"Session {session_id(8)}",
        "  The copy 6ecee92be251fe60@v1 is gone.",
        "",
        f"Session {session_id(9)}",
        "  The copy 0332e9b3dca15b71@v1 is gone.",
        "  The copy 6ecee92be251fe60@v1 is gone.",
        "",
        "Sessions without their copies",
        f"  {session_id(9)}  The session names 2 copies of files, and none is there: code cannot "
        "be gone back to.",
        "",
        "Same id in several places",
        f"  {session_id(10)}  There is an older transcript of the same session; the newest one is "
        "read.",
        "",
        "Remains",
        f"  ROOT/projects/-home-dev-shop/{session_id(11)}  The folder of a session without its "
        "transcript: 2 files, 746 bytes.",
        "  ROOT/projects/-home-dev-shop/agent-a0000012.jsonl  The transcript of a subagent without "
        "its session's: 1 file, 739 bytes.",
        f"  ROOT/file-history/{session_id(13)}  Copies of files without the transcript that names "
        "them: 1 file, 6 bytes.",
        "",
        "No session will be deleted within 7 days.",
        "  By the agent's own default (no setting cleanupPeriodDays): transcripts are deleted 30 "
        "days after their last change, when the agent is started.",
    ]


@needs_posix
def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    dangling_link(tmp_path, 1)
    said = page(tmp_path)
    heading = said.index("Unreadable")
    assert said[heading + 1].startswith("  ROOT/projects/")
