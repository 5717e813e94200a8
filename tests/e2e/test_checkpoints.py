"""`forkpoint/checkpoints` against the copies and the lines of the recordings."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from forkpoint.protocol.uri import file_uri, path_of
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.moved_recordings import RECORDED, absolute
from tests.e2e.recordings import rows
from tests.e2e.test_rewind_preview import as_it_ended
from tests.e2e.version_contents import by_path, changed_lines, content
from tests.fixture_paths import CASES, REAL

SESSIONS = [
    pytest.param(path, id=f"{path.parents[2].name}-{path.stem[:4]}")
    for path in sorted(REAL.glob("*/projects/*/*.jsonl"))
    if (path.parents[2] / "file-history" / path.stem).is_dir()
    and any(row["type"] == "user" for row in rows(path))
]
FORK, ORIGIN = "24784ec7-4bb4-4d16-b451-b70cb98228bb", "7ed5a9cc-2fd0-4298-9de9-05227e5f4453"
LATE = {
    "cart.py": b"def total(items):\n    return sum(i['price'] for i in items)\n",
    "tax.py": b"RATE = 0.2\n\n\ndef with_tax(x):\n    return x * (1 + RATE)\n",
}
"""What 2.0.76's first edits replaced, by their results; its copies hold what the edits left."""
MADE_LATE = ("v_2_0_76", "v_2_0_76_compact")


class Recorded(NamedTuple):
    """What the first line that names a version says of it."""

    version: int
    backup: str | None
    time: str
    prompt: str


def home_of(transcript: Path) -> Path:
    return transcript.parents[2]


def recorded_versions(transcript: Path) -> dict[str, list[Recorded]]:
    """The versions of each file in the order of the lines, each once."""
    found: dict[str, dict[tuple[int, str | None], Recorded]] = {}
    for row in rows(transcript):
        if row["type"] == "file-history-snapshot":
            prompt = row["snapshot"]["messageId"]
            entries = row["snapshot"]["trackedFileBackups"]
        elif row["type"] == "file-history-delta":
            prompt, entries = row["snapshotMessageId"], {row["trackingPath"]: row["backup"]}
        else:
            continue
        for path, entry in entries.items():
            key = (entry["version"], entry["backupFileName"])
            recorded = Recorded(*key, entry["backupTime"], prompt)
            found.setdefault(path, {}).setdefault(key, recorded)
    return {path: list(versions.values()) for path, versions in found.items()}


def histories(server: ForkpointServer, transcript: Path) -> dict[str, Json]:
    """The files of a session, as its lines spell them."""
    server.open(home_of(transcript))
    files = server.result("checkpoints", sessionId=transcript.stem)["files"]
    return by_path(files, Path(RECORDED))


# --- versions of a session -----------------------------------------------------------------------


@pytest.mark.parametrize("transcript", SESSIONS)
def test_every_copy_is_one_version_with_its_bytes(
    server: ForkpointServer, transcript: Path
) -> None:
    copies = {copy.name: copy for copy in home_of(transcript).glob(f"*/{transcript.stem}/*@v*")}
    listed: list[str] = []
    for path, history in histories(server, transcript).items():
        for version in history["versions"]:
            if version["state"] != "present":
                assert (version["state"], version["backup"]) == ("absent", None)
                assert content(server, version["document"]) == b""
                continue
            listed.append(version["backup"])
            kept = copies[version["backup"]].read_bytes()
            if home_of(transcript).name in MADE_LATE and version["first"]:
                assert version["source"] == "toolResult"
                assert (kept, content(server, version["document"])) != (LATE[path], kept)
                kept = LATE[path]
            else:
                assert version["source"] == "backup"
            assert content(server, version["document"]) == kept
            assert (version["sizeBytes"], version["binary"]) == (len(kept), False)
    assert sorted(listed) == sorted(copies)


@pytest.mark.parametrize("transcript", SESSIONS)
def test_versions_come_in_the_order_of_the_lines(server: ForkpointServer, transcript: Path) -> None:
    expected = recorded_versions(transcript)
    answered = histories(server, transcript)
    prompts = {row["uuid"]: row for row in rows(transcript) if row["type"] == "user"}
    entries = server.result("activePath", sessionId=transcript.stem)["entries"]
    path = {entry["uuid"] for entry in entries}
    assert list(answered) == list(expected)
    for file, history in answered.items():
        versions = history["versions"]
        assert [
            Recorded(each["version"], each["backup"], each["time"], each["prompt"]["uuid"])
            for each in versions
        ] == expected[file]
        for version in versions:
            uuid = version["prompt"]["uuid"]
            assert version["onActivePath"] == (uuid in path)
            assert version["first"] == (version["version"] == 1)
            if uuid in prompts and "<" not in (words := prompts[uuid]["message"]["content"]):
                assert version["prompt"]["preview"] == words


@pytest.mark.parametrize("transcript", SESSIONS)
def test_lines_are_counted_against_the_version_before(
    server: ForkpointServer, transcript: Path
) -> None:
    for history in histories(server, transcript).values():
        before: bytes | None = None
        for version in history["versions"]:
            now = content(server, version["document"])
            counted = (version["added"], version["removed"])
            assert counted == ((None, None) if before is None else changed_lines(before, now))
            if before is None:
                assert version["previous"] is None
            else:
                assert content(server, version["previous"]) == before
            before = now


KINDS = {
    "b_edits": {
        "cart.py": ["first", "edited", "edited", "edited"],
        "tax.py": ["first", "edited", "edited"],
        "discount.py": ["first", "created"],
        "README.md": ["first"],
    },
    "c2_rewind_code": {
        "cart.py": ["first", "edited"],
        "tax.py": ["first", "edited", "edited"],
        "discount.py": ["first", "unchanged"],  # Written, and deleted by the rewind in between.
        "README.md": ["first"],
    },
}


@pytest.mark.parametrize("name", KINDS)
def test_what_became_of_the_files(server: ForkpointServer, name: str) -> None:
    [transcript] = REAL.glob(f"{name}/projects/*/*.jsonl")
    answered = histories(server, transcript)
    assert {
        path: [version["kind"] for version in history["versions"]]
        for path, history in answered.items()
    } == KINDS[name]


def test_a_file_that_comes_and_goes(server: ForkpointServer) -> None:
    [transcript] = (CASES / "59-checkpoint-null-backup").glob("projects/*/*.jsonl")
    versions = histories(server, transcript)["notes.md"]["versions"]
    assert [version["kind"] for version in versions] == ["first", "created", "deleted", "created"]
    documents = [content(server, version["document"]) for version in versions]
    assert documents == [b"", b"v1\n", b"", b"again\n"]
    assert [content(server, version["previous"]) for version in versions[1:]] == documents[:3]


@pytest.mark.parametrize("transcript", SESSIONS)
def test_the_working_file(server: ForkpointServer, tmp_path: Path, transcript: Path) -> None:
    here = as_it_ended(home_of(transcript).name, tmp_path)
    server.open(here.home)
    files = server.result("checkpoints", sessionId=transcript.stem)["files"]
    assert files
    for path, history in by_path(files, here.cwd).items():
        now = (here.cwd / path).read_bytes() if (here.cwd / path).exists() else b""
        newest = content(server, history["versions"][-1]["document"])
        added, removed = changed_lines(newest, now)
        assert history["working"] == {
            "exists": (here.cwd / path).exists(),
            "added": added,
            "removed": removed,
            "editedSince": newest != now,
        }


# --- versions of a file over all sessions --------------------------------------------------------


@pytest.mark.parametrize("transcript", SESSIONS)
def test_both_questions_are_answered_alike(server: ForkpointServer, transcript: Path) -> None:
    """A session's versions are those of its files, as far as it alone names them."""
    server.open(home_of(transcript))
    server.listed()
    for path, history in histories(server, transcript).items():
        uri = file_uri(absolute(path))
        asked = server.result("checkpoints", sessionId=transcript.stem, file=uri)["files"]
        assert asked == [history]
        [merged] = server.result("checkpoints", file=uri)["files"]
        assert (merged["file"], merged["working"]) == (uri, history["working"])
        if len(list(sessions_of(home_of(transcript)))) == 1:
            assert merged == history


def sessions_of(home: Path) -> Iterator[Path]:
    return (path for path in home.glob("projects/*/*.jsonl") if path.stem.count("-") == 4)


def test_what_a_fork_copied_stands_once(server: ForkpointServer) -> None:
    server.open(REAL / "f1_branch")
    assert set(server.listed()) == {FORK, ORIGIN}
    merged = {
        path: [
            (version["sessionId"], version["version"])
            for version in server.result("checkpoints", file=file_uri(absolute(path)))["files"][0][
                "versions"
            ]
        ]
        for path in ("cart.py", "tax.py", "README.md")
    }
    assert merged == {
        "cart.py": [(ORIGIN, 1), (ORIGIN, 2)],
        "tax.py": [(ORIGIN, 1), (FORK, 2)],
        "README.md": [(FORK, 1)],
    }


def test_sessions_are_merged_in_the_order_of_time(server: ForkpointServer, home: Path) -> None:
    """Several recordings in one folder: the same three files, edited again and again."""
    names = ("b_edits", "c1_rewind_conversation", "i1_titles_modes", "m3_model_switch")
    for name in names:
        shutil.copytree(REAL / name, home, dirs_exist_ok=True)
    server.open(home)
    sessions = server.listed()
    [history] = server.result("checkpoints", file=file_uri(f"{RECORDED}/cart.py"))["files"]
    versions = history["versions"]
    assert {version["sessionId"] for version in versions} == set(sessions)
    assert [version["time"] for version in versions] == sorted(v["time"] for v in versions)
    by_session = {each["sessionId"]: each["title"] for each in history["sessions"]}
    assert list(by_session) == list(dict.fromkeys(version["sessionId"] for version in versions))
    assert by_session == {key: sessions[key]["title"]["text"] for key in by_session}
    for session_id in sessions:
        own = server.result("checkpoints", sessionId=session_id)["files"][0]["versions"]
        mine = [version for version in versions if version["sessionId"] == session_id]
        assert [version["backup"] for version in mine] == [version["backup"] for version in own]


@pytest.mark.parametrize(
    "uri",
    ["file:///C:/Users/dev/shop/src/cart.py", "file:///c%3A/Users/dev/shop/src/cart.py",
     "file:///C:/Users/DEV/Shop/src/../src/CART.py"],
)  # fmt: skip
def test_a_file_of_a_windows_home(server: ForkpointServer, uri: str) -> None:
    """Editors spell drives in their own way, and case does not matter there."""
    server.open(CASES / "62-checkpoint-path-forms")
    server.listed()
    [history] = server.result("checkpoints", file=uri)["files"]
    [version] = history["versions"]
    assert content(server, version["document"]) == b"total = 0\r\n"
    assert path_of(version["document"].partition("?")[0].replace("forkpoint-version", "file"))
    answer = server.result("checkpointContent", document=version["document"])
    assert (answer["encoding"], answer["eol"]) == ("utf-8", "crlf")


def test_lines_of_a_session_that_tells_no_directory(server: ForkpointServer) -> None:
    """2.0.76 left a file of nothing but state lines: where its relative paths lie, it says not."""
    server.open(REAL / "v_2_0_76_compact")
    server.listed()
    session_id = "7fc39770-178c-4df0-a744-0225b9b0985f"
    files = server.result("checkpoints", sessionId=session_id)["files"]
    files += server.result("checkpointFiles")["files"]
    assert {file["file"] for file in files} <= {
        file_uri(absolute(path)) for path in ("cart.py", "tax.py", "discount.py")
    }


def test_files_without_checkpoints_have_no_history(server: ForkpointServer) -> None:
    server.open(REAL / "a_simple_tui")
    [session_id] = server.listed()
    assert server.result("checkpoints", sessionId=session_id)["files"] == []
    for uri in (file_uri(f"{RECORDED}/cart.py"), "file:///nowhere", "file:///"):
        assert server.result("checkpoints", file=uri)["files"] == []


# --- what is refused -----------------------------------------------------------------------------

NOBODY = "00000000-0000-4000-8000-000000000000"
ONE = "b2e74b0a-2716-490d-ba01-54a73887314f"
FILE = f"forkpoint-version://{RECORDED}/cart.py"

REFUSED: list[tuple[str, Json, int, str | None]] = [
    ("checkpoints", {}, -32602, None),
    ("checkpoints", {"sessionId": NOBODY}, -32001, "unknownSession"),
    ("checkpoints", {"sessionId": NOBODY, "file": "file:///x"}, -32001, "unknownSession"),
    ("checkpoints", {"file": "cart.py"}, -32602, None),
    ("rewindPreview", {"sessionId": NOBODY, "prompt": NOBODY}, -32001, "unknownSession"),
    ("rewindPreview", {"sessionId": ONE, "prompt": NOBODY}, -32001, "unknownRecord"),
    ("rewindPreview", {"sessionId": ONE, "prompt": "../x"}, -32001, "unknownRecord"),
    ("rewindPreview", {"sessionId": ONE}, -32602, None),
    ("checkpointContent", {}, -32602, None),
    ("checkpointContent", {"document": ""}, -32602, None),
    ("checkpointContent", {"document": f"file://{RECORDED}/cart.py"}, -32602, None),
    ("checkpointContent", {"document": FILE}, -32602, None),
    ("checkpointContent", {"document": "forkpoint-version://[x"}, -32602, None),
    *[
        ("checkpointContent", {"document": f"{FILE}?session={ONE}&backup={name}"}, -32602, None)
        for name in (
            "",
            "..%2F..%2Fexpected.json",
            "%2Fetc%2Fhostname",
            "5507de530952552d%40v0",
            "5507de530952552d%40v1%00",
            "5507DE530952552D%40v1",
            "5507de530952552d%40v1%2F..%2F5507de530952552d%40v1",
        )
    ],
    (
        "checkpointContent",
        {"document": f"{FILE}?session={NOBODY}&backup=5507de530952552d%40v1"},
        -32001,
        "unknownSession",
    ),
    (
        "checkpointContent",
        {"document": f"{FILE}?session=..%2F{ONE}&backup=5507de530952552d%40v1"},
        -32001,
        "unknownSession",
    ),
    (
        "checkpointContent",
        {"document": f"{FILE}?session={ONE}&backup=5507de530952552d%40v77"},
        -32001,
        "unreadable",
    ),
]


@pytest.mark.parametrize(("method", "params", "error_code", "kind"), REFUSED)
def test_what_is_refused(
    server: ForkpointServer, method: str, params: Json, error_code: int, kind: str | None
) -> None:
    server.open(REAL / "b_edits")
    error = server.refusal(method, params)
    assert (error["code"], error.get("data")) == (error_code, kind and {"kind": kind})
    assert error["message"].endswith(".") or error_code == -32602
