"""Each shape of the wire is found under its name, in the module that declares it."""

from __future__ import annotations

import ast
from pathlib import Path

from forkpoint.protocol import types

IMPORTED = {
    alias.name: (node.module or "").rpartition(".")[2]
    for node in ast.walk(ast.parse(Path(types.__file__).read_text()))
    if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(types.__name__)
    for alias in node.names
}
"""What the type checker is told: module by name."""


def test_the_table_is_what_the_type_checker_is_told() -> None:
    assert IMPORTED == types._MODULES


def test_every_name_leads_to_its_shape() -> None:
    for name in IMPORTED:
        assert getattr(types, name) is not None


def test_no_other_name_is_there() -> None:
    assert not hasattr(types, "NoSuchShape")
