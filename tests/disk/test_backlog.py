"""Large transcripts are read by another process, and by the catalog itself where that fails."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from forkpoint import indexing_process
from forkpoint.backlog import LARGE
from forkpoint.catalog import Catalog
from tests.builders import line, row

IDS = [f"9eefc671-6984-46c9-b5cd-3f811c4820a{digit}" for digit in range(4)]
TEXT = "x" * 4000


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Four sessions, three of them large; the last one is small."""
    folder = tmp_path / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    for number, session_id in enumerate(IDS):
        count = LARGE // 4000 + number if session_id != IDS[-1] else 3
        rows = [
            row(f"u{place}", f"u{place - 1}" if place else None, place, {"sessionId": session_id})
            for place in range(count)
        ]
        lines = [line(**{**fields, "padding": TEXT}) for fields in rows]
        (folder / f"{session_id}.jsonl").write_bytes(b"".join(lines))
    return tmp_path


def read_all(catalog: Catalog, arrived: threading.Event, meanwhile: Callable[[], object]) -> int:
    """Read all, helped; gives how often the catalog waited for the process."""
    waits = 0
    while True:
        while catalog.index_next():
            pass
        if not catalog.awaits_help():
            return waits
        waits += 1
        meanwhile()
        assert arrived.wait(60)
        arrived.clear()


def rows_of(catalog: Catalog) -> dict[str, int]:
    return {name: len(catalog.conversation(name).index.nodes) for name in IDS}


@pytest.fixture
def truth(home: Path) -> dict[str, int]:
    return rows_of(Catalog([home]))


def helped(home: Path) -> tuple[Catalog, threading.Event]:
    catalog, arrived = Catalog([home]), threading.Event()
    catalog.be_helped(arrived.set)
    return catalog, arrived


def test_what_is_large_is_read_elsewhere(home: Path, truth: dict[str, int]) -> None:
    catalog, arrived = helped(home)
    waits = read_all(catalog, arrived, lambda: None)
    assert waits > 0
    assert catalog.indexing() == (4, 4)
    assert rows_of(catalog) == truth
    catalog.close()


def children() -> set[int]:
    found = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text()
    return set(map(int, found.split()))


def test_a_process_that_is_killed(home: Path, truth: dict[str, int]) -> None:
    others = children()
    catalog, arrived = helped(home)

    def kill() -> None:
        for child in children() - others:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)

    read_all(catalog, arrived, kill)
    assert catalog.indexing() == (4, 4)
    assert rows_of(catalog) == truth
    catalog.close()


def test_a_process_that_cannot_be_started(
    home: Path, truth: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing_process.sys, "executable", "/nowhere/python")
    catalog, arrived = helped(home)
    read_all(catalog, arrived, lambda: None)
    assert catalog.indexing() == (4, 4)
    assert rows_of(catalog) == truth


def test_a_session_that_is_opened_does_not_wait(home: Path, truth: dict[str, int]) -> None:
    catalog, arrived = helped(home)
    catalog.index_next()
    assert len(catalog.conversation(IDS[0]).index.nodes) == truth[IDS[0]]
    read_all(catalog, arrived, lambda: None)
    assert rows_of(catalog) == truth
    catalog.close()


def test_a_transcript_that_grows_while_it_is_read_elsewhere(
    home: Path, truth: dict[str, int]
) -> None:
    catalog, arrived = helped(home)
    path = home / "projects" / "-home-dev-shop" / f"{IDS[1]}.jsonl"
    more = line(**row("more", f"u{truth[IDS[1]] - 1}", 10_000, {"sessionId": IDS[1]}))

    def grow() -> None:
        if not path.read_bytes().endswith(more):
            with path.open("ab") as file:
                file.write(more)

    read_all(catalog, arrived, grow)
    catalog.refresh(None)
    read_all(catalog, arrived, grow)
    assert rows_of(catalog) == {**truth, IDS[1]: truth[IDS[1]] + 1}
    catalog.close()


def test_what_vanishes_meanwhile_is_missed_by_nobody(home: Path, truth: dict[str, int]) -> None:
    catalog, arrived = helped(home)

    def remove() -> None:
        for name in IDS[:3]:
            (home / "projects" / "-home-dev-shop" / f"{name}.jsonl").unlink(missing_ok=True)

    read_all(catalog, arrived, remove)
    catalog.refresh(None)
    read_all(catalog, arrived, remove)
    assert catalog.indexing() == (1, 1)
    assert [entry.session_id for entry in catalog.entries()] == IDS[3:]
    catalog.close()
