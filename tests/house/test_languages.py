"""Every sentence that the server words has a translation, with the same parts."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from string import Formatter

import pytest

from forkpoint.worded import PARTS, SENTENCES
from tests.fixture_paths import REPOSITORY

SERVER = REPOSITORY / "server" / "forkpoint"
LANGUAGES = sorted((SERVER / "languages").glob("*.json"))
PATTERNS = {"say": slice(0, 1), "counted": slice(1, 3), "joined": slice(1, 2)}
"""Which arguments of each function are patterns."""
SHARED = {"PARTS": PARTS, "SENTENCES": SENTENCES}


def words_of(tree: ast.Module) -> set[str]:
    """The functions that a module takes from `worded`."""
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "forkpoint.worded"
        for alias in node.names
    } & set(PATTERNS)


def named_texts(tree: ast.Module) -> dict[str, set[str]]:
    """Texts by the names that they are given: `one, many = "{count} day", "{count} days"`."""
    named: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            target = node.targets[0]
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            for name, value in pairs:
                if isinstance(name, ast.Name) and isinstance(value, ast.Constant):
                    named.setdefault(name.id, set()).add(str(value.value))
    return named


def patterns(source: str) -> Iterator[str]:
    """All patterns of a module; a pattern that is no literal is none that could be found."""
    tree = ast.parse(source)
    words, named = words_of(tree), named_texts(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id not in words:
            continue
        for argument in node.args[PATTERNS[node.func.id]]:
            if isinstance(argument, ast.Constant):
                yield str(argument.value)
            elif isinstance(argument, ast.Name) and argument.id in SHARED:
                yield SHARED[argument.id]
            elif isinstance(argument, ast.Name) and argument.id in named:
                yield from named[argument.id]
            else:
                raise AssertionError(f"{ast.unparse(node)}: its pattern is no literal")


def parts_of(pattern: str) -> list[tuple[str, str | None]]:
    """Names and formats of its parts, in any order."""
    fields = [(name, spec) for _, name, spec, _ in Formatter().parse(pattern) if name is not None]
    return sorted(fields, key=str)


SAID = {SENTENCES} | {
    pattern
    for path in SERVER.rglob("*.py")
    if path.name != "worded.py"
    for pattern in patterns(path.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_a_language_has_all_sentences_and_no_other(path) -> None:
    assert set(json.loads(path.read_bytes())) == SAID


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_translations_have_the_same_parts(path) -> None:
    table: dict[str, str] = json.loads(path.read_bytes())
    odd = {key: said for key, said in table.items() if parts_of(key) != parts_of(said)}
    assert odd == {}


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_no_sentence_stays_english(path) -> None:
    table: dict[str, str] = json.loads(path.read_bytes())
    same = [key for key, said in table.items() if said == key and re.search(r"[a-z] [a-z]", key)]
    assert same == []


def test_patterns_are_found() -> None:
    source = """
from forkpoint.worded import PARTS, counted, joined, say
one = "{count} day"
say("It ends.")
counted(3, one, "{count} days")
joined([], PARTS)
joined([], " and ")
"""
    assert [*patterns(source)] == ["It ends.", "{count} day", "{count} days", ", ", " and "]


def test_a_pattern_that_is_put_together_is_refused() -> None:
    with pytest.raises(AssertionError, match="no literal"):
        list(patterns("from forkpoint.worded import say\nsay(a + b)"))
