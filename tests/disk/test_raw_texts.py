"""The lines of compressed rollouts, as documents for an editor."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.lsp.documents import ReadableDocument, document_at, location_of
from forkpoint.lsp.features.document_content import document_content
from forkpoint.lsp.raw_text import raw_text
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.raw_uri import raw_uri, shown_by
from forkpoint.protocol.transcript_uri import Named, transcript_uri
from tests.disk.codex_home import A, B, place, put, rollout
from tests.disk.patched_home import catalog_of

DATA = rollout("One", "Zw\u00f6lf", "Three")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "codex h\u00f6me"


def text_of(catalog: Catalog, uri: str) -> str:
    return document_content(catalog, lsp.TextDocumentContentParams(uri)).text


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/home/dev/a b.jsonl", "file:///home/dev/a%20b.jsonl"),
        ("/home/dev/a b.jsonl.zst", "forkpoint-raw:///home/dev/a%20b.jsonl"),
        ("C:\\c\\x.jsonl.zst", "forkpoint-raw:///C%3A/c/x.jsonl"),
    ],
)
def test_where_an_editor_can_see_lines(path: str, uri: str) -> None:
    assert raw_uri(path) == uri
    assert shown_by(uri) == (path if path.endswith(".zst") else None)


def test_an_editor_may_spell_the_address_in_its_own_way() -> None:
    assert shown_by("forkpoint-raw:/home/dev/a%20b.jsonl") == "/home/dev/a b.jsonl.zst"


def test_the_lines_are_those_that_were_compressed(home: Path) -> None:
    path = put(home, place(A, packed=True), DATA)
    catalog = catalog_of(home)
    assert text_of(catalog, raw_uri(str(path))) == DATA.decode()
    [session] = catalog.entries()
    assert raw_uri(session.main.path) == raw_uri(str(path))


def test_a_subagents_lines(home: Path) -> None:
    put(home, place(A), rollout("Main"))
    data = rollout("Look around", thread_id=B, parent_thread_id=A)
    path = put(home, place(B, packed=True), data)
    assert text_of(catalog_of(home), raw_uri(str(path))) == data.decode()


def test_records_have_their_places_there(home: Path) -> None:
    path = put(home, place(A, packed=True), DATA)
    catalog = catalog_of(home)
    uri = raw_uri(str(path))
    document = document_at(catalog, uri, "utf-16")
    assert document is not None
    lines = DATA.decode().splitlines()
    row = document.row_at(lsp.Position(2, 0))
    assert row is not None
    assert document.range_of(row) == lsp.Range(lsp.Position(2, 0), lsp.Position(2, len(lines[2])))


def test_a_readable_text_leads_there(home: Path) -> None:
    """A line that says nothing of its own is shown by the raw document alone."""
    path = put(home, place(A, packed=True), DATA)
    catalog = catalog_of(home)
    readable = document_at(catalog, transcript_uri(Named(A), "One"), "utf-16")
    assert isinstance(readable, ReadableDocument)
    assert location_of(readable, 0).uri == raw_uri(str(path))
    assert location_of(readable, 2).uri == readable.uri


def test_a_long_one_is_cut_at_a_line_and_says_so(home: Path) -> None:
    path = put(home, place(A, packed=True), DATA)
    lines = DATA.decode().splitlines(keepends=True)
    size = len("".join(lines[:3]).encode())
    told = f"Forkpoint shows the first {size:,} bytes of this transcript.\n"
    catalog = catalog_of(home)
    assert raw_text(catalog, str(path), size + 5) == "".join([*lines[:3], told])
    assert raw_text(catalog, str(path), len(DATA)) == DATA.decode()


def test_a_bomb_is_not_unpacked(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forkpoint.transcript_bytes.bound", lambda size: len(DATA) + 1000)
    path = put(home, place(A, packed=True), DATA + bytes(50_000_000))
    text = text_of(catalog_of(home), raw_uri(str(path)))
    assert text.startswith(DATA.decode())
    assert len(text) <= len(DATA) + 1000


def test_one_that_was_cut_off_shows_what_stands_before(home: Path) -> None:
    data = rollout(*[f"{number:03} {os.urandom(3000).hex()}" for number in range(60)])
    path = put(home, place(A, packed=True), data)
    os.truncate(path, path.stat().st_size // 2)
    text = text_of(catalog_of(home), raw_uri(str(path)))
    assert 0 < len(text) < len(data)
    assert data.decode().startswith(text)


@pytest.mark.parametrize(
    "uri",
    [
        "forkpoint-raw:///etc/passwd",
        "forkpoint-raw:/../../etc/shadow.jsonl",
        "forkpoint-raw:///home/dev/other.jsonl",
    ],
)
def test_a_file_that_is_no_transcript_is_not_given(home: Path, uri: str) -> None:
    put(home, place(A, packed=True), DATA)
    catalog = catalog_of(home)
    with pytest.raises(RequestFailed, match="no transcript of a known session"):
        text_of(catalog, uri)
    assert document_at(catalog, uri, "utf-16") is None
