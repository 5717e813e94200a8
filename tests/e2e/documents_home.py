"""A session with a bit of everything that an editor asks about, and an editor's questions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from forkpoint.protocol.uri import file_uri
from tests.builders import SESSION, assistant, call_block, line, result_block, transcript, user
from tests.e2e.forkpoint_server import ForkpointServer, Json

CLIENT: Json = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
    "workspace": {"symbol": {"resolveSupport": {"properties": ["location.range"]}}},
}
"""An editor that takes all that there is."""

OPTIONS: Json = {"commands": ["forkpoint.showBranch"], "transcripts": "readable"}
READABLE = f"forkpoint-transcript:/Any%20title.md?session={SESSION}"


class DocumentsHome:
    """Config folder and workspace.

    The conversation, by line of the raw file:

        0 prompt · 1 edits cart.py · 2 its result · 3 answer · 4 prompt, abandoned · 5 its answer ·
        6 prompt from 3 · 7 its answer · 8 a type that nobody knows · 9 no JSON · 10 a title
    """

    def __init__(self, folder: Path) -> None:
        """Write them."""
        self.home, self.workspace = folder / "home", folder / "shop"
        self.workspace.mkdir(parents=True)
        self.cart = self.workspace / "cart.py"
        self.cart.write_text("prices = []\ntotal = 1\n")
        self.path = self.home / "projects" / "-shop" / f"{SESSION}.jsonl"
        self.path.parent.mkdir(parents=True)
        self.path.write_bytes(self.conversation())
        self.raw = file_uri(str(self.path))

    def conversation(self) -> bytes:
        """Return the transcript's bytes."""
        edit = {"file_path": str(self.cart), "old_string": "0", "new_string": "1"}
        result = {"role": "user", "content": [result_block("1", content="one\ntwo")]}
        cwd = {"cwd": str(self.workspace)}
        rows = transcript(
            "u1 t1 r1 a1 u2 a2 | a1 u3 a3 x1",
            fields={
                "u1": {**user("Add up the prices"), **cwd},
                "t1": {**assistant("t1", call_block("1", "Edit", **edit)), **cwd},
                "r1": {"message": result},
                "u2": user("Round it"),
                "u3": user("Round it up"),
            },
        )
        return rows + b"no JSON\n" + line(type="custom-title", customTitle="Prices")


class Editor(ForkpointServer):
    """Asks as an editor does."""

    def about(self, method: str, uri: str, **more: Any) -> Any:
        """Ask about a document, or a place in it, and expect a result."""
        params = {"textDocument": {"uri": uri}, **more}
        answer = self.request(f"textDocument/{method}", params)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def at(self, method: str, uri: str, at: int, unit: int = 0) -> Any:
        """Ask about a place."""
        more = {"context": {"includeDeclaration": False}} if method == "references" else {}
        return self.about(method, uri, position={"line": at, "character": unit}, **more)

    def everything(self, uri: str, at: int) -> Json:
        """Ask all that can be asked of a document, and of a line in it."""
        whole = ("documentSymbol", "foldingRange", "documentLink", "codeLens", "diagnostic")
        placed = ("hover", "definition", "references")
        return {
            **{method: self.about(method, uri) for method in whole},
            **{method: self.at(method, uri, at) for method in placed},
        }


def place(at: int, first: int, last: int, end: int | None = None) -> Json:
    """Return a range: from a unit of a line to one of the same, or of another, line."""
    end_line = at if end is None else end
    return {
        "start": {"line": at, "character": first},
        "end": {"line": end_line, "character": last},
    }


def outline(symbols: list[Json], depth: int = 0) -> list[str]:
    """Write symbols as lines: name, detail, first and last line."""
    found: list[str] = []
    for symbol in symbols:
        start, end = symbol["range"]["start"]["line"], symbol["range"]["end"]["line"]
        detail = f" ({symbol['detail']})" if "detail" in symbol else ""
        found.append(f"{'  ' * depth}{symbol['name']}{detail} {start}-{end}")
        found += outline(symbol.get("children", []), depth + 1)
    return found
