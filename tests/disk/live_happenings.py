"""Things that happen below a config folder, each a function of the folder.

They begin from the home that `test_live_events.py` makes: a session with a subagent, and another.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from forkpoint.layout import backup_name
from tests.builders import CWD, SESSION, Fields, line, row, transcript

OTHER = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
NEW = "b69a0ae4-3726-47d4-ad61-f08d81ff360f"
SHOP = "-home-dev-shop"
AGENT = "a1b2c3"
FILE = f"{CWD}/src/a.py"

Happening = Callable[[Path], None]


def of(home: Path, session_id: str = SESSION, key: str = SHOP) -> Path:
    return home / "projects" / key / f"{session_id}.jsonl"


def agent_of(home: Path, agent_id: str = AGENT) -> Path:
    return of(home).with_suffix("") / "subagents" / f"agent-{agent_id}.jsonl"


def write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def replace(path: Path, data: bytes) -> None:
    beside = write(path.with_suffix(".new"), data)
    beside.replace(path)


def of_agent(text: str, agent_id: str = AGENT) -> bytes:
    fields: dict[str, Fields] = {
        name: {"agentId": agent_id} for word in text.split() for name in (word, f"{word}.a")
    }
    return transcript(text, fields=fields)


BEGINNING = transcript(f"u1 a1 !u2({FILE}@1) u2 t1 r1 a2 | a1 u3 a3")


# --- what happens ------------------------------------------------------------------------------


def cut_short(home: Path) -> None:
    os.truncate(of(home), len(transcript("u1 a1")))


def cut_in_a_line(home: Path) -> None:
    os.truncate(of(home), len(BEGINNING) - 7)


def emptied(home: Path) -> None:
    os.truncate(of(home), 0)


def replaced_by_another_of_its_size(home: Path) -> None:
    replace(of(home, OTHER), transcript("u8 a8"))


def replaced_by_another_of_its_size_and_time(home: Path) -> None:
    path = of(home, OTHER)
    facts = path.stat()
    other = write(path.with_suffix(".new"), transcript("u8 a8"))
    assert other.stat().st_size == facts.st_size
    os.utime(other, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    other.replace(path)


def replaced_by_itself_and_more(home: Path) -> None:
    replace(of(home), BEGINNING + transcript("| a3 u4", start=200))


def overwritten_in_place(home: Path) -> None:
    with of(home, OTHER).open("r+b") as file:
        file.write(transcript("u8 a8"))


def grown_by_much(home: Path) -> None:
    prompts = " ".join(f"u{number} a{number}" for number in range(10, 2_000))
    append(of(home), transcript(f"| a3 {prompts}", start=200))


def moved_away(home: Path) -> None:
    of(home).rename(of(home).with_suffix(".away"))


def moved_out_of_the_home(home: Path) -> None:
    of(home).rename(home.parent / "away.jsonl")


def removed(home: Path) -> None:
    of(home).unlink()


def removed_with_its_folder(home: Path) -> None:
    of(home).unlink()
    shutil.rmtree(of(home).with_suffix(""))


def its_folder_removed(home: Path) -> None:
    shutil.rmtree(of(home).with_suffix(""))


def a_subagent_removed(home: Path) -> None:
    agent_of(home).unlink()


def a_subagent_replaced(home: Path) -> None:
    replace(agent_of(home), of_agent("k7 k8"))


def a_subagent_cut_short(home: Path) -> None:
    os.truncate(agent_of(home), len(of_agent("k1").partition(b"\n")[0]) + 1)


def a_subagent_grown(home: Path) -> None:
    append(agent_of(home), line(**row("k2", "k1.a", 90, {"agentId": AGENT})))


def another_subagent(home: Path) -> None:
    write(agent_of(home, "d4e5f6"), of_agent("k5", "d4e5f6"))


def a_first_subagent(home: Path) -> None:
    agent = of(home, OTHER).with_suffix("") / "subagents" / "agent-d4e5f6.jsonl"
    write(agent, of_agent("k5", "d4e5f6"))


def a_flat_subagent(home: Path) -> None:
    write(of(home).with_name("agent-d4e5f6.jsonl"), of_agent("k5", "d4e5f6"))


def a_flat_subagent_whose_first_line_is_torn(home: Path) -> None:
    write(of(home).with_name("agent-d4e5f6.jsonl"), of_agent("k5", "d4e5f6")[:50])


def a_note_of_a_subagent(home: Path) -> None:
    meta = agent_of(home).with_suffix(".meta.json")
    write(meta, b'{"agentType":"explorer","description":"looks around"}')


def a_workflow(home: Path) -> None:
    run = of(home).with_suffix("") / "subagents" / "workflows" / "run_1" / "agent-d4e5f6.jsonl"
    write(run, of_agent("k5", "d4e5f6"))


def a_title_given(home: Path) -> None:
    write(of(home).with_suffix("") / "custom-title.json", b'{"customTitle":"Boots","by":"user"}')


def a_new_session(home: Path) -> None:
    write(of(home, NEW), transcript("u5 a5"))


def a_new_session_in_a_new_folder(home: Path) -> None:
    write(of(home, NEW, "-home-dev-new"), transcript("u5 a5"))


def a_new_folder(home: Path) -> None:
    of(home, NEW, "-home-dev-new").parent.mkdir()


def moved_to_another_project(home: Path) -> None:
    elsewhere = of(home, key="-home-dev-other")
    elsewhere.parent.mkdir()
    of(home).rename(elsewhere)
    append(elsewhere, line(type="relocated", relocatedCwd="/home/dev/other"))


def moved_to_another_project_with_its_folder(home: Path) -> None:
    moved_to_another_project(home)
    of(home).with_suffix("").rename(of(home, key="-home-dev-other").with_suffix(""))


def a_newer_one_with_the_same_id(home: Path) -> None:
    write(of(home, key="-home-dev-other"), transcript("u1 a1 u9"))


def an_older_one_with_the_same_id(home: Path) -> None:
    os.utime(write(of(home, key="-home-dev-other"), transcript("u1 a1 u9")), (1000, 1000))


def a_project_renamed(home: Path) -> None:
    (home / "projects" / SHOP).rename(home / "projects" / "-home-dev-renamed")


def a_project_removed(home: Path) -> None:
    shutil.rmtree(home / "projects" / SHOP)


def projects_removed(home: Path) -> None:
    shutil.rmtree(home / "projects")


def everything_removed(home: Path) -> None:
    shutil.rmtree(home)


def everything_made_anew(home: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    write(of(home), transcript("u1 a1 u9"))
    write(of(home, NEW), transcript("u5 a5"))


def a_home_of_others_put_in_its_place(home: Path) -> None:
    other = home.parent / "other"
    write(of(other), BEGINNING + transcript("| a3 u4", start=200))
    home.rename(home.parent / "away")
    other.rename(home)


def a_copy_kept(home: Path) -> None:
    write(home / "file-history" / SESSION / backup_name(FILE, 1), b"one\ntwo\n")


def a_folder_in_its_place(home: Path) -> None:
    of(home).unlink()
    of(home).mkdir()


def a_pipe_in_its_place(home: Path) -> None:
    of(home).unlink()
    os.mkfifo(of(home))


def a_link_out_of_the_home_in_its_place(home: Path) -> None:
    outside = write(home.parent / "outside.jsonl", transcript("u1 a1 u9"))
    of(home).unlink()
    of(home).symlink_to(outside)


def a_link_to_nothing_in_its_place(home: Path) -> None:
    of(home).unlink()
    of(home).symlink_to(home / "nothing")


def a_link_to_another_place_in_the_home(home: Path) -> None:
    elsewhere = of(home, key="-home-dev-other")
    elsewhere.parent.mkdir()
    of(home).rename(elsewhere.with_suffix(".moved"))
    of(home).symlink_to(elsewhere.with_suffix(".moved"))


def a_subagent_that_became_a_folder(home: Path) -> None:
    agent_of(home).unlink()
    agent_of(home).mkdir()


PLAIN: list[Happening] = [
    cut_short,
    cut_in_a_line,
    emptied,
    replaced_by_another_of_its_size,
    replaced_by_another_of_its_size_and_time,
    replaced_by_itself_and_more,
    overwritten_in_place,
    grown_by_much,
    moved_away,
    moved_out_of_the_home,
    removed,
    removed_with_its_folder,
    its_folder_removed,
    a_subagent_removed,
    a_subagent_replaced,
    a_subagent_cut_short,
    a_subagent_grown,
    another_subagent,
    a_first_subagent,
    a_flat_subagent,
    a_flat_subagent_whose_first_line_is_torn,
    a_note_of_a_subagent,
    a_workflow,
    a_title_given,
    a_new_session,
    a_new_session_in_a_new_folder,
    a_new_folder,
    moved_to_another_project,
    moved_to_another_project_with_its_folder,
    a_newer_one_with_the_same_id,
    an_older_one_with_the_same_id,
    a_project_renamed,
    a_project_removed,
    projects_removed,
    everything_removed,
    everything_made_anew,
    a_home_of_others_put_in_its_place,
    a_copy_kept,
    a_folder_in_its_place,
    a_subagent_that_became_a_folder,
]
POSIX: list[Happening] = [
    a_pipe_in_its_place,
    a_link_out_of_the_home_in_its_place,
    a_link_to_nothing_in_its_place,
    a_link_to_another_place_in_the_home,
]
