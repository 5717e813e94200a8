"""Versions and states of the cases and samples: what the client restored, and what was recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forkpoint.checkpoints import Version
from forkpoint.session import Conversation
from tests.builders import CWD, index_of
from tests.fixture_paths import CASES, ORACLE

CHECKPOINT_CASES = {
    path.parent.name: expected
    for path in sorted(CASES.glob("*/expect.json"))
    if (expected := json.loads(path.read_bytes()))["group"] == "checkpoint"
}


def case_states() -> Any:
    for name, expected in CHECKPOINT_CASES.items():
        for session_id, files in expected["files"].items():
            for key, wanted in files.items():
                for prompt, text in wanted.get("at", {}).items():
                    label = f"{name}-{session_id[:4]}-{prompt[:4]}"
                    values = (name, session_id, key, prompt, text)
                    yield pytest.param(*values, id=label)


@pytest.mark.parametrize(("name", "session_id", "key", "prompt", "text"), list(case_states()))
def test_the_client_restored(
    name: str, session_id: str, key: str, prompt: str, text: str | None
) -> None:
    """Copies lie in the session's folder, or in that of the session it was copied from."""
    [path] = CASES.glob(f"{name}/projects/*/{session_id}.jsonl")
    known = Conversation(index_of(path.read_bytes(), session_id))
    state = known.checkpoints().before(prompt)
    assert state is not None
    version = state[f"{CWD}/{key}"]
    assert version is not None
    assert content_of(CASES / name, version, session_id) == text
    points = known.restore_points(known.index.summary.first_cwd)
    assert (points.at(prompt) or {})[f"{CWD}/{key}"] == version


def content_of(home: Path, version: Version, session_id: str) -> str | None:
    if version.is_absent:
        return None
    own = home / "file-history" / session_id / str(version.backup)
    others = home.glob(f"file-history/*/{version.backup}")
    return (own if own.exists() else next(others)).read_text()


def test_all_cases_with_contents_are_asked() -> None:
    names = {param.values[0][:2] for param in case_states()}
    assert names == {"58", "59", "62", "65", "67"}


@pytest.mark.parametrize(
    "name", [name for name, case in CHECKPOINT_CASES.items() if "files" in case]
)
def test_versions_of_a_case(name: str) -> None:
    for session_id, files in CHECKPOINT_CASES[name]["files"].items():
        [path] = CASES.glob(f"{name}/projects/*/{session_id}.jsonl")
        known = Conversation(index_of(path.read_bytes(), session_id))
        found = known.checkpoints().versions
        start = known.index.summary.first_cwd
        assert start is not None
        for key, wanted in files.items():
            versions = found[wanted.get("absolute", f"{start}/{key}")]
            listed = wanted.get("versions", [])
            assert len(versions) == wanted.get("version_count", len(listed))
            for version, one in zip(versions, listed, strict=False):
                told = {
                    "version": version.number,
                    "backup": version.backup,
                    "before_message": version.prompt,
                    "exists": not version.is_absent,
                }
                assert told | one == one | told


ORACLE_CASES: dict[str, Any] = json.loads((ORACLE / "cases.json").read_bytes())


def test_both_samples_with_files_are_there() -> None:
    assert sum("files_at" in case for case in ORACLE_CASES.values()) == 2


@pytest.mark.parametrize("name", [n for n, case in ORACLE_CASES.items() if "files_at" in case])
def test_the_sample_was_so_at_each_prompt(name: str) -> None:
    case = ORACLE_CASES[name]
    folder = ORACLE / "sample" / "projects" / case["project_key"]
    data = (folder / f"{case['session_id']}.jsonl").read_bytes()
    checkpoints = Conversation(index_of(data, case["session_id"])).checkpoints()
    for prompt, files in case["files_at"].items():
        state = checkpoints.before(prompt) or {}
        told = {path: state[path] for path in files}
        assert {path: each and each.backup for path, each in told.items()} == files, prompt
