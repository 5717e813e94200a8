"""Which transcripts are found below a config folder."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forkpoint import disk, listing
from forkpoint.disk import FileStat
from forkpoint.listing import AgentFile, Scan, Seen, SessionFile
from tests.disk.trees import link, needs_posix, plant, stat_of

A = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
B = "b69a0ae4-3726-47d4-ad61-f08d81ff360f"
C = "29d23aa3-b5e1-4d8e-aebb-73bcb322c78a"
SHOP = "-home-dev-shop"
NOTHING_SEEN = Seen({}, is_certain=False)
LONG_AGO = 1_700_000_000


def picture(found: Scan, root: Path) -> list[str]:
    """One line per session, agent and problem, paths relative to the root's real place."""

    def short(path: str) -> str:
        file = Path(path)
        return str((file.parent.resolve() / file.name).relative_to(root.resolve()))

    return [
        *(f"session {s.session_id} {s.key} {short(s.path)}" for s in found.sessions),
        *(f"agent {a.agent_id} {a.session_id} {a.key} {short(a.path)}" for a in found.agents),
        *(f"problem {p.reason} {short(p.path)}" for p in found.problems),
    ]


def test_both_layouts_of_subagents(tmp_path: Path) -> None:
    plant(
        tmp_path,
        f"projects/{SHOP}/{A}.jsonl",
        f"projects/{SHOP}/{A}/subagents/agent-a1b2c3d.jsonl",
        f"projects/{SHOP}/{A}/subagents/agent-a1b2c3d.meta.json",
        f"projects/{SHOP}/{A}/subagents/agent-acompact-0f0f0f.jsonl",
        f"projects/{SHOP}/{A}/subagents/workflows/wf_01/agent-b7.jsonl",
        f"projects/{SHOP}/{A}/subagents/workflows/wf_01/journal.jsonl",
        f"projects/{SHOP}/agent-e4d5f6a.jsonl",
    )
    found = listing.scan(tmp_path)
    folder = f"{tmp_path}/projects/{SHOP}"
    facts = {path.name: FileStat(*stat_of(path)) for path in tmp_path.rglob("*.jsonl")}

    def agent(name: str, session_id: str | None, path: str, meta_path: str | None) -> AgentFile:
        file = f"agent-{name}.jsonl"
        return AgentFile(
            f"{folder}/{path}{file}", SHOP, session_id, name, facts[file], meta_path, False
        )

    below = f"{A}/subagents/"
    assert found._replace(seen=NOTHING_SEEN) == Scan(
        sessions=[
            SessionFile(f"{folder}/{A}.jsonl", SHOP, A, facts[f"{A}.jsonl"], False, f"{folder}/{A}")
        ],
        agents=[
            agent("a1b2c3d", A, below, f"{folder}/{below}agent-a1b2c3d.meta.json"),
            agent("acompact-0f0f0f", A, below, None),
            agent("b7", A, f"{below}workflows/wf_01/", None),
            agent("e4d5f6a", None, "", None),
        ],
        problems=[],
        seen=NOTHING_SEEN,
    )


def test_other_names_are_left_alone(tmp_path: Path) -> None:
    plant(
        tmp_path,
        "history.jsonl",
        f"projects/{A}.jsonl",
        f"projects/{SHOP}/{B.upper()}.jsonl",
        f"projects/{SHOP}/notes.jsonl",
        f"projects/{SHOP}/sessions-index.json",
        f"projects/{SHOP}/memory/{A}.jsonl",
        f"projects/{SHOP}/{A}/tool-results/agent-x.jsonl",
        f"projects/{SHOP}/{A}/subagents/{C}.jsonl",
        f"projects/{SHOP}/{A}/subagents/agent-without-main-file.jsonl",
        "projects/-home-dev-empty/x",
    )
    assert picture(listing.scan(tmp_path), tmp_path) == [
        f"session {B.upper()} {SHOP} projects/{SHOP}/{B.upper()}.jsonl",
        f"agent without-main-file {A} {SHOP} "
        f"projects/{SHOP}/{A}/subagents/agent-without-main-file.jsonl",
    ]


@pytest.mark.parametrize("name", ["nothing", "empty", "file", "file/below", "a\0b", "\ud800"])
def test_a_root_without_projects_is_empty(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    plant(tmp_path, "file")
    assert listing.scan(tmp_path / name)[:3] == ([], [], [])


@needs_posix
def test_links_in_the_tree_are_read_once(tmp_path: Path) -> None:
    plant(tmp_path, f"projects/{SHOP}/{B}.jsonl", f"projects/{SHOP}/agent-a1.jsonl")
    link(tmp_path, f"projects/-a-link-to{SHOP}", SHOP)
    link(tmp_path, f"projects/{SHOP}/{C}.jsonl", f"{B}.jsonl")
    link(tmp_path, f"projects/{SHOP}/agent-a0.jsonl", "agent-a1.jsonl")
    link(tmp_path, f"projects/{SHOP}/loop", ".")
    link(tmp_path, "projects/loop", ".")
    link(tmp_path, "projects/up", "..")
    link(tmp_path, f"projects/{SHOP}/82b15ce8-c864-48f5-89df-79e7fd7eb374.jsonl", "nothing.jsonl")
    link(tmp_path, f"projects/{SHOP}/{A}.jsonl", f"{A}.jsonl")
    assert picture(listing.scan(tmp_path), tmp_path) == [
        f"session {B} {SHOP} projects/{SHOP}/{B}.jsonl",
        f"agent a1 None {SHOP} projects/{SHOP}/agent-a1.jsonl",
        f"problem dangling projects/{SHOP}/82b15ce8-c864-48f5-89df-79e7fd7eb374.jsonl",
        f"problem dangling projects/{SHOP}/{A}.jsonl",
    ]


@needs_posix
def test_what_has_no_own_place_below_projects_is_listed_by_its_first_link(tmp_path: Path) -> None:
    plant(tmp_path, f"attic/old/{A}.jsonl", "attic/kept.jsonl")
    link(tmp_path, f"projects/{SHOP}/{B}.jsonl", "../../attic/kept.jsonl")
    link(tmp_path, f"projects/{SHOP}/{C}.jsonl", "../../attic/kept.jsonl")
    link(tmp_path, f"attic/old/{B}.jsonl", "nothing")
    link(tmp_path, "projects/-old-1", "../attic/old")
    link(tmp_path, "projects/-old-2", "../attic/old")
    found = listing.scan(tmp_path)
    assert picture(found, tmp_path) == [
        f"session {A} -old-1 attic/old/{A}.jsonl",
        f"session {C} {SHOP} attic/kept.jsonl",
        f"problem dangling attic/old/{B}.jsonl",
    ]
    linked = found.sessions[1]
    assert (linked.is_link, linked.folder) == (True, f"{tmp_path}/projects/{SHOP}/{C}")
    assert linked.stat == stat_of(tmp_path / "attic/kept.jsonl")
    assert b"".join(disk.read(linked.path)) == b"attic/kept.jsonl"


@needs_posix
def test_links_out_of_the_root_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    plant(tmp_path, f"away/{A}.jsonl", f"away/{A}/subagents/agent-a1.jsonl", "root2/x.jsonl")
    plant(root, f"projects/{SHOP}/{B}.jsonl")
    link(root, "projects/-away", tmp_path / "away")
    link(root, f"projects/{SHOP}/{A}.jsonl", tmp_path / "away" / f"{A}.jsonl")
    link(root, f"projects/{SHOP}/{A}", tmp_path / "away" / A)
    link(root, f"projects/{SHOP}/{B}/subagents", tmp_path / "away" / A / "subagents")
    link(root, f"projects/{SHOP}/agent-a1.jsonl", tmp_path / "root2" / "x.jsonl")
    assert picture(listing.scan(root), root) == [
        f"session {B} {SHOP} projects/{SHOP}/{B}.jsonl",
        f"problem outside projects/{SHOP}/{A}",
        f"problem outside projects/{SHOP}/{A}.jsonl",
        f"problem outside projects/{SHOP}/{B}/subagents",
        f"problem outside projects/{SHOP}/agent-a1.jsonl",
        "problem outside projects/-away",
    ]


@needs_posix
@pytest.mark.parametrize("linked", ["root", "root/projects"])
def test_a_linked_root_means_what_it_leads_to(tmp_path: Path, linked: str) -> None:
    plant(tmp_path, f"real/projects/{SHOP}/{A}.jsonl")
    link(tmp_path, f"real/projects/{SHOP}/{B}.jsonl", f"{A}.jsonl")
    link(tmp_path, linked, tmp_path / linked.replace("root", "real"))
    found = listing.scan(tmp_path / "root")
    assert [file.path for file in found.sessions] == [f"{tmp_path}/root/projects/{SHOP}/{A}.jsonl"]
    assert found.problems == []


@needs_posix
def test_unreadable_folders_are_problems_and_the_rest_goes_on(unprivileged_root: Path) -> None:
    root = unprivileged_root
    plant(
        root,
        f"projects/-closed/{A}.jsonl",
        f"projects/-names-only/{B}.jsonl",
        f"projects/{SHOP}/{C}.jsonl",
        f"projects/{SHOP}/{C}/subagents/agent-a1.jsonl",
    )
    (root / "projects/-closed").chmod(0)
    (root / "projects/-names-only").chmod(0o600)
    (root / f"projects/{SHOP}/{C}.jsonl").chmod(0)
    (root / f"projects/{SHOP}/{C}/subagents").chmod(0)
    assert picture(listing.scan(root), root) == [
        f"session {C} {SHOP} projects/{SHOP}/{C}.jsonl",
        "problem denied projects/-closed",
        f"problem denied projects/{SHOP}/{C}/subagents",
        f"problem denied projects/-names-only/{B}.jsonl",
    ]


@needs_posix
def test_an_unreadable_projects_folder_is_a_problem(unprivileged_root: Path) -> None:
    (unprivileged_root / "projects").mkdir(mode=0)
    found = listing.scan(unprivileged_root)
    assert picture(found, unprivileged_root) == ["problem denied projects"]


@needs_posix
def test_a_name_of_a_transcript_that_is_no_file_is_a_problem(tmp_path: Path) -> None:
    plant(tmp_path, f"projects/{SHOP}/{A}.jsonl/x")
    os.mkfifo(tmp_path / f"projects/{SHOP}/{B}.jsonl")
    assert picture(listing.scan(tmp_path), tmp_path) == [
        f"problem notRegular projects/{SHOP}/{A}.jsonl",
        f"problem notRegular projects/{SHOP}/{B}.jsonl",
    ]


def test_a_transcript_that_vanishes_after_the_listing_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, f"projects/{SHOP}/{A}.jsonl", f"projects/{SHOP}/{B}.jsonl")
    scandir = os.scandir

    def list_then_delete(
        folder: str,
    ) -> contextlib.AbstractContextManager[Iterator[os.DirEntry[str]]]:
        with scandir(folder) as entries:
            listed = list(entries)
        (tmp_path / f"projects/{SHOP}/{A}.jsonl").unlink(missing_ok=True)
        return contextlib.nullcontext(iter(listed))

    plant(tmp_path, "projects/-gone/x")
    monkeypatch.setattr(os, "scandir", list_then_delete)
    assert picture(listing.scan(tmp_path), tmp_path) == [
        f"session {B} {SHOP} projects/{SHOP}/{B}.jsonl"
    ]


# --- may another scan find other names? --------------------------------------------------------


def aged(root: Path) -> None:
    """Have nothing below a folder have changed lately, by the times of its contents."""
    for path in [root, *root.rglob("*")]:
        os.utime(path, (LONG_AGO, LONG_AGO), follow_symlinks=False)


@pytest.fixture
def quiet_root(tmp_path: Path) -> Path:
    """A home with a subagent whose clock stood still for longer than any clock is coarse."""
    plant(tmp_path, f"projects/{SHOP}/{A}.jsonl", f"projects/{SHOP}/{A}/subagents/agent-a1.jsonl")
    aged(tmp_path)
    time.sleep(0.1)
    return tmp_path


HAPPENINGS: dict[str, Callable[[Path], object]] = {
    "a session": lambda root: plant(root, f"projects/{SHOP}/{B}.jsonl"),
    "a project": lambda root: (root / "projects/-elsewhere").mkdir(),
    "a subagent": lambda root: plant(root, f"projects/{SHOP}/{A}/subagents/agent-b2.jsonl"),
    "a title beside": lambda root: plant(root, f"projects/{SHOP}/{A}/custom-title.json"),
    "one less": lambda root: (root / f"projects/{SHOP}/{A}.jsonl").unlink(),
    "another name": lambda root: (root / f"projects/{SHOP}").rename(root / "projects/-other"),
    "no projects": lambda root: (root / "projects").rename(root / "gone"),
    "a folder that may not be read": lambda root: (root / f"projects/{SHOP}").chmod(0),
}


@needs_posix
@pytest.mark.parametrize("name", HAPPENINGS)
def test_what_came_or_went_is_noticed(quiet_root: Path, name: str) -> None:
    seen = listing.scan(quiet_root).seen
    assert seen.still_holds()
    HAPPENINGS[name](quiet_root)
    assert not seen.still_holds()
    (quiet_root / f"projects/{SHOP}").exists() and (quiet_root / f"projects/{SHOP}").chmod(0o700)


@needs_posix
def test_what_is_written_into_a_file_is_not_asked_of_folders(quiet_root: Path) -> None:
    seen = listing.scan(quiet_root).seen
    with (quiet_root / f"projects/{SHOP}/{A}.jsonl").open("ab") as file:
        file.write(b"more")
    assert seen.still_holds()


@needs_posix
def test_a_scan_right_behind_a_change_is_not_relied_on(tmp_path: Path) -> None:
    plant(tmp_path, f"projects/{SHOP}/{A}.jsonl")
    assert not listing.scan(tmp_path).seen.is_certain


@needs_posix
def test_a_home_with_links_is_scanned_each_time(quiet_root: Path) -> None:
    link(quiet_root, "projects/-link", quiet_root / f"projects/{SHOP}")
    aged(quiet_root)
    time.sleep(0.1)
    assert not listing.scan(quiet_root).seen.is_certain
