"""Who imports whom, and what is never done: the table and the absences of ARCHITECTURE.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter

import pytest

from tests.fixture_paths import REPOSITORY

SERVER = REPOSITORY / "server"
TABLE_ROW = re.compile(r"^\| (\d) \| (.+?) \|", re.MULTILINE)
FLOORS = {
    name.removesuffix("/*"): int(floor)
    for floor, names in TABLE_ROW.findall((REPOSITORY / "ARCHITECTURE.md").read_text())
    for name in re.findall(r"`([\w/*]+)`", names)
} | {"__init__": 0, "__main__": 8}


def module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


TREES = {
    module_name(str(path.relative_to(SERVER))): ast.parse(path.read_text())
    for path in sorted((SERVER / "forkpoint").rglob("*.py"))
}
MODULES = sorted(TREES)


def floor(module: str) -> int | None:
    """The floor of a module of the package, None if the table does not have it."""
    return FLOORS.get(module.split(".")[1] if "." in module else "__init__")


def imports(tree: ast.AST) -> Iterator[str]:
    """All modules that are imported, wherever the import stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in TREES else str(node.module)


def own_imports(module: str) -> list[str]:
    return [name for name in imports(TREES[module]) if name in TREES and name != module]


# --- floors ------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_from_its_own_floor_or_below(module: str) -> None:
    own = floor(module)
    assert own is not None, f"{module} stands on no floor in ARCHITECTURE.md"
    assert [name for name in own_imports(module) if (floor(name) or 0) > own] == []


def test_imports_have_no_circles() -> None:
    list(TopologicalSorter({module: own_imports(module) for module in MODULES}).static_order())


def test_the_table_names_nothing_that_is_not_there() -> None:
    names = {module.split(".")[1] for module in MODULES if "." in module} | {"__init__"}
    assert set(FLOORS) - names == set()


# --- absences ----------------------------------------------------------------------------------

OUTSIDE = "time logging asyncio threading concurrent multiprocessing socket select signal os"
OUTSIDE_WORLD = {*OUTSIDE.split(), "subprocess", "shutil", "tempfile", "sqlite3", "random"}
CLOCK = {".now", ".today", ".utcnow"}
READS = {"open", "os.open", "io.open", ".fdopen", ".read_bytes", ".read_text"}
LISTS = {".scandir", ".listdir", ".iterdir", ".glob", ".rglob"}
WRITES = {".write_bytes", ".write_text", ".mkdir", ".makedirs", ".touch", ".unlink", ".rename"}

MAY_READ = {
    "forkpoint.disk": "the only module that opens agents' files",
    "forkpoint.folder_walk": "lists agents' folders",
    "forkpoint.live": "asks /proc when a process began",
    "forkpoint.mounts": "asks /proc where which disk is",
    "forkpoint.prices": "reads the package's own table",
    "forkpoint.languages": "reads the package's own tables",
    "forkpoint.cli": "turns a closed pipe into the null device",
    "forkpoint.status_line_helper": "fills the file that it makes",
    "forkpoint.export_file": "fills the file that it makes",
    "forkpoint.tables.files": "fills the files that it makes",
    "forkpoint.store_file": "makes an empty file for SQLite to fill",
}
MAY_WRITE = {
    "forkpoint.status_line_helper": "keeps what a status line is told, for its user",
    "forkpoint.export_file": "writes an export where its user says",
    "forkpoint.tables.files": "writes tables where its user says",
    "forkpoint.store_file": "keeps what was read of transcripts, in a folder for caches",
}
MAY_KNOW_SQLITE = {
    "forkpoint.store",
    "forkpoint.store_file",
    "forkpoint.search_file",
    "forkpoint.search_table",
}


def top_imports(tree: ast.AST) -> set[str]:
    return {name.split(".")[0] for name in imports(tree)}


def calls(tree: ast.AST) -> Iterator[str]:
    """The names of all functions called: `open`; of methods `os.open` and `.open`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            base = node.func.value
            yield f".{node.func.attr}"
            yield f"{base.id if isinstance(base, ast.Name) else ''}.{node.func.attr}"


def reads(tree: ast.AST) -> set[str]:
    return set(calls(tree)) & (READS | LISTS)


@pytest.mark.parametrize("module", [m for m in MODULES if (floor(m) or 0) < 5])
def test_nothing_below_floor_5_knows_the_outside_world(module: str) -> None:
    assert top_imports(TREES[module]) & OUTSIDE_WORLD == set()
    assert set(calls(TREES[module])) & CLOCK == set()
    assert not any(isinstance(node, ast.Await) for node in ast.walk(TREES[module]))


@pytest.mark.parametrize("module", [m for m in MODULES if m not in MAY_READ])
def test_only_disk_opens_files(module: str) -> None:
    assert reads(TREES[module]) == set()


@pytest.mark.parametrize("module", [m for m in MODULES if m not in MAY_WRITE])
def test_nothing_writes_files(module: str) -> None:
    assert set(calls(TREES[module])) & WRITES == set()


def test_only_the_store_knows_sqlite() -> None:
    found = {module for module in MODULES if "sqlite3" in top_imports(TREES[module])}
    assert found == MAY_KNOW_SQLITE


@pytest.mark.parametrize("module", MODULES)
def test_only_lsp_knows_pygls_and_only_the_wire_lsprotocol(module: str) -> None:
    home = module.split(".")[1] if "." in module else ""
    known = top_imports(TREES[module])
    assert "pygls" not in known or home == "lsp"
    assert "lsprotocol" not in known or home in ("lsp", "protocol")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("open('x')", {"open"}),
        ("os.open(path, 0)", {"os.open"}),
        ("Path('x').read_bytes()", {".read_bytes"}),
        ("folder.iterdir()", {".iterdir"}),
        ("catalog.open(options)", set()),
    ],
)
def test_the_check_sees_what_opens_a_file(source: str, found: set[str]) -> None:
    assert reads(ast.parse(source)) == found
