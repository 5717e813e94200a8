"""`forkpoint/rewindPreview`: what a restore would not undo, found from the calls of tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forkpoint.protocol.uri import file_uri
from tests.builders import Fields, assistant, call_block, transcript, uuid
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.recordings import rows
from tests.e2e.test_rewind_preview import preview
from tests.e2e.tracked_home import TrackedHome
from tests.fixture_paths import REAL

SLEEP_25 = "python3 -c 'import time; time.sleep(25); print(\"done\")'"
SLEEP_1 = SLEEP_25.replace("25", "1")

RECORDED: list[tuple[str, str, list[str]]] = [
    # Who only reads wrote nothing; what runs a program may have.
    ("d3_kill_mid_tool", "Round the total", [SLEEP_25]),
    ("d3_kill_mid_tool", "Run the long check", [SLEEP_25]),
    ("d1_esc_mid_tool", "Round the total", [SLEEP_25]),  # Esc after it had begun.
    ("k1_parallel", "Run two commands", [SLEEP_1]),
    ("k1_parallel", "Edit both files", []),
    ("h1_large_output", "Print many lines", []),
    ("i1_titles_modes", "Round the total", []),
    ("v_2_1_100", "Round the total", []),
    ("v_2_1_100_compact", "Show the git log", []),
]


@pytest.mark.parametrize(("name", "words", "commands"), RECORDED)
def test_commands_of_the_recordings(
    server: ForkpointServer, name: str, words: str, commands: list[str]
) -> None:
    server.open(REAL / name)
    [path] = [p for p in REAL.glob(f"{name}/projects/*/*.jsonl") if "agent-" not in p.name]
    [prompt] = [
        row["uuid"]
        for row in rows(path)
        if row["type"] == "user" and row["message"]["content"] == words
    ]
    shell = preview(server, path.stem, prompt)["notCovered"]["shell"]
    assert [call["command"] for call in shell] == commands
    for call in shell:
        assert (call["certainty"], call["files"], call["agentId"]) == ("unknown", [], None)
        assert_is_the_call(path, call)


def assert_is_the_call(path: Path, call: Json) -> None:
    """The record that is named makes the call that is named."""
    record = [json.loads(text) for text in path.read_bytes().splitlines() if text.strip()]
    made = record[call["ordinal"]]
    ids = [block.get("id") for block in made["message"]["content"]]
    assert (made["uuid"], call["toolUseId"] in ids) == (call["uuid"], True)


# --- commands by what they write -----------------------------------------------------------------


def bash(number: str, command: str) -> dict[str, Fields]:
    """The fields of a call `t<number>` that runs a command."""
    block = call_block(number, "Bash", command=command)
    return {f"t{number}": assistant(f"t{number}", block)}


COMMANDS: list[tuple[str, list[str], str]] = [
    ("echo x > out.txt", ["out.txt"], "likely"),
    ("cat a b >> sub/log.txt 2>/dev/null", ["sub/log.txt"], "likely"),
    ("sed -i s/a/b/ cart.py", ["cart.py"], "likely"),
    ("cp a.txt b.txt && rm c.txt", ["b.txt", "c.txt"], "likely"),
    ("echo x | tee one.txt two.txt", ["one.txt", "two.txt"], "likely"),
    ("git checkout -- .", [], "likely"),
    ("npm install", [], "likely"),
    ("./build.sh", [], "unknown"),
    ("make all", [], "unknown"),
    ("cat <<'EOF' > it's.txt\nx\nEOF", [], "unknown"),
]


@pytest.mark.parametrize(
    ("command", "files", "certainty"), COMMANDS, ids=[command for command, _, _ in COMMANDS]
)
def test_files_that_a_command_names_as_written(
    server: ForkpointServer,
    tmp_path: Path,
    command: str,
    files: list[str],
    certainty: str,
) -> None:
    tracked = TrackedHome(tmp_path)
    tracked.rows("u1 t1 r1 a1", fields=bash("1", command))
    server.open(tracked.home)
    [call] = asked(server, tracked, "u1")["shell"]
    assert (call["uuid"], call["ordinal"], call["toolUseId"]) == (uuid("t1"), 1, "call_1")
    assert call["certainty"] == certainty
    if files:
        assert call["files"] == [file_uri(str(tracked.cwd / file)) for file in files]


@pytest.mark.parametrize(
    "command",
    ["ls -la", "cat a.txt | grep x | wc -l", "git diff HEAD~1", "git log --oneline | cat",
     "echo done 2>/dev/null", "grep -r 'a > b' .", "cd sub && pwd", "find . -name '*.py'"],
)  # fmt: skip
def test_commands_that_only_read_are_left_out(
    server: ForkpointServer, tmp_path: Path, command: str
) -> None:
    tracked = TrackedHome(tmp_path)
    tracked.rows("u1 t1 r1 a1", fields=bash("1", command))
    server.open(tracked.home)
    assert asked(server, tracked, "u1") == {"shell": [], "subagents": []}


def asked(server: ForkpointServer, tracked: TrackedHome, prompt: str) -> Json:
    return preview(server, tracked.session_id, uuid(prompt) or "")["notCovered"]


# --- subagents -----------------------------------------------------------------------------------

AGENT = "a0123456789abcdef"


def of_agent(name: str, number: str, tool: str, **call_input: Any) -> dict[str, Fields]:
    return {name: assistant(name, call_block(number, tool, **call_input))}


def with_subagent(tmp_path: Path, seconds: float) -> TrackedHome:
    """A session whose second prompt starts a subagent, which edits two files at that time."""
    tracked = TrackedHome(tmp_path)
    start = {"t2": assistant("t2", call_block("2", "Agent", prompt="work"))}
    tracked.rows("u1 a1 u2 t2 r2 a2 u3 a3", fields=start)
    edits = {
        **of_agent("t10", "10", "Edit", file_path=str(tracked.cwd / "one.py")),
        **of_agent("t11", "11", "Write", file_path=str(tracked.cwd / "two.py"), content="x"),
        **of_agent("t12", "12", "Edit", file_path=str(tracked.cwd / "one.py")),
        **of_agent("t13", "13", "Edit", file_path=str(tracked.cwd / "failed.py")),
        **of_agent("t14", "14", "Read", file_path=str(tracked.cwd / "read.py")),
        **of_agent("t15", "15", "Bash", command="rm three.py"),
    }
    text = "u10 t10 r10 t11 r11 t12 r12 t13 r13 t14 r14 t15 r15 a10"
    failed = {"content": [{"type": "tool_result", "tool_use_id": "call_13", "is_error": True}]}
    fields = {**edits, "r13": {"message": failed}}
    for name in text.split():
        fields[name] = {**fields.get(name, {}), "isSidechain": True, "agentId": AGENT}
    folder = tracked.transcript.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / f"agent-{AGENT}.jsonl").write_bytes(transcript(text, fields=fields, start=seconds))
    meta = {"agentType": "general-purpose", "toolUseId": "call_2", "spawnDepth": 1}
    (folder / f"agent-{AGENT}.meta.json").write_text(json.dumps(meta))
    return tracked


@pytest.mark.parametrize(("prompt", "is_named"), [("u1", True), ("u2", True), ("u3", False)])
def test_edits_and_commands_of_a_subagent(
    server: ForkpointServer, tmp_path: Path, prompt: str, is_named: bool
) -> None:
    """It began at second 31, between its call (30) and its end; the third prompt came at 60."""
    tracked = with_subagent(tmp_path, 31)
    squeeze(tracked)
    server.open(tracked.home)
    found = asked(server, tracked, prompt)
    if not is_named:
        assert found == {"shell": [], "subagents": []}
        return
    edited = [file_uri(str(tracked.cwd / name)) for name in ("one.py", "two.py")]
    assert found["subagents"] == [{"agentId": AGENT, "toolUseId": "call_2", "files": edited}]
    [call] = found["shell"]
    assert (call["agentId"], call["command"], call["certainty"]) == (
        AGENT,
        "rm three.py",
        "likely",
    )


def squeeze(tracked: TrackedHome) -> None:
    """Have all that the subagent did happen within the second in which it began."""
    [path] = tracked.home.glob("projects/*/*/subagents/*.jsonl")
    lines = [json.loads(text) for text in path.read_bytes().splitlines()]
    for row in lines:
        row["timestamp"] = lines[0]["timestamp"]
    path.write_text("".join(json.dumps(row) + "\n" for row in lines))


def test_a_subagent_that_is_still_at_work_after_a_later_prompt(
    server: ForkpointServer, tmp_path: Path
) -> None:
    """It went on in the background: only what it did after the third prompt (60) is named."""
    tracked = with_subagent(tmp_path, 35)
    server.open(tracked.home)
    edited = [file_uri(str(tracked.cwd / name)) for name in ("two.py", "one.py")]
    assert asked(server, tracked, "u3")["subagents"] == [
        {"agentId": AGENT, "toolUseId": "call_2", "files": edited}
    ]


def test_the_recorded_subagent_edited_nothing(server: ForkpointServer) -> None:
    """g1: its only subagent listed files and ran `ls`."""
    server.open(REAL / "g1_agent_foreground")
    [path] = REAL.glob("g1_agent_foreground/projects/*/*.jsonl")
    prompt = next(row["uuid"] for row in rows(path) if row["type"] == "user")
    assert preview(server, path.stem, prompt)["notCovered"] == {"shell": [], "subagents": []}
