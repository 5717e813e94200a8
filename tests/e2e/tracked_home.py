"""A config folder with one session that tracks files, put together line by line.

The rows come from `tests.builders`; a line of file history names the row it stands beside.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.builders import SESSION, timestamp, transcript
from tests.e2e.moved_recordings import absolute, path_hash

Entry = dict[str, Any]


class TrackedHome:
    """The folders, and the transcript as far as it was written.

    Attributes:
        home: the config folder.
        cwd: the working folder, in which the session was started.
    """

    def __init__(self, root: Path, session_id: str = SESSION) -> None:
        self.home, self.cwd, self.session_id = root / "home", root / "shop", session_id
        self.transcript = self.home / "projects" / "-shop" / f"{session_id}.jsonl"
        self.copies = self.home / "file-history" / session_id
        for folder in (self.cwd, self.transcript.parent, self.copies):
            folder.mkdir(parents=True, exist_ok=True)

    def write(self, *lines: bytes) -> None:
        """Add lines to the transcript; rows are moved into the working folder."""
        here = json.dumps(str(self.cwd))[1:-1].encode()
        with self.transcript.open("ab") as file:
            for text in lines:
                file.write(text.replace(b"/home/dev/shop", here))

    def rows(self, text: str, **options: Any) -> None:
        """Add rows in the language of `tests.builders`."""
        self.write(transcript(text, **options))

    def copy(self, path: str, version: int, data: bytes, mode: int = 0o644) -> str:
        """Keep a version of a file; gives the copy's name."""
        name = f"{path_hash(absolute(path, str(self.cwd)))}@v{version}"
        (self.copies / name).write_bytes(data)
        (self.copies / name).chmod(mode)
        return name

    def kept(self, path: str, version: int, data: bytes, **fields: Any) -> Entry:
        """Keep a version of a file; gives its entry."""
        return entry(self.copy(path, version, data), version, **fields)


def entry(name: object, version: object, seconds: float = 0, **fields: Any) -> Entry:
    """What a line says of one file."""
    return {
        "backupFileName": name,
        "version": version,
        "backupTime": timestamp(seconds),
        **fields,
    }


def turns(numbers: Iterable[int]) -> str:
    """Prompts with an answer each: `u1 a1 u2 a2`."""
    return " ".join(f"u{number} a{number}" for number in numbers)
