"""The real server over stdio, as the tests talk to it: one process, many config folders."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.e2e.stdio_client import StdioClient, eventually

FORKPOINT = (sys.executable, "-B", "-m", "forkpoint")

Json = dict[str, Any]


class ForkpointServer(StdioClient):
    """A server that is pointed at other config folders by its settings, as an editor would.

    `under` is a command that runs it, such as one that watches it or takes rights from it.
    """

    def __init__(
        self,
        *folders: Path,
        capabilities: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        under: Sequence[str] = (),
        locale: str | None = None,
    ) -> None:
        named = [word for folder in folders for word in ("--config-dir", str(folder))]
        super().__init__([*under, *FORKPOINT, "serve", *named])
        self.answered = self.initialize(capabilities, options, locale)

    def open(self, *folders: Path, **settings: object) -> None:
        """Have it answer from these folders, and by these settings, from now on."""
        section = {"claudeConfigDirs": [str(folder) for folder in folders], **settings}
        pushed = {"settings": {"forkpoint": section}}
        self.notify("workspace/didChangeConfiguration", pushed)

    def result(self, method: str, **params: Any) -> Json:
        """Ask, and expect a result."""
        answer = self.request(f"forkpoint/{method}", params)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def refusal(self, method: str, params: object = None) -> Json:
        """Ask, and expect an error."""
        answer = self.request(f"forkpoint/{method}", params)
        assert "result" not in answer, f"{method} {params} was answered"
        return answer["error"]

    def listed(self, **params: Any) -> dict[str, Json]:
        """All sessions by id, in the order of the list, once every transcript is read."""

        def is_read() -> bool:
            indexing = self.result("health")["indexing"]
            return indexing["done"] == indexing["total"]

        eventually(is_read)
        every = {"includeProgrammatic": True, "includeArchived": True}
        rows = self.result("sessions", **{**every, **params})["sessions"]
        return {row["sessionId"]: row for row in rows}

    def pages(self, method: str, key: str, size: int, **params: Any) -> Iterator[Json]:
        """The elements of an answer that comes in pages."""
        offset = 0
        while True:
            answer = self.result(method, **params, offset=offset, limit=size)
            yield from answer[key]
            offset += size
            if offset >= answer["total"]:
                return


def end(server: ForkpointServer) -> None:
    """End it as an editor does; nothing may have gone wrong behind the answers."""
    assert server.request("shutdown")["result"] is None
    server.notify("exit", None)
    assert server.process.wait(20) == 0
    assert "Traceback" not in server.log, server.log
