"""PROTOCOL.md, written from the wire's declaration: `python -m tests.protocol_page` renews it."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from typing import Any

from forkpoint.protocol import methods
from forkpoint.protocol.names import camel_case
from tests.fixture_paths import REPOSITORY

PAGE = REPOSITORY / "PROTOCOL.md"
SCRIPT = REPOSITORY / "client-vscode" / "scripts" / "protocol_ts.py"

HEAD = """# The wire

What Forkpoint says beside LSP's own requests: JSON-RPC methods of its own name, with every field.
Types are written as in TypeScript; a field with `?` may be left out. Times are ISO 8601 in UTC as
the agent wrote them, sizes are bytes, money is US dollars, an `ordinal` is the 0-based index of a
record in its transcript. Fields may be added, none is renamed or gets another meaning. Errors are
-32602 for parameters that do not fit, and -32001 with `data.kind` for what is not there.
"""


def _script() -> Any:
    """The generator of the TypeScript twin, which reads the declarations."""
    spec = importlib.util.spec_from_file_location("protocol_ts", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Page:
    def __init__(self) -> None:
        self._ts = _script()
        self._optional = self._ts._classes_with_optional_fields()
        self._aliases = self._ts._rule_aliases()

    def text(self) -> str:
        lines = [HEAD, "## Requests", ""]
        for name, request in methods.REQUESTS.items():
            lines += [f"### `{name}`", "", request.about, ""]
            lines += [
                f"Takes {_linked(request.params_name)}, answers {_linked(request.result_name)}."
            ]
            lines.append("")
        lines += ["## Notifications", ""]
        for name, told in methods.NOTIFICATIONS.items():
            lines += [
                f"### `{name}`",
                "",
                told.about,
                "",
                f"Carries {_linked(told.params_name)}.",
                "",
            ]
        lines += ["## Types", ""]
        for each in sorted(self._ts._declarations(), key=lambda each: _name(each.node).lower()):
            lines += self._type(each.node, " ".join(each.doc.split()))
        return "\n".join(lines)

    def _type(self, node: ast.ClassDef | ast.Assign, doc: str) -> list[str]:
        lines = [f"### {_name(node)}", "", doc, ""]
        if isinstance(node, ast.Assign):
            return [*lines, f"`{self._ts._typescript(node.value, self._aliases)}`", ""]
        bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
        if bases:
            lines += [f"With all fields of {', '.join(map(_linked, bases))}.", ""]
        rows = [*self._fields(node)]
        if rows:
            lines += ["| field | type | what it holds |", "| --- | --- | --- |", *rows, ""]
        return lines

    def _fields(self, node: ast.ClassDef) -> Iterator[str]:
        for field, after in self._ts._with_next(node.body):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                is_optional = field.value is not None and node.name in self._optional
                name = camel_case(field.target.id) + "?" * is_optional
                kind = self._ts._typescript(field.annotation, self._aliases).replace("|", "\\|")
                about = " ".join(self._ts._text_of(after).split()).replace("|", "\\|")
                yield f"| `{name}` | `{kind}` | {about} |"


def page() -> str:
    return _Page().text()


def _name(node: ast.ClassDef | ast.Assign) -> str:
    return node.name if isinstance(node, ast.ClassDef) else ast.unparse(node.targets[0])


def _linked(name: str) -> str:
    return f"[{name}](#{name.lower()})"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
