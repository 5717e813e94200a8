"""Sessions of Codex on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forkpoint.cli import main
from tests.builders import transcript
from tests.disk.codex_home import A, B, C, name, packed, place, put, rollout
from tests.fixture_paths import CASES

CLAUDES = "9eefc671-6984-46c9-b5cd-3f811c4820a7"
ROLLED_BACK = next(CASES.glob("86-*/codex"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A Codex home with a plain, a compressed and an archived session."""
    home = tmp_path / "codex"
    put(home, place(A), rollout("Fix the cart"))
    put(home, place(B, packed=True), rollout("Long ago", thread_id=B))
    put(home, place(C, archived=True), rollout("Put away", thread_id=C))
    name(home, (C, "The tax table"))
    return home


@pytest.fixture
def config(tmp_path: Path) -> Path:
    folder = tmp_path / "claude/projects/-home-dev-shop"
    folder.mkdir(parents=True)
    (folder / f"{CLAUDES}.jsonl").write_bytes(transcript("u1 a1"))
    return tmp_path / "claude"


def said(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> str:
    assert main([str(word) for word in words]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def ids(text: str) -> set[str]:
    return {row["sessionId"] for row in json.loads(text)["sessions"]}


def test_sessions_of_both_agents_and_of_one(
    home: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--config-dir", config, "--codex-home", home, "--json")
    assert ids(said(capsys, "sessions", *where)) == {A, B, CLAUDES}
    assert ids(said(capsys, "sessions", "--agent", "codex", *where)) == {A, B}
    assert ids(said(capsys, "sessions", "--agent", "claude-code", *where)) == {CLAUDES}
    assert ids(said(capsys, "sessions", "--agent", "codex", "--all", *where)) == {A, B, C}
    # The option may stand before the command, too.
    assert ids(said(capsys, *where, "sessions", "--agent", "codex")) == {A, B}


def test_words_of_one_agent(home: Path, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ("--config-dir", config, "--codex-home", home, "--json")
    both = rollout("Fix the u1")
    put(home, place(A), both)

    def found(*words: str) -> set[str]:
        hits = json.loads(said(capsys, "search", *words, *where))["hits"]
        return {hit["sessionId"] for hit in hits}

    assert found("u1") == {A, CLAUDES}
    assert found("u1", "agent:codex") == found("u1", "--agent", "codex") == {A}
    assert found("u1", "agent:claude") == found("u1", "agent:Claude-Code") == {CLAUDES}
    assert found("u1", "agent:codex", "agent:claude") == {A, CLAUDES}
    assert found("agent:codex") == {A, B, C}
    assert found("u1", "agent:codex", "--agent", "claude-code") == set()


def test_a_line_says_whose_it_is(
    home: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = said(capsys, "sessions", "--all", "--config-dir", config, "--codex-home", home)
    marks = {line[:8]: line.partition("[")[2] for line in listed.splitlines()}
    assert marks == {
        A[:8]: "codex]",
        B[:8]: "codex]",
        C[:8]: "codex, archived]",
        CLAUDES[:8]: "foreignRecords]",
    }


def test_the_environment_says_where_the_home_is(
    home: Path, config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEX_HOME", str(home))
    assert ids(said(capsys, "sessions", "--json", "--config-dir", config)) == {A, B, CLAUDES}


def test_a_rollout_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "show", "0199485a", "--config-dir", "/nowhere", "--codex-home", ROLLED_BACK)
    lines = [line.strip() for line in text.splitlines()]
    assert [line.partition("  (")[0] for line in lines if line.startswith(("* ", "- "))] == [
        "* First",
        "* Right way",
        "* After",
        "- Wrong way",
    ]


@pytest.mark.parametrize("packs", [False, True])
def test_facts_of_a_rollout_wherever_it_lies(
    tmp_path: Path, packs: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    data = rollout("One", "Two")
    path = put(tmp_path, place(A, packed=packs).rpartition("/")[2], data)
    facts = json.loads(said(capsys, "inspect", path, "--json"))
    told = {key: facts[key] for key in ("agent", "records", "prompts", "version", "flaw")}
    assert told == {
        "agent": "codex",
        "records": 9,
        "prompts": 2,
        "version": "0.146.0",
        "flaw": None,
    }
    assert facts["sizeBytes"] == (len(packed(data)) if packs else len(data))


def test_a_damaged_rollout_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put(tmp_path, place(A, packed=True), b"")
    path.write_bytes(b"no zstd at all")
    assert said(capsys, "inspect", path, code=1) == (
        f"forkpoint: {path} could not be read: it is compressed and damaged, so that nothing of it "
        "can be unpacked.\n"
    )


def test_words_of_a_compressed_rollout_are_found(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--config-dir", "/nowhere", "--codex-home", home, "--json")
    hits = json.loads(said(capsys, "search", "ago", *where))["hits"]
    assert {hit["sessionId"] for hit in hits} == {B}


def test_an_export_of_a_patch_shows_it_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch\n"
    call = {"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch", "input": patch}
    line = {"timestamp": "2026-08-01T09:05:00.000Z", "type": "response_item", "payload": call}
    put(tmp_path, place(A), rollout("Patch it") + json.dumps(line).encode() + b"\n")
    where = ("--config-dir", "/nowhere", "--codex-home", tmp_path)
    assert patch in said(capsys, "export", A, "--format", "md", *where)


@pytest.mark.parametrize("path", ["sessions/x.md", "archived_sessions/x.md", "x.md"])
def test_nothing_is_exported_below_a_codex_home(
    home: Path, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--config-dir", "/nowhere", "--codex-home", home)
    words = ("export", A, "--format", "md", "--output", home / path, *where)
    assert "agent" in said(capsys, *words, code=1)
    assert not (home / path).exists()
