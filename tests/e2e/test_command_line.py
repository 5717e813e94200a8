"""The command line: text for people, JSON for programs, exit codes for scripts."""

from __future__ import annotations

import json
import os
import subprocess
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fixtures.demo.prepare import Demo
from forkpoint.cli import main
from forkpoint.protocol.methods import REQUESTS
from forkpoint.protocol.uri import file_uri
from tests.builders import line, transcript, uuid
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import FORKPOINT, ForkpointServer
from tests.fixture_paths import REAL

REWOUND = "3ee8f041-aad2-49f1-a9be-9676af30b1e7"
TORN = "02e48e86-6e97-49f1-8d4f-5e5492968187"
A = "9eefc671-6984-46c9-b5cd-3f811c4820a7"


class Done(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process."""

    def run(*words: object) -> Done:
        try:
            code = main([str(word) for word in words])
        except SystemExit as end:  # argparse ends the process for wrong usage and --version
            code = int(end.code or 0)
        return Done(code, *capsys.readouterr())

    return run


def process(*words: object, **options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [*FORKPOINT, *map(str, words)]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, **options)


# --- sessions ----------------------------------------------------------------------------------


def test_a_session_names_the_folder_that_a_client_would_not_find(
    run: Run, demo: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = ("call", "forkpoint/sessions", "--config-dir", demo.config_dir)
    named = {row["configDir"] for row in run(*ask).json["sessions"]}
    assert named == {str(demo.config_dir)}
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(demo.config_dir))
    assert {row["configDir"] for row in run(*ask).json["sessions"]} == {None}


def test_the_list_as_text(run: Run, demo: Demo) -> None:
    done = run("sessions", "--config-dir", demo.config_dir)
    lines = done.out.splitlines()
    assert (done.code, done.err, len(lines)) == (0, "", 23)
    assert lines[0].split()[0] == "3ee8f041"
    assert lines[0].endswith("Round the total  [1 abandoned branch]")
    [torn] = [row for row in lines if row.startswith("02e48e86")]
    assert torn.endswith("What does cart.py do?  [no answer yet]")
    [agents] = [row for row in lines if row.startswith("287b2769")]
    assert agents.endswith("[1 abandoned branch, 3 subagents]")


def test_switches_of_the_list(run: Run, demo: Demo) -> None:
    assert len(run("sessions", "--all", "--config-dir", demo.config_dir).out.splitlines()) == 25
    limited = run("sessions", "--limit", 2, "--config-dir", demo.config_dir).out.splitlines()
    assert [row.split()[0] for row in limited[:2]] == ["3ee8f041", "cdfb398e"]
    assert limited[2:] == ["… and 21 more (--limit)"]


def test_no_sessions_at_all(run: Run, tmp_path: Path) -> None:
    assert run("sessions", "--config-dir", tmp_path) == Done(0, "No sessions found.\n", "")
    assert run("sessions", "--config-dir", tmp_path / "nowhere").out == "No sessions found.\n"


# --- show, inspect -----------------------------------------------------------------------------


def test_a_session_as_text(run: Run, demo: Demo) -> None:
    done = run("show", "3ee8", "--config-dir", demo.config_dir)
    tree, _, path = done.out.partition("\n\nActive path: ")
    assert (done.code, done.err) == (0, "")
    assert tree.splitlines() == [
        f"Session {REWOUND}",
        "",
        "Branches",
        "  * Round the total  (start; 1 prompt, 19 records)",
        "    * Tidy the readme  (rewind; 1 prompt, 7 records)",
        "    - Lower the tax rate  (continuation; 2 prompts, 12 records)",
    ]
    prompts = [row.split(None, 2)[2] for row in path.splitlines() if " prompt " in row]
    assert prompts == ["Round the total", "Tidy the readme"]


@pytest.mark.parametrize("name", [REWOUND, REWOUND.upper(), REWOUND[:5], REWOUND[:20].upper()])
def test_the_beginning_of_an_id_is_enough(run: Run, demo: Demo, name: str) -> None:
    done = run("show", name, "--config-dir", demo.config_dir)
    assert (done.code, done.out.splitlines()[0]) == (0, f"Session {REWOUND}")


def test_an_id_in_upper_case_on_disk(run: Run, home: Path) -> None:
    plant(home, A.upper(), transcript("u1 a1"))
    done = run("show", A[:6], "--config-dir", home)
    assert (done.code, done.out.splitlines()[0]) == (0, f"Session {A.upper()}")


def test_beginnings_that_do_not_name_one_session(run: Run, demo: Demo) -> None:
    nobody = run("show", "ffff", "--config-dir", demo.config_dir)
    assert nobody == Done(1, "", "forkpoint: There is no session ffff.\n")
    several = run("show", "9", "--config-dir", demo.config_dir)
    assert (several.code, several.out) == (1, "")
    named = "9fdc6163-1dc6-4c5a-84c4-a01d297a94e3", "9c79b434-3f09-4d07-b172-73e11d35ae47"
    assert all(session_id in several.err for session_id in named)


def test_facts_of_a_file(run: Run, demo: Demo) -> None:
    [path] = demo.config_dir.glob(f"projects/*/{TORN}.jsonl")
    data = path.read_bytes()
    start = data.rindex(b"\n") + 1
    done = run("inspect", path)
    facts = dict(row.split("  ", 1) for row in done.out.splitlines() if "  " in row)
    facts = {name: value.strip() for name, value in facts.items()}
    assert (done.code, done.err) == (0, "")
    assert facts["size bytes"] == str(len(data))
    assert facts["version"] == "2.1.332"
    assert facts["tip"] == "awaitingAnswer"
    assert facts["malformed lines"] == "0"
    assert facts["torn tail"] == f"{len(data) - start} bytes from {start} on"


def test_facts_as_json(run: Run) -> None:
    [path] = (REAL / "y13_bad_lines").glob("projects/*/*.jsonl")
    facts = run("inspect", "--json", path).json
    assert (facts["malformedLines"], facts["tornTail"]) == (2, None)
    assert facts["sizeBytes"] == path.stat().st_size


@pytest.mark.parametrize("name", ["nowhere.jsonl", "."])
def test_facts_of_what_is_no_file(run: Run, tmp_path: Path, name: str) -> None:
    done = run("inspect", tmp_path / name)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"forkpoint: {tmp_path / name} could not be read")


# --- call: the same answers as over the wire ---------------------------------------------------


def params_of(server: ForkpointServer, method: str) -> dict[str, Any]:
    [file, *_] = server.result("checkpoints", sessionId=REWOUND)["files"]
    [version, *_] = file["versions"]
    [call, *_] = server.result("toolCalls", sessionId=REWOUND)["calls"]
    special: dict[str, dict[str, Any]] = {
        "forkpoint/sessions": {},
        "forkpoint/health": {},
        "forkpoint/checkpoints": {"file": file["file"]},
        "forkpoint/checkpointFiles": {},
        "forkpoint/lineHistory": {"file": file["file"]},
        "forkpoint/locate": {"sessionId": REWOUND, "toolUseId": call["toolUseId"]},
        "forkpoint/checkpointContent": {"document": version["document"]},
        "forkpoint/search": {"query": "cart*"},
        "forkpoint/abandoned": {},
        "forkpoint/rewindPreview": {"sessionId": REWOUND, "prompt": version["prompt"]["uuid"]},
        "forkpoint/transcriptPlace": {"sessionId": REWOUND, "uuid": version["prompt"]["uuid"]},
        "forkpoint/export": {"sessionId": REWOUND, "format": "json", "redact": ["secrets"]},
    }
    return special.get(method, {"sessionId": REWOUND})


@pytest.mark.parametrize(
    "method", [each for each in REQUESTS if each != "forkpoint/transcriptImage"]
)
def test_a_call_answers_as_the_server_does(
    run: Run, server: ForkpointServer, demo: Demo, method: str
) -> None:
    server.open(demo.config_dir)
    server.listed()
    asked = params_of(server, method)
    done = run("call", method, json.dumps(asked), "--config-dir", demo.config_dir)
    assert (done.code, done.err) == (0, "")
    assert done.json == server.request(method, asked)["result"]


def test_json_of_the_commands_is_that_of_the_requests(run: Run, demo: Demo) -> None:
    where = ("--config-dir", demo.config_dir)
    listed = run("sessions", "--json", *where).json
    assert listed == run("call", "forkpoint/sessions", '{"limit": 50}', *where).json
    shown = run("show", REWOUND, "--json", *where).json
    asked = json.dumps({"sessionId": REWOUND})
    assert shown == {
        key: run("call", f"forkpoint/{key}", asked, *where).json
        for key in ("branchTree", "activePath")
    }


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            ["forkpoint/nothing"],
            {"code": -32601, "message": "There is no method forkpoint/nothing."},
        ),
        (
            ["forkpoint/records", "[]"],
            {"code": -32602, "message": "params must be an object"},
        ),
        (
            ["forkpoint/records"],
            {"code": -32602, "message": "sessionId is required"},
        ),
        (
            ["forkpoint/records", '{"sessionId": "nobody"}'],
            {
                "code": -32001,
                "message": "There is no session nobody.",
                "data": {"kind": "unknownSession"},
            },
        ),
    ],
)
def test_a_refused_call(run: Run, demo: Demo, words: list[str], error: object) -> None:
    done = run("call", *words, "--config-dir", demo.config_dir)
    assert (done.code, done.err, done.json) == (1, "", {"error": error})


@pytest.mark.parametrize("text", ["{", "", "{'a': 1}", '{"a": 1} x', "\ud800"])
def test_parameters_that_are_no_json(run: Run, text: str) -> None:
    done = run("call", "forkpoint/sessions", text)
    assert (done.code, done.json["error"]["code"]) == (1, -32602)
    assert done.json["error"]["message"].startswith("The parameters are not JSON")


# --- search ------------------------------------------------------------------------------------


def test_what_is_found_stands_below_its_session(run: Run, home: Path) -> None:
    fields = {
        "u1": {"message": {"content": "Fix the login"}},
        "u2": {"message": {"content": "Fix the cart instead"}},
        "a2": {"message": {"content": [{"type": "text", "text": "The cart: I fix it."}]}},
    }
    plant(home, A, transcript("u1 a1 | - u2 a2", fields=fields))
    done = run("search", "fix", "the", "--config-dir", home)
    first, *lines = done.out.splitlines()
    assert first.split() == [A[:8], "shop", "Fix", "the", "login"]
    assert [line.split()[0] for line in lines] == ["2", "0", "3"]
    assert [line.split("d ")[1].split(maxsplit=1)[0] for line in lines] == [
        *("prompt", "prompt", "response"),
    ]
    assert lines[1].endswith("Fix the login  (abandoned)")
    assert "1 more" in run("search", "fix", "--limit", "2", "--config-dir", home).out
    assert run("search", "nowhere", "--config-dir", home).out == "Nothing found.\n"
    told = run("search", "is:abandoned", "fix", "--json", "--config-dir", home).json
    assert [hit["uuid"] for hit in told["hits"]] == [uuid("u1")]


# --- options -----------------------------------------------------------------------------------


def plant(home: Path, session_id: str, data: bytes) -> Path:
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session_id}.jsonl"
    path.write_bytes(data)
    return path


def test_the_folder_may_stand_before_and_behind_the_command(run: Run, tmp_path: Path) -> None:
    b = "b69a0ae4-3726-47d4-ad61-f08d81ff360f"
    one, two = tmp_path / "one", tmp_path / "two"
    plant(one, A, transcript("u1 a1"))
    plant(two, b, transcript("u1 a1"))

    def found(*words: object) -> set[str]:
        return {row["sessionId"] for row in run(*words, "--json").json["sessions"]}

    assert found("--config-dir", one, "sessions") == {A}
    assert found("sessions", "--config-dir", one) == {A}
    assert found("--config-dir", one, "sessions", "--config-dir", two) == {A, b}
    assert found("sessions", "--config-dir", one, "--config-dir", two) == {A, b}
    assert {
        r["sessionId"] for r in run("--json", "--config-dir", one, "sessions").json["sessions"]
    } == {A}


def test_a_relative_folder_gives_absolute_uris(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = plant(tmp_path / "home", A, transcript("u1 a1"))
    monkeypatch.chdir(tmp_path)
    [row] = run("sessions", "--json", "--config-dir", "home").json["sessions"]
    assert row["transcript"] == file_uri(str(path))


def test_without_an_option_the_environment_says_where(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path / "set", A, transcript("u1 a1"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "set"))
    assert run("sessions", "--json").json["total"] == 1
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "empty"))
    assert run("sessions", "--json").json["total"] == 0


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["frobnicate"],
        ["show"],
        ["inspect"],
        ["call"],
        ["sessions", "--limit", "many"],
        ["sessions", "--limit", "0"],
        ["sessions", "--limit", "-1"],
        ["sessions", "--nothing"],
        ["search"],
        ["search", "a", "--limit", "0"],
        ["search", "is:nice"],
        ["health", "--days", "-1"],
        ["health", "--days", "soon"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_told_and_ends_with_2(run: Run, words: list[str]) -> None:
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert "forkpoint" in done.err
    assert "Traceback" not in done.err


def test_help_names_every_command(run: Run) -> None:
    done = run("--help")
    assert done.code == 0
    assert all(name in done.out for name in ("serve", "sessions", "show", "search", "call"))


# --- what comes from files is shown, never obeyed ----------------------------------------------

HOSTILE = "\x1b[2J\x07bell \x9b31m\u202ereversed\u2066 \x00nul\u2028line"


def is_control(character: str) -> bool:
    return character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")


def test_no_control_character_of_a_file_reaches_the_terminal(run: Run, home: Path) -> None:
    hostile = {"gitBranch": HOSTILE, "cwd": f"/home/{HOSTILE}", "version": HOSTILE}
    fields = {"u1": {"message": {"content": f"hi {HOSTILE}"}, **hostile}, "x1": {"type": HOSTILE}}
    data = transcript("u1 a1 x1", fields=fields)
    path = plant(home, A, data + line(type="custom-title", customTitle=HOSTILE))
    asked = (["sessions"], ["show", A], ["search", "bell"], ["inspect", path], ["health"])
    for words in (*asked, ["health", A], ["health", "--report"]):
        done = run(*words, "--config-dir", home)
        assert done.code == 0
        assert "bell" in done.out or words[0] in ("inspect", "health")
        assert "bell" not in done.out or words[0] != "health"
        assert [character for character in done.out if is_control(character)] == []


# --- pipes and terminals, in a process of its own ------------------------------------------------


def test_a_reader_that_goes_away_is_no_error(demo: Demo) -> None:
    for words in (["sessions"], ["sessions", "--json"], ["show", REWOUND]):
        reading, writing = os.pipe()
        os.close(reading)
        command = [*FORKPOINT, *words, "--config-dir", str(demo.config_dir)]
        with subprocess.Popen(command, stdout=writing, stderr=subprocess.PIPE) as writer:
            os.close(writing)
            _, err = writer.communicate()
        assert (writer.returncode, err) == (0, b"")


@needs_posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")
def test_a_full_disk_is_told(demo: Demo) -> None:
    command = [*FORKPOINT, "sessions", "--config-dir", str(demo.config_dir)]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr == b"forkpoint: The answer could not be written: No space left on device.\n"


def test_a_terminal_that_cannot_show_all_letters(home: Path) -> None:
    plant(home, A, transcript("u1 a1", fields={"u1": {"message": {"content": "größer 店 🙂"}}}))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = process("sessions", "--config-dir", home, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"gr??er ? ?" in done.stdout


def test_version(run: Run) -> None:
    assert run("--version").out.startswith("forkpoint ")
    done = process("--version")
    assert (done.returncode, done.stdout[:10]) == (0, b"forkpoint ")
