"""Writes the TypeScript twin of the wire contract, `client-vscode/src/protocol.ts`.

    python client-vscode/scripts/protocol_ts.py            write it
    python client-vscode/scripts/protocol_ts.py --check    exit 1 when it is not up to date

The shapes are read from the text of `server/forkpoint/protocol/types`, because a running Python
knows neither the names of aliases nor the sentences under fields. The table of methods is imported.
"""

from __future__ import annotations

import ast
import sys
import textwrap
import typing
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import attrs

from forkpoint.protocol import methods, rules, types
from forkpoint.protocol.names import camel_case

TARGET = Path(__file__).parents[1] / "src" / "protocol.ts"
WIDTH = 100
HEADER = "// Generated from server/forkpoint/protocol by scripts/protocol_ts.py: change it there.\n"
PLAIN = {"str": "string", "int": "number", "float": "number", "bool": "boolean"}


class Declaration(NamedTuple):
    """A class or an alias with the text that follows or opens it."""

    node: ast.ClassDef | ast.Assign
    doc: str


def protocol_ts() -> str:
    """Give the whole text of `protocol.ts`."""
    optional = _classes_with_optional_fields()
    aliases = _rule_aliases()
    parts = [HEADER]
    for declaration in _declarations():
        if isinstance(declaration.node, ast.ClassDef):
            parts.append(_interface(declaration.node, declaration.doc, aliases, optional))
        else:
            parts.append(_type_alias(declaration.node, declaration.doc, aliases))
    parts.append(_request_table())
    parts.append(_notification_table())
    return "\n".join(parts)


def _declarations() -> Iterator[Declaration]:
    for module in sorted(Path(types.__path__[0]).glob("*.py")):
        if module.name == "__init__.py":
            continue
        body = ast.parse(module.read_text(encoding="utf-8")).body
        for node, after in _with_next(body):
            if isinstance(node, ast.ClassDef):
                yield Declaration(node, ast.get_docstring(node) or "")
            elif isinstance(node, ast.Assign):
                yield Declaration(node, _text_of(after))


def _classes_with_optional_fields() -> set[str]:
    """Name the classes of parameters, in which a default means that a field may be left out.

    A parameter may be an object of a class of its own.
    """
    params = [request.params for request in methods.REQUESTS.values()]
    hints = [hint for cls in params for hint in typing.get_type_hints(cls).values()]
    inner = [hint for hint in hints if attrs.has(hint)]
    return {cls.__name__ for each in [*params, *inner] for cls in each.__mro__}


def _rule_aliases() -> dict[str, str]:
    """Give the bare type under each alias of `rules.py`: Offset is a number in TypeScript."""
    found: dict[str, str] = {}
    for node in ast.parse(Path(rules.__file__).read_text(encoding="utf-8")).body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=alias)],
                value=ast.Subscript(
                    value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[ast.Name(id=bare), _])
                ),
            ):
                found[alias] = PLAIN[bare]
            case _:
                pass
    return found


def _interface(node: ast.ClassDef, doc: str, aliases: dict[str, str], optional: set[str]) -> str:
    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
    extends = f" extends {', '.join(bases)}" if bases else ""
    lines = [*_comment(doc), f"export interface {node.name}{extends} {{"]
    for field, after in _with_next(node.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            mark = "?" if field.value is not None and node.name in optional else ""
            written = _typescript(field.annotation, aliases)
            lines += _comment(_text_of(after), indent="  ")
            lines.append(f"  {camel_case(field.target.id)}{mark}: {written};")
    return "\n".join([*lines, "}", ""])


def _type_alias(node: ast.Assign, doc: str, aliases: dict[str, str]) -> str:
    name = ast.unparse(node.targets[0])
    choices = _typescript(node.value, aliases).split(" | ")
    one_line = f"export type {name} = {' | '.join(choices)};"
    if len(one_line) > WIDTH:
        one_line = f"export type {name} =" + "".join(f"\n  | {each}" for each in choices) + ";"
    return "\n".join([*_comment(doc), one_line, ""])


def _typescript(annotation: ast.expr, aliases: dict[str, str]) -> str:
    match annotation:
        case ast.Name(id=name):
            return PLAIN.get(name) or aliases.get(name) or name
        case ast.Constant(value=None):
            return "null"
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{_typescript(left, aliases)} | {_typescript(right, aliases)}"
        case ast.Subscript(value=ast.Name(id="Sequence"), slice=element):
            written = _typescript(element, aliases)
            return f"({written})[]" if " | " in written else f"{written}[]"
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple(elts=choices)):
            return " | ".join(_quoted(choice) for choice in choices)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=choice):
            return _quoted(choice)
        case _:
            raise ValueError(f"no TypeScript for {ast.unparse(annotation)}")


def _quoted(choice: ast.expr) -> str:
    if not isinstance(choice, ast.Constant) or not isinstance(choice.value, str):
        raise ValueError(f"not a string: {ast.unparse(choice)}")
    return f'"{choice.value}"'


def _request_table() -> str:
    lines = [*_comment("What can be asked: parameters and answer of each method.")]
    lines.append("export interface Requests {")
    for name, request in methods.REQUESTS.items():
        shape = f"{{ params: {request.params.__name__}; result: {request.result.__name__} }}"
        lines += [*_comment(request.about, indent="  "), f'  "{name}": {shape};']
    return "\n".join([*lines, "}", ""])


def _notification_table() -> str:
    lines = [*_comment("What the server tells: parameters of each notification.")]
    lines.append("export interface Notifications {")
    for name, notification in methods.NOTIFICATIONS.items():
        lines += _comment(notification.about, indent="  ")
        lines.append(f'  "{name}": {notification.params.__name__};')
    return "\n".join([*lines, "}", ""])


def _comment(doc: str, indent: str = "") -> list[str]:
    if not doc:
        raise ValueError("everything on the wire has a sentence that says what it is")
    text = " ".join(doc.split())
    one_line = f"{indent}/** {text} */"
    if len(one_line) <= WIDTH:
        return [one_line]
    wrapped = textwrap.wrap(text, WIDTH - len(indent) - 3)
    return [f"{indent}/**", *(f"{indent} * {line}" for line in wrapped), f"{indent} */"]


def _with_next(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.stmt | None]]:
    return zip(body, [*body[1:], None], strict=True)


def _text_of(node: ast.stmt | None) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
        case _:
            return ""


def main(arguments: list[str]) -> int:
    """Write the file, or with `--check` say whether it is up to date."""
    wanted = protocol_ts()
    if arguments == ["--check"]:
        if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == wanted:
            return 0
        print("src/protocol.ts is not up to date: run scripts/protocol_ts.py", file=sys.stderr)
        return 1
    TARGET.write_text(wanted, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
