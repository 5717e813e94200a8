"""How long may a module and a function be? What is longer answers more than one question.

The client's own are held to the same by its linter (``client-vscode/biome.json``).
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.fixture_paths import REPOSITORY

LINES_OF_A_MODULE = 400
LINES_OF_A_FUNCTION = 40

RECORDS = {"server/forkpoint/protocol/wire/sessions.py": ["session_row"]}
"""Functions that only write one record of the wire down, a line for each of its fields."""

SOURCES = {
    str(path.relative_to(REPOSITORY)): path.read_text()
    for folder in ("server/forkpoint", "client-vscode/setup")
    for path in sorted((REPOSITORY / folder).rglob("*.py"))
}
SCENARIOS = sorted((REPOSITORY / "tests" / "vscode" / "scenarios").glob("*.mjs"))


def long_functions(source: str, most: int) -> list[str]:
    """Names of the functions with more lines, docstring and signature included."""
    return [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno + 1 > most
    ]


def test_a_function_is_measured_from_its_name_to_its_last_line() -> None:
    source = '@cache\ndef a():\n    """Two.\n\n    Three."""\n    return (\n        1\n    )\n'
    assert long_functions(source, 7) == []
    assert long_functions(source, 6) == ["a"]
    assert long_functions("class A:\n    async def b(): ...\n", 0) == ["b"]


@pytest.mark.parametrize("path", SOURCES)
def test_no_module_is_too_long(path: str) -> None:
    assert SOURCES[path].count("\n") <= LINES_OF_A_MODULE


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.name)
def test_no_scenario_is_too_long(path: Path) -> None:
    assert path.read_text().count("\n") <= LINES_OF_A_MODULE


@pytest.mark.parametrize("path", SOURCES)
def test_no_function_is_too_long(path: str) -> None:
    assert long_functions(SOURCES[path], LINES_OF_A_FUNCTION) == RECORDS.get(path, [])


def test_the_table_of_records_names_nothing_that_is_not_there() -> None:
    assert set(RECORDS) <= set(SOURCES)
