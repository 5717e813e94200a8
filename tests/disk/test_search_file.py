"""The file of the search table: whatever becomes of it, a search finds what is there."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from forkpoint import search_file, search_find, search_table, searching, transcript_bytes
from forkpoint.catalog import Catalog
from forkpoint.disk import Reason, Unreadable
from forkpoint.records.searchable import Part
from forkpoint.search_file import open_search
from forkpoint.search_find import find
from forkpoint.search_query import Phrase, Query
from tests.builders import SESSION, transcript
from tests.disk.trees import needs_posix
from tests.fixture_paths import FIXTURES
from tests.searches import ALL, fill, found, paths, state

FILE = "search.sqlite3"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / "demo" / "home", tmp_path / "home"))


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "caches" / "forkpoint"


@pytest.fixture
def opened() -> Iterator[Callable[..., Catalog]]:
    """Open catalogs with their table in a folder; they are closed at the end."""
    catalogs: list[Catalog] = []

    def open_one(home: Path, cache: Path, **options: bool) -> Catalog:
        catalogs.append(Catalog([home], search=lambda: open_search(cache, [home], **options)))
        return catalogs[-1]

    yield open_one
    for catalog in catalogs:
        catalog.close()


Opened = Callable[..., Catalog]


def filled(opened: Opened, home: Path, cache: Path) -> Path:
    """The file of a table that was filled and closed."""
    catalog = opened(home, cache)
    fill(catalog)
    assert catalog.searching.filling.file.off is None
    catalog.close()
    return cache / FILE


def everything(home: Path) -> list[tuple[object, ...]]:
    """What a table in memory tells that was filled just now."""
    catalog = Catalog([home])
    fill(catalog)
    told = state(catalog)
    assert len(told) > 100
    return told


def small(home: Path, text: str) -> Path:
    """A home with one transcript."""
    path = home / "projects" / "-x" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(transcript(text))
    return path


# --- transcripts that change -------------------------------------------------------------------


def test_a_line_is_found_as_soon_as_it_is_listed(tmp_path: Path) -> None:
    path = small(tmp_path, "u1 a1")
    catalog = Catalog([tmp_path])
    fill(catalog)
    with path.open("ab") as file:
        file.write(transcript("u2", start=50))
    catalog.rescan()
    fill(catalog)
    assert found(catalog, "u2") == [2]


def test_an_unfinished_line_that_never_ends_is_replaced(tmp_path: Path) -> None:
    path = small(tmp_path, "u1 a1")
    whole = path.read_bytes()
    path.write_bytes(whole + transcript("u2").rstrip(b"\n"))
    catalog = Catalog([tmp_path])
    fill(catalog)
    assert found(catalog, "u2") == [2]
    path.write_bytes(whole + transcript("u3"))
    catalog.rescan()
    fill(catalog)
    assert (found(catalog, "u2"), found(catalog, "u3")) == ([], [2])


def test_words_of_before_are_not_found_in_what_was_rewritten(tmp_path: Path) -> None:
    path = small(tmp_path, "u1 a1 u2 a2")
    catalog = Catalog([tmp_path])
    fill(catalog)
    assert found(catalog, "u2") == [2]
    path.write_bytes(transcript("u3 a3 u4 a4"))
    catalog.rescan()
    fill(catalog)
    assert (found(catalog, "u2"), found(catalog, "u4")) == ([], [2])


def test_a_transcript_that_is_gone_is_forgotten(
    home: Path, cache: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_file, "MOST_GONE", 1)
    catalog = opened(home, cache)
    fill(catalog)
    for path in paths(catalog)[1:]:
        Path(path).unlink()
    catalog.rescan()
    filling = catalog.searching.filling
    filling.keep()
    # Most of the table is gone by now, so that it begins anew.
    table = filling.file.look()
    assert table is not None
    assert table.entries == {}
    fill(catalog)
    assert {told[0] for told in state(catalog)} == set(paths(catalog))


def test_more_rows_than_a_block_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (search_table, search_find):
        monkeypatch.setattr(module, "BLOCK", 2)
    monkeypatch.setattr(search_table, "_IN_BLOCK", 3)
    path = small(tmp_path, " ".join(f"u{number} a{number}" for number in range(9)))
    catalog = Catalog([tmp_path])
    fill(catalog)
    with path.open("ab") as file:
        file.write(transcript("u3"))
    catalog.rescan()
    fill(catalog)
    # The later of the two lines with this uuid counts.
    assert sorted(told[1] for told in state(catalog)) == [*range(6), *range(7, 19)]
    table = catalog.searching.filling.file.table
    assert table is not None
    assert len(table.blocks) == 5


def test_what_is_wanted_no_more_is_not_looked_for_to_its_end(
    home: Path, cache: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = opened(home, cache)
    fill(catalog)
    file = catalog.searching.filling.file
    monkeypatch.setattr("forkpoint.search_file._STEPS", 1)
    everything = Query(parts=frozenset(Part))
    whole = find(file, everything, paths(catalog), most=ALL)
    broken_off = find(file, everything, paths(catalog), most=ALL, is_unwanted=lambda: True)
    assert whole.is_whole and not broken_off.is_whole
    assert len(broken_off) < len(whole)
    # The table goes on answering.
    assert len(find(file, everything, paths(catalog), most=ALL)) == len(whole)


def test_a_file_that_cannot_be_read_stops_no_other(home: Path) -> None:
    catalog = Catalog([home])
    first = Path(paths(catalog)[0])
    first.unlink()
    first.mkdir()
    fill(catalog)
    assert state(catalog) != []


@pytest.mark.parametrize("reason", ["denied", "gone", "notRegular", "io"])
def test_what_can_be_read_again_is_found_though_no_stat_changed(
    home: Path, monkeypatch: pytest.MonkeyPatch, reason: Reason
) -> None:
    catalog = Catalog([home])
    lost, read = paths(catalog)[0], transcript_bytes.read

    def refuse(path: str, offset: int = 0) -> Iterator[bytes | bytearray]:
        if path == lost:
            raise Unreadable(path, reason)
        return read(path, offset)

    with monkeypatch.context() as while_refused:
        while_refused.setattr(transcript_bytes, "read", refuse)
        while catalog.searching.filling.next():
            pass
    fill(catalog)
    assert state(catalog) == everything(home)


# --- its own file ------------------------------------------------------------------------------


def test_nothing_is_written_below_an_agents_folder(home: Path, opened: Opened) -> None:
    catalog = opened(home, home / "cache")
    fill(catalog)
    assert catalog.searching.filling.file.off == "agents"
    assert state(catalog) == everything(home)
    assert not (home / "cache").exists()


def another_release(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 7")


def garbage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:20_000] = b"\xff" * (20_000 - 4096)
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:50_000])


def without_words(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE words")


@pytest.mark.parametrize("harm", [another_release, garbage, cut, without_words])
def test_another_release_s_or_a_damaged_file_is_begun_anew(
    home: Path, cache: Path, opened: Opened, harm: Callable[[Path], None]
) -> None:
    harm(filled(opened, home, cache))
    catalog = opened(home, cache)
    # What is damaged may show when it is asked for, the first time.
    for _ in range(2):
        find(catalog.searching.filling.file, Query(phrases=(Phrase(("the",)),)), paths(catalog))
        fill(catalog)
    assert state(catalog) == everything(home)
    assert found(catalog, "the") != []


def test_a_file_that_is_not_ours_is_left_alone(home: Path, cache: Path, opened: Opened) -> None:
    cache.mkdir(parents=True)
    (cache / FILE).write_text("notes")
    catalog = opened(home, cache)
    fill(catalog)
    assert catalog.searching.filling.file.off == "notOurs"
    assert state(catalog) == everything(home)
    assert (cache / FILE).read_text() == "notes"


@needs_posix
def test_a_disk_that_is_full(home: Path, cache: Path) -> None:
    code = """
        import resource, signal, sys
        from pathlib import Path
        from forkpoint.catalog import Catalog
        from forkpoint.search_file import open_search
        from tests.searches import fill, state
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
        home, cache = map(Path, sys.argv[1:])
        catalog = Catalog([home], search=lambda: open_search(cache, [home]))
        while catalog.searching.filling.next():
            pass
        fill(catalog)
        print(len(state(catalog)), catalog.searching.filling.file.off)
    """
    with child(code, home, cache) as process:
        told, _ = process.communicate()
    assert told.decode().split() == [str(len(everything(home))), "denied"]


def test_a_file_that_is_replaced_under_it(home: Path, cache: Path, opened: Opened) -> None:
    catalog = opened(home, cache)
    fill(catalog)
    for file in cache.iterdir():
        file.rename(cache / f"old-{file.name}")
    fill(catalog)
    assert catalog.searching.filling.file.off == "replaced"
    assert state(catalog) == everything(home)


def test_outputs_of_tools_are_left_out_where_that_is_wanted(
    home: Path, cache: Path, opened: Opened
) -> None:
    everything_there = filled(opened, home, cache)
    catalog = opened(home, cache, with_outputs=False)
    fill(catalog)
    # Not even in the table from before.
    assert not everything_there.exists()
    words = ["export", "login", "is", "error"]
    for word in words:
        assert found(catalog, f"{word} in:outputs") == []
    assert found(catalog, "in:outputs tool:bash") != []
    assert any(found(catalog, word) for word in words)


# --- another process ---------------------------------------------------------------------------


def test_what_is_much_is_left_to_a_process(
    home: Path, cache: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "MUCH", 1)
    catalog = opened(home, cache)
    catalog.searching.is_wanted = True
    assert not catalog.searching.next_unasked()
    assert catalog.searching.is_helped
    # Meanwhile what is there is searched, and nothing waits.
    files = [each for entry in catalog.entries() for each in entry.transcripts()]
    done, total = catalog.searching.catch_up(files)
    assert 0 <= done <= total == len(files)
    deadline = time.monotonic() + 60
    while catalog.searching.is_helped and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not catalog.searching.next_unasked()
    assert catalog.searching.filling.missing() == 0
    assert state(catalog) == everything(home)


def test_the_process_ends_with_its_server(
    home: Path, cache: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "MUCH", 1)
    catalog = opened(home, cache)
    catalog.searching.is_wanted = True
    catalog.searching.next_unasked()
    catalog.close()
    assert not catalog.searching.is_helped


# --- two at once -------------------------------------------------------------------------------

FILLER = """
    import sys
    from pathlib import Path
    from forkpoint.catalog import Catalog
    from forkpoint.search_file import open_search
    home, cache = map(Path, sys.argv[1:])
    catalog = Catalog([home], search=lambda: open_search(cache, [home]))
    print("ready", flush=True)
    while True:
        catalog.searching.filling.next()
        catalog.rescan()
        catalog.searching.keep()
"""


def child(code: str, *words: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": "."})


@needs_posix
def test_a_server_may_be_killed_at_any_moment_and_another_goes_on(
    home: Path, cache: Path, opened: Opened
) -> None:
    rng = random.Random(5)
    catalog = opened(home, cache)
    grown = home / "projects" / "-x" / f"{SESSION}.jsonl"
    small(home, "u1 a1")
    for number in range(6):
        with grown.open("ab") as file:
            file.write(transcript(f"u{number + 2}x", start=100))
        with child(FILLER, home, cache) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == b"ready\n"
            time.sleep(rng.random() / 5)
            other.send_signal(signal.SIGKILL)
        catalog.rescan()
        fill(catalog)
        assert len(found(catalog, f"u{number + 2}x")) == 1
    assert catalog.searching.filling.file.off is None
    assert state(catalog) == everything(home)


def test_two_servers_share_what_one_of_them_read(home: Path, cache: Path, opened: Opened) -> None:
    one, other = opened(home, cache), opened(home, cache)
    assert other.searching.filling.file.look() is not None
    fill(one)
    table = other.searching.filling.file.look()
    assert table is not None
    assert set(table.entries) == set(paths(one))
    assert state(other) == state(one)


def test_a_table_that_is_locked_is_searched_as_far_as_it_is(
    home: Path, cache: Path, opened: Opened
) -> None:
    file = filled(opened, home, cache)
    small(home, "u1 a1")
    catalog = opened(home, cache)
    files = [each for entry in catalog.entries() for each in entry.transcripts()]
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert catalog.searching.filling.catch_up(files) == (len(files) - 1, len(files))
        assert found(catalog, "the") != []
    assert catalog.searching.filling.catch_up(files) == (len(files), len(files))
