"""A config folder with sessions and copies of files, written as a test needs it."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from forkpoint.backups import Copy
from forkpoint.catalog import Catalog
from tests.builders import CWD, SESSION, transcript

A = "aaaaaaaa-0000-4000-8000-000000000000"
B = "bbbbbbbb-0000-4000-8000-000000000000"
C = "cccccccc-0000-4000-8000-000000000000"


class CheckpointHome:
    """Sessions lie in one project; copies are named after the file's path and a version."""

    def __init__(self, root: Path, cwd: str = CWD) -> None:
        self.root = root
        self.cwd = cwd

    def session(self, session_id: str, data: bytes | str) -> Path:
        """Write a transcript, of bytes or in the language of the builders."""
        path = self.transcript(session_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        data = transcript(data) if isinstance(data, str) else data
        path.write_bytes(data.replace(SESSION.encode(), session_id.encode()))
        return path

    def transcript(self, session_id: str) -> Path:
        """Where a transcript lies."""
        return self.root / "projects" / "-home-dev-shop" / f"{session_id}.jsonl"

    def folder(self, session_id: str) -> Path:
        """The session's copies."""
        return self.root / "file-history" / session_id

    def name(self, path: str, version: int) -> str:
        """The name of a copy; a relative path is below the directory."""
        absolute = os.path.normpath(Path(self.cwd, path))
        return f"{sha256(absolute.encode()).hexdigest()[:16]}@v{version}"

    def place(self, session_id: str, path: str, version: int) -> Path:
        """Where a copy lies."""
        return self.folder(session_id) / self.name(path, version)

    def copy(self, session_id: str, path: str, version: int, content: bytes | str) -> Copy:
        """Write a copy."""
        place = self.place(session_id, path, version)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        return Copy(self.root, session_id, place.name)

    def catalog(self) -> Catalog:
        """All that is there, read."""
        known = Catalog([self.root])
        while known.index_next():
            pass
        return known
