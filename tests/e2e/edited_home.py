"""A config folder with a session that really edits files: each call does what it says.

Texts are read and written as the client does it: UTF-8, LF in the transcript, and on disk the byte
order mark and the line ends that the file had.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from forkpoint.protocol.uri import file_uri, path_of
from tests.builders import Fields, call_block, result_block
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.tracked_home import TrackedHome

LINE_ENDS = re.compile(r"\r\n|\r|\n")


class EditedHome(TrackedHome):
    """The folders, and a session whose rows follow each other.

    Prompts and calls are ten seconds apart, and a result comes five seconds after its call.
    """

    def __init__(self, root: Path, **options: Any) -> None:
        super().__init__(root, **options)
        self._last = "-"
        self._count = 0

    def file(self, name: str, content: str | bytes) -> Path:
        """Write a file as anybody else does."""
        path = self.cwd / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def prompt(self, words: str = "") -> str:
        """A person's prompt; gives its row's name."""
        name = self._next("u")
        self._row(name, {"message": {"content": words}} if words else {})
        return name

    def back_to(self, name: str) -> None:
        """Let the next row hang on an earlier one."""
        self._last = name

    def edit(self, path: Path, *pairs: tuple[str, str], everywhere: bool = False,
             tells: bool = True, **fields: Any) -> str:  # fmt: skip
        """Edit or MultiEdit a file; gives the call's id. `tells` = its result has whole texts."""
        before = after = _text(path)
        for old, new in pairs:
            assert old in after
            after = after.replace(old, new, -1 if everywhere else 1)
        _write(path, after)
        edits = [
            {"old_string": old, "new_string": new, "replace_all": everywhere} for old, new in pairs
        ]
        [(old, new), *more] = pairs
        told: Fields = {
            "filePath": str(path),
            "oldString": old,
            "newString": new,
            "originalFile": before,
            "replaceAll": everywhere,
        }
        if more:
            told = {"filePath": str(path), "edits": edits, "originalFileContents": before}
        tool, call_input = ("MultiEdit", {"edits": edits}) if more else ("Edit", edits[0])
        result: Fields = {"toolUseResult": told} if tells else {}
        return self.call(tool, {"file_path": str(path), **call_input}, result | fields)

    def write_file(self, path: Path, content: str, **fields: Any) -> str:
        """Write a file anew; gives the call's id."""
        before = _text(path) if path.exists() else None
        _write(path, content)
        told: Fields = {
            "type": "create" if before is None else "update",
            "filePath": str(path),
            "content": content,
            "originalFile": before,
            "structuredPatch": [],
        }
        return self.call("Write", {"file_path": str(path), "content": content},
                         {"toolUseResult": told, **fields})  # fmt: skip

    def read(self, path: Path, offset: int, limit: int) -> str:
        """Read some lines, counted from 1; gives the call's id."""
        lines = _text(path).split("\n")
        content = "\n".join(lines[offset - 1 : offset - 1 + limit])
        file = {"content": content, "startLine": offset, "numLines": limit, "totalLines": 99}
        told = {"type": "text", "file": {"filePath": str(path), **file}}
        call_input = {"file_path": str(path), "offset": offset, "limit": limit}
        return self.call("Read", call_input, {"toolUseResult": told})

    def call(self, tool: str, call_input: Mapping[str, Any], result: Fields | None) -> str:
        """Call any tool; gives the call's id. A result of None = none is stored."""
        name = self._next("t")
        number = name[1:]
        self._row(name, {"message": {"content": [call_block(number, tool, **call_input)]}})
        if result is not None:
            answer = {"message": {"content": [result_block(number, **result.pop("block", {}))]}}
            self._row(f"r{number}", answer | result)
        return f"call_{number}"

    def locate(self, server: ForkpointServer, call_id: str, **params: Any) -> Json:
        """Ask where a call's text is."""
        return server.result("locate", sessionId=self.session_id, toolUseId=call_id, **params)

    def _next(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count}"

    def _row(self, name: str, fields: Fields) -> None:
        seconds = 10.0 * self._count + 5 * (name[0] == "r")
        self.rows(f"| {self._last} {name}", fields={name: fields}, start=seconds)
        self._last = name


def shown(answer: Json) -> list[str]:
    """What an editor shows in each range of an answer."""
    data = Path(path_of(answer["file"])).read_bytes() if answer["ranges"] else b""
    lines = LINE_ENDS.split(data.decode("utf-8-sig", "replace"))
    return [_cut(lines, each["start"], each["end"]) for each in answer["ranges"]]


def uri(path: Path) -> str:
    """The URI of a file."""
    return file_uri(str(path))


def _cut(lines: Sequence[str], start: Json, end: Json) -> str:
    """Positions count UTF-16 units."""
    taken = [line.encode("utf-16-le") for line in lines[start["line"] : end["line"] + 1]]
    taken[-1] = taken[-1][: 2 * end["character"]]
    taken[0] = taken[0][2 * start["character"] :]
    return "\n".join(line.decode("utf-16-le") for line in taken)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _write(path: Path, text: str) -> None:
    before = path.read_bytes() if path.exists() else b""
    mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    ends = "\r\n" if b"\r\n" in before else "\n"
    path.write_bytes(mark + text.replace("\n", ends).encode())
