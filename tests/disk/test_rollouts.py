"""Which rollouts are found below a Codex home."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from forkpoint.codex_layout import RolloutName, codex_homes, rollout_name
from forkpoint.disk import FileStat
from forkpoint.folder_walk import Seen
from forkpoint.listing import Scan, SessionFile
from forkpoint.rollouts import scan_rollouts
from tests.disk.trees import link, needs_posix, plant, stat_of

A = "0199c755-4df4-7aab-bc99-b0e66ce27052"
B = "01993312-d080-7d3b-a841-08103f6f290e"
C = "0199a92d-b86c-7ae8-acca-f7fb98e3825d"
NOTHING_SEEN = Seen({}, is_certain=False)


def rollout(thread_id: str, day: str = "2026-08-01", suffix: str = ".jsonl") -> str:
    return f"rollout-{day}T09-00-00-{thread_id}{suffix}"


def in_day(thread_id: str, day: str = "2026-08-01", suffix: str = ".jsonl") -> str:
    return f"sessions/{day.replace('-', '/')}/{rollout(thread_id, day, suffix)}"


def picture(home: Path) -> list[str]:
    """One line per rollout and problem, paths relative to the home's real place."""
    found = scan_rollouts(home)

    def short(path: str) -> str:
        file = Path(path)
        return str((file.parent.resolve() / file.name).relative_to(home.resolve()))

    return [
        *(
            f"{s.session_id}{' archived' * s.archived}{' link' * s.is_link} {short(s.path)}"
            for s in found.sessions
        ),
        *(f"problem {p.reason} {short(p.path)}" for p in found.problems),
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (rollout(A), RolloutName(A, A, rollout(A, suffix=""), is_compressed=False)),
        (rollout(A, suffix=".jsonl.zst"), RolloutName(A, A, rollout(A, suffix=""), True)),
        (
            rollout(A.upper()),
            RolloutName(A.upper(), A.upper(), rollout(A.upper(), suffix=""), False),
        ),
        (f"rollout-{A}.jsonl", RolloutName(A, A, f"rollout-{A}", is_compressed=False)),
        (rollout(f"{A}_{B}"), RolloutName(B, A, rollout(f"{A}_{B}", suffix=""), False)),
        (
            rollout(f"{A}_{B}", suffix=".jsonl.zst"),
            RolloutName(B, A, rollout(f"{A}_{B}", suffix=""), True),
        ),
        (rollout(f"{A}_{B}_{C}"), None),
        (rollout(A, suffix=".jsonl.zst.tmp"), None),
        (rollout(A, suffix=".jsonl.tmp"), None),
        (rollout(A, suffix=".jsonl.gz"), None),
        (rollout(A, suffix=".json"), None),
        (rollout(A, suffix=".jsonl\n"), None),
        (f"rollout-../{A}.jsonl", None),
        (f"rollout-2026\0-{A}.jsonl", None),
        (f"copy of {rollout(A)}", None),
        (f"{A}.jsonl", None),
        ("rollout-2026-08-01T09-00-00.jsonl", None),
    ],
)
def test_names(name: str, said: RolloutName | None) -> None:
    assert rollout_name(name) == said


@pytest.mark.parametrize(
    ("environ", "homes"),
    [
        ({}, (os.path.join("/home/dev", ".codex"),)),  # noqa: PTH118
        ({"CODEX_HOME": ""}, (os.path.join("/home/dev", ".codex"),)),  # noqa: PTH118
        ({"CODEX_HOME": "/data/codex"}, ("/data/codex",)),
    ],
)
def test_the_usual_home(environ: dict[str, str], homes: tuple[str, ...]) -> None:
    assert codex_homes(environ, "/home/dev") == homes


def test_what_is_told_of_a_rollout(tmp_path: Path) -> None:
    plant(tmp_path, in_day(A))
    path = tmp_path / in_day(A)
    assert scan_rollouts(tmp_path)._replace(seen=NOTHING_SEEN) == Scan(
        sessions=[
            SessionFile(
                str(path),
                "",
                A,
                FileStat(*stat_of(path)),
                is_link=False,
                folder=str(path).removesuffix(".jsonl"),
                agent="codex",
                archived=False,
                thread_id=A,
            )
        ],
        agents=[],
        problems=[],
        seen=NOTHING_SEEN,
    )


def test_days_and_the_archive_and_nothing_else(tmp_path: Path) -> None:
    plant(
        tmp_path,
        in_day(A),
        in_day(B, "2025-12-31", ".jsonl.zst"),
        f"archived_sessions/{rollout(C)}",
        f"archived_sessions/2026/08/01/{rollout(C, '2026-08-02', '.jsonl.zst')}",
        in_day(C, suffix=".jsonl.zst.tmp"),
        in_day(C, suffix=".jsonl.tmp"),
        f"sessions/2026/08/01/{A}.jsonl",
        f"log/{rollout(C)}",
        rollout(C),
        "session_index.jsonl",
        "auth.json",
    )
    assert picture(tmp_path) == [
        f"{B} {in_day(B, '2025-12-31', '.jsonl.zst')}",
        f"{A} {in_day(A)}",
        f"{C} archived archived_sessions/2026/08/01/{rollout(C, '2026-08-02', '.jsonl.zst')}",
        f"{C} archived archived_sessions/{rollout(C)}",
    ]


def test_the_plain_form_beats_the_compressed_one_beside_it(tmp_path: Path) -> None:
    plant(tmp_path, in_day(A), in_day(A, suffix=".jsonl.zst"), in_day(B, suffix=".jsonl.zst"))
    plant(tmp_path, f"archived_sessions/{rollout(B)}")
    # In two places it is for the reader to choose by time.
    assert picture(tmp_path) == [
        f"{B} {in_day(B, suffix='.jsonl.zst')}",
        f"{A} {in_day(A)}",
        f"{B} archived archived_sessions/{rollout(B)}",
    ]


@pytest.mark.parametrize("name", ["nothing", "empty", "file", "file/below", "a\0b", "\ud800"])
def test_a_home_without_sessions_is_empty(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    plant(tmp_path, "file")
    assert scan_rollouts(tmp_path / name)[:3] == ([], [], [])


def test_folders_are_not_gone_down_for_ever(tmp_path: Path) -> None:
    deep = "/".join("d" * 9)
    plant(tmp_path, f"sessions/{deep[2:]}/{rollout(A)}", f"sessions/{deep}/{rollout(B)}")
    assert picture(tmp_path) == [f"{A} sessions/{deep[2:]}/{rollout(A)}"]


@needs_posix
def test_links_lead_nowhere_twice_and_never_out(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    plant(outside, rollout(C), "secret")
    plant(home, in_day(A), f"attic/{rollout(B)}", f"log/{rollout(C)}")
    day = "sessions/2026/08/01"
    link(home, f"{day}/{rollout(B)}", f"../../../../attic/{rollout(B)}")
    link(home, f"{day}/{rollout(A, '2026-08-02')}", rollout(A))
    link(home, f"{day}/{rollout(C)}", outside / rollout(C))
    link(home, f"{day}/{rollout(C, '2026-08-03')}", "nothing")
    link(home, "sessions/2026/09", outside)
    link(home, "sessions/loop", ".")
    link(home, "sessions/up", "..")
    link(home, "archived_sessions/again", "../sessions/2026")
    assert picture(home) == [
        f"{A} {in_day(A)}",
        f"{B} link attic/{rollout(B)}",
        f"problem outside {day}/{rollout(C)}",
        f"problem dangling {day}/{rollout(C, '2026-08-03')}",
        "problem outside sessions/2026/09",
    ]


@needs_posix
def test_a_folder_of_sessions_may_itself_be_a_link(tmp_path: Path) -> None:
    home = tmp_path / "home"
    plant(tmp_path / "disk", f"2026/08/01/{rollout(A)}")
    link(home, "sessions", tmp_path / "disk")
    found = scan_rollouts(home)
    assert [file.path for file in found.sessions] == [str(home / in_day(A))]
    assert found.problems == []


@needs_posix
def test_what_may_not_be_listed_is_a_problem_and_no_more(unprivileged_root: Path) -> None:
    plant(unprivileged_root, in_day(A), in_day(B, "2026-09-01"))
    (unprivileged_root / "sessions/2026/09").chmod(0)
    assert picture(unprivileged_root) == [
        f"{A} {in_day(A)}",
        "problem denied sessions/2026/09",
    ]


@needs_posix
def test_a_pipe_is_no_rollout(tmp_path: Path) -> None:
    plant(tmp_path, in_day(A))
    os.mkfifo(tmp_path / in_day(B))
    assert picture(tmp_path) == [f"{A} {in_day(A)}", f"problem notRegular {in_day(B)}"]


def test_it_is_seen_when_a_name_comes_or_goes(tmp_path: Path) -> None:
    plant(tmp_path, in_day(A))
    for folder in [*tmp_path.rglob("*"), tmp_path]:
        if folder.is_dir():
            os.utime(folder, (1_700_000_000, 1_700_000_000))
    # The time of a folder's own facts is now all the same, so that one scan is not enough.
    seen = scan_rollouts(tmp_path).seen
    assert str(tmp_path / "sessions/2026/08/01") in seen.folders
    plant(tmp_path, in_day(B))
    assert not seen.still_holds()
