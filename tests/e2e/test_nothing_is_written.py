"""The config folder and the working folder are the same before and after every request."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from forkpoint.protocol.methods import REQUESTS
from forkpoint.protocol.uri import file_uri
from tests.e2e.forkpoint_server import ForkpointServer, end
from tests.e2e.moved_recordings import Moved, moved
from tests.e2e.recordings import rows
from tests.e2e.test_rewind_preview import as_it_ended
from tests.fixture_paths import CASES

State = dict[str, tuple[object, ...]]

RECORDINGS = (
    "b_edits",
    "c2_rewind_code",
    "f1_branch",
    "g1_agent_foreground",
    "v_2_0_76",
    "l2_image_input",
)
CASE = "64-checkpoint-hostile-names"
DOCUMENT_CONTENT = "workspace/textDocumentContent"


def state(*roots: Path) -> State:
    """Contents, names, modes, kinds and times of all that lies below, and of the folders."""
    found: State = {}
    for root in roots:
        for path in [root, *sorted(root.rglob("*"))]:
            facts = path.lstat()
            data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            digest = hashlib.sha256(data).hexdigest()
            found[str(path)] = (digest, facts.st_mtime_ns, facts.st_mode, facts.st_ino)
    return found


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Moved:
    """Several recordings and one hostile case, with the files that they worked on."""
    folder = tmp_path_factory.mktemp("watched")
    all_of_them = Moved(folder / "home", folder / "shop")
    for name in RECORDINGS:
        join(as_it_ended(name, folder / name), all_of_them)
    join(moved(CASES / CASE, folder / CASE), all_of_them)
    return all_of_them


def join(one: Moved, whole: Moved) -> None:
    """Add a recording to a home whose sessions speak of another working folder."""
    shutil.copytree(one.home, whole.home, dirs_exist_ok=True)
    shutil.copytree(one.cwd, whole.cwd, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def server(watched: Moved) -> Iterator[ForkpointServer]:
    with ForkpointServer(watched.home) as server:
        server.listed()
        yield server
        end(server)


def questions(server: ForkpointServer, watched: Moved, method: str) -> Iterator[dict[str, Any]]:
    """What to ask a method: about every session, and each of its prompts, files and versions."""
    if method in ("sessions", "health", "checkpointFiles"):
        yield {}
        yield {} if method == "health" else {"folder": file_uri(str(watched.cwd))}
        return
    if method == "lineHistory":
        yield from ({"file": file_uri(str(path))} for path in sorted(watched.cwd.rglob("*")))
        return
    for transcript in watched.transcripts:
        yield from about_session(server, transcript, method)


def about_session(
    server: ForkpointServer, transcript: Path, method: str
) -> Iterable[dict[str, Any]]:
    session = {"sessionId": transcript.stem}
    prompts = [row["uuid"] for row in rows(transcript) if row.get("type") == "user"]

    def told(method: str, of: str) -> list[dict[str, Any]]:
        return server.result(method, **session)[of]

    about: dict[str, Callable[[], Iterable[dict[str, Any]]]] = {
        "checkpointContent": lambda: [{"document": each} for each in documents(server, session)],
        "search": lambda: [{**session, "query": each} for each in ("the", "is:abandoned", "zzz")],
        "rewindPreview": lambda: [{**session, "prompt": prompt} for prompt in prompts],
        "export": lambda: [
            {**session, "format": form, "redact": ["secrets"]} for form in ("markdown", "html")
        ],
        "transcriptPlace": lambda: [{**session, "uuid": prompt} for prompt in prompts],
        "transcriptImage": lambda: [
            {"document": link["target"]}
            for link in told("transcript", "links")
            if link["kind"] == "image"
        ],
        "locate": lambda: [
            {**session, "toolUseId": call["toolUseId"]} for call in told("toolCalls", "calls")
        ],
        "checkpoints": lambda: [
            session,
            *({"file": file["file"]} for file in told("checkpoints", "files")),
        ],
        "checkpointChanges": lambda: [
            session,
            *({**session, "prompt": prompt} for prompt in prompts),
        ],
    }
    return about.get(method, lambda: [session])()


def documents(server: ForkpointServer, session: dict[str, str]) -> list[str]:
    """All documents of a session's versions."""
    files = server.result("checkpoints", **session)["files"]
    found = [version["document"] for file in files for version in file["versions"]]
    return [document for document in found if document is not None]


@pytest.mark.parametrize("method", [name.removeprefix("forkpoint/") for name in REQUESTS])
def test_a_request_leaves_everything_as_it_was(
    server: ForkpointServer, watched: Moved, method: str
) -> None:
    before = state(watched.home, watched.cwd)
    asked = 0
    for params in questions(server, watched, method):
        answer = server.request(f"forkpoint/{method}", params)
        asked += "result" in answer
    assert asked > 0
    assert state(watched.home, watched.cwd) == before


def test_a_document_leaves_everything_as_it_was(server: ForkpointServer, watched: Moved) -> None:
    before = state(watched.home, watched.cwd)
    for transcript in watched.transcripts:
        for document in documents(server, {"sessionId": transcript.stem}):
            assert "result" in server.request(DOCUMENT_CONTENT, {"uri": document})
        uri = f"forkpoint-transcript:/x.md?session={transcript.stem}"
        assert "result" in server.request(DOCUMENT_CONTENT, {"uri": uri})
    assert state(watched.home, watched.cwd) == before


def test_the_check_sees_a_change(tmp_path: Path) -> None:
    """One of a name, of a mode, of a content and of a time."""
    file = tmp_path / "file"
    file.write_bytes(b"x")
    before = state(tmp_path)
    assert state(tmp_path) == before
    file.chmod(0o600 if file.stat().st_mode & 0o077 else 0o644)
    assert state(tmp_path) != before
    before = state(tmp_path)
    file.write_bytes(b"y")
    assert state(tmp_path) != before
    before = state(tmp_path)
    (tmp_path / "other").touch()
    assert state(tmp_path) != before
