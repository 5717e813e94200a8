"""What becomes of each thing at a resume, and what lines say of it.

Restored, replaced or lost is what format.md section 18 says of 2.1.332; the lines are cut from
recordings, those of worktrees and stopped tasks from published transcripts.
"""

from __future__ import annotations

from typing import Any

import pytest

from forkpoint.records import work_lines
from forkpoint.work_state import Item, OnDisk, Recorded, Said, Task, work_items
from tests.builders import index_of, line, transcript

PATH = "/home/dev/shop"


def short(items: list[Item]) -> list[tuple[str, str, str]]:
    return [(item.what, item.value, item.at_resume) for item in items]


# --- what becomes of it ------------------------------------------------------------------------

BECOMES: list[tuple[Recorded, OnDisk, str, str]] = [
    (Recorded(agent="reviewer"), OnDisk(agent="there"), "reviewer", "restored"),
    (Recorded(agent="reviewer"), OnDisk(agent="gone"), "reviewer", "fallback"),
    (Recorded(agent="reviewer"), OnDisk(), "reviewer", "unknown"),
    (Recorded(model=Said("claude-opus-5-5", 7)), OnDisk(), "claude-opus-5-5", "restored"),
    (Recorded(permission_mode="default"), OnDisk(), "default", "restored"),
    (Recorded(permission_mode="acceptEdits"), OnDisk(), "acceptEdits", "restored"),
    (Recorded(permission_mode="auto"), OnDisk(), "auto", "restored"),
    (Recorded(permission_mode="plan"), OnDisk(), "plan", "notRestored"),
    (Recorded(permission_mode="bypassPermissions"), OnDisk(), "bypassPermissions", "notRestored"),
    (Recorded(mode="normal"), OnDisk(), "normal", "restored"),
    (Recorded(mode="another"), OnDisk(), "another", "unknown"),
    (Recorded(worktree=PATH), OnDisk(worktree="there"), PATH, "restored"),
    (Recorded(worktree=PATH), OnDisk(worktree="gone"), PATH, "fallback"),
    (Recorded(worktree=PATH), OnDisk(), PATH, "unknown"),
    (Recorded(cwd=PATH), OnDisk(cwd="there"), PATH, "restored"),
    (Recorded(cwd=PATH), OnDisk(cwd="gone"), PATH, "fallback"),
    (Recorded(cwd=PATH), OnDisk(), PATH, "unknown"),
    (Recorded(known_files={"/a": 3}), OnDisk(files={"/a": "same"}), "1", "restored"),
    (Recorded(known_files={"/a": 3}), OnDisk(files={"/a": "changed"}), "/a", "notRestored"),
    (Recorded(known_files={"/a": 3}), OnDisk(files={"/a": "gone"}), "/a", "notRestored"),
    (Recorded(known_files={"/a": 3}), OnDisk(), "/a", "unknown"),
    (Recorded(tracked_files=2), OnDisk(), "2", "restored"),
    (Recorded(tracked_files=2), OnDisk(has_copies=False), "2", "notRestored"),
    (Recorded(title="Checkout totals"), OnDisk(), "Checkout totals", "restored"),
    (Recorded(tag="shop"), OnDisk(), "shop", "restored"),
    (Recorded(added_folders=(Said("/lib", 2),)), OnDisk(), "/lib", "notRestored"),
    (
        Recorded(added_folders=(Said("/lib", 2),)),
        OnDisk(folders={"/lib": "there"}, set_folders=frozenset({"/lib"})),
        "/lib",
        "restored",
    ),
    (
        Recorded(added_folders=(Said("/lib", 2),)),
        OnDisk(folders={"/lib": "gone"}, set_folders=frozenset({"/lib"})),
        "/lib",
        "notRestored",
    ),
    (Recorded(servers=(Said("stock", 5),)), OnDisk(), "stock", "unknown"),
    (
        Recorded(servers=(Said("stock", 5),)),
        OnDisk(set_servers=frozenset({"stock"})),
        "stock",
        "restored",
    ),
    (
        Recorded(tasks=(Task("command", "npm run\n dev", 9),)),
        OnDisk(),
        "npm run dev",
        "notRestored",
    ),
    (Recorded(tasks=(Task("subagent", "Look", 9),)), OnDisk(), "Look", "unknown"),
]


@pytest.mark.parametrize(("recorded", "disk", "value", "at_resume"), BECOMES)
def test_what_becomes_of_one_thing(
    recorded: Recorded, disk: OnDisk, value: str, at_resume: str
) -> None:
    [item] = work_items(recorded, disk)
    assert (item.value, item.at_resume) == (value, at_resume)


def test_nothing_is_said_of_what_no_line_speaks_of() -> None:
    assert work_items(Recorded(), OnDisk()) == []


def test_files_as_claude_knows_them_are_counted_and_the_others_named() -> None:
    recorded = Recorded(known_files={"/a": 1, "/b": 2, "/c": 3, "/d": 4})
    disk = OnDisk(files={"/a": "same", "/b": "changed", "/c": "same"})
    items = work_items(recorded, disk)
    assert [(item.value, item.at_resume, item.row) for item in items] == [
        ("2", "restored", None),
        ("/b", "notRestored", 2),
        ("/d", "unknown", 4),
    ]


def test_only_nodes_are_named() -> None:
    """A state line has no uuid."""
    recorded = Recorded(
        agent="reviewer", model=Said("m", 4), permission_mode="plan", title="T", worktree=PATH
    )
    rows = {item.what: item.row for item in work_items(recorded, OnDisk())}
    assert rows == dict.fromkeys(("agent", "permissionMode", "title", "worktree")) | {"model": 4}


# --- where the lines are -----------------------------------------------------------------------


def test_the_last_line_of_a_type_counts() -> None:
    index = index_of(
        line(type="permission-mode", permissionMode="plan")
        + transcript("u1 a1")
        + line(type="permission-mode", permissionMode="auto")
        + line(type="mode", mode="normal")
        + line(type="custom-title", customTitle="not asked for")
    )
    assert index.states.last == {"permission-mode": 3, "mode": 4}


def test_attachments_are_kept_by_type() -> None:
    kinds = ("environment", "prompt_snapshot", "hook_success", "environment")
    fields = {f"h{n}": {"attachment": {"type": kind}} for n, kind in enumerate(kinds)}
    index = index_of(transcript("u1 h0 h1 h2 h3 h0", fields=fields))
    assert index.states.notes == {"environment": [1, 4], "prompt_snapshot": [2]}


# --- what a line says --------------------------------------------------------------------------


def attachment(**fields: Any) -> bytes:
    return line(type="attachment", attachment=fields)


def result(fields: object) -> bytes:
    return line(type="user", toolUseResult=fields)


SAYS: list[tuple[Any, Any, object]] = [
    (work_lines.setting_in, line(type="agent-setting", agentSetting="reviewer"), "reviewer"),
    (work_lines.setting_in, line(type="mode", mode="normal"), "normal"),
    (work_lines.setting_in, line(type="permission-mode", permissionMode="plan"), "plan"),
    (work_lines.setting_in, line(type="permission-mode", permissionMode=""), None),
    (work_lines.setting_in, line(type="permission-mode", permissionMode=["plan"]), None),
    (work_lines.setting_in, line(type=5, mode="normal"), None),
    (work_lines.setting_in, b"{", None),
    (
        work_lines.worktree_in,
        line(type="worktree-state", worktreeSession={"worktreePath": PATH, "originalCwd": "/x"}),
        PATH,
    ),
    (work_lines.worktree_in, line(type="worktree-state", worktreeSession=None), None),
    (work_lines.worktree_in, line(type="worktree-state", worktreeSession="x"), None),
    (
        work_lines.added_folders_in,
        attachment(type="environment", snapshot={"additionalWorkingDirectories": ["/lib", 3, ""]}),
        ["/lib"],
    ),
    (work_lines.added_folders_in, attachment(type="environment", snapshot=[]), []),
    (
        work_lines.tool_changes_in,
        attachment(type="deferred_tools_delta", addedNames=["a", None], removedNames=["b"]),
        (["a"], ["b"]),
    ),
    (work_lines.tool_changes_in, attachment(type="deferred_tools_delta"), ([], [])),
    (
        work_lines.offered_tools_in,
        attachment(tools=[{"name": "Bash"}, "Read", 4]),
        ["Bash", "Read"],
    ),
    (work_lines.offered_tools_in, attachment(systemPrompt=[]), None),
    (work_lines.told_file_in, attachment(type="edited_text_file", filename="/a"), "/a"),
    (
        work_lines.whole_text_in,
        result({"file": {"content": "a\n", "startLine": 1, "numLines": 2, "totalLines": 2}}),
        "a\n",
    ),
    (
        work_lines.whole_text_in,
        result({"file": {"content": "a\n", "startLine": 1, "numLines": 2, "totalLines": 9}}),
        None,
    ),
    (
        work_lines.whole_text_in,
        result({"file": {"content": "a\n", "startLine": 2, "numLines": 2, "totalLines": 2}}),
        None,
    ),
    (work_lines.whole_text_in, result("Error: no such file"), None),
    (work_lines.was_changed_before_it_ran, result({"userModified": True}), True),
    (work_lines.was_changed_before_it_ran, result({"userModified": False}), False),
    (work_lines.stopped_task_in, result({"success": True, "shell_id": "bash_1"}), "bash_1"),
    (work_lines.stopped_task_in, result({"message": "…", "task_id": "b0cmup56q"}), "b0cmup56q"),
    (work_lines.stopped_task_in, result(None), None),
    (work_lines.server_of, "mcp__stock__lookup", "stock"),
    (work_lines.server_of, "mcp__stock__look__up", "stock"),
    (work_lines.server_of, "mcp____lookup", None),
    (work_lines.server_of, "Bash", None),
]


@pytest.mark.parametrize(("read", "said", "expected"), SAYS)
def test_what_a_line_says(read: Any, said: Any, expected: object) -> None:
    assert read(said) == expected
