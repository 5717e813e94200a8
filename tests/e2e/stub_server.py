"""A server whose catalog holds nothing real, to test the shell around a catalog.

Its hundred transcripts are names that take 5 ms each to index. The session id of a question names
the situation to be in; the one that takes long ends with the notification `stub/goOn`.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import attrs
from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.lsp.editor import Editor
from forkpoint.lsp.features.health import health as health_of
from forkpoint.lsp.options import Options
from forkpoint.lsp.server import create_server, serve_stdio
from forkpoint.prices import Prices
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed

TRANSCRIPTS = 100
INDEX_SECONDS = 0.005
LONG_SECONDS = 60
SECRET_PATH = "/home/someone/secret.txt"

go_on = threading.Event()


class StubCatalog:
    def __init__(self, options: Options) -> None:
        if any(folder.name == "unopenable" for folder in options.claude_config_dirs or ()):
            raise OSError(SECRET_PATH)
        self.options = options
        self.said = ""
        self.done = 0
        self.changed: list[str] = []
        self.roots: list[Path] = []
        self.codex_homes: list[Path] = []

    def refresh(self, paths: Iterable[str] | None) -> None:
        pass

    def heed(self, is_unwanted: Callable[[], bool]) -> None:
        pass

    def look_who_is_live(self) -> None:
        pass

    def be_helped(self, wake: Callable[[], None]) -> None:
        pass

    def awaits_help(self) -> bool:
        return False

    def keep(self) -> None:
        pass

    def close(self) -> None:
        pass

    def index_next(self) -> bool:
        if self.done == TRANSCRIPTS:
            return False
        time.sleep(INDEX_SECONDS)
        self.done += 1
        self.changed.append(f"session-{self.done}")
        if self.done == 7:
            raise ValueError("one transcript is odd")
        return self.done < TRANSCRIPTS

    def indexing(self) -> tuple[int, int]:
        return self.done, TRANSCRIPTS

    def adopt(self, *, prices: Prices, account: str, status_line_cache: bool) -> None:
        self.said = f"{sorted(prices.own)} {account} {status_line_cache}"

    def take_changes(self) -> tuple[list[str], list[str], list[str]]:
        changed, self.changed = self.changed, []
        return [], changed, []


def sessions(catalog: StubCatalog, params: types.SessionsParams) -> types.SessionsResult:
    print("a stray line that must not reach the client")
    done, total = catalog.indexing()
    indexing = types.Indexing(done=done, total=total)
    return types.SessionsResult(sessions=[], total=params.offset, indexing=indexing)


def health(catalog: StubCatalog, params: types.HealthParams) -> types.HealthResult:
    """Give the options in force as problems, to be seen by a test."""
    problems = [("folder", str(each)) for each in catalog.options.claude_config_dirs or ()]
    problems.append(("said", catalog.said))
    empty = health_of(Catalog([]), params)
    told = [types.Problem(code=code, sentence=text) for code, text in problems]
    return attrs.evolve(empty, problems=told, indexing=types.Indexing(done=0, total=0))


def subagents(catalog: StubCatalog, params: types.SubagentsParams) -> object:
    return SITUATIONS[params.session_id]()


def _fails() -> object:
    raise ValueError(f"no such file: {SECRET_PATH}")


def _is_not_there() -> object:
    raise RequestFailed("unknownSession", "There is no session of that id.")


def _takes_long() -> object:
    go_on.wait(LONG_SECONDS)
    go_on.clear()
    return types.SubagentsResult(agents=[])


def _has_lone_surrogates() -> object:
    tokens = types.TokenCounts(input=0, output=0, cache_read=0, cache_write_5m=0, cache_write_1h=0)
    agent = types.Subagent(
        agent_id="a1",
        parent_agent_id=None,
        tool_use_id=None,
        type="cut \ud83d here",
        description="\udc00 and whole \ud83d\ude00",
        model=None,
        tokens=tokens,
        state="unknown",
        transcript=None,
    )
    return types.SubagentsResult(agents=[agent])


def _cannot_be_written() -> object:
    return {"agents": object}


SITUATIONS: dict[str, Callable[[], object]] = {
    "fails": _fails,
    "isNotThere": _is_not_there,
    "takesLong": _takes_long,
    "hasLoneSurrogates": _has_lone_surrogates,
    "cannotBeWritten": _cannot_be_written,
}


def highlight(catalog: StubCatalog, params: lsp.DocumentHighlightParams, editor: Editor) -> None:
    """Take long in one document and no time in others."""
    if params.text_document.uri == "stub:takesLong":
        _takes_long()


HANDLERS = {
    "forkpoint/sessions": sessions,
    "forkpoint/health": health,
    "forkpoint/subagents": subagents,
}


def main() -> int:
    server = create_server(StubCatalog, HANDLERS, {"textDocument/documentHighlight": highlight})

    @server.feature("stub/goOn")
    def let_go_on(params: None) -> None:
        go_on.set()

    return serve_stdio(server)


if __name__ == "__main__":
    sys.exit(main())
