"""The store: whatever becomes of its file, answers are right or absent, and nothing is raised."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from stat import S_IMODE

import pytest

from forkpoint import store, store_file
from forkpoint.cache_folder import cache_folder, lies_below, store_folder
from forkpoint.disk import FileStat
from forkpoint.store import FILE, Kept, Store, open_store
from tests.disk.trees import needs_posix

A, B, C = "/home/dev/.claude/projects/-a/a.jsonl", "/home/dev/b.jsonl", "/home/dev/c.jsonl"
THEN, NOW = FileStat(100, 1_796_010_000_000_000_001, 2**64 - 1), FileStat(200, 17, 42)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "caches" / "forkpoint"


@pytest.fixture
def opened() -> Iterator[Callable[..., Store]]:
    """Open stores that are closed at the end."""
    stores: list[Store] = []

    def open_one(*where: object, **options: str) -> Store:
        stores.append(open_store(*where, **options))  # type: ignore[arg-type]
        return stores[-1]

    yield open_one
    for one in stores:
        one.close()


Opened = Callable[..., Store]


def filled(folder: Path) -> Path:
    """A closed store with a bit of everything; its file is returned."""
    kept = open_store(folder)
    for number in range(60):
        kept.put_index(f"/x/{number}.jsonl", THEN, bytes([number]) * 9000)
        kept.put_listed(f"/x/{number}.jsonl", b"state", bytes([number]) * 700)
        kept.put_answer(f"/x/{number}.jsonl", "counts", THEN, bytes([number]) * 50)
    assert kept.off is None
    assert kept.flush()
    kept.close()
    return folder / FILE


def told(kept: Store) -> dict[str, object]:
    """What a store that `filled` filled tells; raises where any of it is wrong."""
    known: dict[str, object] = {}
    listed = kept.listed()
    for number in range(60):
        path, byte = f"/x/{number}.jsonl", bytes([number])
        index, answer = kept.index_of(path), kept.answer(path, "counts", THEN)
        assert index in (None, Kept(THEN, byte * 9000))
        assert answer in (None, byte * 50)
        assert listed.get(path) in (None, (b"state", byte * 700))
        known |= {f"{path} {n}": x for n, x in enumerate((index, answer, listed.get(path))) if x}
    assert set(listed) <= {f"/x/{number}.jsonl" for number in range(60)}
    return known


def takes_and_gives(kept: Store) -> bool:
    kept.put_index(C, NOW, b"once more")
    return kept.flush() and kept.index_of(C) == Kept(NOW, b"once more")


# --- what is put is there ----------------------------------------------------------------------


def test_what_was_put_is_there_in_the_next_run(folder: Path, opened: Opened) -> None:
    first = opened(folder)
    assert (first.listed(), first.index_of(A), first.answer(A, "counts", THEN)) == ({}, None, None)
    first.put_listed(A, b"state of a", b"row of a")
    first.put_listed(B, b"", b"")
    first.put_index(A, THEN, b"index of a")
    first.put_answer(A, "counts", THEN, b"counts of a")
    first.put_answer(A, "leaf", NOW, b"leaf of a")
    assert first.listed() == {}
    assert first.flush()
    first.close()
    kept = opened(folder)
    assert kept.listed() == {A: (b"state of a", b"row of a"), B: (b"", b"")}
    assert kept.index_of(A) == Kept(THEN, b"index of a")
    assert kept.index_of(B) is None
    assert kept.answer(A, "counts", THEN) == b"counts of a"
    assert kept.answer(A, "leaf", NOW) == b"leaf of a"
    assert kept.answer(A, "segments", THEN) is None
    assert kept.answer(B, "counts", THEN) is None


def test_the_last_to_be_put_counts(folder: Path, opened: Opened) -> None:
    kept = opened(folder)
    for data in (b"1", b"2"):
        kept.put_index(A, THEN, data)
    kept.flush()
    kept.put_index(A, NOW, b"3")
    kept.flush()
    assert kept.index_of(A) == Kept(NOW, b"3")


def test_an_answer_is_given_for_its_state_of_the_file_only(folder: Path, opened: Opened) -> None:
    kept = opened(folder)
    kept.put_answer(A, "counts", THEN, b"then")
    kept.flush()
    assert kept.answer(A, "counts", NOW) is None
    for part in range(3):
        other = FileStat(*[n - 1 if at == part else n for at, n in enumerate(THEN)])
        assert kept.answer(A, "counts", other) is None
    assert kept.answer(A, "counts", THEN) == b"then"


def test_names_that_are_no_unicode_are_names_too(folder: Path, opened: Opened) -> None:
    kept, path = opened(folder), "/home/\udcff/\ud800.jsonl"
    kept.put_index(path, THEN, b"x")
    kept.put_listed(path, b"s", b"y")
    assert kept.flush()
    assert kept.index_of(path) == Kept(THEN, b"x")
    assert kept.listed() == {path: (b"s", b"y")}


def test_transcripts_that_are_gone_are_forgotten(
    folder: Path, opened: Opened, tmp_path: Path
) -> None:
    there, unlisted, gone = (str(tmp_path / name) for name in ("there", "unlisted", "gone"))
    Path(unlisted).touch()
    kept = opened(folder)
    for path in (there, unlisted, gone):
        kept.put_index(path, THEN, b"x")
        kept.put_listed(path, b"s", b"y")
        kept.put_answer(path, "counts", THEN, b"z")
    kept.flush()
    kept.forget_missing([there])
    kept.flush()
    assert set(kept.listed()) == {there, unlisted}
    assert [kept.index_of(path) is None for path in (there, unlisted, gone)] == [False, False, True]
    assert kept.answer(gone, "counts", THEN) is None
    assert kept.answer(unlisted, "counts", THEN) == b"z"


def test_a_path_that_was_damaged_is_forgotten(folder: Path, opened: Opened) -> None:
    filled(folder)
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as database:
        database.execute("UPDATE answers SET path = x'ff41' WHERE path = ?", (b"/x/1.jsonl",))
    kept = opened(folder)
    kept.forget_missing([f"/x/{number}.jsonl" for number in range(60)])
    kept.flush()
    kept.close()
    with closing(sqlite3.connect(folder / FILE)) as database:
        assert database.execute("SELECT count(*) FROM answers").fetchone() == (59,)
        assert database.execute("SELECT count(*) FROM indexes").fetchone() == (60,)


def test_one_that_comes_back_before_it_is_forgotten_is_kept(folder: Path, opened: Opened) -> None:
    kept = opened(folder)
    kept.put_index(A, THEN, b"old")
    kept.flush()
    kept.put_index(A, THEN, b"older")
    kept.forget_missing([])
    kept.put_index(A, NOW, b"new")
    kept.flush()
    assert kept.index_of(A) == Kept(NOW, b"new")


def test_what_was_written_longest_ago_goes_first(
    folder: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_BYTES", 1_000_000)
    kept = opened(folder)
    for number in range(40):
        kept.put_index(str(number), THEN, b"x" * 50_000)
        kept.put_index("0", NOW, b"y" * 50_000)
        assert kept.flush()
    there = [number for number in range(40) if kept.index_of(str(number))]
    assert there[0] == 0
    assert there[1:] == [*range(40 - len(there) + 1, 40)]
    assert 12 < len(there) < 20
    kept.close()
    assert (folder / FILE).stat().st_size < 1_300_000


def test_no_more_waits_than_it_may(
    folder: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_WAITING", 100)
    kept = opened(folder)
    for path in (A, A, B):
        kept.put_index(path, THEN, b"x" * 40)
    kept.put_index(C, THEN, b"x" * 40)
    kept.flush()
    assert [kept.index_of(path) is None for path in (A, B, C)] == [False, False, True]
    kept.put_index(C, THEN, b"x" * 90)
    kept.flush()
    assert kept.index_of(C) == Kept(THEN, b"x" * 90)


# --- where it lies -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {}, "/home/dev/.cache/forkpoint"),
        ("linux", {"XDG_CACHE_HOME": "/var/caches"}, "/var/caches/forkpoint"),
        ("linux", {"XDG_CACHE_HOME": "caches"}, "/home/dev/.cache/forkpoint"),
        ("darwin", {}, "/home/dev/Library/Caches/forkpoint"),
        ("win32", {}, "/home/dev/AppData/Local/forkpoint/Cache"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/forkpoint/Cache"),
    ],
)
@needs_posix
def test_the_store_lies_among_the_users_caches(
    platform: str, environ: dict[str, str], folder: str
) -> None:
    assert str(store_folder(environ, "/home/dev", platform=platform)) == folder
    assert folder.startswith(str(cache_folder(environ, "/home/dev", platform=platform)))


def test_nothing_is_written_below_an_agents_folder(tmp_path: Path, opened: Opened) -> None:
    agent = tmp_path / ".claude"
    agent.mkdir()
    (tmp_path / "link").symlink_to(agent)
    for folder in (agent, agent / "caches", tmp_path / "link" / "caches"):
        kept = opened(folder, [tmp_path / "other", agent])
        assert kept.off == "agents"
        assert not takes_and_gives(kept)
    assert list(agent.iterdir()) == []
    assert not lies_below(tmp_path / ".claude-caches", [agent])
    assert opened(tmp_path / ".claude-caches", [agent]).off is None


@needs_posix
def test_nobody_else_may_read_it(folder: Path, opened: Opened) -> None:
    before = os.umask(0)
    try:
        assert takes_and_gives(opened(folder))
    finally:
        os.umask(before)
    modes = {path.name: S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {FILE: 0o600, f"{FILE}-wal": 0o600, f"{FILE}-shm": 0o600}
    assert S_IMODE(folder.stat().st_mode) == 0o700


# --- another's file ----------------------------------------------------------------------------


def a_folder(path: Path) -> None:
    (path / "inside").mkdir(parents=True)


def a_text(path: Path) -> None:
    path.write_bytes(b"Dear diary" * 50)


def a_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE listed (path)")
        database.execute(f"PRAGMA user_version = {2**31 - 1}")


def another_applications(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA application_id = 7")
        database.execute("CREATE TABLE listed (path)")


def a_link(path: Path) -> None:
    a_text(path.with_name("diary"))
    path.symlink_to("diary")


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


@needs_posix
@pytest.mark.parametrize(
    "plant", [a_folder, a_text, a_database, another_applications, a_link, a_pipe]
)
def test_what_is_not_ours_is_left_alone(
    folder: Path, opened: Opened, plant: Callable[[Path], None]
) -> None:
    folder.mkdir(parents=True)
    plant(folder / FILE)
    before = facts_below(folder)
    kept = opened(folder)
    assert kept.off == "notOurs"
    assert not takes_and_gives(kept)
    kept.close()
    assert facts_below(folder) == before


def facts_below(folder: Path) -> dict[Path, tuple[int, ...]]:
    facts = {path: path.lstat() for path in folder.rglob("*")}
    return {path: (f.st_mode, f.st_ino, f.st_size, f.st_mtime_ns) for path, f in facts.items()}


# --- another release's -------------------------------------------------------------------------


def test_a_store_of_another_release_is_begun_anew(
    folder: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = filled(folder)
    assert len(told(opened(folder))) == 180
    monkeypatch.setattr(store, "LAYOUT", store.LAYOUT + 1)
    future = opened(folder)
    assert (future.off, told(future)) == (None, {})
    assert takes_and_gives(future)
    future.close()
    monkeypatch.undo()
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT count(*) FROM indexes").fetchone() == (1,)
    older = opened(folder)
    assert (older.off, older.index_of(C)) == (None, None)
    assert takes_and_gives(older)


def test_whoever_puts_other_things_begins_anew(folder: Path, opened: Opened) -> None:
    filled(folder)
    assert told(opened(folder, made_by="rows of two lines")) == {}


def test_a_store_whose_file_is_replaced_under_it_is_off(folder: Path, opened: Opened) -> None:
    filled(folder)
    first = opened(folder)
    second = opened(folder, made_by="another")
    assert takes_and_gives(second)
    assert len(told(first)) == 180
    assert not takes_and_gives(first)
    assert first.off == "replaced"
    first.close()
    assert takes_and_gives(second)
    second.close()
    assert opened(folder, made_by="another").index_of(C) == Kept(NOW, b"once more")


def test_a_file_of_ours_without_its_tables_is_begun_anew(folder: Path, opened: Opened) -> None:
    path = filled(folder)
    for statement in ("DROP TABLE answers", "ALTER TABLE listed DROP COLUMN state"):
        with closing(sqlite3.connect(path)) as database:
            database.execute(statement)
        kept = opened(folder)
        told(kept)
        assert takes_and_gives(kept)
        kept.close()


# --- damage ------------------------------------------------------------------------------------


def test_whatever_is_damaged_is_right_or_absent(folder: Path, opened: Opened) -> None:
    path = filled(folder)
    whole = path.read_bytes()
    rng = random.Random(5)
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 3, 30, 1000))):
            # Not the name in the header: without it the file would be anybody's.
            at = rng.choice((rng.randrange(100, len(data)), rng.randrange(100, 4096)))
            data[at] = rng.randrange(256)
        path.write_bytes(data)
        kept = opened(folder)
        told(kept)
        takes_and_gives(kept)
        assert kept.off in (None, "broken")
        kept.close()
        for beside in folder.glob(f"{FILE}-*"):
            beside.unlink()


@pytest.mark.parametrize("size", [0, 10, 16, 60, 99, 100, 1000, 4096, 5000, 50_000])
def test_a_file_that_was_cut_is_mended(folder: Path, opened: Opened, size: int) -> None:
    path = filled(folder)
    path.write_bytes(path.read_bytes()[:size])
    kept = opened(folder)
    told(kept)
    takes_and_gives(kept)
    told(kept)
    assert takes_and_gives(kept)
    assert kept.off is None


def test_a_header_that_is_damaged_behind_the_name_is_mended(folder: Path, opened: Opened) -> None:
    path = filled(folder)
    whole = path.read_bytes()
    for at in (*range(16, 68), *range(72, 100)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        kept = opened(folder)
        told(kept)
        takes_and_gives(kept)
        assert takes_and_gives(kept)
        kept.close()
        path.unlink()


def test_a_piece_in_the_wrong_place_is_no_answer(folder: Path, opened: Opened) -> None:
    path = filled(folder)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("UPDATE indexes SET path = ? WHERE path = ?", (b"/y", b"/x/3.jsonl"))
    kept = opened(folder)
    assert kept.index_of("/y") is None
    assert told(kept) == {}
    assert takes_and_gives(kept)


def test_a_file_that_is_damaged_twice_is_given_up(folder: Path, opened: Opened) -> None:
    kept = opened(folder)
    for off in (None, "broken"):
        kept.put_index(A, THEN, b"x")
        kept.flush()
        with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as database:
            database.execute("UPDATE indexes SET data = x'00'")
        assert kept.index_of(A) is None
        assert kept.off == off
    assert not takes_and_gives(kept)


# --- several at once, and their end ------------------------------------------------------------

WRITER = """
    import sys
    from forkpoint.disk import FileStat
    from forkpoint.store import open_store
    kept = open_store(sys.argv[1])
    assert kept.off is None, kept.off
    name, rounds = sys.argv[2], int(sys.argv[3])
    print("ready", flush=True)
    written = 0
    for round in range(rounds):
        for path in ("shared", name):
            data = f"{path} {name} {round} ".encode() * (100 + round % 7 * 900)
            kept.put_index(path, FileStat(round, 0, 0), data)
            kept.put_listed(path, str(round).encode(), data)
        written += kept.flush()
    kept.close()
    print(written, flush=True)
"""


def child(code: str, *words: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def check(kept: Store) -> int:
    """How many pieces of the writers' a store has; all of them are whole."""
    found = 0
    for path, (state, data) in kept.listed().items():
        index = kept.index_of(path)
        assert index is not None
        for number, piece in ((int(state), data), (index.stat.size, index.data)):
            words = piece.split()
            assert set(words[0::3]) == {path.encode()}
            assert set(words[2::3]) == {str(number).encode()}
            assert len(words) == 3 * (100 + number % 7 * 900)
        found += 1
    return found


def test_two_processes_may_write_at_once(folder: Path, opened: Opened) -> None:
    writers = [child(WRITER, folder, name, 120) for name in ("one", "two")]
    kept = opened(folder)
    while any(writer.poll() is None for writer in writers):
        check(kept)
    for writer in writers:
        out, err = writer.communicate()
        assert (writer.returncode, err) == (0, b"")
        assert int(out.split()[1]) > 0
    assert check(kept) == 3
    assert kept.off is None


@needs_posix
def test_a_writer_may_be_killed_at_any_moment(folder: Path, opened: Opened) -> None:
    rng = random.Random(3)
    kept = opened(folder)
    found = 0
    for number in range(12):
        with child(WRITER, folder, f"w{number}", 10_000) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            time.sleep(rng.random() / 10)
            writer.send_signal(signal.SIGKILL)
        found = check(kept)
        if number % 3 == 2:  # Nobody has it open: the next has to find its way alone.
            kept.close()
            kept = opened(folder)
            assert kept.off is None
            assert check(kept) == found
    assert found > 1
    assert takes_and_gives(kept)
    kept.close()
    with closing(sqlite3.connect(folder / FILE)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_store_that_is_locked_keeps_for_the_next_time(folder: Path, opened: Opened) -> None:
    kept = opened(folder)
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        kept.put_index(A, THEN, b"x")
        assert not kept.flush()
        assert kept.index_of(A) is None
        assert kept.off is None
        other.execute("COMMIT")
    assert kept.flush()
    assert kept.index_of(A) == Kept(THEN, b"x")


# --- where nothing can be written --------------------------------------------------------------

OF_NOBODY = """
    import os, resource, sys
    from forkpoint.disk import FileStat
    from forkpoint.store import open_store
    stat = FileStat(1, 2, 3)
    {first}
    kept = open_store(sys.argv[1])
    print(kept.off, len(kept.listed()))
    for number in range(50):
        kept.put_index("large" + str(number), stat, os.urandom(100_000))
    print(kept.flush(), kept.index_of("large49") is None, kept.flush(), len(kept.listed()))
    kept.close()
"""


def told_by(first: str, folder: Path) -> list[str]:
    with child(OF_NOBODY.format(first=first), folder) as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    return out.decode().split("\n")[:-1]


AS_NOBODY = "os.getuid() or os.setuid(12345)"


@needs_posix
def test_a_folder_that_cannot_be_made(open_to_all: Path) -> None:
    open_to_all.chmod(0o555)
    lines = told_by(AS_NOBODY, open_to_all / "forkpoint")
    assert lines == ["denied 0", "False True False 0"]
    assert list(open_to_all.iterdir()) == []


@needs_posix
@pytest.mark.parametrize(("of_folder", "of_file"), [(0o555, 0o444), (0o777, 0o444), (0o777, 0)])
def test_a_store_that_is_read_only(open_to_all: Path, of_folder: int, of_file: int) -> None:
    path = filled(open_to_all)
    before = path.read_bytes()
    path.chmod(of_file)
    open_to_all.chmod(of_folder)
    lines = told_by(AS_NOBODY, open_to_all)
    assert lines[0] in ("denied 0", "None 60")
    assert lines[1].startswith("False True")
    assert path.read_bytes() == before


@pytest.fixture
def open_to_all(tmp_path: Path) -> Iterator[Path]:
    """A folder that the superuser, too, can make one that is read only: for somebody else."""
    import tempfile

    with tempfile.TemporaryDirectory(dir="/tmp" if os.getuid() == 0 else tmp_path) as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder
        folder.chmod(0o777)


@needs_posix
@pytest.mark.parametrize("most", [0, 50, 10_000, 40_000, 1_000_000])
def test_a_disk_that_is_full(folder: Path, opened: Opened, most: int) -> None:
    limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))"
    lines = told_by(limit, folder)
    assert lines[0] in ("denied 0", "None 0")
    assert lines[1] in ("False True False 0", "False True True 0")
    kept = opened(folder)  # There is room again.
    assert kept.off is None
    assert takes_and_gives(kept)


@needs_posix
@pytest.mark.parametrize("most", [0, 40_000, 1_000_000])
def test_a_disk_that_has_become_full(folder: Path, opened: Opened, most: int) -> None:
    filled(folder)
    limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))"
    lines = told_by(limit, folder)
    assert lines[0] in ("denied 0", "None 60")
    assert lines[1].startswith("False True")
    kept = opened(folder)
    assert len(told(kept)) == 180
    assert takes_and_gives(kept)


def test_a_database_that_is_full(folder: Path, opened: Opened) -> None:
    filled(folder)
    kept = opened(folder)
    assert kept._database is not None
    kept._database.execute("PRAGMA max_page_count = 1").fetchall()
    kept.put_index(A, THEN, b"x" * 10_000_000)
    assert not kept.flush()
    assert kept.off is None
    assert len(told(kept)) == 180
    kept._database.execute("PRAGMA max_page_count = 1000000").fetchall()
    assert takes_and_gives(kept)
    assert kept.index_of(A) is None


def test_a_folder_with_a_name_that_none_can_have(opened: Opened) -> None:
    assert opened("/tmp/\0").off == "denied"


def test_a_store_that_was_closed_answers_nothing(folder: Path) -> None:
    kept = open_store(folder)
    assert takes_and_gives(kept)
    kept.put_index(A, THEN, b"x")
    kept.close()
    kept.close()
    assert kept.off == "closed"
    assert (kept.listed(), kept.index_of(C), kept.answer(C, "x", NOW)) == ({}, None, None)
    kept.forget_missing([])
    assert not takes_and_gives(kept)


def test_what_stands_beside_a_file_that_is_thrown_away_goes_with_it(folder: Path) -> None:
    path = filled(folder)
    beside = [path.with_name(FILE + end) for end in ("-wal", "-shm", "-journal")]
    for one in beside:
        one.touch()
    (folder / "another's").touch()
    store_file.throw_away(path)
    assert [one.name for one in folder.iterdir()] == ["another's"]
