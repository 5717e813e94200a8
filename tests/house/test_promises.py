"""Every paragraph of README that promises something has a test that fails when it is broken."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.fixture_paths import REPOSITORY
from tests.house.promises import PLAIN, PROMISES

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
TESTS = REPOSITORY / "tests"
UNIT = REPOSITORY / "client-vscode" / "test" / "unit"


def paragraphs(text: str) -> list[str]:
    """Paragraphs and items of lists, each in one line; no headings, code, tables and pictures."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    parts = [part.strip() for part in re.split(r"\n\s*\n", prose)]
    told = [part for part in parts if part and not part.startswith(("#", "![", "|"))]
    items = [item for part in told for item in re.split(r"^(?=- )", part, flags=re.MULTILINE)]
    return [" ".join(item.removeprefix("- ").split()) for item in items if item.strip()]


PARAGRAPHS = paragraphs(README)


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=lambda text: text[:40])
def test_each_paragraph_has_a_test(paragraph: str) -> None:
    if not paragraph.startswith(PLAIN):
        assert [promise for promise in PROMISES if promise in paragraph]


@pytest.mark.parametrize("promise", PROMISES)
def test_each_promise_stands_there_and_its_tests_do(promise: str) -> None:
    assert any(promise in paragraph for paragraph in PARAGRAPHS)
    assert PROMISES[promise]
    assert [test for test in PROMISES[promise] if not is_there(test)] == []


def test_what_is_plain_is_there() -> None:
    assert [start for start in PLAIN if not any(p.startswith(start) for p in PARAGRAPHS)] == []


def test_a_test_that_is_gone_is_seen() -> None:
    assert not is_there("house/test_promises.py::test_that_nobody_wrote")
    assert not is_there("house/test_nothing.py::test_a_test_that_is_gone_is_seen")
    assert not is_there("vscode:nothing")
    assert is_there("house/test_promises.py::test_a_test_that_is_gone_is_seen")


def is_there(test: str) -> bool:
    kind, _, name = test.partition(":")
    if kind == "vscode":
        return (TESTS / "vscode" / "scenarios" / f"{name}.mjs").is_file()
    if kind == "client":
        return (UNIT / name).is_file()
    path, _, function = test.partition("::")
    return function in functions(TESTS / path)


@cache
def functions(path: Path) -> frozenset[str]:
    if not path.is_file():
        return frozenset()
    body = ast.parse(path.read_text(encoding="utf-8")).body
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in body if isinstance(node, kinds))
