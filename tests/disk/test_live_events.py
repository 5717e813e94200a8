"""Whatever happens below a config folder: who follows it knows what one who starts now finds.

Each happening is told once by its paths, as the system would, and once as "look at everything".
"""

from __future__ import annotations

import gc
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from forkpoint.catalog import Catalog
from forkpoint.layout import backup_name
from forkpoint.session import Conversation
from tests.builders import SESSION, transcript
from tests.disk.live_happenings import (
    AGENT,
    BEGINNING,
    FILE,
    OTHER,
    PLAIN,
    POSIX,
    Happening,
    a_copy_kept,
    a_new_folder,
    a_new_session_in_a_new_folder,
    a_note_of_a_subagent,
    a_project_removed,
    a_subagent_grown,
    a_subagent_removed,
    a_title_given,
    agent_of,
    another_subagent,
    append,
    cut_short,
    emptied,
    everything_made_anew,
    everything_removed,
    moved_to_another_project_with_its_folder,
    of,
    of_agent,
    removed,
    write,
)
from tests.disk.trees import needs_posix
from tests.properties.live_home import Json, LiveHome, Reference, ask, fresh, listed

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="start times are Linux's")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two sessions, one of them with a subagent and a kept version of a file."""
    home = tmp_path / "home"
    write(of(home), BEGINNING)
    write(agent_of(home), of_agent("k1"))
    write(of(home, OTHER), transcript("u7 a7"))
    return home


@pytest.fixture
def live(home: Path) -> LiveHome:
    live = LiveHome(home)
    live.follow(SESSION)
    live.follow(OTHER)
    live.catalog.take_changes()
    return live


Facts = dict[str, tuple[int, ...]]


def tree(home: Path) -> Facts:
    """What a watcher would tell a difference of."""
    paths = [home, *home.rglob("*")] if home.exists() else []
    found: Facts = {}
    for path in paths:
        facts = path.lstat()
        size = facts.st_size if path.is_file() else 0
        found[str(path)] = (facts.st_ino, facts.st_mode, size, facts.st_mtime_ns)
    return found


def between(before: Facts, after: Facts) -> set[str]:
    """The paths of which something is told; a folder is not named for what happens in it."""
    names = {*before, *after}
    return {name for name in names if _key(before.get(name)) != _key(after.get(name))}


def _key(facts: tuple[int, ...] | None) -> tuple[int, ...] | None:
    is_folder = facts is not None and facts[1] & 0o170000 == 0o040000
    return facts[:2] if facts is not None and is_folder else facts


WAYS = ["paths", "everything"]


def see(live: LiveHome, way: str, happen: Happening) -> list[Json]:
    """Have something happen, and hold all answers and all that was told against the disk."""
    before, old = tree(live.home), fresh(live.home)
    happen(live.home)
    new = fresh(live.home)
    paths = between(before, tree(live.home))
    told = live.refresh(paths if way == "paths" else None)
    check_news(live.catalog.take_changes(), old, new)
    there = [Reference(entry.session_id) for entry in new.entries()]
    live.check(*there)
    for reference, known in live.client.knows.items():
        if reference.agent_id is None:
            assert known.gone == (new.find(reference.session_id) is None), reference
    assert live.refresh(None) == [], "all was told"
    assert live.catalog.take_changes() == ([], [], [])
    return told


def check_news(news: tuple[list[str], list[str], list[str]], old: Catalog, new: Catalog) -> None:
    added, changed, removed = map(set, news)
    were, are = ({entry.session_id for entry in known.entries()} for known in (old, new))
    before, after = listed(old), listed(new)
    differ = {each for each in were & are if before.get(each) != after.get(each)}
    # One that moved to another folder may count as new.
    assert are - were <= added <= are
    assert differ <= added | changed <= are, "a row changed, and nobody was told"
    assert removed == were - are


HAPPENINGS = [
    pytest.param(each, id=each.__name__, marks=needs_posix if each in POSIX else ())
    for each in [*PLAIN, *POSIX]
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("happen", HAPPENINGS)
def test_one_thing_happens(live: LiveHome, happen: Happening, way: str) -> None:
    see(live, way, happen)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("happen", HAPPENINGS)
def test_it_is_undone(live: LiveHome, happen: Happening, way: str) -> None:
    """And then the transcript grows, which is told as ever."""
    saved = live.home.parent / "saved"
    shutil.copytree(live.home, saved)

    def undo(home: Path) -> None:
        shutil.rmtree(home, ignore_errors=True)
        # With new times: a file that has the size, time and inode of another is taken for it.
        shutil.copytree(saved, home, copy_function=shutil.copyfile)

    see(live, way, happen)
    see(live, way, undo)
    told = see(live, way, lambda home: append(of(home), transcript("| a3 u4", start=200)))
    spans = [(one["firstNew"], one["reread"], one["gone"]) for one in told]
    assert spans == [(BEGINNING.count(b"\n"), False, False)]


@pytest.mark.parametrize("way", WAYS)
def test_one_thing_after_the_other(live: LiveHome, way: str) -> None:
    for happen in (
        *(a_subagent_grown, another_subagent, a_note_of_a_subagent, a_title_given, a_copy_kept),
        *(a_new_session_in_a_new_folder, moved_to_another_project_with_its_folder),
        *(a_project_removed, everything_removed, everything_made_anew, cut_short, removed),
    ):
        see(live, way, happen)


# --- told, and how -----------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_what_is_told_of_files_that_become_others(live: LiveHome, way: str) -> None:
    def about_main(told: list[Json]) -> list[tuple[Any, ...]]:
        return [
            (one["reread"], one["gone"], one["firstNew"], one["lastNew"])
            for one in told
            if one["agentId"] is None
        ]

    lines = BEGINNING.count(b"\n")
    assert about_main(see(live, way, cut_short)) == [(True, False, 0, 1)]
    assert about_main(see(live, way, removed)) == [(False, True, None, None)]
    again = see(live, way, lambda home: write(of(home), BEGINNING) and None)
    assert about_main(again) == [(True, False, 0, lines - 1)]
    assert about_main(see(live, way, emptied)) == [(True, False, None, None)]
    assert about_main(see(live, way, lambda home: append(of(home), BEGINNING))) == [
        (False, False, 0, lines - 1)
    ]


@pytest.mark.parametrize("way", WAYS)
def test_a_subagent_that_vanished_is_told_as_gone(live: LiveHome, way: str) -> None:
    told = see(live, way, a_subagent_removed)
    assert [(one["agentId"], one["gone"]) for one in told] == [(AGENT, True)]


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_told_where_nothing_happened(live: LiveHome, way: str) -> None:
    assert see(live, way, lambda home: None) == []
    assert see(live, way, lambda home: os.utime(of(home))) == []
    assert see(live, way, lambda home: append(of(home), b"\n \t\n")) == []
    assert see(live, way, lambda home: append(of(home), b'{"type":"us')) == []
    assert see(live, way, lambda home: of(home).chmod(0o600)) == []
    assert see(live, way, a_new_folder) == []
    told = see(live, way, lambda home: append(of(home), b'er"}\n'))
    assert [one["firstNew"] for one in told] == [BEGINNING.count(b"\n")]


@pytest.mark.parametrize("way", WAYS)
def test_what_is_deleted_is_forgotten(live: LiveHome, way: str) -> None:
    """A server that runs for weeks sees many sessions come and go."""
    ids = [f"{number:08}-0000-4000-8000-000000000000" for number in range(20)]
    before = conversations()
    for number, session_id in enumerate(ids):
        rows = transcript(f"u{number} a{number} !u{number}x({FILE}@1) u{number}x")
        path = write(of(live.home, session_id), rows)
        write(path.with_suffix("") / "subagents" / "agent-a1.jsonl", of_agent("k1", "a1"))
        write(live.home / "file-history" / session_id / backup_name(FILE, 1), b"one\n")
    live.refresh(None)
    live.check(*map(Reference, ids))
    assert conversations() == before + 2 * len(ids)
    for session_id in ids:
        live.follow(session_id)
        ask(live.catalog, "unwatch", sessionId=session_id)
        del live.client.knows[Reference(session_id)]
    paths = {str(of(live.home, session_id)) for session_id in ids}
    for session_id in ids:
        of(live.home, session_id).unlink()
        shutil.rmtree(of(live.home, session_id).with_suffix(""))
        shutil.rmtree(live.home / "file-history" / session_id)
    live.refresh(paths if way == "paths" else None)
    # Who shares which files is made up anew when a session is read.
    append(of(live.home), transcript("| a3 u4", start=200))
    live.refresh({str(of(live.home))})
    live.check(Reference(SESSION), Reference(OTHER))
    assert conversations() == before


def conversations() -> int:
    """How many transcripts are kept in memory."""
    gc.collect()
    return sum(isinstance(each, Conversation) for each in gc.get_objects())


# --- what may not be read ----------------------------------------------------------------------


@needs_posix
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("what", ["the transcript", "its folder", "projects"])
def test_what_may_not_be_read_for_a_while(unprivileged_root: Path, way: str, what: str) -> None:
    """What was read goes on answering, or the session is gone meanwhile; nothing fails."""
    home = unprivileged_root / "home"
    write(of(home), BEGINNING)
    live = LiveHome(home)
    live.follow(SESSION)
    live.catalog.take_changes()
    path = {"the transcript": of(home), "its folder": of(home).parent}.get(what, home / "projects")
    mode = path.stat().st_mode
    append(of(home), transcript("| a3 u4", start=200))
    path.chmod(0)
    live.refresh({str(path)} if way == "paths" else None)
    path.chmod(mode)
    live.refresh({str(path)} if way == "paths" else None)
    live.check(Reference(SESSION))
    assert live.client.knows[Reference(SESSION)].total == BEGINNING.count(b"\n") + 1


# --- running clients ---------------------------------------------------------------------------


@pytest.fixture
def client() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def note(home: Path, pid: int, status: str, **fields: object) -> Path:
    text = Path(f"/proc/{pid}/stat").read_text()
    started = text[text.rindex(")") + 2 :].split()[19]
    facts = {"pid": pid, "procStart": started, "sessionId": SESSION, "version": "2.1.332"}
    text = json.dumps({**facts, "status": status, **fields})
    return write(home / "sessions" / f"{pid}.json", text.encode())


@linux
@pytest.mark.parametrize("way", WAYS)
def test_a_client_from_its_begin_to_its_end(
    live: LiveHome, way: str, client: subprocess.Popen[bytes]
) -> None:
    pid = client.pid

    def lives() -> list[object]:
        return [one["live"] for one in told if one["agentId"] is None]

    told = see(live, way, lambda home: note(home, pid, "idle") and None)
    assert lives() == [{"status": "idle", "waitingFor": None, "pid": pid}]
    told = see(live, way, lambda home: note(home, pid, "busy") and None)
    assert lives() == [{"status": "busy", "waitingFor": None, "pid": pid}]
    told = see(live, way, lambda home: note(home, pid, "busy", updatedAt=5) and None)
    assert lives() == [], "nothing that is shown became another"
    told = see(live, way, lambda home: note(home, pid, "busy", sessionId=OTHER) and None)
    assert {one["sessionId"]: one["live"] for one in told if one["agentId"] is None} == {
        SESSION: None,
        OTHER: {"status": "busy", "waitingFor": None, "pid": pid},
    }
    told = see(live, way, lambda home: (home / "sessions" / f"{pid}.json").unlink())
    assert lives() == [None]


@linux
def test_a_client_that_is_killed(live: LiveHome, client: subprocess.Popen[bytes]) -> None:
    """Its file stays, and no event tells of its end: the server looks from time to time."""
    see(live, "paths", lambda home: note(home, client.pid, "busy") and None)
    client.kill()
    client.wait()
    live.catalog.look_who_is_live()
    told = live.refresh(set())
    assert [one["live"] for one in told if one["agentId"] is None] == [None]
    assert live.catalog.take_changes() == ([], [SESSION], [])
    live.check(Reference(SESSION), Reference(OTHER))


@linux
def test_another_version_that_resumes_may_have_another_leaf(
    live: LiveHome, client: subprocess.Popen[bytes]
) -> None:
    """Rules differ by release, and the running client is the one that would resume."""
    for version in ("2.0.76", "2.1.332", "1.0.128"):
        see(
            live,
            "paths",
            lambda home, v=version: note(home, client.pid, "busy", version=v) and None,
        )


@linux
def test_keys_of_clients_are_never_opened(
    live: LiveHome, client: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def noting(real: Callable[..., Any]) -> Callable[..., Any]:
        def opens(path: Any, *arguments: Any, **named: Any) -> Any:
            opened.append(str(path))
            return real(path, *arguments, **named)

        return opens

    key = write(live.home / "sessions" / f"{client.pid}.key", b"secret")
    file = note(live.home, client.pid, "busy")
    for module in (os, io):
        monkeypatch.setattr(module, "open", noting(module.open))
    live.refresh({str(key), str(file)})
    live.refresh(None)
    assert str(file) in opened
    assert str(key) not in opened
