"""A search finds what reading everything finds, however transcripts came to be what they are."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forkpoint.catalog import Catalog
from forkpoint.records.searchable import Part
from forkpoint.search_query import Misfit, Query, parse
from forkpoint.tokens import tokens
from tests.builders import SESSION, Fields, call_block, line, result_block, row, text_block
from tests.fixture_paths import CASES, FIXTURES, REAL
from tests.search_scan import Piece, matches, pieces_of
from tests.searches import Hit, fill, hits, paths, state

# --- recorded sessions -------------------------------------------------------------------------

ODD = ("37-", "40-", "41-")
"""Broken text, odd nesting and wrong shapes, which the plain scan does not read."""


@cache
def recorded() -> tuple[Catalog, list[Piece]]:
    """All recorded sessions, in the table and as a plain scan has them."""
    cases = [case for case in sorted(CASES.iterdir()) if not case.name.startswith(ODD)]
    homes = [*sorted(REAL.iterdir()), *cases, FIXTURES / "demo" / "home"]
    catalog = Catalog([home for home in homes if (home / "projects").is_dir()])
    fill(catalog)
    return catalog, [piece for path in paths(catalog) for piece in pieces_of(Path(path))]


def scanned(pieces: Sequence[Piece], query: Query) -> list[Hit]:
    return sorted(
        (piece.path, piece.ordinal, piece.part) for piece in pieces if matches(query, piece)
    )


def test_there_is_something_of_everything_to_find() -> None:
    _, pieces = recorded()
    assert {piece.part for piece in pieces} == set(Part)
    assert sum(piece.is_error for piece in pieces) > 10
    assert len({piece.tool for piece in pieces}) > 5
    assert len(pieces) > 1000


@st.composite
def questions(draw: st.DrawFn) -> str:
    """Words, phrases and prefixes of what was recorded, and operators, some of them together."""
    _, pieces = recorded()
    some = draw(st.lists(st.sampled_from(pieces), min_size=1, max_size=3))
    # Parts of one text are found together more often than not.
    sources = draw(st.sampled_from([some[:1] * 3, some]))
    return " ".join(draw(_part(piece)) for piece in sources)


def _part(piece: Piece) -> st.SearchStrategy[str]:
    words = tokens(piece.text)
    named = {"tool": piece.tool, "file": piece.file, "branch": piece.branch, "model": piece.model}
    parts = [f'{name}:"{value}"' for name, value in named.items() if value and '"' not in value]
    parts += ["is:error", "in:outputs", "in:prompts", "after:2026-05-28T01", "before:2027", ""]
    operators = st.sampled_from(parts)
    if not words:
        return operators
    return st.one_of(_words(words), _words(words), _stretch(piece.text), operators)


@st.composite
def _words(draw: st.DrawFn, words: list[str]) -> str:
    start = draw(st.integers(0, len(words) - 1))
    run = words[start : start + draw(st.sampled_from([1, 1, 2, 3]))]
    if draw(st.booleans()):
        return f'"{" ".join(run)}"'
    return run[-1][: draw(st.integers(1, len(run[-1])))] + "*"


@st.composite
def _stretch(draw: st.DrawFn, text: str) -> str:
    start = draw(st.integers(0, len(text) - 1))
    stretch = text[start : start + draw(st.integers(1, 30))].replace('"', " ")
    return f'"{stretch}"' + draw(st.sampled_from(["", "*"]))


@settings(max_examples=400)
@given(questions())
def test_a_search_finds_what_a_plain_scan_finds(question: str) -> None:
    catalog, pieces = recorded()
    query = parse(question)
    if not isinstance(query, Misfit):
        assert hits(catalog, query) == scanned(pieces, query)


# --- transcripts that change -------------------------------------------------------------------

WORDS = ("login", "cart", "foo_bar", "café", "错误", "한국어", "x\0y", "\x1b[1mbold\x1b[0m", "→")
sayings = st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join)


@st.composite
def rows(draw: st.DrawFn) -> bytes:
    """A line of some kind; few names, so that uuids repeat and results find their calls."""
    number = draw(st.integers(1, 4))
    kind = draw(st.sampled_from("uuaatrrmcqksx"))
    said = draw(sayings)
    fields: Fields = {}
    if kind in "umck":
        fields = {"message": {"content": draw(st.sampled_from([said, [text_block(said)] * 2]))}}
    elif kind == "a":
        fields = {
            "message": {"content": [{"type": "thinking", "thinking": said}, text_block(said)]}
        }
    elif kind == "t":
        call = call_block(str(number), "Edit", file_path=f"/home/dev/{number}.py", new=said)
        fields = {"message": {"content": [call]}}
    elif kind == "r":
        result = result_block(str(number), content=said, is_error=draw(st.booleans()))
        fields = {"message": {"content": [result]}, "toolUseResult": {"stdout": said}}
    time = draw(st.integers(0, 100))
    written = line(**row(f"{kind}{number}", None, time, fields))
    return draw(
        st.sampled_from([written] * 6 + [written[:-1], b"\n", b"no json\n", b"\0\0" + written])
    )


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, str, bytes]:
    """What happens to a transcript: its name, how, and with which bytes."""
    name = draw(st.sampled_from(["1", "2"]))
    how = draw(st.sampled_from(["append", "append", "rewrite", "delete"]))
    data = b"".join(draw(st.lists(rows(), max_size=8)))
    return name, how, data[: draw(st.sampled_from([len(data), len(data), -1, len(data) // 2]))]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(changes(), st.sampled_from([True, True, False])), max_size=10))
def test_what_is_gone_on_with_is_as_if_begun_anew(
    steps: list[tuple[tuple[str, str, bytes], bool]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        files = {name: home / "projects" / "-x" / f"{SESSION[:-1]}{name}.jsonl" for name in NAMES}
        files["1"].parent.mkdir(parents=True)
        followed = Catalog([home])
        for (name, how, data), is_asked in [*steps, (("1", "append", b""), True)]:
            change(files[name], how, data)
            followed.rescan()
            if is_asked:
                fill(followed)
                assert len(paths(followed)) == sum(file.exists() for file in files.values())
                assert state(followed) == state(begun(home))
                check_against_scan(followed)


NAMES = ("1", "2")


def change(path: Path, how: str, data: bytes) -> None:
    if how == "delete":
        path.unlink(missing_ok=True)
    elif how == "rewrite":
        path.write_bytes(data)
    else:
        with path.open("ab") as file:
            file.write(data)


def begun(home: Path) -> Catalog:
    catalog = Catalog([home])
    fill(catalog)
    return catalog


def check_against_scan(catalog: Catalog) -> None:
    pieces = [piece for path in paths(catalog) for piece in pieces_of(Path(path))]
    for question in questions_of_words():
        query = parse(question)
        assert isinstance(query, Query)
        assert hits(catalog, query) == scanned(pieces, query), question


def questions_of_words() -> Iterator[str]:
    yield from ("login", "foo*", '"foo bar"', "cafe", "错误", "误", "한국*", "y", "bold", "ok")
    yield from (
        "file:2.py",
        "tool:edit",
        "is:error",
        "in:prompts",
        "in:context login",
        "before:2027",
    )


@pytest.mark.parametrize("kept", [True, False])
def test_a_table_of_before_is_gone_on_with(tmp_path: Path, kept: bool) -> None:
    from forkpoint.search_file import open_search

    home, cache = tmp_path / "home", tmp_path / "cache"
    shutil.copytree(FIXTURES / "demo" / "home", home)
    before = Catalog([home], search=lambda: open_search(cache if kept else None, [home]))
    fill(before)
    told = state(before)
    before.close()
    after = Catalog([home], search=lambda: open_search(cache if kept else None, [home]))
    after.searching.filling.file.look()
    table = after.searching.filling.file.table
    assert table is not None
    assert len(table.entries) == (len(paths(after)) if kept else 0)
    fill(after)
    assert state(after) == told
    after.close()
