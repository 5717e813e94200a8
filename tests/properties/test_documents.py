"""What LSP's own questions about a transcript's documents answer, whatever the file holds."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types as lsp
from lsprotocol.converters import get_converter

from forkpoint.catalog import Catalog
from forkpoint.lsp.editor import SHOW_BRANCH, Editor
from forkpoint.lsp.handlers import STANDARD_HANDLERS
from forkpoint.lsp.positions import Encoding, units
from forkpoint.protocol.uri import file_uri
from tests.builders import SESSION, line
from tests.strategies import files

Json = dict[str, Any]
Pair = tuple[int, int]

READABLE = f"forkpoint-transcript:/x.md?session={SESSION}"
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
few = settings(max_examples=60)
_converter = get_converter()


class Asked:
    """A home with one transcript, and an editor that asks about it."""

    def __init__(self, folder: str, data: bytes, encoding: Encoding = "utf-16") -> None:
        path = Path(folder).resolve() / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        self.raw = file_uri(str(path))
        self.catalog = Catalog([Path(folder).resolve()])
        self.nodes = self.catalog.conversation(SESSION).index.nodes
        self.editor = Editor(
            encoding=encoding, nests_symbols=True, commands=frozenset([SHOW_BRANCH])
        )

    def ask(self, method: str, params: object) -> Any:
        answer = STANDARD_HANDLERS[method](self.catalog, params, self.editor)
        return _converter.unstructure(answer)

    def about(self, name: str, uri: str, shape: type, **more: Any) -> Any:
        document = lsp.TextDocumentIdentifier(uri)
        return self.ask(f"textDocument/{name}", shape(text_document=document, **more))

    def at(self, name: str, uri: str, at: int, unit: int = 0) -> Any:
        shape, more = _AT[name]
        return self.about(name, uri, shape, position=lsp.Position(at, unit), **more)

    def lines(self, uri: str) -> list[str]:
        """The lines of a document as an editor has them."""
        if uri != self.raw:
            shown = lsp.TextDocumentContentParams(uri)
            return self.ask("workspace/textDocumentContent", shown)["text"].split("\n")
        data = Path(uri.removeprefix("file://")).read_bytes().removeprefix(b"\xef\xbb\xbf")
        return [each.decode("utf-8", "replace") for each in data.split(b"\n")]


_AT: dict[str, tuple[type, Json]] = {
    "hover": (lsp.HoverParams, {}),
    "definition": (lsp.DefinitionParams, {}),
    "references": (lsp.ReferenceParams, {"context": lsp.ReferenceContext(False)}),
}


def documents(data: bytes, encoding: Encoding = "utf-16") -> Iterator[tuple[Asked, str]]:
    with tempfile.TemporaryDirectory() as folder:
        asked = Asked(folder, data, encoding)
        yield asked, asked.raw
        yield asked, READABLE


def ends(found: Json) -> tuple[Pair, Pair]:
    start, end = found["start"], found["end"]
    return (start["line"], start["character"]), (end["line"], end["character"])


def ranges_in(answer: Any) -> Iterator[Json]:
    """All ranges in an answer but those that name a document themselves."""
    if isinstance(answer, dict) and "uri" not in answer:
        if answer.keys() == {"start", "end"}:
            yield answer
        for value in answer.values():
            yield from ranges_in(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from ranges_in(value)


SHAPES: dict[str, type] = {
    "documentSymbol": lsp.DocumentSymbolParams,
    "codeLens": lsp.CodeLensParams,
    "documentLink": lsp.DocumentLinkParams,
    "diagnostic": lsp.DocumentDiagnosticParams,
}


@few
@given(files, st.sampled_from(ENCODINGS))
def test_ranges_lie_within_the_document(data: bytes, encoding: Encoding) -> None:
    for asked, uri in documents(data, encoding):
        lines = asked.lines(uri)
        for name, shape in SHAPES.items():
            for found in ranges_in(asked.about(name, uri, shape)):
                start, end = ends(found)
                assert start <= end
                for at, unit in (start, end):
                    assert at < len(lines)
                    # A line that is not read may be said to end at its length in bytes.
                    assert unit <= len(lines[at].encode())
                    if uri != asked.raw:
                        assert unit <= units(lines[at], encoding)


@few
@given(files)
def test_symbols_nest_and_hold_each_record_once(data: bytes) -> None:
    for asked, uri in documents(data):
        nested = asked.about("documentSymbol", uri, lsp.DocumentSymbolParams)
        every = [*flat(nested)]
        if uri == asked.raw:
            assert len(every) == len(asked.nodes)
            starts = [ends(symbol["range"])[0] for symbol in every]
            assert starts == sorted(set(starts))
        for symbol in every:
            assert symbol["name"].strip()
            assert "\n" not in symbol["name"]
            assert contains(symbol["range"], symbol["selectionRange"])
            children = symbol.get("children", [])
            assert all(contains(symbol["range"], child["range"]) for child in children)
            apart(children)
        apart(nested)


@few
@given(files)
def test_folding_ranges_do_not_cross(data: bytes) -> None:
    for asked, uri in documents(data):
        last = len(asked.lines(uri)) - 1
        found = asked.about("foldingRange", uri, lsp.FoldingRangeParams)
        pairs = [(each["startLine"], each["endLine"]) for each in found]
        assert all(0 <= start < end <= last for start, end in pairs)
        assert len({start for start, _ in pairs}) == len(pairs)
        for one, other in combinations(sorted(pairs), 2):
            assert other[0] > one[1] or other[1] <= one[1]


@few
@given(files)
def test_a_parent_and_its_children_lead_to_each_other(data: bytes) -> None:
    for asked, uri in documents(data):
        for at_line in range(len(asked.lines(uri))):
            children = asked.at("references", uri, at_line)
            hover = asked.at("hover", uri, at_line)
            assert (children is None) == (hover is None)
            for child in children or []:
                (at, unit), _ = ends(child["range"])
                parent = asked.at("definition", child["uri"], at, unit)
                assert parent is not None
                # The children of a repeated uuid hang on its first line.
                if parent["uri"] == uri and "Repeats: " not in hover["contents"]["value"]:
                    assert at_line in range(*lines_of(parent["range"]))


@few
@given(files)
def test_behind_the_end_there_is_nothing(data: bytes) -> None:
    for asked, uri in documents(data):
        behind = len(asked.lines(uri))
        for name in _AT:
            for beyond in (behind, behind + 9, 2**31 - 1):
                assert asked.at(name, uri, beyond) is None


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_units_of_a_readable_text(encoding: Encoding) -> None:
    row = line(type="user", uuid="u-1", parentUuid=None, message={"content": "café 🙂"})
    for asked, uri in documents(row, encoding):
        [symbol] = asked.about("documentSymbol", uri, lsp.DocumentSymbolParams)
        assert symbol["name"].endswith("café 🙂")
        if uri == READABLE:
            shown = asked.lines(uri)[symbol["range"]["end"]["line"]]
            assert symbol["range"]["end"]["character"] == units(shown, encoding)
            assert units(shown, encoding) == {"utf-8": 16, "utf-16": 13, "utf-32": 12}[encoding]


def flat(symbols: list[Json]) -> Iterator[Json]:
    for symbol in symbols:
        yield symbol
        yield from flat(symbol.get("children", []))


def contains(outer: Json, inner: Json) -> bool:
    return ends(outer)[0] <= ends(inner)[0] and ends(inner)[1] <= ends(outer)[1]


def apart(symbols: list[Json]) -> None:
    for one, other in pairwise(symbols):
        assert ends(one["range"])[1] <= ends(other["range"])[0]


def lines_of(found: Json) -> tuple[int, int]:
    start, end = ends(found)
    return start[0], end[0] + 1
