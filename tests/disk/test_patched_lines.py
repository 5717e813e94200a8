"""Who wrote the lines of a file that Codex patched, and where is what a patch wrote?"""

from __future__ import annotations

from pathlib import Path

import pytest

from forkpoint.catalog import Catalog
from forkpoint.lsp.features.line_history import line_history
from forkpoint.lsp.features.locate import locate
from forkpoint.protocol import types
from tests.disk.codex_home import A
from tests.disk.patched_home import FAILED, Session, catalog_of, uri_of


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


def read(shop: Path, session: Session) -> Catalog:
    session.put(shop.parent / "codex")
    return catalog_of(shop.parent / "codex")


def authors(catalog: Catalog, file: Path) -> list[tuple[int, int, str, str | None]]:
    """First line, last line, who, and the prompt that led to it."""
    answer = line_history(catalog, types.LineHistoryParams(file=uri_of(file)))
    found: list[tuple[int, int, str, str | None]] = []
    for run in answer.runs:
        change = None if run.change is None else answer.changes[run.change]
        prompt = None if change is None or change.prompt is None else change.prompt.preview
        found.append((run.line, run.end_line, run.by, prompt))
    return found


def place(catalog: Catalog, call: str) -> tuple[str, int | None, int | None, str]:
    params = types.LocateParams(session_id=A, tool_use_id=call)
    found = locate(catalog, params)
    start = None if found.range is None else found.range.start.line
    end = None if found.range is None else found.range.end.line
    return (found.file or "").rpartition("/")[2], start, end, found.confidence


def test_lines_of_patches_forward(shop: Path) -> None:
    session = Session(str(shop))
    session.prompt("Write it")
    first = session.patch("*** Add File: app.py", "+one", "+two", "+three")
    session.prompt("Change it")
    second = session.patch("*** Update File: app.py", "@@", "-two", "+TWO", "+and more")
    failed = session.patch("*** Update File: app.py", "@@", "-x", "+y", output=FAILED)
    (shop / "app.py").write_text("mine\none\nTWO\nand more\nthree\n")
    catalog = read(shop, session)
    assert authors(catalog, shop / "app.py") == [
        (0, 0, "outside", None),
        (1, 1, "agent", "Write it"),
        (2, 3, "agent", "Change it"),
        (4, 4, "agent", "Write it"),
    ]
    assert place(catalog, second) == ("app.py", 2, 3, "exact")
    assert place(catalog, first)[0] == "app.py"
    assert place(catalog, failed) == ("app.py", None, None, "fileOnly")


def test_lines_of_patches_backward(shop: Path) -> None:
    session = Session(str(shop))
    session.prompt("Change it")
    call = session.patch("*** Update File: app.py", "@@", " one", "-two", "+TWO")
    (shop / "app.py").write_text("one\nTWO\n")
    catalog = read(shop, session)
    assert authors(catalog, shop / "app.py") == [
        (0, 0, "older", None),
        (1, 1, "agent", "Change it"),
    ]
    assert place(catalog, call) == ("app.py", 1, 1, "exact")


def test_lines_of_a_patch_that_cannot_be_undone_are_found_by_what_it_wrote(shop: Path) -> None:
    session = Session(str(shop))
    session.prompt("Change it")
    session.patch("*** Update File: app.py", "@@", "-two", "+TWO")
    (shop / "app.py").write_text("one\nTWO\nno end")
    assert authors(read(shop, session), shop / "app.py")[1] == (1, 1, "agent", "Change it")


def test_a_moved_file_is_found_where_it_is_now(shop: Path) -> None:
    session = Session(str(shop))
    session.prompt("Write it")
    session.patch("*** Add File: a.py", "+one", "+two")
    session.prompt("Move it")
    call = session.patch("*** Update File: a.py", "*** Move to: b.py", "@@", "-two", "+TWO")
    (shop / "b.py").write_text("one\nTWO\n")
    catalog = read(shop, session)
    assert authors(catalog, shop / "b.py") == [
        (0, 0, "agent", "Write it"),
        (1, 1, "agent", "Move it"),
    ]
    assert place(catalog, call) == ("b.py", 1, 1, "exact")


def test_the_second_file_of_a_patch(shop: Path) -> None:
    session = Session(str(shop))
    session.prompt("Write both")
    call = session.patch("*** Add File: a.py", "+a", "*** Add File: b.py", "+b")
    (shop / "a.py").write_text("a\n")
    (shop / "b.py").write_text("x\nb\n")
    catalog = read(shop, session)
    assert place(catalog, call) == ("a.py", 0, 0, "exact")
    assert place(catalog, f"{call}#2") == ("b.py", 1, 1, "exact")
