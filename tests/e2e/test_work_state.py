"""`forkpoint/workState` over the wire: recordings in a folder of the test, and made homes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.builders import START, Fields, assistant, call_block, line, transcript, uuid
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.moved_recordings import Moved, moved
from tests.e2e.recordings import rows, transcripts
from tests.e2e.tracked_home import TrackedHome
from tests.fixture_paths import REAL

RECORDED = sorted(REAL.iterdir())

Short = tuple[str, str, str]


def items(server: ForkpointServer, home: Path, session_id: str) -> list[Json]:
    server.open(home)
    return server.result("workState", sessionId=session_id)["items"]


def short(found: list[Json], *kinds: str) -> list[Short]:
    """What, value and end of the items, of some kinds or of all."""
    return [
        (item["what"], item["value"], item["atResume"])
        for item in found
        if not kinds or item["what"] in kinds
    ]


@pytest.fixture
def tracked(tmp_path: Path) -> TrackedHome:
    return TrackedHome(tmp_path)


# --- recordings --------------------------------------------------------------------------------


@pytest.mark.parametrize("home", RECORDED, ids=lambda home: home.name)
def test_the_last_state_line_of_a_recording_is_told(server: ForkpointServer, home: Path) -> None:
    fields = {
        "agent": ("agent-setting", "agentSetting"),
        "permissionMode": ("permission-mode", "permissionMode"),
        "mode": ("mode", "mode"),
    }
    for of_session in transcripts(home):
        if of_session.agent_id is None:
            written = rows(of_session.path)
            found = items(server, home, of_session.session_id)
            told = {item["what"]: item["value"] for item in found}
            for what, (kind, field) in fields.items():
                values = [row[field] for row in written if row.get("type") == kind]
                assert told.get(what) == (values[-1] if values else None)
            uuids = {row["uuid"] for row in written if "uuid" in row}
            assert {item["at"] for item in found} <= {*uuids, None}
            assert all(item["sentence"].endswith(".") for item in found)


def test_plan_mode_does_not_come_back_and_titles_do(
    server: ForkpointServer, tmp_path: Path
) -> None:
    made = moved(REAL / "i1_titles_modes", tmp_path)
    read_me = made.cwd / "README.md"
    (made.cwd / "cart.py").write_text("def total(items):\n    return 0\n")
    read_me.write_text("# Shop\n\nA small sample shop.\n")  # What the last edit left.
    found = items(server, made.home, made.session_id)
    assert short(found) == [
        ("model", "claude-opus-5-5", "restored"),
        ("permissionMode", "plan", "notRestored"),
        ("mode", "normal", "restored"),
        ("cwd", str(made.cwd), "restored"),
        ("fileReads", "1", "restored"),
        ("fileReads", str(made.cwd / "cart.py"), "notRestored"),
        ("fileHistory", "2", "restored"),
        ("title", "Checkout totals", "restored"),
    ]


def test_a_checkpoint_needs_copies(server: ForkpointServer, tmp_path: Path) -> None:
    made = moved(REAL / "i1_titles_modes", tmp_path)
    for copy in made.home.glob("file-history/*/*"):
        copy.unlink()
    found = items(server, made.home, made.session_id)
    assert short(found, "fileHistory") == [("fileHistory", "2", "notRestored")]


# --- agents ------------------------------------------------------------------------------------


def define(folder: Path, file: str = "reviewer.md", name: str = "reviewer") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text(f"---\nname: {name}\ndescription: Reviews code\n---\nReview.\n")


@pytest.fixture
def reviewed(tmp_path: Path) -> Moved:
    """A session of `--agent reviewer`, whose project has no agents yet."""
    return moved(REAL / "i2_agent_setting", tmp_path)


def agent_of(server: ForkpointServer, made: Moved) -> str:
    [(_, name, at_resume)] = short(items(server, made.home, made.session_id), "agent")
    assert name == "reviewer"
    return at_resume


def test_an_agent_of_the_project(server: ForkpointServer, reviewed: Moved) -> None:
    agents = reviewed.cwd / ".claude" / "agents"
    recorded = REAL / "i2_agent_setting" / "cwd" / ".claude" / "agents" / "reviewer.md"
    assert agent_of(server, reviewed) == "fallback"
    agents.mkdir(parents=True)
    (agents / "any.md").write_bytes(recorded.read_bytes())
    assert agent_of(server, reviewed) == "restored"
    define(agents, "any.md", "another")
    assert agent_of(server, reviewed) == "fallback"
    define(agents / "inner")
    assert agent_of(server, reviewed) == "unknown"


def test_an_agent_of_the_config_folder(server: ForkpointServer, reviewed: Moved) -> None:
    define(reviewed.home / "agents")
    assert agent_of(server, reviewed) == "restored"


def test_an_agent_above_in_the_repository(server: ForkpointServer, reviewed: Moved) -> None:
    define(reviewed.cwd.parent / ".claude" / "agents")
    assert agent_of(server, reviewed) == "fallback"
    (reviewed.cwd.parent / ".git").mkdir()
    assert agent_of(server, reviewed) == "restored"


@needs_posix
def test_an_agent_behind_a_link_is_not_judged(
    server: ForkpointServer, reviewed: Moved, tmp_path: Path
) -> None:
    define(tmp_path / "elsewhere", name="another")
    (reviewed.cwd / ".claude").mkdir()
    (reviewed.cwd / ".claude" / "agents").symlink_to(tmp_path / "elsewhere")
    assert agent_of(server, reviewed) == "unknown"


@pytest.mark.parametrize(
    ("name", "at_resume"),
    [("Explore", "restored"), ("shop:reviewer", "unknown"), ("../reviewer", "fallback")],
)
def test_an_agent_that_no_file_defines(
    server: ForkpointServer, tracked: TrackedHome, name: str, at_resume: str
) -> None:
    """Of the client itself, of a plugin, and of nobody."""
    tracked.rows("u1 a1")
    tracked.write(line(type="agent-setting", agentSetting=name))
    assert of(server, tracked, "agent") == [("agent", name, at_resume)]


def test_the_project_is_gone(server: ForkpointServer, reviewed: Moved) -> None:
    reviewed.cwd.rmdir()
    found = items(server, reviewed.home, reviewed.session_id)
    assert short(found, "agent", "cwd") == [
        ("agent", "reviewer", "unknown"),
        ("cwd", str(reviewed.cwd), "fallback"),
    ]


# --- servers, folders, worktrees ---------------------------------------------------------------


def test_an_mcp_server(server: ForkpointServer, tmp_path: Path) -> None:
    made = moved(REAL / "x_mcp_base", tmp_path)
    stock = ("mcpServers", "stock")
    found = items(server, made.home, made.session_id)
    assert short(found, "mcpServers") == [(*stock, "unknown")]
    (made.cwd / ".mcp.json").write_text('{"mcpServers": {"stock": {"command": "x"}}}')
    found = items(server, made.home, made.session_id)
    assert short(found, "mcpServers") == [(*stock, "restored")]


def of(server: ForkpointServer, tracked: TrackedHome, *kinds: str) -> list[Short]:
    return short(items(server, tracked.home, tracked.session_id), *kinds)


def test_servers_whose_tools_were_offered_or_used(
    server: ForkpointServer, tracked: TrackedHome
) -> None:
    def announced(*came: str, went: tuple[str, ...] = ()) -> Fields:
        names = {"addedNames": came, "removedNames": went}
        return {"attachment": {"type": "deferred_tools_delta", **names}}

    offered = [{"name": "Bash"}, {"name": "mcp__offered__x"}]
    fields: dict[str, Fields] = {
        "h1": announced("WebFetch", "mcp__kept__x", "mcp__gone__x", "mcp__half__x", "mcp__half__y"),
        "h2": {"attachment": {"type": "prompt_snapshot", "tools": offered}},
        "h3": {"attachment": {"type": "prompt_snapshot"}},
        "t1": calls("1", "mcp__used__x"),
        "h4": announced(went=("mcp__gone__x", "mcp__half__x")),
        "h5": announced("mcp__abandoned__x"),
    }
    tracked.rows("u1 h1 h2 h3 t1 r1 h4 a1 | u1 u2 h5 a2 >>a1", fields=fields)
    found = items(server, tracked.home, tracked.session_id)
    servers = [item for item in found if item["what"] == "mcpServers"]
    assert {item["value"]: item["at"] for item in servers} == {
        "kept": uuid("h1"),
        "half": uuid("h1"),
        "offered": uuid("h2"),
        "used": uuid("t1"),
    }


def test_a_worktree(server: ForkpointServer, tracked: TrackedHome) -> None:
    folder = tracked.cwd / ".claude" / "worktrees" / "totals"
    tracked.rows("u1 a1")
    tracked.write(line(type="worktree-state", worktreeSession={"worktreePath": str(folder)}))
    assert of(server, tracked, "worktree") == [("worktree", str(folder), "fallback")]
    folder.mkdir(parents=True)
    assert of(server, tracked, "worktree") == [("worktree", str(folder), "restored")]
    tracked.write(line(type="worktree-state", worktreeSession=None))
    assert of(server, tracked, "worktree") == []


def environment(*folders: str) -> Fields:
    snapshot = {"additionalWorkingDirectories": folders}
    return {"attachment": {"type": "environment", "snapshot": snapshot}}


def test_added_folders(server: ForkpointServer, tracked: TrackedHome, tmp_path: Path) -> None:
    given, set_, gone = (str(tmp_path / name) for name in ("given", "set", "gone"))
    for folder in (given, set_, tracked.cwd / ".claude"):
        Path(folder).mkdir()
    settings: Json = {"permissions": {"additionalDirectories": ["../set", gone]}}
    (tracked.cwd / ".claude" / "settings.local.json").write_text(json.dumps(settings))
    # Of an abandoned branch, and of the start before, nothing counts.
    tracked.rows(
        "u1 h1 a1 u3 h3 a3 | a1 u2 h2 a2 >>a3",
        fields={
            "h1": environment("/old"),
            "h2": environment("/abandoned"),
            "h3": environment(given, set_, gone),
        },
    )
    assert of(server, tracked, "addedDirectories") == [
        ("addedDirectories", given, "notRestored"),
        ("addedDirectories", set_, "restored"),
        ("addedDirectories", gone, "notRestored"),
    ]


# --- files that Claude knows -------------------------------------------------------------------


def read(path: str, content: str, *, total: int | None = None) -> Fields:
    """The result of a call that reads a file, as 2.1.332 writes it."""
    count = content.count("\n") + 1
    file = {"filePath": path, "content": content, "numLines": count, "startLine": 1}
    return {"toolUseResult": {"type": "text", "file": {**file, "totalLines": total or count}}}


def calls(number: str, tool: str, **call_input: Any) -> Fields:
    return {"message": assistant(f"t{number}", call_block(number, tool, **call_input))["message"]}


def write_at(path: Path, content: str | bytes, seconds: float) -> None:
    """Write a file as if it had been so many seconds after the first row."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    moment = START.timestamp() + seconds
    os.utime(path, (moment, moment))


KNOWS_A = [
    # The call was answered at 20 s.
    ("a\nb\n", 5.0, "same"),
    ("other\n", 5.0, "same"),  # Nobody wrote to it since, so Claude saw it.
    ("a\nb\n", 500.0, "same"),
    ("a\r\nb\r\n", 500.0, "same"),
    ("other\n", 500.0, "changed"),
    (b"\0\1", 500.0, "changed"),
]


@pytest.mark.parametrize(("content", "seconds", "state"), KNOWS_A)
def test_a_file_that_was_read(
    server: ForkpointServer,
    tracked: TrackedHome,
    content: str | bytes,
    seconds: float,
    state: str,
) -> None:
    path = tracked.cwd / "a.py"
    write_at(path, content, seconds)
    fields = {"t1": calls("1", "Read", file_path=str(path)), "r1": read(str(path), "a\nb\n")}
    tracked.rows("u1 t1 r1 a1", fields=fields)
    expected = ("1", "restored") if state == "same" else (str(path), "notRestored")
    assert of(server, tracked, "fileReads") == [("fileReads", *expected)]


def test_of_a_file_read_in_part_only_its_time_tells(
    server: ForkpointServer, tracked: TrackedHome
) -> None:
    path = tracked.cwd / "a.py"
    fields = {
        "t1": calls("1", "Read", file_path=str(path)),
        "r1": read(str(path), "a\n", total=90),
    }
    tracked.rows("u1 t1 r1 a1", fields=fields)
    write_at(path, "a\n", 500)
    assert of(server, tracked, "fileReads") == [("fileReads", str(path), "unknown")]
    write_at(path, "a\n", 5)
    assert of(server, tracked, "fileReads") == [("fileReads", "1", "restored")]


EDIT = {"old_string": "a", "new_string": "c", "replace_all": False}
KNOWS_EDITED: list[tuple[Json, str, str]] = [
    ({"originalFile": "a\nb\n"}, "c\nb\n", "restored"),
    ({"originalFile": "a\nb\n"}, "a\nb\n", "notRestored"),
    ({"originalFile": "a\nb\n", "userModified": True}, "d\nb\n", "unknown"),
    ({"originalFile": None}, "c\nb\n", "unknown"),
]


@pytest.mark.parametrize(("result", "content", "at_resume"), KNOWS_EDITED)
def test_a_file_that_was_read_and_then_edited(
    server: ForkpointServer, tracked: TrackedHome, result: Json, content: str, at_resume: str
) -> None:
    path = tracked.cwd / "a.py"
    write_at(path, content, 500)
    fields: dict[str, Fields] = {
        "t1": calls("1", "Read", file_path=str(path)),
        "r1": read(str(path), "a\nb\n"),
        "t2": calls("2", "Edit", file_path=str(path), **EDIT),
        "r2": {"toolUseResult": result},
    }
    tracked.rows("u1 t1 r1 t2 r2 a1", fields=fields)
    [(_, _, found)] = of(server, tracked, "fileReads")
    assert found == at_resume


def test_a_change_that_claude_was_told_of(server: ForkpointServer, tracked: TrackedHome) -> None:
    path = tracked.cwd / "a.py"
    told = {"attachment": {"type": "edited_text_file", "filename": str(path), "snippet": "1\tx"}}
    fields = {
        "t1": calls("1", "Read", file_path=str(path)),
        "r1": read(str(path), "a\nb\n"),
        "h1": told,
    }
    tracked.rows("u1 t1 r1 a1 u2 h1 a2", fields=fields)  # It was told at 50 s.
    write_at(path, "x\n", 40)
    assert of(server, tracked, "fileReads") == [("fileReads", "1", "restored")]
    write_at(path, "y\n", 60)
    assert of(server, tracked, "fileReads") == [("fileReads", str(path), "unknown")]


def test_what_was_read_before_a_compaction_or_on_another_branch_is_not_known(
    server: ForkpointServer, tracked: TrackedHome
) -> None:
    for name in "abc":
        write_at(tracked.cwd / name, "x\n", 5)
    fields = {
        f"t{n}": calls(str(n), "Read", file_path=str(tracked.cwd / name))
        for n, name in enumerate("abc", 1)
    }
    tracked.rows("u1 t1 r1 a1 b1 c1 a2 u2 t2 r2 a3 | a2 u3 t3 r3 a4", fields=fields)
    assert of(server, tracked, "fileReads") == [("fileReads", "1", "restored")]
    (tracked.cwd / "c").unlink()
    gone = ("fileReads", str(tracked.cwd / "c"), "notRestored")
    assert of(server, tracked, "fileReads") == [gone]


# --- tasks -------------------------------------------------------------------------------------


def test_background_tasks(server: ForkpointServer, tracked: TrackedHome) -> None:
    def started(task: str) -> Fields:
        return {"toolUseResult": {"stdout": "", "stderr": "", "backgroundTaskId": task}}

    ended = "<task-notification>\n<task-id>bash_2</task-id>\n<status>completed</status>"
    fields: dict[str, Fields] = {
        "t1": calls("1", "Bash", command="npm run dev", run_in_background=True),
        "r1": started("bash_1"),
        "t2": calls("2", "Bash", command="npm test", run_in_background=True),
        "r2": started("bash_2"),
        "t3": calls("3", "Bash", command="tail -f log", run_in_background=True),
        "r3": started("bash_3"),
        "t4": calls("4", "KillShell", shell_id="bash_3"),
        "r4": {"toolUseResult": {"success": True, "shell_id": "bash_3"}},
        "t5": calls("5", "Agent", description="Look for tests", prompt="…"),
        "r5": {"toolUseResult": {"isAsync": True, "agentId": "a1"}},
        "t6": calls("6", "Bash", command="ls"),
        "r6": {"toolUseResult": {"stdout": "a.py", "stderr": ""}},
        # The same name again, of a later process, runs on.
        "t7": calls("7", "Bash", command="tail -f more", run_in_background=True),
        "r7": started("bash_3"),
        "u2": {"message": {"role": "user", "content": ended}},
    }
    tracked.rows("u1 t1 r1 t2 r2 t3 r3 t4 r4 t5 r5 t6 r6 t7 r7 u2 a1", fields=fields)
    found = items(server, tracked.home, tracked.session_id)
    tasks = [item for item in found if item["what"] == "backgroundTasks"]
    assert [(item["value"], item["atResume"], item["at"]) for item in tasks] == [
        ("npm run dev", "notRestored", uuid("t1")),
        ("Look for tests", "unknown", uuid("t5")),
        ("tail -f more", "notRestored", uuid("t7")),
    ]


# --- what nobody means well --------------------------------------------------------------------


SURROGATE = "half of a character"
"""Stands for one that only an escape can write."""


@needs_posix
def test_places_that_must_not_be_opened(server: ForkpointServer, tracked: TrackedHome) -> None:
    """Devices, pipes and loops answer at once; so do names that no file can have."""
    pipe, loop = tracked.cwd / "pipe", tracked.cwd / "loop"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    own = tracked.cwd / ".claude"
    (own / "agents").mkdir(parents=True)
    os.mkfifo(own / "agents" / "reviewer.md")
    (own / "settings.json").symlink_to("/dev/zero")
    os.mkfifo(own / "settings.local.json")
    os.mkfifo(tracked.cwd / ".mcp.json")
    paths = ["/dev/zero", str(pipe), str(loop), "/x\0y", "/" + "y/" * 100_000, f"../{SURROGATE}"]
    fields = {f"t{n}": calls(str(n), "Read", file_path=path) for n, path in enumerate(paths, 1)} | {
        "h1": environment("/dev/zero", "/x\0y", "/" + "y/" * 100_000, "~", SURROGATE)
    }
    text = " ".join(["u1 h1", *(f"t{n} r{n}" for n in range(1, len(paths) + 1)), "a1"])
    data = transcript(text, fields=fields).replace(SURROGATE.encode(), rb"\ud800")
    tracked.write(data, line(type="agent-setting", agentSetting="reviewer"))
    for path in ("/dev/zero", "/x\0y", "/" + "y/" * 100_000, "relative", ""):
        tracked.write(line(type="worktree-state", worktreeSession={"worktreePath": path}))
        found = items(server, tracked.home, tracked.session_id)
        [worktree] = [item for item in found if item["what"] == "worktree"]
        assert worktree["atResume"] in ("fallback", "unknown")
    assert short(found, "agent") == [("agent", "reviewer", "unknown")]
    ends = {item["atResume"] for item in found if item["what"] == "fileReads"}
    assert ends == {"notRestored", "unknown"}
    added = [item["atResume"] for item in found if item["what"] == "addedDirectories"]
    assert added == ["notRestored"] * 5
