"""`forkpoint export`: where it writes, and where it never does; and the request over the wire."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures.demo.prepare import Demo
from forkpoint.cli import main
from forkpoint.export_file import NotWritten, write_export
from tests.builders import SESSION, assistant, text_block, transcript
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import ForkpointServer

REWOUND = "3ee8f041-aad2-49f1-a9be-9676af30b1e7"
WITH_AGENT = "9fdc6163-1dc6-4c5a-84c4-a01d297a94e3"


@pytest.fixture
def config(demo: Demo) -> list[str]:
    return ["--config-dir", str(demo.config_dir)]


# --- the command -------------------------------------------------------------------------------


def test_without_a_file_the_text_is_printed(
    config: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", REWOUND[:8], "--format", "md", *config]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("# Round the total\n\n- Session: ")
    assert err == ""


def test_a_file_gets_the_same(
    config: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for form in ("md", "html", "json"):
        target = tmp_path / f"session.{form}"
        asked = ["export", REWOUND, "--format", form, *config]
        assert main(asked) == 0
        printed = capfd.readouterr().out
        assert main([*asked, "--output", str(target)]) == 0
        assert target.read_text(encoding="utf-8") == printed
        assert capfd.readouterr().out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "session.html",
        "session.json",
        "session.md",
    ]


def small(folder: Path) -> Path:
    """A config folder with a session that names a home and a person."""
    project = folder / "projects" / "-home-dev-shop"
    project.mkdir(parents=True)
    told = assistant("a1", text_block("See /home/dev/shop, or ask jane@corp.io."))
    (project / f"{SESSION}.jsonl").write_bytes(transcript("u1 a1", fields={"a1": told}))
    return folder


def test_what_was_taken_out_is_told_beside_the_text(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    config = ["--config-dir", str(small(tmp_path))]
    assert main(["export", SESSION, "--format", "json", "--redact", *config]) == 0
    out, err = capfd.readouterr()
    whole = json.loads(out)
    assert whole["redacted"] == ["secrets", "paths", "names"]
    assert whole["session"]["project"] == "/home/[user 1]/shop"
    [_, answer] = whole["transcripts"][0]["records"]
    assert answer["blocks"][0]["text"] == "See /home/[user 1]/shop, or ask [email 1]."
    assert whole["redactions"] == {"homePath": 2, "email": 1}
    assert err == (
        "Taken out: email 1, homePath 2.\n"
        "What was taken out was found by rules: read this before you share it.\n"
    )


def test_whose_rules_were_missing_is_told_beside_the_text(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forkpoint.lsp.exporting.detectors", lambda: ())
    config = ["--config-dir", str(small(tmp_path))]
    assert main(["export", SESSION, "--format", "md", "--redact", *config]) == 0
    assert capfd.readouterr().err.split("\n")[1] == (
        "Secrets were looked for by the built-in rules only, since detect-secrets is not installed."
    )


def test_a_branch_and_a_subagent(config: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["export", WITH_AGENT, "--format", "json", "--subagents", *config]) == 0
    transcripts = json.loads(capfd.readouterr().out)["transcripts"]
    agents = [transcript["agentId"] for transcript in transcripts]
    assert agents[0] is None
    assert len(agents) > 1
    asked = ["export", WITH_AGENT, "--format", "json", "--agent", agents[1], *config]
    assert main(asked) == 0
    [alone] = json.loads(capfd.readouterr().out)["transcripts"]
    assert alone["records"] == transcripts[1]["records"]
    leaf = transcripts[0]["records"][2]["uuid"]
    assert main(["export", WITH_AGENT, "--format", "json", "--leaf", leaf, *config]) == 0
    [branch] = json.loads(capfd.readouterr().out)["transcripts"]
    assert branch["records"][-1]["uuid"] == leaf == branch["leaf"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nobody", "--format", "md"], "There is no session nobody."),
        ([REWOUND, "--format", "md", "--agent", "x"], "There is no subagent x."),
        ([REWOUND, "--format", "md", "--leaf", "x"], "There is no record x in this transcript."),
    ],
)
def test_what_is_not_there(
    config: list[str],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    words: list[str],
    sentence: str,
) -> None:
    target = tmp_path / "x.md"
    assert main(["export", *words, "--output", str(target), *config]) == 1
    assert capfd.readouterr().err == f"forkpoint: {sentence}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [[REWOUND], [REWOUND, "--format", "pdf"], ["--format", "md"]])
def test_wrong_usage(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["export", *words])
    assert ended.value.code == 2


def test_a_file_that_is_there_stays_unless_that_is_asked_for(
    config: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "x.md"
    target.write_text("mine")
    asked = ["export", REWOUND, "--format", "md", "--output", str(target), *config]
    assert main(asked) == 1
    told = capfd.readouterr().err
    assert told == f"forkpoint: {target} is there already; --force replaces it.\n"
    assert target.read_text() == "mine"
    assert main([*asked, "--force"]) == 0
    assert target.read_text(encoding="utf-8").startswith("# Round the total\n")


@pytest.mark.parametrize("folder", ["", "projects", "projects/-home-dev-shop", "new/deeper/.."])
def test_nothing_is_written_below_an_agents_folder(
    demo: Demo, config: list[str], folder: str, capfd: pytest.CaptureFixture[str]
) -> None:
    target = demo.config_dir / folder / "x.md"
    before = sorted(demo.config_dir.rglob("*"))
    asked = ["export", REWOUND, "--format", "md", "--output", str(target), "--force", *config]
    assert main(asked) == 1
    assert "lies below an agent's folder" in capfd.readouterr().err
    assert sorted(demo.config_dir.rglob("*")) == before


@needs_posix
def test_nor_by_way_of_a_link(demo: Demo, config: list[str], tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(demo.config_dir, target_is_directory=True)
    before = sorted(demo.config_dir.rglob("*"))
    asked = ["export", REWOUND, "--format", "md", "--output", str(link / "x.md"), *config]
    assert main(asked) == 1
    assert sorted(demo.config_dir.rglob("*")) == before


@needs_posix
def test_the_usual_folders_count_too(
    config: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    for name in (".claude", ".codex", "codex"):
        folder = tmp_path / name
        folder.mkdir()
        target = folder / "x.md"
        assert main(["export", REWOUND, "--format", "md", "--output", str(target), *config]) == 1
        assert list(folder.iterdir()) == []


# --- the file ----------------------------------------------------------------------------------


def failing(after: str) -> Iterator[str]:
    yield after
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("force", [False, True])
def test_what_fails_leaves_nothing(tmp_path: Path, force: bool) -> None:
    target = tmp_path / "x.md"
    if force:
        target.write_text("mine")
    with pytest.raises(NotWritten, match="No space left on device"):
        write_export(target, failing("half"), [], force=force)
    assert [path.name for path in tmp_path.iterdir()] == (["x.md"] if force else [])
    assert not force or target.read_text() == "mine"


def test_who_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def stopped() -> Iterator[str]:
        yield "half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_export(tmp_path / "x.md", stopped(), [], force=False)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_came_meanwhile_stays(tmp_path: Path) -> None:
    target = tmp_path / "x.md"

    def pieces() -> Iterator[str]:
        yield "ours"
        target.write_text("theirs")

    with pytest.raises(NotWritten, match="is there already"):
        write_export(target, pieces(), [], force=False)
    assert target.read_text() == "theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["x.md"]


@pytest.mark.parametrize("name", ["missing/x.md", "x\0y.md", ""], ids=repr)
def test_where_nothing_can_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotWritten):
        write_export(tmp_path / name, ["text"], [], force=False)
    assert list(tmp_path.iterdir()) == []


@needs_posix
def test_a_file_is_its_users_alone(tmp_path: Path) -> None:
    target = tmp_path / "x.md"
    write_export(target, ["a\n", "b\n"], [], force=False)
    assert target.read_bytes() == b"a\nb\n"
    assert target.stat().st_mode & 0o077 == 0


# --- bounded memory ----------------------------------------------------------------------------

PROGRAM = """
import pathlib, sys
from forkpoint.cli import main
code = main(sys.argv[1:])
lines = pathlib.Path("/proc/self/status").read_text().splitlines()
[peak] = [line.split()[1] for line in lines if line.startswith("VmHWM:")]
print(code, peak, file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process's own peak")
def test_a_long_session_is_not_held_in_memory(tmp_path: Path) -> None:
    """40 MB of answers take no more memory than 4 MB do."""
    used: list[int] = []
    for count in (8, 80):
        home = tmp_path / f"home-{count}"
        folder = home / "projects" / "-home-dev-shop"
        folder.mkdir(parents=True)
        names = " ".join(f"u{n} a{n}" for n in range(count))
        word = {f"a{n}": assistant(f"a{n}", text_block("word " * 100_000)) for n in range(count)}
        (folder / f"{REWOUND}.jsonl").write_bytes(transcript(names, fields=word))
        words = ["export", REWOUND, "--format", "html", "--redact", "--config-dir", str(home)]
        command = [sys.executable, "-c", PROGRAM, *words, "--output", str(tmp_path / f"{count}")]
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        code, peak = done.stderr.splitlines()[-1].split()
        assert code == "0"
        used.append(int(peak))
    assert (tmp_path / "80").stat().st_size > 40_000_000
    assert used[1] < used[0] + 8_000, "KiB"


# --- over the wire -----------------------------------------------------------------------------


def test_the_request_gives_what_the_command_gives(
    server: ForkpointServer, demo: Demo, config: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    server.open(demo.config_dir)
    answer = server.result("export", format="html", sessionId=REWOUND, redact=["paths"])
    assert answer["cursor"] is None
    assert answer["fileName"] == "round-the-total-3ee8f041.html"
    assert answer["text"].startswith("<!doctype html>\n")
    first = server.result("export", format="json", sessionId=REWOUND)["text"]
    assert main(["export", REWOUND, "--format", "json", *config]) == 0
    assert capfd.readouterr().out == first


def test_parts_over_the_wire_are_the_whole(server: ForkpointServer, tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    word = {f"a{n}": assistant(f"a{n}", text_block("word " * 100_000)) for n in range(8)}
    names = " ".join(f"u{n} a{n}" for n in range(8))
    (folder / f"{REWOUND}.jsonl").write_bytes(transcript(names, fields=word))
    server.open(tmp_path)
    asked = {"sessionId": REWOUND, "format": "json", "redact": ["secrets"]}
    answer = server.result("export", **asked)
    texts, done = [answer["text"]], [answer["done"]]
    while answer["cursor"] is not None:
        before = answer["cursor"]
        answer = server.result("export", cursor=before, **asked)
        texts.append(answer["text"])
        done.append(answer["done"])
    assert len(texts) > 3
    assert done == sorted(done)
    assert done[-1] == answer["total"] == 32, "16 rows, each read twice"
    whole = json.loads("".join(texts))
    assert whole["transcripts"][0]["recordCount"] == 16
    error = server.refusal("export", {**asked, "cursor": before})
    assert error["data"] == {"kind": "unknownRecord"}
    assert error["message"] == "This export is no longer kept; begin it again."
