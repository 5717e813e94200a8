"""Nothing below an agent's folders is ever written, whatever is asked."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from forkpoint.cli import main
from forkpoint.protocol.methods import REQUESTS
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import ForkpointServer, end
from tests.e2e.recordings import Transcript, transcripts
from tests.fixture_paths import CASES, REAL, REPOSITORY

SERVER = REPOSITORY / "server" / "forkpoint"
OF_SESSIONS = (
    "subagents", "health", "checkpoints", "checkpointChanges", "checkpointFiles", "workState",
    "abandoned", "family",
    "abandoned", "usage",
)  # fmt: skip
"""Questions about a session, not about one of its transcripts."""
CODEX = "codex"
"""The Codex home in the config folder."""
ASKED_APART = frozenset(
    ["sessions", "checkpointContent", "rewindPreview", "transcriptImage", "locate", "lineHistory"]
)
"""Questions about more than a transcript."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A config folder with a bit of everything: subagents, forks, compactions, broken lines.

    In it is a Codex home: compressed, archived, damaged and rolled back.
    """
    home = tmp_path / "home"
    situations = [REAL / "g1_agent_foreground", REAL / "v_2_0_76", REAL / "y13_bad_lines"]
    cases = ["22-compaction", "32-partial-last-line", "41-unknown-and-wrong-shapes",
             "46-title-precedence", "71-usage-fork-copies"]  # fmt: skip
    for source in [*situations, *(CASES / name for name in cases)]:
        shutil.copytree(source, home, dirs_exist_ok=True)
    of_codex = ["79-codex-old-format", "82-codex-compressed", "83-codex-archived",
                "86-codex-rollback-and-compaction"]  # fmt: skip
    for name in of_codex:
        shutil.copytree(CASES / name / "codex", home / CODEX, dirs_exist_ok=True)
    (home / CODEX / "session_index.jsonl").write_text('{"id": "x", "thread_name": "Named"}\n')
    return home


def everything(home: Path) -> list[Transcript]:
    """The transcripts of both agents that can be read."""
    rollouts: dict[str, Path] = {}
    for path in sorted((home / CODEX).rglob("rollout-*")):
        if path.stat().st_size > 100:
            rollouts.setdefault(path.name.split(".")[0][-36:], path)
    return [*transcripts(home), *(Transcript(path, each) for each, path in rollouts.items())]


def state(root: Path) -> dict[str, tuple[object, ...]]:
    """Names, contents, times of change, modes and links below a folder, and its own."""
    found: dict[str, tuple[object, ...]] = {}
    for path in [root, *sorted(root.rglob("*"))]:
        facts = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
        found[str(path)] = (content, facts.st_mtime_ns, facts.st_mode, facts.st_nlink, facts.st_ino)
    return found


def tour_of_requests(home: Path, under: Sequence[str] = ()) -> None:
    options = {"codexHomes": [str(home / CODEX)]}
    with ForkpointServer(home, options=options, under=under) as server:
        server.listed()
        server.result("sessions", scope="repository", folder="file:///home/dev/shop", query="a")
        server.result("health")
        for transcript in everything(home):
            tour_of_checkpoints(server, transcript.session_id)
            for method in REQUESTS:
                name = method.removeprefix("forkpoint/")
                if name in ASKED_APART:
                    continue
                reference = transcript.reference
                if name == "transcriptPlace":
                    reference = {**reference, "ordinal": 0}
                if name in OF_SESSIONS:
                    reference = {"sessionId": transcript.session_id}
                if name == "search":
                    reference = {"query": "the"}
                if name == "export":
                    kinds = ["secrets", "paths", "names"]
                    reference |= {"format": "html", "redact": kinds, "subagents": True}
                server.result(name, **reference)
            tour_of_lines(server, transcript.reference)
        tour_of_documents(server, home)
        server.refusal("records", {"sessionId": "nobody"})
        end(server)


def tour_of_documents(server: ForkpointServer, home: Path) -> None:
    server.request("workspace/symbol", {"query": ""})
    for file in home.rglob("*.jsonl"):
        document = {"textDocument": {"uri": file.as_uri()}}
        for name in ("documentSymbol", "foldingRange", "documentLink", "codeLens", "diagnostic"):
            assert "result" in server.request(f"textDocument/{name}", document)
        place = {**document, "position": {"line": 1, "character": 0}}
        for name in ("hover", "definition", "references"):
            more = {"context": {"includeDeclaration": True}} if name == "references" else {}
            assert "result" in server.request(f"textDocument/{name}", {**place, **more})


def tour_of_checkpoints(server: ForkpointServer, session_id: str) -> None:
    for history in server.result("checkpoints", sessionId=session_id)["files"]:
        server.result("checkpoints", file=history["file"])
        for version in history["versions"]:
            if version["document"] is not None:
                server.result("checkpointContent", document=version["document"])
    path = server.result("activePath", sessionId=session_id, fromPerson=True)
    for entry in path["entries"]:
        server.result("rewindPreview", sessionId=session_id, prompt=entry["uuid"])


def tour_of_lines(server: ForkpointServer, reference: dict[str, str]) -> None:
    for call in server.result("toolCalls", **reference)["calls"]:
        server.result("locate", toolUseId=call["toolUseId"], **reference)
    server.refusal("lineHistory", {"file": "file:///home/dev/shop/cart.py"})


def tour_of_commands(home: Path) -> None:
    where = ["--config-dir", str(home), "--codex-home", str(home / CODEX)]
    for words in (
        ["sessions", "--all"],
        ["sessions", "--json"],
        ["call", "forkpoint/health"],
        ["health"],
        ["health", "--report"],
        ["search", "the"],
        ["usage", "--by", "session,day"],
        ["usage", "--csv"],
    ):
        assert main([*words, *where]) == 0
    for transcript in everything(home):
        assert main(["show", transcript.session_id, *where]) == 0
        assert main(["health", transcript.session_id, *where]) == 0
        assert main(["inspect", str(transcript.path), *where]) == 0
        exported = ["export", transcript.session_id, "--format", "md", *where]
        assert main(exported) == 0
        assert main([*exported, "--output", str(transcript.path), "--force"]) == 1
        asked = json.dumps(transcript.reference)
        assert main(["call", "forkpoint/activePath", asked, *where]) == 0
    assert main(["export", "--parquet", str(home / "projects"), "--force", *where]) == 1
    # Written, and told that a damaged rollout could not be read.
    assert main(["export", "--parquet", str(home.parent / "tables"), "--redact", *where]) == 3


@pytest.mark.parametrize("tour", [tour_of_requests, tour_of_commands])
def test_a_full_tour_leaves_everything_as_it_was(home: Path, tour: object) -> None:
    before = state(home)
    assert callable(tour)
    tour(home)
    assert state(home) == before


@needs_posix
@pytest.mark.parametrize("tour", [tour_of_requests, tour_of_commands])
def test_a_tour_of_a_folder_that_cannot_be_written(read_only: Path, tour: object) -> None:
    assert callable(tour)
    tour(read_only)


@pytest.fixture
def read_only(home: Path) -> Iterator[Path]:
    """The folder without a right to write in it; of no effect for the superuser."""
    paths = [home, *home.rglob("*")]
    modes = {path: path.stat().st_mode for path in paths}
    for path in reversed(paths):
        path.chmod(modes[path] & ~0o222)
    yield home
    for path in paths:
        path.chmod(modes[path])


# --- and nothing in the code could -------------------------------------------------------------

WRITERS = frozenset({
    "chmod", "chown", "copy", "copyfile", "copytree", "hardlink_to", "link", "makedirs", "mkdir",
    "mkfifo", "move", "removedirs", "rename", "rmdir", "rmtree", "symlink", "symlink_to", "touch",
    "truncate", "unlink", "utime", "write_bytes", "write_text", "fdopen", "copy2", "renames",
})  # fmt: skip
"""Functions of os, pathlib and shutil that change what lies on disk, by their last name."""
KEEPS = {("status_line_helper.py", name) for name in ("mkdir", "fdopen", "unlink")}
STORES = {("store_file.py", name) for name in ("mkdir", "open", "unlink")}
EXPORTS = {("export_file.py", name) for name in ("fdopen", "hardlink_to", "unlink")}
TABLES = {("tables/files.py", name) for name in ("fdopen", "mkdir", "unlink", "rmdir")}
ALLOWED = {("cli.py", "open"), ("disk.py", "open")} | KEEPS | STORES | EXPORTS | TABLES
"""disk.py opens for reading only, and cli.py the null device when a reader went away. What a status
line is told, what was read of transcripts, and what is exported is kept outside of agents' folders:
tests/disk/test_status_line.py, tests/disk/test_store.py, tests/e2e/test_export_command.py and
tests/e2e/test_tables_command.py."""


def calls(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call):
            name = node.func
            yield name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")


def test_no_module_calls_what_writes_to_disk() -> None:
    found = {
        (str(path.relative_to(SERVER)), name)
        for path in SERVER.rglob("*.py")
        for name in calls(path)
        if name in WRITERS or name == "open"
    }
    # `open` of the catalog's thread and of settings are methods of ours, not of files.
    in_lsp = {(file, name) for file, name in found if file.startswith("lsp/") and name == "open"}
    assert found - in_lsp == ALLOWED


def test_a_database_is_opened_by_the_store_only() -> None:
    found = {
        str(path.relative_to(SERVER))
        for path in SERVER.rglob("*.py")
        if "connect" in calls(path) or "executescript" in calls(path)
    }
    assert found == {"store_file.py"}


def test_files_are_opened_for_reading_only() -> None:
    from forkpoint import disk

    assert disk._FLAGS & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND) == 0
