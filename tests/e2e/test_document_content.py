"""`workspace/textDocumentContent`: versions and readable transcripts as documents of an editor."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.builders import snapshot
from tests.e2e.forkpoint_server import ForkpointServer, Json, end
from tests.e2e.recordings import rows
from tests.e2e.tracked_home import TrackedHome, entry
from tests.fixture_paths import REAL

METHOD = "workspace/textDocumentContent"
SCHEMES = ["forkpoint-version", "forkpoint-transcript", "forkpoint-raw"]
NOBODY = "00000000-0000-4000-8000-000000000000"
EDITS = "b2e74b0a-2716-490d-ba01-54a73887314f"
WITH_AGENT, AGENT = "9fdc6163-1dc6-4c5a-84c4-a01d297a94e3", "a1179cc1ea4db2add"


def text(server: ForkpointServer, uri: str) -> str:
    answer = server.request(METHOD, {"uri": uri})
    assert "error" not in answer, answer["error"]
    return answer["result"]["text"]


def test_the_schemes_are_announced(tmp_path: Path) -> None:
    with ForkpointServer(tmp_path) as server:
        workspace = server.answered["capabilities"]["workspace"]
        assert workspace["textDocumentContent"] == {"schemes": SCHEMES}
        end(server)


# --- versions ------------------------------------------------------------------------------------

PNG = b"\x89PNG\r\n\x1a\n\0\0"
VERSIONS: list[tuple[str, bytes, Json]] = [
    ("plain.py", "é\n".encode(), {"text": "é\n", "encoding": "utf-8", "eol": "lf"}),
    ("empty.py", b"", {"text": "", "encoding": "utf-8", "eol": "none"}),
    ("crlf.py", b"a\r\nb\r\n", {"text": "a\r\nb\r\n", "encoding": "utf-8", "eol": "crlf"}),
    ("cr.py", b"a\rb\r", {"text": "a\rb\r", "encoding": "utf-8", "eol": "cr"}),
    ("mixed.py", b"a\r\nb\n", {"text": "a\r\nb\n", "encoding": "utf-8", "eol": "mixed"}),
    ("bom.py", b"\xef\xbb\xbfa\n", {"text": "a\n", "encoding": "utf-8-bom", "eol": "lf"}),
    ("16le.py", b"\xff\xfea\0\n\0", {"text": "a\n", "encoding": "utf-16le", "eol": "lf"}),
    ("16be.py", b"\xfe\xff\0a\0\n", {"text": "a\n", "encoding": "utf-16be", "eol": "lf"}),
    ("ansi.py", b"caf\xe9\n", {"text": "café\n", "encoding": "windows-1252", "eol": "lf"}),
    ("image.png", PNG, {"text": None, "base64": "iVBORw0KGgoAAA==", "encoding": None, "eol": None}),
    ("large.txt", b"x" * (5 * 1024 * 1024 + 1), {"text": None, "base64": None, "eol": None}),
]


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> TrackedHome:
    """A session with one version of each kind of content."""
    tracked = TrackedHome(tmp_path_factory.mktemp("tracked"))
    tracked.rows("u1 a1")
    files = {name: tracked.kept(name, 2, data) for name, data, _ in VERSIONS}
    tracked.write(snapshot("u1", {**files, "absent.py": entry(None, 1)}))
    return tracked


def version_of(server: ForkpointServer, tracked: TrackedHome, name: str) -> Json:
    server.open(tracked.home)
    files = server.result("checkpoints", sessionId=tracked.session_id)["files"]
    [file] = [file for file in files if file["file"].endswith(f"/{name}")]
    [version] = file["versions"]
    return version


@pytest.mark.parametrize(
    ("name", "data", "expected"), VERSIONS, ids=[name for name, _, _ in VERSIONS]
)
def test_a_version(
    server: ForkpointServer, tracked: TrackedHome, name: str, data: bytes, expected: Json
) -> None:
    document = version_of(server, tracked, name)["document"]
    answer = server.result("checkpointContent", document=document)
    assert {key: answer[key] for key in expected} == expected
    assert answer["sizeBytes"] == len(data)
    shown = text(server, document)
    if expected["text"] is None:
        assert answer["sentence"]
        assert shown == answer["sentence"]
    else:
        assert (answer["sentence"], shown) == (None, expected["text"])


def test_a_file_that_did_not_exist(server: ForkpointServer, tracked: TrackedHome) -> None:
    version = version_of(server, tracked, "absent.py")
    assert version["state"] == "absent"
    assert text(server, version["document"]) == ""


def test_the_path_is_the_files_own(server: ForkpointServer, tracked: TrackedHome) -> None:
    """So that an editor knows language and title."""
    document = version_of(server, tracked, "plain.py")["document"]
    assert document.startswith("forkpoint-version:///")
    assert document.partition("?")[0].endswith("/shop/plain.py")


def respelled(uri: str) -> list[str]:
    """The same address as editors write it: more escaped, or nothing of the query."""
    front, _, query = uri.partition("?")
    plain = query.replace("%40", "@")
    return [f"{front}?{plain}", f"{front}?{quote(plain, safe='')}", f"{front}?{plain}#1"]


def test_an_address_as_an_editor_spells_it(server: ForkpointServer, tracked: TrackedHome) -> None:
    document = version_of(server, tracked, "plain.py")["document"]
    assert [text(server, uri) for uri in respelled(document)] == ["é\n"] * 3


# --- transcripts ---------------------------------------------------------------------------------


def transcript_uri(**query: str) -> str:
    return "forkpoint-transcript:/Round%20the%20total.md?" + "&".join(
        f"{key}={value}" for key, value in query.items()
    )


def test_a_transcript(server: ForkpointServer) -> None:
    server.open(REAL / "b_edits")
    whole = server.result("transcript", sessionId=EDITS)["text"]
    assert text(server, transcript_uri(session=EDITS)) == whole
    assert [text(server, uri) for uri in respelled(transcript_uri(session=EDITS))] == [whole] * 3
    assert "Round the total" in whole


def test_a_transcript_up_to_a_record(server: ForkpointServer) -> None:
    server.open(REAL / "b_edits")
    [path] = REAL.glob("b_edits/projects/*/*.jsonl")
    leaf = next(row["uuid"] for row in rows(path) if row["type"] == "assistant")
    shown = text(server, transcript_uri(session=EDITS, leaf=leaf))
    assert shown == server.result("transcript", sessionId=EDITS, leaf=leaf)["text"]
    assert "Round the total" not in shown


def test_a_subagents_transcript(server: ForkpointServer) -> None:
    server.open(REAL / "g1_agent_foreground")
    shown = text(server, transcript_uri(session=WITH_AGENT, agent=AGENT))
    assert "Look for test files in the repo." in shown


REFUSED: list[tuple[Any, int]] = [
    ("file:///etc/hostname", -32602),
    ("forkpoint-version:", -32602),
    ("forkpoint-version:/x.py?session=..&backup=..%2Fx", -32001),
    ("forkpoint-transcript:", -32602),
    ("forkpoint-transcript:/x.md?agent=a1", -32602),
    (transcript_uri(session=NOBODY), -32001),
    (transcript_uri(session="../../x"), -32001),
    (transcript_uri(session=EDITS, agent="../x"), -32001),
    (transcript_uri(session=EDITS, leaf=NOBODY), -32001),
    (f"forkpoint-version:/x.py?session={NOBODY}&backup=5507de530952552d%40v1", -32001),
    ("", -32602),
    ("\0", -32602),
    (5, -32602),
    (None, -32602),
]


@pytest.mark.parametrize(("uri", "code"), REFUSED)
def test_what_is_no_document(server: ForkpointServer, uri: Any, code: int) -> None:
    server.open(REAL / "b_edits")
    answer = server.request(METHOD, {"uri": uri})
    assert answer["error"]["code"] == code
    assert str(REAL) not in answer["error"]["message"]
    assert server.result("health")
