"""Rollouts whose calls patch files, for the tests of rebuilt versions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from forkpoint.catalog import Catalog
from forkpoint.protocol.uri import file_uri
from tests.disk.codex_home import CWD, DAY, A, place, put

OK = {"output": "Success. Updated the following files:\n", "metadata": {"exit_code": 0}}
FAILED = {"output": "Failed to find expected lines\n", "metadata": {"exit_code": 1}}


class Session:
    """A rollout that grows by turns and calls, a second per line."""

    def __init__(
        self, cwd: str = CWD, thread_id: str = A, minute: int = 0, parent: str | None = None
    ) -> None:
        self.thread_id, self._seconds, self._calls = thread_id, minute * 60, 0
        self._lines: list[bytes] = []
        meta: dict[str, Any] = {
            "id": thread_id,
            "cwd": cwd,
            "cli_version": "0.146.0",
            "source": "cli",
        }
        if parent is not None:
            spawned = {"parent_thread_id": parent, "agent_role": "worker"}
            meta["source"] = {"subagent": {"thread_spawn": spawned}}
        self._add("session_meta", {**meta, "originator": "codex_cli_rs", "git": {"branch": "main"}})

    @property
    def data(self) -> bytes:
        return b"".join(self._lines)

    def prompt(self, text: str) -> None:
        self._event("task_started", model_context_window=272000)
        self._event("user_message", message=text)

    def patch(
        self,
        *lines: str,
        output: Any = OK,
        event: dict[str, Any] | None = None,
        success: bool = True,
    ) -> str:
        """A call with the lines of a patch, its event if it has one, and its output."""
        text = "\n".join(["*** Begin Patch", *lines, "*** End Patch"])
        call = self._call("custom_tool_call", name="apply_patch", input=text)
        if event is not None:
            self._event("patch_apply_end", call_id=call, success=success, changes=event)
        if output is not None:
            told = json.dumps(output)
            self._add("response_item", _item("custom_tool_call_output", call_id=call, output=told))
        return call

    def outside_patch(self, changes: dict[str, Any]) -> None:
        """An event of a patch that no call of these lines applied."""
        self._event("patch_apply_end", call_id="exec-1", success=True, changes=changes)

    def shell(self, command: Sequence[str], **arguments: Any) -> str:
        """A call of the shell that succeeded."""
        words = json.dumps({"command": command, **arguments})
        call = self._call("function_call", name="shell", arguments=words)
        done = _item("function_call_output", call_id=call, output=json.dumps(OK))
        self._add("response_item", done)
        return call

    def call(self, tool: str, output: str, **arguments: Any) -> str:
        """A call of any tool, and what it put out."""
        call = self._call("function_call", name=tool, arguments=json.dumps(arguments))
        self._add("response_item", _item("function_call_output", call_id=call, output=output))
        return call

    def reads(self, command: str, shown: str, code: int = 0) -> str:
        """A command, and what it printed, as releases of 2026 write both."""
        words = json.dumps({"cmd": command, "max_output_tokens": 4000})
        call = self._call("function_call", name="exec_command", arguments=words)
        head = f"Chunk ID: 1a2b3c\nWall time: 0.0512 seconds\nProcess exited with code {code}\n"
        count = (len(shown.encode()) + 3) // 4
        told = f"{head}Original token count: {count}\nOutput:\n{shown}"
        self._add("response_item", _item("function_call_output", call_id=call, output=told))
        return call

    def roll_back(self, turns: int = 1) -> None:
        self._event("thread_rolled_back", num_turns=turns)

    def compact(self) -> None:
        self._add("compacted", {"message": "Summary.", "replacement_history": []})

    def put(self, home: Path) -> None:
        put(home, place(self.thread_id), self.data)

    def _call(self, kind: str, **fields: Any) -> str:
        self._calls += 1
        call = f"call_{self.thread_id[-4:]}_{self._calls}"
        self._add("response_item", _item(kind, call_id=call, **fields))
        return call

    def _event(self, kind: str, **fields: Any) -> None:
        self._add("event_msg", _item(kind, **fields))

    def _add(self, kind: str, payload: dict[str, Any]) -> None:
        at = f"{DAY}T09:{self._seconds // 60:02}:{self._seconds % 60:02}.000Z"
        self._seconds += 1
        line = {"timestamp": at, "type": kind, "payload": payload}
        self._lines.append(json.dumps(line).encode() + b"\n")


def _item(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


def catalog_of(home: Path) -> Catalog:
    """All sessions of a Codex home, read."""
    catalog = Catalog([], codex_homes=[home])
    while catalog.index_next():
        pass
    return catalog


def uri_of(*parts: str | Path) -> str:
    return file_uri(str(Path(*parts)))
