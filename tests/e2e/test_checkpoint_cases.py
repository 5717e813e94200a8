"""The small cases of group checkpoint: each field of `expect.json`, found in the answers.

A field that is not looked up here fails. What `at` says is found in the documents of a preview,
asked while the working folder is empty.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from forkpoint.layout import backup_name
from forkpoint.protocol.uri import file_uri
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.moved_recordings import Moved, absolute, moved, tracked_paths
from tests.e2e.recordings import rows, types_by_uuid
from tests.e2e.version_contents import by_path, content
from tests.fixture_paths import CASES

EXPECTED: dict[str, Json] = {
    path.parent.name: expected
    for path in sorted(CASES.glob("*/expect.json"))
    if (expected := json.loads(path.read_bytes()))["group"] == "checkpoint"
}
OF_A_CASE = {"id", "group", "confidence", "labels", "observed", "files", "sessions", "hash",
             "restorable_messages"}  # fmt: skip
OF_A_FILE = {"absolute", "aliases", "outside_project", "versions", "at", "version_count",
             "available_count", "unavailable_versions"}  # fmt: skip
OF_A_VERSION = {"version", "backup", "available", "exists", "before_message", "from_session",
                "content", "on_active_path"}  # fmt: skip
ONLY_FROM_ITS_ORIGIN = {("65-checkpoint-other-session", "06c919f6-5ef1-40a0-a15c-aafa71305875")}
"""Readable, but no client restores it: the copy lies in another session's folder."""


class Tracked(NamedTuple):
    """What a case says of one file of one session."""

    case: str
    session_id: str
    path: str
    expected: Json

    def absolute(self, cwd: Path | str) -> str:
        return absolute(self.path, str(cwd)) if self.is_posix else self.expected["absolute"]

    @property
    def is_posix(self) -> bool:
        return "\\" not in self.path


FILES = [
    pytest.param(Tracked(case, session_id, path, file), id=f"{case[:2]}-{session_id[:4]}-{path}")
    for case, expected in EXPECTED.items()
    for session_id, files in expected["files"].items()
    for path, file in files.items()
]


@pytest.fixture
def here(tmp_path: Path, request: pytest.FixtureRequest) -> Moved:
    """The case with its sessions in a working folder of the test, which is empty."""
    return moved(CASES / request.getfixturevalue("tracked").case, tmp_path)


def history(server: ForkpointServer, here: Moved, tracked: Tracked) -> Json:
    server.open(here.home)
    files = server.result("checkpoints", sessionId=tracked.session_id)["files"]
    return by_path(files)[tracked.absolute(here.cwd)]


def test_every_field_of_the_cases_is_looked_up() -> None:
    for expected in EXPECTED.values():
        assert set(expected) <= OF_A_CASE
        for files in expected["files"].values():
            for file in files.values():
                assert set(file) <= OF_A_FILE
                assert all(set(version) <= OF_A_VERSION for version in file.get("versions", ()))


@pytest.mark.parametrize("case", [case for case in EXPECTED if "sessions" in EXPECTED[case]])
def test_paths_and_origins_of_the_sessions(server: ForkpointServer, case: str) -> None:
    server.open(CASES / case)
    listed = server.listed()
    for session_id, wanted in EXPECTED[case]["sessions"].items():
        types = types_by_uuid(next((CASES / case).glob(f"projects/*/{session_id}.jsonl")))
        entries = server.result("activePath", sessionId=session_id)["entries"]
        path = [entry["uuid"] for entry in entries]
        assert [each for each in path if types[each] in ("user", "assistant")] == (
            wanted["active_path"]
        )
        if "forked_from" in wanted:
            assert listed[session_id]["forkedFrom"]["sessionId"] == wanted["forked_from"]


@pytest.mark.parametrize("tracked", FILES)
def test_versions(server: ForkpointServer, here: Moved, tracked: Tracked) -> None:
    versions = history(server, here, tracked)["versions"]
    expected = tracked.expected
    if "versions" in expected:
        assert [each["version"] for each in versions] == [
            each["version"] for each in expected["versions"]
        ]
        for version, wanted in zip(versions, expected["versions"], strict=True):
            assert_version(server, here, tracked, version, wanted)
    if "version_count" in expected:
        states = [each["state"] for each in versions]
        assert len(versions) == expected["version_count"]
        assert states.count("present") == expected["available_count"]
        pruned = [each["version"] for each in versions if each["state"] == "pruned"]
        assert pruned == expected["unavailable_versions"]


def assert_version(
    server: ForkpointServer, here: Moved, tracked: Tracked, version: Json, wanted: Json
) -> None:
    if "available" in wanted:
        state = "present" if wanted["available"] else "pruned"
        assert (version["state"], version["document"] is not None) == (state, wanted["available"])
    if "exists" in wanted:
        assert version["state"] == ("present" if wanted["exists"] else "absent")
    if "backup" in wanted:
        path = tracked.absolute(here.cwd)
        name = wanted["backup"] and backup_name(path, version["version"])
        assert version["backup"] == name
    if "before_message" in wanted:
        assert version["prompt"]["uuid"] == wanted["before_message"]
    if "on_active_path" in wanted:
        assert version["onActivePath"] == wanted["on_active_path"]
    if "content" in wanted:
        assert content(server, version["document"]) == wanted["content"].encode()
    assert version["sessionId"] == wanted.get("from_session", tracked.session_id)
    assert version["first"] == (version["version"] == 1)


@needs_posix
@pytest.mark.parametrize("tracked", [param for param in FILES if "at" in param.values[0].expected])
def test_states_at_prompts(server: ForkpointServer, here: Moved, tracked: Tracked) -> None:
    server.open(here.home)
    for prompt, wanted in tracked.expected["at"].items():
        asked = {"sessionId": tracked.session_id, "prompt": prompt}
        code = server.result("rewindPreview", **asked)["code"]
        file = by_path(code["files"])[tracked.absolute(here.cwd)]
        if (tracked.case, prompt) in ONLY_FROM_ITS_ORIGIN:
            assert (code["available"], file["action"], file["reason"]) == (False, "skip", "pruned")
        elif wanted is None:
            assert (file["action"], content(server, file["document"])) == ("unchanged", b"")
        else:
            assert file["action"] == "create"
            assert content(server, file["document"]) == wanted.encode()


@pytest.mark.parametrize("tracked", [p for p in FILES if "aliases" in p.values[0].expected])
def test_one_file_under_several_spellings(
    server: ForkpointServer, here: Moved, tracked: Tracked
) -> None:
    server.open(here.home)
    [transcript] = here.home.glob(f"projects/*/{tracked.session_id}.jsonl")
    path = tracked.absolute(here.cwd)
    written = {key for key in tracked_paths(transcript) if absolute(key, str(here.cwd)) == path}
    assert len(written) == len(tracked.expected["aliases"]) > 1
    files = server.result("checkpoints", sessionId=tracked.session_id)["files"]
    assert [file["file"] for file in files].count(file_uri(path)) == 1


@pytest.mark.parametrize("case", [case for case in EXPECTED if "hash" in EXPECTED[case]])
def test_names_of_copies(case: str) -> None:
    for path, digest in EXPECTED[case]["hash"].items():
        assert backup_name(path, 3) == f"{digest}@v3"


@pytest.mark.parametrize("tracked", FILES)
def test_a_file_outside_of_the_project(
    server: ForkpointServer, here: Moved, tracked: Tracked
) -> None:
    """`outsideWorkspace` is what a preview says of it, and of no other."""
    server.open(here.home)
    prompts = history(server, here, tracked)["versions"][-1]["prompt"]
    code = server.result("rewindPreview", sessionId=tracked.session_id, prompt=prompts["uuid"])
    file = by_path(code["code"]["files"])[tracked.absolute(here.cwd)]
    assert file["outsideWorkspace"] == tracked.expected.get("outside_project", False)


def test_prompts_that_can_be_gone_back_to(server: ForkpointServer, tmp_path: Path) -> None:
    """Case 67: 105 prompts, of which the newest 100 can be restored."""
    case = "67-checkpoint-more-than-100"
    server.open(moved(CASES / case, tmp_path).home)
    [(session_id, wanted)] = EXPECTED[case]["restorable_messages"].items()
    [transcript] = (CASES / case).glob("projects/*/*.jsonl")
    talk = [row for row in rows(transcript) if row["type"] == "user"]
    prompts = [row["uuid"] for row in talk if isinstance(row["message"]["content"], str)]
    answers = {
        prompt: server.result("rewindPreview", sessionId=session_id, prompt=prompt)["code"]
        for prompt in prompts
    }
    restorable = [prompt for prompt in prompts if answers[prompt]["available"]]
    assert len(prompts) == 105
    assert (len(restorable), restorable[0], restorable[-1]) == (
        wanted["count"],
        wanted["first"],
        wanted["last"],
    )
    assert [answers[prompt]["reason"] for prompt in prompts[:5]] == ["tooOld"] * 5


def test_a_session_that_lost_all_copies_still_opens(
    server: ForkpointServer, tmp_path: Path
) -> None:
    """Case 61: one session's folder below `file-history` is gone."""
    here = moved(CASES / "61-checkpoint-copies-missing", tmp_path)
    server.open(here.home)
    session_id = "16239be3-0166-44a1-b218-b285395f738a"
    assert not (here.home / "file-history" / session_id).exists()
    assert server.result("activePath", sessionId=session_id)["entries"]
    [file] = server.result("checkpoints", sessionId=session_id)["files"]
    assert [problem["code"] for problem in file["problems"]] == ["pruned"]
    assert [version["binary"] for version in file["versions"]] == [False]


@needs_posix
def test_names_that_point_elsewhere_are_never_followed(
    server: ForkpointServer, tmp_path: Path
) -> None:
    """Case 64; the links that git does not keep are made here."""
    case = "64-checkpoint-hostile-names"
    here = moved(CASES / case, tmp_path)
    secret = tmp_path / "secret.txt"
    secret.write_bytes((CASES / case / "secret.txt").read_bytes())
    for name in ("0123456789abcdef@v1", "fedcba9876543210@v1"):
        [copy] = here.home.glob(f"file-history/*/{name}")
        copy.unlink()
        copy.symlink_to(secret)
    server.open(here.home)
    heard = len(server.heard)
    [(session_id, files)] = EXPECTED[case]["files"].items()
    [prompt] = [uuid for uuid, name in EXPECTED[case]["labels"].items() if name == "u1"]
    for path in files:
        uri = file_uri(str(here.cwd / path))
        [file] = server.result("checkpoints", file=uri)["files"]
        assert [version["document"] for version in file["versions"]] == [None]
        for name in ("0123456789abcdef@v1", "../../secret.txt", str(secret)):
            document = uri.replace("file:", "forkpoint-version:") + (
                f"?session={session_id}&backup={name.replace('/', '%2F')}"
            )
            server.refusal("checkpointContent", {"document": document})
    code = server.result("rewindPreview", sessionId=session_id, prompt=prompt)["code"]
    found = by_path(code["files"], here.cwd)
    assert {(found[path]["action"], found[path]["reason"]) for path in files} == {
        ("skip", "pruned")
    }
    assert {file["action"] for file in found.values()} == {"skip"}
    said = json.dumps(server.heard[heard:])
    assert "must never be shown" in secret.read_text()
    assert "must never be shown" not in said
